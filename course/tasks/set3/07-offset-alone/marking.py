"""Judges the order of the lines of a proof."""

from __future__ import annotations

from course.sets.marks import Mark
from course.sets.proofs import mark_proof
from course.sets.student import Call

# Lines by their numbers in draw.py.
FORESEEN = {
    "too-early": (
        (0, 2, 1, 3, 4, 5),
        "The product of two rows is written with the row of position 0, before it is said what "
        "that row has to do with them.",
    ),
    "transpose-late": (
        (0, 1, 2, 4, 3, 5),
        "“This product” is said of one that has not been written yet.",
    ),
    "start-first": (
        (0, 1, 2, 3, 5, 4),
        "What $N_k$ gives is used before $N_k$ stands there.",
    ),
    "nameless": (
        (1, 0, 2, 3, 4, 5),
        "A line speaks of p and k before either has been named.",
    ),
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    return mark_proof(call, given, FORESEEN)
