"""Diagnosing a table, or the function that makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import takewhile

import torch

from pe_lab.diagnosis import fitting, matching, properties
from pe_lab.diagnosis.conventions import CONVENTIONS, Convention
from pe_lab.diagnosis.matching import PAIRS, SINGLES, Case
from pe_lab.diagnosis.reading import Problem, Table, ask, read
from pe_lab.diagnosis.recipe import RIGHT, Recipe
from pe_lab.diagnosis.result import Diagnosis, both

# What a function is asked for. On the first all mistakes differ but the rounding of positions to
# float16, for which the last is long enough. The second has an odd length and an odd number of
# pairs, so that a function that knows one size only is found out.
PROBES = ((300, 8), (37, 14), (2100, 4))

EXCHANGED_AXES = "Rows and columns are exchanged."

NAMED = 4  # of those that cannot be told apart, and of those that could not be tested


def diagnose(table: object) -> Diagnosis:
    """Say whether a table of the sinusoidal encoding is right, and if not, what made it wrong.

    Args:
        table: a table (L, d), interleaved, of positions from 0, with at least 2 rows and an even
            number of columns: a tensor, an array, or lists of numbers, of any floating-point type;
            axes of size 1 before the last are ignored. Or a function that takes (length, d_model)
            and returns one; it is called with the sizes in :data:`PROBES`. A function can be
            judged better: on a small table several mistakes give the same numbers.

    Returns:
        A :class:`~pe_lab.diagnosis.Diagnosis`. Whatever is wrong with the table or the function,
        an exception that it raises among it, is a diagnosis and not an error.
    """
    cases = _from_function(table) if callable(table) else _from_table(table)
    if isinstance(cases, Problem):
        return Diagnosis(False, cases.name, cases.says)
    wrong = [case for case in cases if not case.matches(Recipe())]
    if not wrong:
        return _right(cases)
    shown = wrong[0]
    diagnosis = _known(cases)
    if diagnosis is None:
        diagnosis = _transposed(cases)
    if diagnosis is None:
        diagnosis = _unsteady(table, shown)
    if diagnosis is None:
        diagnosis = _unknown(wrong)
    return replace(diagnosis, given=shown.values, right=shown.right())


def _from_table(value: object) -> list[Case] | Problem:
    table = read(value)
    if isinstance(table, Problem):
        return table
    length, d_model = table.values.shape
    if length < 2 or d_model < 2:
        return Problem(
            "too-small",
            f"The table has the shape {(length, d_model)}. It needs at least 2 rows and 2 columns: "
            "row 0 alone is the same for all frequencies.",
        )
    if d_model % 2 and length % 2 == 0 and Case(_turned(table)).matches(Recipe()):
        table = _turned(table)
        return Problem(
            "transposed", "The table is right but for this: rows and columns are exchanged."
        )
    if d_model % 2:
        return Problem(
            "odd-width", f"The table has {d_model} columns. They come in pairs, sine and cosine."
        )
    return [Case(table)]


def _from_function(function: Callable[..., object]) -> list[Case] | Problem:
    cases = []
    for length, d_model in PROBES:
        table = ask(function, length, d_model)
        if isinstance(table, Problem):
            return table
        cases.append(Case(table))
    return cases


def _turned(table: Table) -> Table:
    return Table(table.values.T.contiguous(), table.rounding)


def _right(cases: list[Case]) -> Diagnosis:
    untested = tuple(recipe.name for recipe in matching.fitting(SINGLES, cases))
    shapes = both([f"{case.length} × {case.d_model}" for case in cases])
    message = f"Right: every entry agrees, at {shapes}."
    if untested:
        message += f" At this size these would look the same: {_some(untested, 'and')}."
    first = cases[0]
    return Diagnosis(
        True, "right", message, untested=untested, given=first.values, right=first.right()
    )


def _known(cases: list[Case]) -> Diagnosis | None:
    """The simplest that gives the tables: a convention, one mistake, one with a number, two."""
    if conventions := matching.conventions(cases):
        simplest = matching.fitting(SINGLES, cases) or matching.fitting(PAIRS, cases)
        others = [
            each.name
            for each in simplest
            if not any({*own.recipe.parts} <= {*each.parts} for own in conventions)
        ]
        return _convention(conventions, others)
    searches: list[Callable[[], list[Recipe]]] = [
        lambda: matching.fitting(SINGLES, cases),
        lambda: fitting.one_number(cases),
        lambda: matching.fitting(PAIRS, cases),
        lambda: fitting.number_and_mistake(cases),
    ]
    for search in searches:
        if recipes := search():
            return _mistakes(recipes)
    return None


def sentence(recipe: Recipe) -> str:
    """What :func:`diagnose` says of a function that is told from others by this recipe alone."""
    alike = [each for each in CONVENTIONS if each.recipe.name == recipe.name]
    return _convention(alike, []).message if alike else tell(recipe)


def _convention(conventions: list[Convention], others: list[str]) -> Diagnosis:
    which = " Or: ".join(f"{each.says} ({each.source}.)" for each in conventions)
    message = (
        f"Another convention, not a mistake: {which} "
        "It is not the paper's formula. `.convention.to_ours(table)` converts it."
    )
    if others:
        message += f" At this size the same numbers come from {_some(others, 'or')}."
    names = " or ".join([*(each.name for each in conventions), *others])
    return Diagnosis(False, names, message, convention=conventions[0])


def _mistakes(recipes: list[Recipe]) -> Diagnosis:
    names = [recipe.name for recipe in recipes]
    told = [tell(recipe) for recipe in recipes]
    if len(recipes) == 1:
        return Diagnosis(False, names[0], told[0])
    alike = f"{len(recipes)} mistakes give this very table"
    listed = " ".join(f"({number}) {each}" for number, each in enumerate(told[:NAMED], 1))
    more = f" And {len(recipes) - NAMED} more." if len(recipes) > NAMED else ""
    return Diagnosis(
        False,
        " or ".join(names),
        f"{alike}, and nothing in it tells them apart. {listed}{more} A larger table, or the "
        "function, tells more.",
    )


def tell(recipe: Recipe) -> str:
    """The sentences of a recipe's parts, in the order in which an entry goes through them."""
    order = [*RIGHT]
    parts = sorted(recipe.parts, key=lambda part: order.index(part.slot))
    count = {1: "", 2: "Two things at once. "}.get(len(parts), f"{len(parts)} things at once. ")
    return count + " ".join(part.says for part in parts)


def _transposed(cases: list[Case]) -> Diagnosis | None:
    for case in cases:
        turned = Case(Table(case.values.T.contiguous(), case.rounding))
        if turned.d_model % 2 or not turned.matches(Recipe()):
            return None
    return Diagnosis(False, "transposed", EXCHANGED_AXES)


def _unsteady(value: object, case: Case) -> Diagnosis | None:
    """A function that gives something else when it is asked again."""
    if not callable(value):
        return None
    again = ask(value, case.length, case.d_model)
    if isinstance(again, Table) and torch.equal(again.values, case.values):
        return None
    return Diagnosis(
        False,
        "unsteady",
        f"Asked twice for {case.length} × {case.d_model}, the function gave two different tables. "
        "Is something random in it, such as dropout?",
    )


def _unknown(wrong: list[Case]) -> Diagnosis:
    first = wrong[0]
    size = f"At {first.length} × {first.d_model}: " if len(wrong) > 1 else ""
    return Diagnosis(
        False, "unknown", f"Not one of the known mistakes. {size}{properties.describe(first)}"
    )


def _some(names: Iterable[str], last: str) -> str:
    listed = list(names)
    few = [name for _, name in takewhile(lambda item: item[0] < NAMED, enumerate(listed))]
    return both(few, last) if len(few) == len(listed) else f"{', '.join(few)}, …"
