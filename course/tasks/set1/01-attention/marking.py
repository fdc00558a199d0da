"""Three lists of numbers; a mistake that is made early is carried through."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from course.sets.judging import Mark, numbers
from course.sets.student import Call

SAYS = {
    "roles-exchanged": "There every word asks and this word is asked: query and key are exchanged.",
    "unscaled": "That is with the dot products as they are: they were not divided.",
    "scaled-by-d": "That is with the dot products divided by 2.",
    "in-proportion": "That is in proportion to the dot products: no power of e was taken.",
    "words-for-values": "That is the weighted mean of the rows of X.",
}


def mark(call: Call, given: dict[str, Any]) -> Iterator[Mark]:
    products, exchanged, values, x = (
        torch.tensor(given[name]).double() for name in ("products", "exchanged", "V", "X")
    )
    weights = {
        "right": (products / math.sqrt(2)).softmax(0),
        "roles-exchanged": (exchanged / math.sqrt(2)).softmax(0),
        "unscaled": products.softmax(0),
        "scaled-by-d": (products / 2).softmax(0),
        "in-proportion": products / products.sum(),
    }
    outputs = {name: each @ values for name, each in weights.items()}
    outputs["words-for-values"] = weights["right"] @ x
    all_products = {"right": products, "roles-exchanged": exchanged}
    yield _judged("products", call.value("a"), all_products, 0.001)
    yield _judged("weights", call.value("b"), weights, 0.006)
    yield _judged("output", call.value("c"), outputs, 0.01)


def _judged(part: str, value: object, answers: dict[str, Tensor], tolerance: float) -> Mark:
    listed = {name: each.tolist() for name, each in answers.items()}
    right = listed.pop("right")
    foreseen = {name: (each, SAYS[name]) for name, each in listed.items()}
    if isinstance(value, list) and ... in value:
        value = ...
    return numbers(part, value, right, foreseen, tolerance=tolerance)
