"""Judges the frequencies of a head that is to read longer texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from course.sets.jointly import (
    Known,
    mark_parts,
    mistaken_frequencies,
    read_numbers,
    right_frequencies,
)
from course.sets.marks import Mark
from course.sets.student import Call, called
from pe_core import frequencies
from pe_lab.diagnosis.reading import Problem


class Asked(NamedTuple):
    d: int
    base: float
    way: str
    factor: float
    trained: int


PARTS = {
    "interpolation": [
        Asked(8, 10000.0, "interpolation", 4.0, 32),
        Asked(64, 500.0, "interpolation", 2.5, 100),
    ],
    "NTK-aware": [
        Asked(8, 10000.0, "NTK-aware", 4.0, 32),
        Asked(16, 500.0, "NTK-aware", 2.5, 64),
        Asked(128, 10000.0, "NTK-aware", 8.0, 4096),
    ],
    # At 63 words pair 1 makes 0.987 of a turn; counted from 1 it would make 1.003.
    "by turns": [
        Asked(8, 10000.0, "by turns", 4.0, 63),
        Asked(64, 10000.0, "by turns", 4.0, 32),
        Asked(128, 1e6, "by turns", 2.0, 4096),
    ],
    "a single pair": [
        Asked(2, 10000.0, "NTK-aware", 4.0, 32),
        Asked(2, 100.0, "interpolation", 4.0, 32),
        Asked(2, 100.0, "by turns", 4.0, 5),
    ],
}
TOLERANCE = 1e-3  # of a logarithm: a thousandth of a frequency


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    def words(asked: Asked) -> str:
        return called("slowed", asked, {})

    def gave(asked: Asked) -> Tensor | Problem:
        omega = read_numbers(call("slowed", *asked), (asked.d // 2,), words(asked))
        if isinstance(omega, Problem):
            return omega
        if (omega <= 0).any():
            says = f"{words(asked)} holds a frequency that is not more than 0."
            return Problem("not-positive", says)
        return omega.log()

    def wanted(asked: Asked) -> Tensor:
        return slowed(asked).log()[None]

    return mark_parts(
        PARTS,
        gave,
        wanted,
        known(),
        words=words,
        tolerance=TOLERANCE,
        where=first_wrong,
        alike={"a single pair": "by turns"},
    )


def first_wrong(logs: Tensor, right_ones: Tensor, tolerance: float) -> str:
    """Where the frequencies (1, d/2) depart from what is right: they are told, and no logarithm."""
    apart = ((logs - right_ones).abs() > tolerance)[0]
    first, count = int(apart.nonzero()[0]), int(apart.sum())
    return (
        f"{count} of {len(apart)} frequencies {'is' if count == 1 else 'are'} wrong. The first is "
        f"entry {first}, counted from 0: {float(logs[0, first].exp()):.4g} stands there."
    )


def right_power(d: int) -> float:
    """Of the factor, by which the base is multiplied."""
    return d / (d - 2) if d > 2 else 0


def slowed(
    asked: Asked,
    *,
    omega=right_frequencies,
    power: Callable[[int], float] = right_power,
    turn: float = 2 * math.pi,
    last: int = -1,
    others: bool = False,
    longer: bool = False,
) -> Tensor:
    """The frequencies (d/2,), with something exchanged where it is to be wrong."""
    d, base, way, factor, trained = asked
    frequency = omega(d, base)
    if way == "interpolation":
        return frequency / factor
    if way == "NTK-aware":
        return omega(d, base * factor ** power(d))
    kept = ((trained * factor if longer else trained + last) * frequency >= turn) ^ others
    return torch.where(kept, frequency, frequency / factor)


def known() -> Iterator[Known[Asked]]:
    def one(name: str, says: str, **changed: object) -> Known[Asked]:
        return Known(name, says, lambda asked: slowed(asked, **changed).log()[None])

    yield one(
        "times-factor",
        "The base is multiplied by the factor: the slowest pair is slowed by less than that.",
        power=lambda d: 1,
    )
    yield one(
        "exponent-upside-down",
        "The exponent of the factor stands upside down.",
        power=lambda d: (d - 2) / d,
    )
    yield one(
        "smaller-base",
        "The base is divided: it becomes smaller, and every hand but the first faster.",
        power=lambda d: -right_power(d),
    )
    yield one("radians", "A pair counts as gone round after one radian.", turn=1)
    yield one("half-turns", "A pair counts as gone round after half a turn.", turn=math.pi)
    yield one(
        "from-1",
        "The last position is counted as one more than it is, so a pair counts as gone round that "
        "was not.",
        last=0,
    )
    yield one(
        "longer-text",
        "A pair counts as gone round if it goes round in the longer text.",
        longer=True,
    )
    yield one(
        "the-others",
        "The pairs that went round are slowed, and the others stay.",
        others=True,
    )
    yield Known(
        "faster",
        "The hands become faster: positions are multiplied by the factor.",
        lambda asked: (
            frequencies(asked.d, base=asked.base) * asked.factor
            if asked.way == "interpolation"
            else slowed(asked)
        ).log()[None],
    )
    for name, says, omega in mistaken_frequencies():
        yield one(name, says, omega=omega)
    yield Known(
        "unchanged",
        "The frequencies are those of the training.",
        lambda asked: frequencies(asked.d, base=asked.base).log()[None],
    )
