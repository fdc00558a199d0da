"""Judges what ALiBi adds, for the last queries of a text.

Met in public code: a bias over the queries alone, which is 0 where there is one (keras-hub,
issue 2861 and pull request 2977), and slopes that begin with 1 (paiml/aprender pull request 2143).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from course.sets.jointly import Known, mark_parts, read_numbers
from course.sets.marks import Mark
from course.sets.student import Call, called
from pe_lab.diagnosis.reading import Problem
from pe_lab.encodings import slopes

MASKED = Problem(
    "masked",
    "It holds infinity. Is that a mask? A key that stands after a query has a distance, too.",
)


class Asked(NamedTuple):
    n_heads: int
    n_queries: int
    n_keys: int


PARTS = {
    "slopes": [Asked(4, 5, 5), Asked(8, 6, 6), Asked(1, 3, 3)],
    "any number of heads": [Asked(6, 5, 5), Asked(12, 4, 4), Asked(3, 5, 5)],
    "the last queries": [Asked(4, 3, 9), Asked(2, 4, 6)],
    "one query": [Asked(2, 1, 7), Asked(8, 1, 20)],
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    def words(asked: Asked) -> str:
        return called("alibi", asked, {})

    def gave(asked: Asked) -> object:
        found = read_numbers(call("alibi", *asked), asked, words(asked))
        if isinstance(found, Problem) and found.name == "infinity":
            return MASKED
        return found

    return mark_parts(PARTS, gave, bias, known(), words=words, tolerance=1e-4, where=first_wrong)


def first_wrong(heads: Tensor, right_ones: Tensor, tolerance: float) -> str:
    """Which heads depart from what is right, and where the first of them does: (heads, q · k)."""
    apart = ((heads - right_ones).abs() > tolerance).any(dim=1)
    head = int(apart.nonzero()[0])
    count = f"{int(apart.sum())} of {len(apart)} heads {'is' if apart.sum() == 1 else 'are'} wrong"
    return f"{count}; the first is head {head}, counted from 0."


def bias(
    asked: Asked,
    *,
    slope: Callable[[int], Tensor] = slopes,
    sign: int = -1,
    first: int | None = None,
    distance: Callable[[Tensor], Tensor] = torch.abs,
) -> Tensor:
    """What is added, a row for each head, with something exchanged where it is to be wrong."""
    first = asked.n_keys - asked.n_queries if first is None else first
    query = first + torch.arange(asked.n_queries).double()
    offset = torch.arange(asked.n_keys).double() - query[:, None]  # (queries, keys)
    return sign * (slope(asked.n_heads)[:, None, None] * distance(offset)).flatten(1)


def power_of_n(n: int) -> Tensor:
    return 2 ** (-8 * torch.arange(1, n + 1).double() / n)


def early(n: int) -> Tensor:
    """One step of the progression too early, from 1 on."""
    power = 2 ** (n.bit_length() - 1)
    head = torch.arange(power).double()
    return torch.cat([2 ** (-8 * head / power), 2 ** (-8 * head / power)])[:n]


def all_of_next(n: int) -> Tensor:
    power = 2 ** (n.bit_length() - 1)
    return torch.cat([power_of_n(power), power_of_n(2 * power)])[:n]


def known() -> Iterator[Known[Asked]]:
    def one(name: str, says: str, **changed: object) -> Known[Asked]:
        return Known(name, says, lambda asked: bias(asked, **changed))

    yield one(
        "queries-from-0",
        "The queries are taken for the first of the text: their distances are counted from "
        "position 0.",
        first=0,
    )
    yield one("plus", "The sign is plus: far words gain.", sign=1)
    yield one(
        "signed-distance",
        "The distance has a sign: keys on one side of the query gain and those on the other lose.",
        distance=torch.neg,
    )
    yield one(
        "signed-distance",
        "The distance has a sign: keys on one side of the query gain and those on the other lose.",
        distance=torch.clone,
    )
    yield one(
        "later-at-0",
        "Every key that stands after a query has the distance 0.",
        distance=lambda offset: (-offset).clamp(min=0),
    )
    yield one(
        "one-step-early",
        "The slopes begin one step too early: that of the first head is 1.",
        slope=early,
    )
    yield one(
        "power-of-n",
        "The slopes are a progression in the number of heads, as if it were a power of two.",
        slope=power_of_n,
    )
    yield one(
        "all-of-the-next",
        "Of the slopes for the next power of two, the second and the fourth are taken, too.",
        slope=all_of_next,
    )
    yield one(
        "reversed",
        "The slopes are right, and in reverse: that of the last head stands at the first.",
        slope=lambda n: slopes(n).flip(0),
    )
    yield one(
        "sorted",
        "The slopes are right, and in another order: sorted by size.",
        slope=lambda n: slopes(n).sort(descending=True).values,
    )
