"""Tests that students write, on trial with programs that they have not seen.

The programs stay with the marker: what the student's test calls asks for their results.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from course.sets.judging import right, says_yes, unread, wrong
from course.sets.marks import Mark
from course.sets.student import Call
from course.sets.tasks import read_settings
from pe_core.checks import describe
from pe_lab.diagnosis.reading import Problem
from pe_lab.diagnosis.result import both

Program = Callable[..., Any]

AGAIN = (
    "Of some programs it says something else when it is asked again: if it draws numbers, give "
    "them a seed."
)


def mark_test(
    parts: tuple[str, str],
    call: Call,
    name: str,
    good: Mapping[str, Program],
    bad: Mapping[str, tuple[Program, str]],
    *,
    exactly: Collection[str] = (),
) -> Iterator[Mark]:
    """Two parts: what the student's test accepts of good programs, and rejects of bad ones.

    The first is given for all good ones or not at all; the second for the share of bad ones that
    are found, times the share of good ones that are not. A test that says the same of all has
    nothing. Each program is asked about twice, and the worse answer counts.

    Args:
        parts: the names of the two.
        call: the student's cell.
        name: of the test, a function of a program that returns True to accept it.
        good: programs to accept, by name.
        bad: programs to reject, by name, each with what it does, as in "adds row 0 to all".
        exactly: the good programs whose results rounding cannot change. A test that accepts just
            these of the good ones compares to the last bit.
    """
    accepts, rejects = parts
    programs = {**good, **{each: program for each, (program, _) in bad.items()}}
    answers = twice(call, name, programs)
    problems = [each for some in answers.values() for each in some if isinstance(each, Problem)]
    if problems:
        yield from (unread(part, problems[0]) for part in parts)
        return
    said = {each: tuple(map(bool, some)) for each, some in answers.items()}
    wronged = [each for each in good if not all(said[each])]
    survive = [each for each in bad if any(said[each])]
    unsteady = [each for each, answers in said.items() if len({*answers}) > 1]
    again = f" {AGAIN}" if unsteady else ""
    if len({*said.values()}) == 1 and not unsteady:
        always = "accepts-all" if survive else "rejects-all"
        says = f"It says {bool(survive)} to every program."
        yield from (wrong(part, always, says) for part in parts)
    elif len(wronged) == len(good) and len(survive) == len(bad) and not unsteady:
        says = "It says True where it should say False, and the other way round."
        yield from (wrong(part, "inverted", says) for part in parts)
    else:
        fair, found = 1 - len(wronged) / len(good), 1 - len(survive) / len(bad)
        says = f"It rejects {len(wronged)} of {len(good)} that it should accept: {both(wronged)}."
        exact = bool(exactly) and {*good} - {*wronged} == {*exactly}
        unfair = "exact" if exact else "wronged"
        if {*wronged} & {*unsteady}:
            unfair = "inconsistent"
        yield wrong(accepts, unfair, says + again) if wronged else right(accepts)
        name = survive[0] if survive else unfair
        if name in unsteady:
            name = "inconsistent"
        says = "It finds all that it should, and some that it should not."
        if survive:
            says = f"It accepts {len(survive)} of {len(bad)} that it should reject. One of them "
            says += f"{bad[survive[0]][1]}."
        says += again
        yield right(rejects) if fair * found == 1 else wrong(rejects, name, says, fair * found)


def twice(
    call: Call, name: str, programs: Mapping[str, Program]
) -> dict[str, tuple[bool | Problem, ...]]:
    """What the test says of each program, twice, in orders that nobody can foresee.

    A test that counts its calls instead of looking at programs answers otherwise the second time,
    and one that draws without a seed may. The same submission has the same orders when it is
    marked again.
    """
    rng = random.Random(f"{read_settings().seed} {[*call.cells]}")
    said: dict[str, tuple[bool | Problem, ...]] = dict.fromkeys(programs, ())
    for _ in range(2):
        for each in rng.sample([*programs], len(programs)):
            said[each] += (_ask(call, name, programs[each]),)
    return said


def _ask(call: Call, name: str, program: Program) -> bool | Problem:
    """Whether the test accepts a program; an AssertionError is a no, as in the book's clinic."""
    answer = call(name, program)
    if isinstance(answer, Problem):
        asserts = answer.name == "raises" and "raised AssertionError" in answer.says
        return False if asserts else answer
    yes = says_yes(answer)
    if yes is None:
        says = f"`{name}` must return True or False, and returned {describe(answer)}."
        return Problem("not-a-verdict", says)
    return yes
