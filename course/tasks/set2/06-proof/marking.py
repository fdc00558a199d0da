"""An order of six lines, of which one is right."""

from collections.abc import Iterator

from course.sets.judging import Mark, order
from course.sets.student import Call


def mark(call: Call, given: dict[str, str]) -> Iterator[Mark]:
    foreseen = {
        given["claim_first"]: (
            "claim-first",
            "It begins with what was to be shown.",
        ),
        given["theorem_too_early"]: (
            "theorem-too-early",
            "The addition theorem is used on something that is not there yet.",
        ),
        given["offset_too_early"]: (
            "offset-too-early",
            "Something cancels in a difference that is not there yet.",
        ),
    }
    yield order("order", call.value("order"), [given["order"]], foreseen)
