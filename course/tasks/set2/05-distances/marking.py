"""Four numbers; the foreseen ones are one mistake each. The third may go on from two."""

import math
from collections.abc import Iterator
from typing import Any

from course.sets.judging import Mark, number, own
from course.sets.student import Call

SAYS = {
    "factor-once": "That has the factor once. A product of two numbers has it from each.",
    "every-column": "That counts a square of 1 for every column.",
    "squared": "That is a square: the root is missing.",
    "root-missing": "The root is missing.",
    "product-once": "That takes the dot product off once.",
    "one-square": "Under its root that has the square of one row, not of two, and the dot product "
    "once.",
    "of-the-position": "That puts a position where the offset belongs.",
    "plus": "That adds twice the dot product.",
    "cosine": "That is the cosine of the angle between the two rows.",
    "degrees": "That takes the angles for degrees.",
    "pair-number-only": "That has half the exponent of each pair.",
    "pairs-from-1": "That counts the pairs from 1.",
    "without-factor": "That is of the table before it was multiplied.",
}


def mark(call: Call, given: dict[str, Any]) -> Iterator[Mark]:
    d, f, s, of_position = (given[name] for name in ("d_model", "factor", "s", "s_position"))
    lengths = {
        "every-column": f * math.sqrt(d),
        "squared": f * f * d / 2,
        "root-missing": f * d / 2,
        "without-factor": math.sqrt(d / 2),
    }
    yield number("length", call.value("a"), f * math.sqrt(d / 2), _said(lengths))
    products = {"factor-once": f * s, "of-the-position": f * f * of_position, "without-factor": s}
    names = ("degrees", "pair-number-only", "pairs-from-1")
    products |= {name: f * f * each for name, each in zip(names, given["others"], strict=True)}
    products["cosine"] = 2 * s / d
    yield number("product", call.value("b"), f * f * s, _said(products), tolerance=0.005)
    distances = {
        "factor-once": math.sqrt(f * (d - 2 * s)),
        "every-column": f * math.sqrt(2 * d - 2 * s),
        "squared": f * f * (d - 2 * s),
        "product-once": f * math.sqrt(d - s),
        "one-square": f * math.sqrt(d / 2 - s),
        "of-the-position": f * math.sqrt(d - 2 * of_position),
        "plus": f * math.sqrt(d + 2 * s),
    }
    right = f * math.sqrt(d - 2 * s)
    square, product = (
        own(call.value("a"), f * math.sqrt(d / 2)) ** 2,
        own(call.value("b"), f * f * s),
    )
    follows = math.sqrt(2 * max(0, square - product))
    said = _said(distances)
    yield number("distance", call.value("c"), right, said, following=follows, tolerance=0.005)
    offsets = {
        "next": (given["rise"] + 1, "That is where this rise ends."),
        "fall": (given["fall"], "From there it falls the most."),
        "top": (given["top"], "There it is largest; the largest step is asked for."),
    }
    yield number("rise", call.value("d"), given["rise"], offsets, tolerance=0)


def _said(answers: dict[str, float]) -> dict[str, tuple[float, str]]:
    return {name: (answer, SAYS[name]) for name, answer in answers.items()}
