"""Judges RoPE for positions that are told, and the matrix between a query and a key."""

from __future__ import annotations

from collections.abc import Iterator
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

LAYOUTS = ("interleaved", "halves")


class Asked(NamedTuple):
    """A call of turn; or of between, where k is told."""

    positions: tuple[int, ...]
    d: int
    base: float = 10000.0
    layout: str = "interleaved"
    k: int | None = None


PARTS = {
    "turned": [Asked((0, 1, 2, 3, 4), 6), Asked((0, 1, 2), 10)],
    "positions and base": [
        Asked((5000, 17, 17, 3), 8),
        Asked((7,), 4, 100.0),
        Asked((0, 1, 2, 3), 8, 500.0),
    ],
    "halves": [Asked((0, 1, 2, 3), 6, layout="halves"), Asked((0, 1, 2), 8, layout="halves")],
    "between": [Asked((), 6, k=4), Asked((), 8, k=-3), Asked((), 4, 50.0, k=7)],
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    def words(asked: Asked) -> str:
        if asked.k is not None:
            return called("between", (asked.k, asked.d, asked.base), {})
        return f"`turn(x, {[*asked.positions]}, {asked.base}, {asked.layout!r})`"

    def gave(asked: Asked) -> object:
        if asked.k is not None:
            value = call("between", asked.k, asked.d, asked.base)
            return read_numbers(value, (asked.d, asked.d), words(asked))
        x = vectors(asked)
        value = call("turn", x, [*asked.positions], asked.base, asked.layout)
        return read_numbers(value, (len(asked.positions), asked.d), words(asked))

    return mark_parts(PARTS, gave, result, known(), words=words)


def vectors(asked: Asked) -> Tensor:
    """What is to be turned, float64: (n, d)."""
    seed = torch.Generator().manual_seed(asked.d)
    return torch.randn(len(asked.positions), asked.d, generator=seed, dtype=torch.float64)


def result(
    asked: Asked,
    *,
    omega=right_frequencies,
    way: int = 1,
    signs: tuple[int, int] = (-1, 1),
    further: int = 0,
    counted: bool = False,
    layout: str | None = None,
    pairs: str | None = None,
    overwritten: bool = False,
) -> Tensor:
    """What is asked for, with something exchanged where it is to be wrong.

    ``signs``: of the two sines. ``further``: positions too far. ``counted``: positions are the
    numbers of the rows. ``layout``: which columns are a pair, and where they are put; ``pairs``:
    which columns are read as a pair, if that is another layout. ``overwritten``: the first of a
    pair is its new one when the second is computed.
    """
    frequency = omega(asked.d, asked.base)  # (d/2,)
    if asked.k is not None:  # column c is what becomes of a vector with a 1 in column c alone
        x, p = torch.eye(asked.d).double(), torch.full((asked.d,), asked.k).double()
    else:
        x, p = vectors(asked), torch.tensor(asked.positions).double()
    p = torch.arange(len(p)).double() if counted else p + further
    put = layout or asked.layout
    first, second = split(x, pairs or put)
    angle = way * p[:, None] * frequency  # (n, d/2)
    new_first = first * angle.cos() + signs[0] * second * angle.sin()
    first = new_first if overwritten else first
    new_second = signs[1] * first * angle.sin() + second * angle.cos()
    if put == "halves":
        turned = torch.cat([new_first, new_second], dim=1)
    else:
        turned = torch.stack([new_first, new_second], dim=-1).flatten(1)
    return turned.T if asked.k is not None else turned


def split(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    """The first and the second of each pair."""
    if layout == "halves":
        first, second = x.chunk(2, dim=1)
        return first, second
    return x[:, 0::2], x[:, 1::2]


def known() -> Iterator[Known[Asked]]:
    def one(
        name: str, changed: dict[str, object], says: str, also: tuple[str, ...] = ()
    ) -> Known[Asked]:
        return Known(name, says, lambda asked: result(asked, **changed), also)

    yield one(
        "rows-counted",
        {"counted": True},
        "The positions that are told change nothing: the rows are turned as if they were counted "
        "from 0.",
    )
    yield Known(
        "base-ignored",
        "The base changes nothing: the turns are those for 10000.",
        lambda asked: result(asked._replace(base=10000.0)),
    )
    yield one(
        "layout-ignored",
        {"layout": "interleaved"},
        "The layout changes nothing: columns 2i and 2i + 1 are always a pair.",
        also=("turned",),
    )
    yield one(
        "halves-always",
        {"layout": "halves"},
        "The layout changes nothing: columns i and i + d/2 are always a pair.",
        also=("halves",),
    )
    yield Known(
        "layouts-exchanged",
        "The two layouts have changed places: each is turned as the other should be.",
        lambda asked: result(asked, layout=LAYOUTS[asked.layout == "interleaved"]),
        also=("turned", "halves"),
    )
    yield one(
        "mixed-layouts",
        {"pairs": "halves"},
        "Columns i and i + d/2 are read as a pair, and written to the places of the layout that "
        "is asked for.",
    )
    yield one("other-way", {"way": -1}, "It turns the other way: by minus the angle.")
    for name, sign in (("both-signs-plus", 1), ("both-signs-minus", -1)):
        yield one(name, {"signs": (sign, sign)}, "Both sines have one sign: it is no rotation.")
    yield one(
        "overwritten",
        {"overwritten": True},
        "The second number of a pair is computed with the first as it is after its turn, and not "
        "as it was before.",
    )
    yield one("from-1", {"further": 1}, "Every row is turned by one position too many.")
    for name, says, omega in mistaken_frequencies():
        yield one(name, {"omega": omega}, says)
