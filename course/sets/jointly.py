"""Judging a function by all that it returned: a mistake that explains everything is named first.

A task calls the student's function with several settings, some for each of its parts. One mistake
may look like another in a part of them (a matrix that turns the other way is the right one for a
table with sine and cosine exchanged); all settings together tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from course.sets.judging import (
    TOLERANCE,
    first_wrong,
    right,
    same,
    unread,
    unreturned,
    wrong,
)
from course.sets.marks import Mark
from pe_core import frequencies
from pe_core.checks import describe
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.offset import FREQUENCIES
from pe_lab.diagnosis.reading import Problem, read
from pe_lab.diagnosis.recipe import Part

S = TypeVar("S", bound=Hashable)  # what a function is called with
Frequencies = Callable[[int, float], Tensor]  # of a width and a base: (d/2,)


@dataclass(frozen=True)
class Known(Generic[S]):
    """A mistake: its name, what it computes instead in a sentence, and what it gives.

    ``also`` are parts that it must explain, too: a sentence about two of them needs both.
    """

    name: str
    says: str
    gives: Callable[[S], Tensor]
    also: tuple[str, ...] = ()


def mark_parts(
    parts: Mapping[str, Iterable[S]],
    gave: Callable[[S], Tensor | Problem],
    wanted: Callable[[S], Tensor],
    known: Iterable[Known[S]],
    *,
    words: Callable[[S], str],
    tolerance: float = TOLERANCE,
    where: Callable[[Tensor, Tensor, float], str] = first_wrong,
    alike: Mapping[str, str] = {},
) -> list[Mark]:
    """A mark for each part.

    Args:
        parts: the settings of each part.
        gave: what the student's function gave for a setting, or why that cannot be read.
        wanted: what is right.
        known: the mistakes, in the order in which they are tried.
        words: the call, in words.
        tolerance: of an entry.
        where: says where numbers depart from what is right.
        alike: parts with too few settings to tell mistakes apart, each with another part that a
            mistake must explain, too.
    """
    asked = {part: [*settings] for part, settings in parts.items()}
    given = {setting: gave(setting) for settings in asked.values() for setting in settings}
    mistakes = [*known]

    def explained(settings: Iterable[S]) -> Known[S] | None:
        """The first mistake that gives all that can be read of these."""
        settings = [*settings]

        def fits(mistake: Known[S]) -> bool:
            needed = {*settings}.union(*(asked[part] for part in mistake.also))
            tables = {s: table for s in needed if isinstance(table := given[s], Tensor)}
            return all(_equal(table, mistake.gives(s), tolerance) for s, table in tables.items())

        return next(filter(fits, mistakes), None)

    def is_right(setting: S) -> bool:
        table = given[setting]
        return isinstance(table, Tensor) and _equal(table, wanted(setting), tolerance)

    def judged(part: str, everywhere: Known[S] | None) -> Mark:
        missed = next((setting for setting in asked[part] if not is_right(setting)), None)
        if missed is None:
            return right(part)
        table = given[missed]
        if isinstance(table, Problem):
            return unread(part, table)
        if one := everywhere or explained(asked[part] + asked.get(alike.get(part, ""), [])):
            return wrong(part, one.name, one.says)
        says = f"In {words(missed)}: {where(table, wanted(missed), tolerance)}"
        return wrong(part, "unknown", f"Not one of the known mistakes. {says}")

    everywhere = None if all(map(is_right, given)) else explained(given)
    return [judged(part, everywhere) for part in asked]


def _equal(table: Tensor, other: Tensor, tolerance: float) -> bool:
    return table.shape == other.shape and same(table, other, tolerance)


def read_numbers(value: object, shape: tuple[int, ...], call: str) -> Tensor | Problem:
    """Numbers of this shape as a table: float64, a row for each entry of the first axis.

    Numbers with a single axis are a single row.
    """
    if problem := unreturned(value, call):
        return problem
    try:
        array = np.asarray(value.tolist() if isinstance(value, Tensor) else value)
    except (TypeError, ValueError, RuntimeError):
        return Problem("not-a-table", f"{call} must be numbers, and is {describe(value)}.")
    if array.shape != tuple(shape):
        return Problem(
            "shape", f"{call} must have the shape {tuple(shape)}, and has {array.shape}."
        )
    table = read(array.reshape(shape[0] if len(shape) > 1 else 1, -1), call)
    return table if isinstance(table, Problem) else table.values


def right_frequencies(d_model: int, base: float) -> Tensor:
    """The frequency of each pair: (d/2,)."""
    return frequencies(d_model, base=base)


def mistaken_frequencies() -> list[tuple[str, str, Frequencies]]:
    """Each mistake that a pair's frequency can have: its name, its sentence and what it gives."""

    def of(mistake: Part) -> Frequencies:
        def omega(d_model: int, base: float) -> Tensor:
            return mistake.frequencies(base)(torch.arange(0, d_model, 2).double(), d_model, d_model)

        return omega

    mistakes = [BY_NAME[each.name] for each in FREQUENCIES if each.name]
    return [(each.name, each.of_any_base or each.says, of(each)) for each in mistakes]
