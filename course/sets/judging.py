"""What marking.py says with: a number, a choice, an order, a table, each as a :class:`Mark`.

Each takes what the student's cell gave, which may be a Problem, and foreseen wrong answers by name,
each with its sentence. A sentence says what was computed instead; what is right, it does not say.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from torch import Tensor

from course.sets.marks import Mark
from pe_core.checks import describe
from pe_lab.diagnosis.answers import (
    NO_ANSWER,
    flat,
    is_unanswered,
    letters,
    no_number,
    real,
    with_digits,
    written,
)
from pe_lab.diagnosis.reading import Problem, nothing, read, shape_problem

TOLERANCE = 1e-3  # of an entry, where the task says nothing else

T = TypeVar("T")


def right(part: str) -> Mark:
    return Mark(part, 1, "right")


def wrong(part: str, name: str, says: str, share: float = 0) -> Mark:
    return Mark(part, share, name, says)


def unread(part: str, problem: Problem) -> Mark:
    """What cannot be judged: there is nothing, or it has not the form that is asked for."""
    return Mark(part, 0, problem.name, problem.says, form=True)


def near(
    part: str, given: Sequence[float], wanted: Sequence[float], tolerance: float, says: str
) -> Mark | None:
    """What lacks digits, and no understanding: no question of the subject leads on from it.

    None if more is wrong with one of the numbers.
    """
    missed = [pair for pair in zip(given, wanted, strict=True) if not _close(*pair, tolerance)]
    if not all(_is_near(*pair, tolerance) for pair in missed):
        return None
    short = all(_is_short(*pair) for pair in missed)
    more = "More digits are asked for." if short else "More digits are needed on the way to it."
    return Mark(part, 0, "near", f"{says} {more}", form=True)


def follows(part: str) -> Mark:
    """What would be right if the answers before it were."""
    return Mark(part, 1, "follows", "Right, given your own answer before it.")


def charged_once(marks: Iterable[Mark], slips: Collection[str]) -> list[Mark]:
    """Let the first part alone pay for a slip that shows in several that were computed alike."""
    paid: set[str] = set()
    found = []
    for mark in marks:
        again = mark.name in paid
        says = "The same slip as before, which is charged once. Right but for it."
        found.append(Mark(mark.part, 1, mark.name, says) if again else mark)
        paid |= {mark.name} & {*slips}
    return found


def own(value: object, right_one: float) -> float:
    """The student's own answer, to go on from; the right one where nothing follows from it."""
    given = real(value)
    return given if given is not None and 1e-9 < abs(given) < 1e9 else right_one


def unanswered(value: object) -> Problem | None:
    """Why a name that an answer was to be written into has none."""
    if isinstance(value, Problem):
        return value
    return Problem("no-answer", NO_ANSWER) if is_unanswered(value) else None


def unreturned(value: object, call: str) -> Problem | None:
    """Why a function that was called has given nothing."""
    if isinstance(value, Problem):
        return value
    return nothing(call) if value is None else None


def number(
    part: str,
    value: object,
    right_one: float,
    foreseen: Mapping[str, tuple[float, str]] = {},
    *,
    following: float | None = None,
    tolerance: float = TOLERANCE,
) -> Mark:
    """A number, right within a tolerance; foreseen ones have names and sentences.

    ``following`` is what follows from the student's own answers before.
    """
    if problem := unanswered(value):
        return unread(part, problem)
    given = real(value)
    if given is None:
        says = no_number(value, with_digits(right_one, tolerance))
        return unread(part, Problem("not-a-number", says))
    if abs(given - right_one) <= tolerance:
        return right(part)
    if following is not None and abs(given - following) <= tolerance:
        return follows(part)
    apart = {name: abs(given - answer) for name, (answer, _) in foreseen.items()}
    wanted_ones = _wanted(right_one, following)
    short = any(is_few([given], [wanted], tolerance) for wanted in wanted_ones)
    if name := _met(apart, tolerance, short):
        return wrong(part, name, foreseen[name][1])
    if right_one and abs(given + right_one) <= tolerance:
        return wrong(part, "sign", f"{given:g} has the wrong sign.")
    for wanted in wanted_ones:
        says = f"{given:g} is near, but not near enough."
        if mark := near(part, [given], [wanted], tolerance, says):
            return mark
    return wrong(part, "unknown", f"{given:g} is not it, and not one of the known mistakes.")


def numbers(
    part: str,
    value: object,
    right_ones: Sequence[float],
    foreseen: Mapping[str, tuple[Sequence[float], str]] = {},
    *,
    following: Sequence[float] | None = None,
    tolerance: float = TOLERANCE,
) -> Mark:
    """Some numbers in a list, all right or not; else as :func:`number`."""
    if problem := unanswered(value):
        return unread(part, problem)
    given = reals(value)
    if given is None or len(given) != len(right_ones):
        says = f"A list of {len(right_ones)} numbers is asked for; that is {describe(value)}."
        says += written(value, len(right_ones) if any(one % 1 for one in right_ones) else 0)
        return unread(part, Problem("not-numbers", says))
    if _distance(given, right_ones) <= tolerance:
        return right(part)
    if following is not None and _distance(given, following) <= tolerance:
        return follows(part)
    distances = {name: _distance(given, answers) for name, (answers, _) in foreseen.items()}
    wanted_ones = _wanted(right_ones, following)
    short = any(is_few(given, wanted, tolerance) for wanted in wanted_ones)
    if name := _met(distances, tolerance, short):
        return wrong(part, name, foreseen[name][1])
    for wanted in wanted_ones:
        says = _first(given, wanted, tolerance, "near, but not near enough")
        if mark := near(part, given, wanted, tolerance, says):
            return mark
    return wrong(part, "unknown", _first(given, right_ones, tolerance, "wrong"))


def _first(given: Sequence[float], wanted: Sequence[float], tolerance: float, what: str) -> str:
    """How many numbers of a list depart from what is wanted, and the first of them."""
    apart = [not _close(a, b, tolerance) for a, b in zip(given, wanted, strict=True)]
    first, count = apart.index(True), sum(apart)
    return (
        f"{count} of {len(given)} {'is' if count == 1 else 'are'} {what}. The first is "
        f"{given[first]:g}, in place {first}, counted from 0."
    )


def _wanted(right_one: T, following: T | None) -> list[T]:
    return [right_one] if following is None else [right_one, following]


def _close(given: float, wanted: float, tolerance: float) -> bool:
    return abs(given - wanted) <= tolerance


def _is_near(given: float, right_one: float, tolerance: float) -> bool:
    """Whether an answer lacks digits alone. Where it must be exact, no digits are missing.

    A few tolerances away may be another mistake, unless it is what too few digits leave.
    """
    apart, size = abs(given - right_one), abs(right_one)
    few = _in_few_digits(given, right_one, tolerance)
    return tolerance > 0 and size < math.inf and (few or apart <= 0.02 * size)


def is_few(given: Sequence[float], wanted: Sequence[float], tolerance: float) -> bool:
    """Whether each number is what is wanted, in few digits or in enough."""
    pairs = zip(given, wanted, strict=True)
    return all(_close(*pair, tolerance) or _in_few_digits(*pair, tolerance) for pair in pairs)


def _in_few_digits(given: float, right_one: float, tolerance: float) -> bool:
    near = abs(given - right_one) <= min(10 * tolerance, abs(right_one) / 4)
    return near and _is_short(given, right_one)


def _is_short(given: float, right_one: float) -> bool:
    """Whether that is the right one with fewer digits after the point, rounded or cut off."""
    for digits in range(7):
        exact = right_one * 10**digits
        if any(math.isclose(given * 10**digits, f(exact)) for f in (round, math.trunc)):
            return True
    return False


def nearest(value: object, following: Iterable[float]) -> float | None:
    """Of several numbers that follow from an answer, that which was given, or comes nearest."""
    given = real(value)
    return None if given is None else min(following, key=lambda n: abs(n - given), default=None)


def _met(distances: Mapping[str, float], tolerance: float, short: bool) -> str:
    """The foreseen answer that was given; none if another one may have been meant as well.

    In more digits than were asked for, an answer tells itself from another that is near.

    Args:
        short: whether the right one in few digits may have been meant.
    """
    near = [name for name, distance in distances.items() if distance <= tolerance]
    name = min(near, key=distances.__getitem__, default="")
    alone = len(near) == 1 and not short
    return name if alone or (near and distances[name] <= tolerance / 10) else ""


def _distance(given: Sequence[float], other: Sequence[float]) -> float:
    """The largest difference; infinity where something is no number."""
    apart = [abs(a - b) for a, b in zip(given, other, strict=True)]
    return math.inf if any(map(math.isnan, apart)) else max(apart)


def choice(
    part: str, value: object, right_one: str, foreseen: Mapping[str, tuple[str, str]]
) -> Mark:
    """A letter; ``foreseen`` has a name and a sentence for every other letter."""
    if problem := unanswered(value):
        return unread(part, problem)
    letter = str(value).strip().lower() if isinstance(value, str) else None
    if letter == right_one:
        return right(part)
    if letter is None or letter not in foreseen:
        letters = ", ".join(sorted([right_one, *foreseen]))
        says = f"One of the letters {letters} is asked for."
        return unread(part, Problem("not-a-letter", says))
    return wrong(part, *foreseen[letter])


def order(
    part: str,
    value: object,
    right_ones: Iterable[str],
    foreseen: Mapping[str, tuple[str, str]] = {},
) -> Mark:
    """Letters in an order: "caebd". ``foreseen`` has names and sentences of wrong orders."""
    if problem := unanswered(value):
        return unread(part, problem)
    given, rights = letters(value), [*right_ones]
    wanted = sorted(rights[0])
    if given is None or sorted(given) != wanted:
        says = f"The letters {', '.join(wanted)} are asked for, each once, in a string."
        return unread(part, Problem("not-an-order", says))
    if given in rights:
        return right(part)
    if given in foreseen:
        return wrong(part, *foreseen[given])
    held = max(_in_front(given, each) for each in rights)
    says = f"The first {held} stand where they can; the next does not follow from them."
    return wrong(part, "out-of-order", says if held else "The proof cannot begin with this line.")


def _in_front(given: str, right_one: str) -> int:
    """How many letters agree from the left."""
    return next((n for n, (a, b) in enumerate(zip(given, right_one, strict=True)) if a != b), 0)


def entries(
    part: str,
    value: object,
    right_one: Tensor,
    foreseen: Mapping[str, tuple[Tensor, str]] = {},
    *,
    call: str = "it",
    tolerance: float = TOLERANCE,
) -> Mark:
    """A table (n, m) of numbers; foreseen ones have names and sentences."""
    table = read_table(value, tuple(right_one.shape), call)
    if isinstance(table, Problem):
        return unread(part, table)
    if same(table, right_one, tolerance):
        return right(part)
    for name, (other, says) in foreseen.items():
        if other.shape == table.shape and same(table, other, tolerance):
            return wrong(part, name, says)
    return wrong(part, "unknown", f"Not one of the known mistakes. {first_wrong(table, right_one)}")


def read_table(value: object, shape: tuple[int, ...], call: str) -> Tensor | Problem:
    """A table (n, m) in float64 that has the shape, or why there is none."""
    if problem := unreturned(value, call):
        return problem
    table = read(value, call)
    if isinstance(table, Problem):
        return table
    given = tuple(table.values.shape)
    problem = shape_problem(given, (shape[0], shape[1]), call)
    return problem or table.values


def same(table: Tensor, other: Tensor, tolerance: float = TOLERANCE) -> bool:
    return bool(((table - other.double()).abs() <= tolerance).all())


def first_wrong(table: Tensor, right_one: Tensor, tolerance: float = TOLERANCE) -> str:
    """Where a table departs from what is right, without what is right."""
    apart = (table - right_one.double()).abs() > tolerance
    p, c = apart.nonzero()[0].tolist()
    count = int(apart.sum())
    return (
        f"{count} of {apart.numel()} entries {'is' if count == 1 else 'are'} wrong. The first is "
        f"in row {p}, column {c}: {float(table[p, c]):.4f} stands there."
    )


def reals(value: object) -> list[float] | None:
    """Finite real numbers, from a list, a tuple, a tensor or an array of them, or of such."""
    if not isinstance(value, list | tuple | Tensor | np.ndarray):
        return None
    found = [real(each) for each in flat(value)]
    return [each for each in found if each is not None] if None not in found else None


def says_yes(value: Any) -> bool | None:
    """A truth value, from whatever holds just one; else None."""
    if isinstance(value, Tensor | np.ndarray) and math.prod(value.shape) == 1:
        value = value.item()
    return bool(value) if isinstance(value, bool | np.bool_) else None
