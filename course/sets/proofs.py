"""Proofs whose lines are shuffled: what a draw.py and a marking.py of such a task consist of."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from course.sets.judging import order
from course.sets.marks import Mark
from course.sets.student import Call

LETTERS = "abcdefghij"

# By its name: the numbers of the lines in a wrong order, and what is said to it.
Foreseen = Mapping[str, tuple[Sequence[int], str]]


def shuffled(rng: random.Random, lines: Sequence[str]) -> dict[str, object]:
    """The lines in another order, each with a letter, and the letters of the proof."""
    shown = [*range(len(lines))]
    while shown == sorted(shown):
        rng.shuffle(shown)
    return {
        "lines": [{"letter": LETTERS[n], "text": lines[line]} for n, line in enumerate(shown)],
        "right": "".join(LETTERS[shown.index(line)] for line in range(len(lines))),
    }


def mark_proof(call: Call, given: Mapping[str, object], foreseen: Foreseen) -> list[Mark]:
    """Judge the name `order` of the student's cell."""
    right = str(given["right"])
    named = {
        "".join(right[line] for line in lines): (name, says)
        for name, (lines, says) in foreseen.items()
    }
    return [order("order", call.value("order"), [right], named)]
