"""Which recipes give the tables that were handed in.

A recipe is named only if it gives every entry of every table within the tolerance. Recipes are
tried from the simple to the composed: the formula, other people's conventions, one mistake, a
mistake with a number in it (:mod:`pe_lab.diagnosis.fitting`), two mistakes. The first kind that
fits ends the search, and all of its kind that fit are named: where two mistakes give the same
numbers, nothing in the numbers tells them apart.

The tolerance is that of a right computation in float32: 1e-4, and for large angles what float32
does not hold of them; in 16 bits also the rounding of the result. An entry whose angle is so large
that next to nothing is known of it tells nothing, and a table with too many of those is not named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import torch
from torch import Tensor

from pe_lab.diagnosis.conventions import CONVENTIONS, Convention
from pe_lab.diagnosis.mistakes import BY_NAME, MISTAKES
from pe_lab.diagnosis.reading import Table
from pe_lab.diagnosis.recipe import Entries, Part, Recipe, together

LOOKED_AT_FIRST = 8  # entries after row 0 and as many all over, which rule out nearly everything
FIRST_ROWS = 4
FLOAT32 = 1e-6  # what float32 loses in a sum or a product after the sine
LAST_BIT = 2.0**-22  # of float32, relative
AT_A_TIME = 2**18  # entries
COMPARED = 0.5  # the share of entries that must be known
ONE_ROW = BY_NAME["one-position"]

# Of these one leaves nothing that the other could show: zeros, angles of whole turns, ones, the
# bare position, and the bare frequency. What they make together is more likely to come from
# elsewhere.
NOTHING_LEFT = (
    {"all-zero"},
    {"all-one", "turns"},
    {"one-position", "cosines-alone"},
    {"all-one", "no-wave"},
    {"one-position", "sum-of-both"},
)


def _pairs() -> Iterator[Recipe]:
    """Every two mistakes in different parts, and every convention with a mistake added."""
    known = {convention.recipe.name for convention in CONVENTIONS}
    composed: list[tuple[tuple[Part, ...], Part]]
    composed = [((one,), other) for one, other in combinations(MISTAKES, 2)]
    composed += [
        (convention.recipe.parts, mistake)
        for convention in CONVENTIONS
        if len(convention.recipe.parts) > 1
        for mistake in MISTAKES
    ]
    for parts, mistake in composed:
        if mistake.slot in Recipe(parts).slots:
            continue
        recipe = Recipe((*parts, mistake))
        names = {part.name for part in recipe.parts}
        if recipe.name not in known and not any(few <= names for few in NOTHING_LEFT):
            yield recipe


SINGLES = tuple(Recipe((mistake,)) for mistake in MISTAKES)
PAIRS = tuple(_pairs())


class Case:
    """A table with what is needed to compare it."""

    def __init__(self, table: Table) -> None:
        self.values = table.values
        self.sixteen = table.sixteen
        self.rounding = table.rounding
        self.length, self.d_model = table.values.shape

    def right(self) -> Tensor:
        """The right table of this size, in float64."""
        return Recipe().table(self.length, self.d_model)

    def wrong(self, recipe: Recipe) -> Tensor:
        """Where the table departs from what the recipe gives: bool, (L, d)."""
        return torch.cat([~self._inside(entries, p, c) for entries, p, c in self._blocks(recipe)])

    def matches(self, recipe: Recipe) -> bool:
        """Whether the recipe gives every entry of this table."""
        if ONE_ROW in recipe.parts and not self.rows_are_equal():
            return False  # within the tolerance, angles of next to nothing are those of row 0
        compared, later = 0, 0  # row 0 alone tells little: many recipes have zeros and ones there
        for entries, p, c in self._blocks(recipe):
            if not self._inside(entries, p, c).all():
                return False
            if recipe.in_steps and not self._in_steps(recipe, p, c).all():
                return False
            compared += int(entries.known.sum())
            later += int((entries.known & (p > 0)).sum())
        return later > 0 and compared >= COMPARED * self.values.numel()

    def rows_are_equal(self) -> bool:
        """But for the last bit, which may differ between what was computed alone or in fours."""
        first = self.values[0]
        return bool(((self.values - first).abs() <= LAST_BIT * first.abs()).all())

    def unknown(self, recipe: Recipe) -> int:
        """How many entries tell nothing: about the recipe's next to nothing is known."""
        return sum(int((~entries.known).sum()) for entries, _, _ in self._blocks(recipe))

    def at_first_look(self, recipes: Sequence[Recipe]) -> list[Recipe]:
        """Those of the recipes that give a few entries of this table."""
        if not recipes:
            return []
        entries = _few_of_each(tuple(recipes), self.length, self.d_model)
        like = self._inside(entries, *_few(self.length, self.d_model)).all(dim=1)
        return [recipes[n] for n in like.nonzero().flatten().tolist()]

    def _blocks(self, recipe: Recipe) -> Iterator[tuple[Entries, Tensor, Tensor]]:
        """The recipe's entries: the first rows, which mostly tell, then more rows at a time."""
        c = torch.arange(self.d_model)
        start, rows = 0, FIRST_ROWS
        while start < self.length:
            p = torch.arange(start, min(start + rows, self.length)).unsqueeze(1)
            yield recipe.entries(p, c, self.length, self.d_model), p, c
            start, rows = start + rows, max(1, AT_A_TIME // self.d_model)

    def _inside(self, entries: Entries, p: Tensor, c: Tensor) -> Tensor:
        """Which of the table's entries are within the tolerance."""
        given, slack = self.values[p, c], self._slack(entries.value)
        return (given >= entries.low - slack) & (given <= entries.high + slack)

    def _in_steps(self, recipe: Recipe, p: Tensor, c: Tensor) -> Tensor:
        """Which of the table's entries lie on a step of the recipe's finish.

        To within the tolerance an angle may belong to either of two steps, and to nothing between.
        """
        given = self.values[p, c]
        step: Tensor = recipe.compute["finish"](given, p, c, self.length, self.d_model)
        return (given - step).abs() <= self._slack(step)

    def _slack(self, value: Tensor) -> Tensor:
        """What is lost after the sine."""
        return self.rounding * value.abs() + FLOAT32 * (1 + value.abs())


@lru_cache(maxsize=16)
def _few(length: int, d_model: int) -> tuple[Tensor, Tensor]:
    """Rows and columns of a few entries: some after row 0, and more all over the table."""
    generator = torch.Generator().manual_seed(0)
    spread = torch.rand(LOOKED_AT_FIRST, generator=generator, dtype=torch.float32)
    first = d_model + torch.arange(LOOKED_AT_FIRST)
    flat = torch.cat([first, (spread * length * d_model).long()]) % (length * d_model)
    return flat // d_model, flat % d_model


@lru_cache(maxsize=32)  # functions are asked for the same sizes, and compared with the same recipes
def _few_of_each(recipes: tuple[Recipe, ...], length: int, d_model: int) -> Entries:
    """A few entries of each of the recipes: (recipes, entries)."""
    p, c = _few(length, d_model)
    shape = len(recipes), len(p)
    return together(recipes).entries(p.expand(shape), c.expand(shape), length, d_model)


def fits(recipe: Recipe, cases: Sequence[Case]) -> bool:
    """Whether the recipe gives all the tables."""
    return all(case.matches(recipe) for case in cases)


def fitting(recipes: Sequence[Recipe], cases: Sequence[Case]) -> list[Recipe]:
    """Those of the recipes that give all the tables."""
    for case in cases:
        recipes = case.at_first_look(recipes)
    return [recipe for recipe in recipes if fits(recipe, cases)]


def conventions(cases: Sequence[Case]) -> list[Convention]:
    """The conventions that give all the tables."""
    recipes = fitting([each.recipe for each in CONVENTIONS], cases)
    return [each for each in CONVENTIONS if each.recipe in recipes]
