"""Judges the order of the lines of a proof."""

from __future__ import annotations

from course.sets.marks import Mark
from course.sets.proofs import mark_proof
from course.sets.student import Call

# Lines by their numbers in draw.py.
FORESEEN = {
    "nameless": (
        (1, 0, 2, 3, 4, 5),
        "“Then” and $a_p$ stand in the first line, and nothing has been added yet.",
    ),
    "norm-first": (
        (0, 2, 1, 3, 4, 5),
        "What a norm removes is concluded before it is said what becomes of mean and deviation.",
    ),
    "attention-first": (
        (0, 1, 3, 2, 4, 5),
        "“Of them” speaks of rows that the norm has not made yet.",
    ),
    "answer-first": (
        (0, 1, 2, 3, 5, 4),
        "The last norm comes after all layers, and only attention of the first has been passed.",
    ),
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    return mark_proof(call, given, FORESEEN)
