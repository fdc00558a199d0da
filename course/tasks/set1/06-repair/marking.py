"""The program's tables in both layouts; every fault that is left costs its own point."""

from collections.abc import Iterator
from itertools import product

import torch
from torch import Tensor

from course.sets.judging import Mark, first_wrong, right, same, unread, unreturned, wrong
from course.sets.student import Call, called
from course.sets.variants import Setting, diagnose
from pe_lab.diagnosis.matching import Case
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.reading import Problem, read, shape_problem
from pe_lab.diagnosis.recipe import Part, Recipe, pair, powers

PARTS = ("position", "exponent", "layout")
SIZES = (90, 8)
OTHER_SIZES = (37, 14)

# What may stand in each of the three places; the first is right.
POSITIONS = [None, *(BY_NAME[name] for name in ("from-1", "from-2", "reversed"))]
EXPONENTS = [
    None,
    *(
        BY_NAME[name]
        for name in (
            "doubled-exponent",
            "pair-number-only",
            "raw-column",
            "multiplied",
            "d-minus-one",
        )
    ),
    Part(
        "frequencies",
        "width-8",
        "The exponent is divided by 8, whatever the number of columns is.",
        "",
        lambda c, d, length: powers(2 * pair(c) / 8),
    ),
]
ORDERS = [
    None,
    *(BY_NAME[name] for name in ("halves", "exchanged", "stacked-in-front", "transposed-reshape")),
]


def mark(call: Call, given: dict[str, object]) -> Iterator[Mark]:
    value = call("table", *SIZES)
    case = _case(value, called("table", SIZES, {}))
    if isinstance(case, Problem):
        yield from (unread(part, case) for part in PARTS)
        return
    other = _case(call("table", *OTHER_SIZES), called("table", OTHER_SIZES, {}), OTHER_SIZES)
    fitting = [
        chosen for chosen in product(POSITIONS, EXPONENTS, ORDERS) if case.matches(_recipe(chosen))
    ]
    for chosen in fitting:
        if isinstance(other, Case) and other.matches(_recipe(chosen)):
            yield from _parts(call, chosen)
            return
    if fitting:
        yield from _at_one_size(call, fitting[0], other)
        return
    asked = {Setting(*SIZES): value}
    unknown = diagnose("exponent", asked, call=lambda _: called("table", SIZES, {}))
    yield from _apart(call, case, unknown)


def _recipe(chosen: tuple[Part | None, ...]) -> Recipe:
    return Recipe(tuple(part for part in chosen if part))


def _at_one_size(
    call: Call, chosen: tuple[Part | None, ...], other: Case | Problem
) -> Iterator[Mark]:
    """What is told at one size, and that it is not so at another."""
    position, _, layout = _parts(call, chosen)
    if isinstance(other, Case):
        words = called("table", OTHER_SIZES, {})
        says = f"In {words}: {first_wrong(other.values, _recipe(chosen).table(*OTHER_SIZES))}"
        yield from (position, wrong("exponent", "one-size", says), layout)
    else:
        yield from (position, unread("exponent", other), layout)


def _case(value: object, words: str, sizes: tuple[int, int] = SIZES) -> Case | Problem:
    if problem := unreturned(value, words):
        return problem
    found = read(value, words)
    if isinstance(found, Problem):
        return found
    return shape_problem(tuple(found.values.shape), sizes, words) or Case(found)


def _parts(call: Call, chosen: tuple[Part | None, ...]) -> Iterator[Mark]:
    for name, part in zip(PARTS, chosen, strict=True):
        if part:
            yield wrong(name, part.name, part.says)
        elif name == "layout" and (changed := _halves(call, chosen)):
            yield wrong(name, changed, 'With layout="halves" the columns are others now.')
        else:
            yield right(name)


def _apart(call: Call, case: Case, unknown: Mark) -> Iterator[Mark]:
    """Each part by itself, where one holds a fault that is not foreseen.

    The columns of the program's own halves tell the positions, whatever its exponents are, and the
    order, whatever its numbers are.
    """
    halves = _case(call("table", *SIZES, layout="halves"), "it")
    if isinstance(halves, Problem):
        yield from (wrong(part, unknown.name, unknown.says) for part in PARTS)
        return
    table, half = halves.values, SIZES[1] // 2
    for position, exponent in product(POSITIONS, EXPONENTS):
        parts = tuple(part for part in (position, exponent) if part)
        if halves.matches(Recipe((*parts, BY_NAME["halves"]))):
            marks = [
                wrong(name, part.name, part.says) if part else right(name)
                for name, part in (("position", position), ("exponent", exponent))
            ]
            break
    else:
        marks = [_positions(table[:, 0]), unknown]
    yield from marks
    interleaved = torch.stack([table[:, :half], table[:, half:]], dim=-1).flatten(1)
    if same(case.values, interleaved):
        yield right("layout")
    else:
        says = 'The columns are not those of your `layout="halves"`, pair by pair.'
        yield wrong("layout", "not-interleaved", says)


def _positions(sines: Tensor) -> Mark:
    """The first hand's exponent is 0, and remains so when it is multiplied."""
    p = torch.arange(len(sines)).double()
    if same(sines[None], p.sin()[None]):
        return right("position")
    if same(sines[None], (p + 1).sin()[None]):
        return wrong("position", "from-1", BY_NAME["from-1"].says)
    return wrong("position", "unknown", "The first column is not the sine of the position.")


def _halves(call: Call, chosen: tuple[Part | None, ...]) -> str:
    """What the program does where halves are asked for, if not sines before cosines."""
    case = _case(call("table", *SIZES, layout="halves"), "it")
    parts = tuple(part for part in chosen[:2] if part)
    if isinstance(case, Case) and case.matches(Recipe((*parts, BY_NAME["halves"]))):
        return ""
    interleaved = isinstance(case, Case) and case.matches(Recipe(parts))
    return "interleaved-always" if interleaved else "other-halves"
