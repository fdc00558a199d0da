"""Diagnosing a table, or the function that makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

import torch
from torch import Tensor

from pe_lab.diagnosis import fitting, matching, properties
from pe_lab.diagnosis.conventions import CONVENTIONS, Convention
from pe_lab.diagnosis.matching import PAIRS, SINGLES, Case
from pe_lab.diagnosis.reading import Problem, Table, ask, on_the_cpu, read
from pe_lab.diagnosis.recipe import RIGHT, Recipe
from pe_lab.diagnosis.result import Diagnosis, both

# What a function is asked for. On the first all mistakes differ but the rounding of positions to
# float16, for which the last is long enough. The second has an odd length and an odd number of
# pairs, so that a function that knows one size only is found out.
PROBES = ((300, 8), (37, 14), (2100, 4))

EXCHANGED_AXES = "Rows and columns are exchanged."

NAMED = 4  # of those that cannot be told apart, and of those that could not be tested
BINARY_DIGITS = {torch.bfloat16: 8, torch.float16: 11}  # that they hold

# Tables on which recipes that gave the same numbers may differ, the small ones first.
TELLING = ((12, 6), (12, 8), (60, 6), (60, 10), (500, 8), (2100, 6))


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
    found = _judged(cases)
    if found.name != "unknown" or found.given is None or not callable(table):
        return found
    if _is_steady(table, found.given):
        return found
    return replace(found, name="unsteady", message=_unsteady(found.given))


@on_the_cpu
def _judged(cases: list[Case]) -> Diagnosis:
    wrong = [case for case in cases if not case.matches(Recipe())]
    if not wrong:
        return _right(cases)
    shown = wrong[0]
    diagnosis = _known(cases)
    if diagnosis is None:
        diagnosis = _transposed(cases)
    if diagnosis is None:
        diagnosis = _unknown(wrong, cases)
    message = " ".join(filter(None, [diagnosis.message, _in_16_bits(cases)]))
    return replace(diagnosis, message=message, given=shown.values, right=shown.right())


@on_the_cpu
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
    return Table(table.values.T.contiguous(), table.sixteen)


def _right(cases: list[Case]) -> Diagnosis:
    untested = tuple(recipe.name for recipe in matching.fitting(SINGLES, cases))
    shapes = both([_size(case) for case in cases])
    message = f"Right: every entry agrees, at {shapes}."
    if unknown := sum(case.unknown(Recipe()) for case in cases):
        message = (
            f"Right, so far as float32 can tell: every entry agrees, at {shapes}, but for "
            f"{unknown} whose angles are too large to be compared."
        )
    if bits := _in_16_bits(cases):
        message += f" {bits}"
    if untested:
        message += f" At this size these would look the same: {_some(untested, 'and')}."
    first = cases[0]
    return Diagnosis(
        True, "right", message, untested=untested, given=first.values, right=first.right()
    )


def _in_16_bits(cases: list[Case]) -> str:
    """Of what type the values are, if of one with 16 bits; they are compared with its tolerance."""
    types = [each for each in cases[0].sixteen if all(each in case.sixteen for case in cases)]
    if not types:
        return ""
    names = [
        f"{str(each).removeprefix('torch.')} ({BINARY_DIGITS[each]} binary digits)"
        for each in types
    ]
    if len(types) == 1:
        return f"The values are those of results rounded to 16 bits, to {names[0]}."
    return (
        f"All values are numbers of {both(names)}; they are too few to tell to which they were "
        "rounded."
    )


def _known(cases: list[Case]) -> Diagnosis | None:
    """All that gives the tables: conventions, one mistake, one with a number, two."""
    if conventions := matching.conventions(cases):
        own = [each.recipe for each in conventions]
        others = [*_besides(own, SINGLES, cases), *_besides(own, PAIRS, cases)]
        others += _with_numbers([*own, *others], cases)
        return _convention(conventions, _least(others), cases)
    simple = matching.fitting(SINGLES, cases) or fitting.one_number(cases)
    if any(each.name == "all-zero" for each in simple):
        return _mistakes(simple, cases)  # many other things give nothing but zeros
    numbers = fitting.one_number(cases, fitting.PLAIN) if simple else []
    told = [*simple, *(each for each in numbers if not _is_told(each, simple))]
    pairs = _besides(told, PAIRS, cases)
    recipes = [*told, *pairs, *([] if told else _with_numbers(pairs, cases))]
    if pairs and not told:  # a start and a step are two mistakes, and of one kind
        numbers = fitting.plain_positions(cases)
        recipes += [each for each in numbers if not _is_told(each, recipes)]
    recipes = recipes or fitting.number_and_mistake(cases)
    return _mistakes(recipes, cases) if recipes else None


def _with_numbers(recipes: list[Recipe], cases: list[Case]) -> list[Recipe]:
    """The recipes with a plain number in place of a mistake, where that comes to the same."""
    found = (each for recipe in recipes for each in fitting.with_a_number(recipe, cases))
    return [*{each.name: each for each in found if not _is_told(each, recipes)}.values()]


def _besides(told: list[Recipe], recipes: Sequence[Recipe], cases: list[Case]) -> list[Recipe]:
    """Those of the recipes that give the tables and are not one of those told with more added."""
    return [each for each in matching.fitting(recipes, cases) if not _holds_one(each, told)]


def _holds_one(recipe: Recipe, others: Iterable[Recipe]) -> bool:
    return any({*other.parts} <= {*recipe.parts} for other in others)


def _least(recipes: list[Recipe]) -> list[Recipe]:
    """Without those that are another of them with more added."""
    return [
        each for each in recipes if not _holds_one(each, [one for one in recipes if one != each])
    ]


def _is_told(number: Recipe, recipes: list[Recipe]) -> bool:
    """Whether a sentence of the recipes has the number already: base 1 and step 0 have names.

    A base beside a width is no other number: it is read from the widest table alone.
    """
    if number.name in {"base-1", "second-frequency-1", "from-0-by-0"}:
        return True
    is_base = any(part.name.startswith("base-") and part.source == "Read" for part in number.parts)
    said = [tell(each) for each in recipes]
    has_base = is_base and any(words in each for each in said for words in fitting.AS_IF)
    has_width = any(part.name.startswith("width-") for each in recipes for part in each.parts)
    return has_base or (is_base and has_width) or number.name in _names(recipes)


CONVERTS = " `.convention.to_ours(table)` converts it."  # of what diagnose returns


def sentence(recipe: Recipe) -> str:
    """What :func:`diagnose` says of a function that is told from others by this recipe alone."""
    alike = [each for each in CONVENTIONS if each.recipe.name == recipe.name]
    return _convention(alike, [], []).message if alike else tell(recipe)


def _convention(
    conventions: list[Convention], others: list[Recipe], cases: list[Case]
) -> Diagnosis:
    which = " Or: ".join(f"{each.says} ({each.source}.)" for each in conventions)
    message = f"Another convention, not a mistake: {which} It is not the paper's formula.{CONVERTS}"
    if others:
        message += f" At this size the same numbers come from {_some(_names(others), 'or')}."
    names = " or ".join([*(each.name for each in conventions), *_names(others)])
    message += _too_large([each.recipe for each in conventions], cases)
    return Diagnosis(False, names, message, convention=conventions[0])


def _mistakes(recipes: list[Recipe], cases: list[Case]) -> Diagnosis:
    told = [tell(recipe) for recipe in recipes[:NAMED]]
    too_large = _too_large(recipes, cases)
    if len(recipes) == 1:
        return Diagnosis(False, recipes[0].name, told[0] + too_large)
    listed = " ".join(f"({number}) {each}" for number, each in enumerate(told, 1))
    more = f" And {len(recipes) - NAMED} more." if len(recipes) > NAMED else ""
    return Diagnosis(
        False,
        " or ".join(_names(recipes)),
        f"{len(recipes)} explanations give these very numbers, and nothing in them tells which. "
        f"{listed}{more} {_apart(recipes[:NAMED], cases)}{too_large}",
    )


def _too_large(recipes: list[Recipe], cases: list[Case]) -> str:
    """How many entries tell nothing, if any."""
    unknown = max(sum(case.unknown(recipe) for case in cases) for recipe in recipes) if cases else 0
    if not unknown:
        return ""
    return (
        f" {unknown} of {sum(case.values.numel() for case in cases)} entries say nothing about "
        "that: their angles are too large for float32."
    )


def _apart(recipes: list[Recipe], cases: list[Case]) -> str:
    """Which table would tell the recipes apart; if none, that none does."""
    known = [(case.length, case.d_model) for case in cases]
    sizes = [size for size in TELLING if size not in known]
    kinds = {size: _kinds(recipes, size) for size in sizes}
    best = max(sizes, key=lambda size: kinds[size])
    if kinds[best] == 1:
        return "They give the same table at other sizes too."
    some = " some of" if kinds[best] < len(recipes) else ""
    return f"A table of {best[0]} × {best[1]} tells{some} them apart."


def _kinds(recipes: list[Recipe], size: tuple[int, int]) -> int:
    """How many different tables of a size, (length, d_model), the recipes give."""
    different: list[Case] = []
    for recipe in recipes:
        if not any(case.matches(recipe) for case in different):
            different.append(Case(Table(recipe.table(*size))))
    return len(different)


def tell(recipe: Recipe) -> str:
    """The sentences of a recipe's parts, in the order in which an entry goes through them.

    Of several together only what was computed is said: what follows from one of them alone, after
    the colon, need not be true of all.
    """
    order = [*RIGHT]
    parts = sorted(recipe.parts, key=lambda part: order.index(part.slot))
    if len(parts) == 1:
        return parts[0].says
    count = {2: "Two things at once."}.get(len(parts), f"{len(parts)} things at once.")
    computed = {part.name: part.says.partition(": ")[0].rstrip(".") + "." for part in parts}
    if {"exchanged", "halves"} <= computed.keys():
        del computed["exchanged"]
        computed["halves"] = "The two halves are concatenated, and the cosines stand first."
    return " ".join([count, *computed.values()])


def _names(recipes: Iterable[Recipe]) -> list[str]:
    return [recipe.name for recipe in recipes]


def _transposed(cases: list[Case]) -> Diagnosis | None:
    for case in cases:
        turned = Case(_turned(Table(case.values, case.sixteen)))
        if turned.d_model % 2 or not turned.matches(Recipe()):
            return None
    return Diagnosis(False, "transposed", EXCHANGED_AXES)


def _is_steady(function: Callable[..., object], given: Tensor) -> bool:
    """Whether a function that has given a table gives it again."""
    again = ask(function, *given.shape)
    return isinstance(again, Table) and torch.equal(again.values, given)


def _unsteady(given: Tensor) -> str:
    return (
        f"Asked twice for {given.shape[0]} × {given.shape[1]}, the function gave two different "
        "tables. Is something random in it, such as dropout?"
    )


def _unknown(wrong: list[Case], cases: list[Case]) -> Diagnosis:
    size = f"At {_size(wrong[0])}: " if len(cases) > 1 else ""
    said = f"Not one of the known mistakes. {size}{properties.describe(wrong[0])}"
    if len(wrong) < len(cases):
        said += f" At {both([_size(case) for case in cases if case not in wrong])} it is right."
    return Diagnosis(False, "unknown", said)


def _size(case: Case) -> str:
    return f"{case.length} × {case.d_model}"


def _some(names: Iterable[str], last: str) -> str:
    listed = list(names)
    few = [name for _, name in takewhile(lambda item: item[0] < NAMED, enumerate(listed))]
    return both(few, last) if len(few) == len(listed) else f"{', '.join(few)}, …"
