"""Speeds for several settings, then the table, which may go on from the student's own speeds."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course.sets.judging import (
    Mark,
    follows,
    read_table,
    reals,
    right,
    same,
    unread,
    unreturned,
    wrong,
)
from course.sets.student import Call, called
from pe_core.checks import describe
from pe_lab.diagnosis.answers import real
from pe_lab.diagnosis.reading import Problem

SETTINGS = [(2, 200, 3), (5, 1000, 6), (10, 40, 2)]
LENGTH = 30

Speeds = Callable[[float, float, int], Tensor]


def _waves(first: float, last: float, hands: int, steps: int) -> Tensor:
    i = torch.arange(hands, dtype=torch.float64)
    return first * (last / first) ** (i / steps)


def asked(first: float, last: float, hands: int) -> Tensor:
    return 2 * math.pi / _waves(first, last, hands, hands - 1)


WRONG_SPEEDS: dict[str, tuple[Speeds, str]] = {
    "turns": (
        lambda first, last, n: asked(first, last, n) / (2 * math.pi),
        "These are turns per position.",
    ),
    "degrees": (
        lambda first, last, n: asked(first, last, n) * 180 / math.pi,
        "These are degrees per position.",
    ),
    "half-turn": (
        lambda first, last, n: asked(first, last, n) / 2,
        "With these a hand makes half a turn in its wavelength.",
    ),
    "wavelengths": (
        lambda first, last, n: _waves(first, last, n, n - 1),
        "These are the wavelengths.",
    ),
    "equal-steps": (
        lambda first, last, n: 2 * math.pi / torch.linspace(first, last, n).double(),
        "The wavelengths grow in equal steps.",
    ),
    "equal-steps-of-speed": (
        lambda first, last, n: torch.linspace(
            2 * math.pi / first, 2 * math.pi / last, n, dtype=torch.float64
        ),
        "The speeds fall in equal steps.",
    ),
    "last-missed": (
        lambda first, last, n: 2 * math.pi / _waves(first, last, n, n),
        "The slowest hand is faster than was asked for.",
    ),
    "slow-first": (
        lambda first, last, n: asked(first, last, n).flip(0),
        "The slowest stands first.",
    ),
}


def _table(speeds: Tensor, p: Tensor) -> Tensor:
    angles = p[:, None] * speeds
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def _codes(speeds: Tensor, p: Tensor) -> dict[str, tuple[Tensor, str]]:
    """Wrong tables of the right speeds."""
    table = _table(speeds, p)
    sines, cosines = table[:, 0::2], table[:, 1::2]
    return {
        "halves": (torch.cat([sines, cosines], 1), "All sines stand before all cosines."),
        "exchanged": (
            torch.stack([cosines, sines], -1).flatten(1),
            "Sine and cosine have changed places.",
        ),
        "sines-alone": (sines.repeat_interleave(2, 1), "Both numbers of a hand are its sine."),
        "from-1": (_table(speeds, p + 1), "Positions are counted from 1."),
    }


def mark(call: Call, given: dict[str, Any]) -> Iterator[Mark]:
    yield _speeds(call)
    code = _code(call, LENGTH, SETTINGS[1])
    if code.share == 1:  # whatever is asked for
        code = min(code, _code(call, 17, SETTINGS[0]), key=lambda mark: mark.share)
    yield code


def _read(call: Call, setting: tuple[int, int, int]) -> Tensor | Problem:
    value = call("speeds", *setting)
    words = called("speeds", setting, {})
    if problem := unreturned(value, words):
        return problem
    listed = reals(value)
    if listed is None or len(listed) != setting[2]:
        says = f"{words} must give {setting[2]} numbers, and gave {describe(value)}."
        return Problem("not-numbers", says)
    return torch.tensor(listed, dtype=torch.float64)


def _speeds(call: Call) -> Mark:
    found: list[Tensor] = []
    for setting in SETTINGS:
        one = _read(call, setting)
        if isinstance(one, Problem):
            return unread("speeds", one)
        found.append(one)
    if _all_like(found, asked):
        return right("speeds")
    for name, (speeds, says) in WRONG_SPEEDS.items():
        if _all_like(found, speeds):
            return wrong("speeds", name, says)
    return wrong("speeds", "unknown", "These are other speeds, and not one of the known mistakes.")


def _all_like(found: list[Tensor], speeds: Speeds) -> bool:
    pairs = zip(found, SETTINGS, strict=True)
    return all(torch.allclose(each, speeds(*setting), rtol=1e-3) for each, setting in pairs)


def _turn(speeds: Tensor) -> bool:
    """Whether they are speeds of different hands, all of which turn."""
    return bool(speeds.abs().min() > 1e-9) and len(speeds.unique()) == len(speeds)


def _code(call: Call, length: int, setting: tuple[int, int, int]) -> Mark:
    words = called("code", (length, *setting), {})
    value = call("code", length, *setting)
    if real(value) is not None:
        says = f"{words} must be a table, and is a number."
        return unread("code", Problem("not-a-table", says))
    table = read_table(value, (length, 2 * setting[2]), words)
    if isinstance(table, Problem):
        return unread("code", table)
    p = torch.arange(length).double()
    if same(table, _table(asked(*setting), p)):
        return right("code")
    own = _read(call, setting)
    if isinstance(own, Problem) or not _turn(own):
        own = asked(*setting)  # nothing follows
    if same(table, _table(own, p)):
        return follows("code")
    for name, (other, says) in _codes(own, p).items():
        if same(table, other):
            return wrong("code", name, says)
    for name, (speeds, says) in WRONG_SPEEDS.items():
        if same(table, _table(speeds(*setting), p)):
            return wrong("code", name, says)
    return wrong("code", "unknown", "This is another table, and not one of the known mistakes.")
