"""An order of six lines, of which one is right."""

from course.sets.marks import Mark
from course.sets.proofs import mark_proof
from course.sets.student import Call

# Lines by their numbers in draw.py.
FORESEEN = {
    "claim-first": (
        (5, 0, 1, 2, 3, 4),
        "It begins with what was to be shown.",
    ),
    "theorem-too-early": (
        (0, 2, 1, 3, 4, 5),
        "The addition theorem is used on something that is not there yet.",
    ),
    "offset-too-early": (
        (0, 1, 3, 2, 4, 5),
        "Something cancels in a difference that is not there yet.",
    ),
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    return mark_proof(call, given, FORESEEN)
