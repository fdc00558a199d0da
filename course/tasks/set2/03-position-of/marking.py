"""Rows of known positions; a wrong answer is compared with what the foreseen programs give."""

import math
from collections.abc import Callable, Iterator
from functools import cache

import torch
from torch import Tensor

from course.sets.judging import Mark, right, unread, unreturned, wrong
from course.sets.student import Call
from pe_core import stepwise
from pe_core.checks import describe
from pe_lab.diagnosis.answers import real
from pe_lab.diagnosis.reading import Problem

LENGTH = 5001
FAR = [7, 44, 163, 710, 2999, 4863]
Probe = tuple[list[int], int, float, int | None]  # positions, d_model, base, digits
PROBES: dict[str, Probe] = {
    "near": ([0, 1, 2, 3, 4, 5], 16, 10000.0, None),
    "far": ([*FAR, LENGTH - 1], 16, 10000.0, None),
    "base": (FAR, 12, 50_000.0, None),
    "rounded": (FAR, 32, 10000.0, 2),
}


@cache
def _table(d_model: int, base: float) -> Tensor:
    return stepwise(LENGTH, d_model, base=base, dtype=torch.float64)


def rows(probe: Probe) -> tuple[Tensor, Tensor]:
    """The rows and the frequencies of a probe."""
    positions, d_model, base, digits = probe
    table = _table(d_model, base)[positions]
    omega = base ** (-torch.arange(0, d_model, 2).double() / d_model)
    return (table.round(decimals=digits) if digits is not None else table), omega


def _angle(row: Tensor, i: int) -> float:
    return float(torch.atan2(row[2 * i], row[2 * i + 1])) % (2 * math.pi)


def _slowest(row: Tensor, omega: Tensor) -> float:
    return _angle(row, len(omega) - 1) / float(omega[-1])


def _searched(row: Tensor, base: float) -> int:
    return int((_table(len(row), base) @ row).argmax())


def _base(omega: Tensor) -> float:
    return float(omega[1]) ** -len(omega)


# What foreseen programs give: (row, ω, the position) -> number.
FORESEEN: dict[str, tuple[Callable[[Tensor, Tensor, int], float], str]] = {
    "one-too-many": (lambda row, omega, p: p + 1, "It gives one position too many."),
    "first-hand-only": (
        lambda row, omega, p: round(_angle(row, 0)),
        "It reads the first hand alone, which is back after 6.28 positions.",
    ),
    "half-a-turn": (
        lambda row, omega, p: round(math.asin(float(row[-2].clamp(-1, 1))) / float(omega[-1])),
        "It takes the arc sine, which knows no angle beyond a quarter of a turn.",
    ),
    "cosine-alone": (
        lambda row, omega, p: round(math.acos(float(row[-1].clamp(-1, 1))) / float(omega[-1])),
        "It takes the arc cosine of one number.",
    ),
    "farthest": (
        lambda row, omega, p: int((_table(len(row), _base(omega)) @ row).argmin()),
        "It gives the position whose row is the least like this one.",
    ),
    "slowest-hand-only": (
        lambda row, omega, p: round(_slowest(row, omega)),
        "It reads the slowest hand alone, whose angle is not known well enough.",
    ),
    "base-ignored": (
        lambda row, omega, p: _searched(row, 10000.0),
        "The base that is given changes nothing: the row is read as one of base 10000.",
    ),
}


def mark(call: Call, given: dict[str, object]) -> Iterator[Mark]:
    for part, probe in PROBES.items():
        yield _judged(part, probe, call)


def _judged(part: str, probe: Probe, call: Call) -> Mark:
    positions, d_model, base, digits = probe
    table, omega = rows(probe)
    found = []
    for row in table:
        value = call("position_of", row, base=base) if base != 10000 else call("position_of", row)
        if problem := unreturned(value, "It"):
            return unread(part, problem)
        position = real(value)
        if position is None:
            says = f"It returned {describe(value)}, and no number."
            return unread(part, Problem("not-a-number", says))
        found.append(position)
    if found == positions:
        return right(part)
    for name, (program, says) in FORESEEN.items():
        expected = [program(row, omega, p) for row, p in zip(table, positions, strict=True)]
        if found == expected:
            return wrong(part, name, says)
    first = next(n for n, (a, b) in enumerate(zip(found, positions, strict=True)) if a != b)
    says = f"{found[first]:g} is not the position of a row with d_model = {d_model}"
    says += f" and base = {base:g}" + (", rounded." if digits else ".")
    return wrong(part, "not-found", says)
