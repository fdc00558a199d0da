"""Four numbers; the foreseen ones are one mistake each. The third may go on from two."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from course.sets.judging import Mark, charged_once, number, own
from course.sets.student import Call

# What the same step of several parts has.
SLIPS = ("without-factor", "factor-once", "every-column", "squared", "of-the-position")
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

# Of a base, a width and a pair: the speeds that a mistake in (b) has, and (d) after it.
HANDS: dict[str, Callable[[float, float, int], float]] = {
    "degrees": lambda base, d, i: math.radians(base ** (-2 * i / d)),
    "pair-number-only": lambda base, d, i: base ** (-i / d),
    "pairs-from-1": lambda base, d, i: base ** (-2 * (i + 1) / d),
}


def mark(call: Call, given: dict[str, Any]) -> Iterator[Mark]:
    d, f, s, of_position = (given[name] for name in ("d_model", "factor", "s", "s_position"))
    lengths = {
        "every-column": f * math.sqrt(d),
        "squared": f * f * d / 2,
        "root-missing": f * d / 2,
        "without-factor": math.sqrt(d / 2),
    }
    length = number("length", call.value("a"), f * math.sqrt(d / 2), _said(lengths))
    products = {"factor-once": f * s, "of-the-position": f * f * of_position, "without-factor": s}
    names = ("degrees", "pair-number-only", "pairs-from-1")
    products |= {name: f * f * each for name, each in zip(names, given["others"], strict=True)}
    products["cosine"] = 2 * s / d
    product = number("product", call.value("b"), f * f * s, _said(products), tolerance=0.005)
    distances = {
        "factor-once": math.sqrt(f * (d - 2 * s)),
        "every-column": f * math.sqrt(2 * d - 2 * s),
        "squared": f * f * (d - 2 * s),
        "product-once": f * math.sqrt(d - s),
        "one-square": f * math.sqrt(d / 2 - s),
        "of-the-position": f * math.sqrt(d - 2 * of_position),
        "plus": f * math.sqrt(d + 2 * s),
        "without-factor": math.sqrt(d - 2 * s),
    }
    right = f * math.sqrt(d - 2 * s)
    square = own(call.value("a"), f * math.sqrt(d / 2)) ** 2
    rest = 2 * (square - own(call.value("b"), f * f * s))
    follows = math.sqrt(rest) if rest > 0 else None
    said = _said(distances)
    distance = number("distance", call.value("c"), right, said, following=follows, tolerance=0.005)
    yield from charged_once([length, product, distance], SLIPS)
    offsets = {
        "next": (given["rise"] + 1, "That is where this rise ends."),
        "fall": (given["fall"], "From there it falls the most."),
        "top": (given["top"], "There it is largest; the largest step is asked for."),
    }
    follows = _rise(given, HANDS[product.name]) if product.name in HANDS else None
    yield number("rise", call.value("d"), given["rise"], offsets, following=follows, tolerance=0)


def _rise(given: dict[str, Any], omega: Callable[[float, float, int], float]) -> int:
    """The offset that (d) asks for, where the hands have these speeds."""
    d, base, least = (given[name] for name in ("d_model", "base", "least"))
    speeds = [omega(base, d, i) for i in range(d // 2)]
    s = {k: sum(math.cos(k * w) for w in speeds) for k in range(least, least + 7)}
    return max(range(least, least + 6), key=lambda k: s[k + 1] - s[k])


def _said(answers: dict[str, float]) -> dict[str, tuple[float, str]]:
    return {name: (answer, SAYS[name]) for name, answer in answers.items()}
