"""Judges what was read off four curves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from course.sets.judging import number, order
from course.sets.marks import Mark
from course.sets.student import Call

NAMES = ("RoPE", "T5", "Shaw", "ALiBi")


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    which, aim = str(given["which"]).lower(), given["aim"]
    together, clip, place = given["together"], given["clip"], given["place"]
    return [
        order("which", call.value("which"), [which], dict(others(which))),
        number(
            "aim",
            call.value("aim"),
            aim,
            {
                "the-word-itself": (0, "At 0 stands the word that asks. That is ALiBi's peak."),
                "edge": (given["furthest"], "That is the edge of the picture."),
                "from-the-left": (
                    given["furthest"] + aim,
                    "That counts dots from the left edge. An offset is counted from the query.",
                ),
                "beside-right": (aim + 1, "A dot beside it is higher."),
                "beside-left": (aim - 1, "A dot beside it is higher."),
            },
            tolerance=0,
        ),
        number(
            "together",
            call.value("together"),
            together,
            {
                "alone": (1, "That counts this offset alone."),
                "steps": (together - 1, "That counts the steps between them."),
                "both-sides": (
                    2 * together,
                    "That counts as many on the other side, which have a number of their own.",
                ),
                "next-stair": (given["next_together"], "That is the next stair, farther away."),
            },
            tolerance=0,
        ),
        number(
            "clip",
            call.value("clip"),
            clip,
            {
                "vectors": (
                    2 * clip + 1,
                    "That counts all offsets that have a vector of their own.",
                ),
                "width": (2 * clip, "That measures from one side to the other."),
                "the-chapters": (16, "16 is the distance in the chapter, and not this curve's."),
                "too-early": (clip - 1, "One more step comes after that dot."),
                "too-late": (clip + 1, "The line is level before that dot already."),
            },
            tolerance=0,
        ),
        number(
            "place",
            call.value("place"),
            place,
            {
                "from-1": (place + 1, "That counts positions from 1, or the keys that are left."),
                "one-too-few": (place - 1, "A query sees its own word, too."),
                "share": (1 / (place + 1), "That is the output, and no position."),
            },
            tolerance=0.4,
        ),
    ]


def others(which: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """All other orders of the four, each with its sentence."""
    for letters in map("".join, permutations(which)):
        apart = [name for name, a, b in zip(NAMES, which, letters, strict=True) if a != b]
        if len(apart) == 2:
            one, other = apart
            says = f"{one} and {other} have changed places."
            yield letters, (f"{one}-{other}-exchanged".lower(), says)
        elif apart:
            held = {3: "One of the four has its own letter.", 4: "None of the four has its own."}
            yield letters, ("unknown", held[len(apart)])
