"""Judges a matrix that moves the rows of a table with another base, layout or order."""

from __future__ import annotations

from collections.abc import Iterator
from math import trunc
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
from pe_lab.diagnosis.offset import ANGLES, BLOCKS


class Asked(NamedTuple):
    k: float
    d_model: int
    base: float = 10000.0
    layout: str = "interleaved"
    first: str = "sine"


PARTS = {
    "the chapter's table": [Asked(3, 6), Asked(-2, 8), Asked(5, 14)],
    "base and k": [Asked(2.5, 6, 100.0), Asked(-1.5, 8, 400.0), Asked(4, 6, 2.5)],
    "halves": [Asked(3, 6, layout="halves"), Asked(5, 8, layout="halves")],
    "cosine first": [Asked(3, 6, first="cosine"), Asked(2, 8, layout="halves", first="cosine")],
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    def words(asked: Asked) -> str:
        return called("shift_matrix", asked, {})

    def gave(asked: Asked) -> object:
        value = call("shift_matrix", *asked)
        return read_numbers(value, (asked.d_model, asked.d_model), words(asked))

    return mark_parts(PARTS, gave, matrix, known(), words=words)


def matrix(asked: Asked, *, omega=right_frequencies, angle=ANGLES[0], block=BLOCKS[0]) -> Tensor:
    """The matrix, with one of its parts exchanged where it is to be wrong."""
    d = asked.d_model
    turned = angle.make(asked.k, omega(d, asked.base))  # (d/2,)
    woven = torch.block_diag(*block.make(turned.sin(), turned.cos()))  # (d, d)
    return woven[order(asked)][:, order(asked)]


def order(asked: Asked) -> Tensor:
    """Which column of the chapter's table stands in each column of this one."""
    columns = torch.arange(asked.d_model).view(-1, 2)  # a row for each pair: sine, cosine
    if asked.first == "cosine":
        columns = columns.flip(1)
    return (columns.T if asked.layout == "halves" else columns).flatten()


USUAL = "the chapter's table"
OTHER = {"interleaved": "halves", "halves": "interleaved"}
ALSO = {
    "transposed": " Each of these matrices is that for the other order of sine and cosine, too: "
    "these may have changed places."
}


def known() -> Iterator[Known[Asked]]:
    def always(
        name: str, settings: dict[str, object], says: str, also: tuple[str, ...] = ()
    ) -> Known[Asked]:
        """These settings, whatever is asked for."""
        return Known(name, says, lambda asked: matrix(asked._replace(**settings)), also)

    yield always(
        "base-ignored",
        {"base": 10000.0},
        "The base changes nothing: the matrix is that for 10000.",
    )
    yield always(
        "layout-ignored",
        {"layout": "interleaved"},
        "The layout changes nothing: the matrix is that for interleaved pairs.",
        also=(USUAL,),
    )
    yield always(
        "halves-always",
        {"layout": "halves"},
        "The layout changes nothing: the matrix is that for halves.",
        also=("halves",),
    )
    yield Known(
        "layouts-exchanged",
        "The two layouts have changed places: each gets the matrix of the other.",
        lambda asked: matrix(asked._replace(layout=OTHER[asked.layout])),
        also=(USUAL, "halves"),
    )
    yield always(
        "order-ignored",
        {"first": "sine"},
        "Which of sine and cosine comes first changes nothing: the matrix is that for sines first.",
        also=(USUAL,),
    )
    yield always(
        "cosine-always",
        {"first": "cosine"},
        "Which of sine and cosine comes first changes nothing: the matrix is that for cosines "
        "first.",
        also=("cosine first",),
    )
    yield Known(
        "whole-steps",
        "An offset that is no whole number is cut off to a whole number.",
        lambda asked: matrix(asked._replace(k=trunc(asked.k))),
    )
    yield Known(
        "sign-ignored",
        "The sign of the offset changes nothing: the matrix for an offset below 0 is that for the "
        "one above 0.",
        lambda asked: matrix(asked._replace(k=abs(asked.k))),
    )
    for angle in ANGLES[1:]:
        says = angle.says + ALSO.get(angle.name, "")
        yield Known(angle.name, says, lambda asked, a=angle: matrix(asked, angle=a))
    for block in BLOCKS[1:]:
        yield Known(block.name, block.says, lambda asked, b=block: matrix(asked, block=b))
    for name, says, omega in mistaken_frequencies():
        yield Known(name, says, lambda asked, o=omega: matrix(asked, omega=o))
