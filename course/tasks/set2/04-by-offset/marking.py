"""Tables whose dot products depend on the offset alone, and tables that break it elsewhere each."""

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from course.sets.judging import Mark
from course.sets.student import Call
from course.sets.trials import mark_test
from course.sets.variants import Setting
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import Recipe


def usual(length: int, d_model: int, *, base: float = 10000, start: float = 0) -> Tensor:
    return Setting(length, d_model, base=base, start=start).table()


def halves(length: int, d_model: int) -> Tensor:
    return Setting(length, d_model, layout="halves").table()


def larger(length: int, d_model: int) -> Tensor:
    return 5 * usual(length, d_model)


def some_hands(length: int, d_model: int) -> Tensor:
    """Hands of different sizes and any speeds."""
    i = torch.arange(d_model // 2).double()
    angles = torch.outer(torch.arange(length).double(), 0.7 + 0.31 * i)
    pairs = torch.stack([angles.cos(), angles.sin()], -1) * (1 + i)[:, None]
    return pairs.flatten(1)


def mistaken(name: str, length: int, d_model: int) -> Tensor:
    return Recipe((BY_NAME[name],)).table(length, d_model)


def quadratic(length: int, d_model: int) -> Tensor:
    """Every hand is faster from row to row; the rows are equally long."""
    return _at(torch.arange(length).double() ** 2 / 10, d_model)


def folded(length: int, d_model: int) -> Tensor:
    """Up to the middle and back: neighbours are alike everywhere but in the middle."""
    p = torch.arange(length).double()
    return _at((p - length // 2).abs(), d_model)


def wraps_late(length: int, d_model: int) -> Tensor:
    return _at(torch.arange(length).double() % 200, d_model)


def one_row_off(length: int, d_model: int) -> Tensor:
    table = usual(length, d_model)
    table[3 * length // 4] = table[0]
    return table


def turns_late(length: int, d_model: int) -> Tensor:
    p = torch.arange(length).double()
    return _at(torch.minimum(p, 500 - p), d_model)


def there_and_back(length: int, d_model: int) -> Tensor:
    """Two positions on and one back: every row is as far from the next as any."""
    steps = torch.tensor([1.0, 1.0, -1.0]).double().repeat(length)[: length - 1]
    return _at(torch.cat([torch.zeros(1).double(), steps.cumsum(0)]), d_model)


def narrow_alone(length: int, d_model: int) -> Tensor:
    return usual(length, d_model) if d_model >= 12 else quadratic(length, d_model)


def short_alone(length: int, d_model: int) -> Tensor:
    return usual(length, d_model) if length >= 100 else quadratic(length, d_model)


def _at(p: Tensor, d_model: int) -> Tensor:
    omega = 10000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    angles = torch.outer(p, omega)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


GOOD = {
    "the book's table": usual,
    "base 50": partial(usual, base=50),
    "halves": halves,
    "from position 1000 on": partial(usual, start=1000),
    "all numbers five times as large": larger,
    "hands of different sizes": some_hands,
}
BAD = {
    "quadratic": (quadratic, "has rows of one length, and neighbours that come apart"),
    "folded": (folded, "goes up to the middle and back"),
    "wraps-late": (wraps_late, "begins anew after 200 rows"),
    "one-row-off": (one_row_off, "has one row that belongs elsewhere"),
    "raw-column": (partial(mistaken, "raw-column"), "has another frequency in every column"),
    "turns-late": (turns_late, "goes up for 250 rows and then back"),
    "there-and-back": (there_and_back, "goes two positions on and one back, again and again"),
    "narrow-alone": (narrow_alone, "breaks it in tables of less than 12 columns alone"),
    "short-alone": (short_alone, "breaks it in tables of less than 100 rows alone"),
    "sines-alone": (partial(mistaken, "sines-alone"), "has sines alone"),
}


def mark(call: Call, given: dict[str, object]) -> Iterator[Mark]:
    yield from mark_test(("accepts", "rejects"), call, "by_offset", GOOD, BAD)
