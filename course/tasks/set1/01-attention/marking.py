"""Three lists of numbers; each is judged by the student's own before it."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from course.sets.judging import Mark, charged_once, numbers, reals
from course.sets.student import Call

SAYS = {
    "roles-exchanged": "There every word asks and this word is asked: query and key are exchanged.",
    "word-before": "That is the row of the word before: words are counted from 1 there.",
    "words-as-columns": "That has the matrix on the left of a word, as if words were columns.",
    "query-as-column": "That has $W_Q$ on the left of a word, as if words were columns, "
    "and $W_K$ on the right.",
    "keys-as-columns": "That has $W_K$ on the left of a word, as if words were columns, "
    "and $W_Q$ on the right.",
    "no-query": "That leaves $W_Q$ out: the row of $X$ itself asks.",
    "no-keys": "That leaves $W_K$ out: the rows of $X$ themselves are asked.",
    "no-matrix": "That leaves $W_Q$ and $W_K$ out: those are dot products of the rows of $X$.",
    "unscaled": "That is with the dot products as they are: they were not divided.",
    "scaled-by-d": "That is with the dot products divided by 2.",
    "in-proportion": "That is in proportion to the dot products: no power of e was taken.",
    "power-of-two": "That has powers of 2, where powers of e belong.",
    "words-for-values": "That is the weighted mean of the rows of X.",
}


def mark(call: Call, given: dict[str, Any]) -> Iterator[Mark]:
    x, w_q, w_k, w_v = (torch.tensor(given[name]).double() for name in ("X", "W_Q", "W_K", "W_V"))
    word = given["word"]
    queries, keys, values = x @ w_q, x @ w_k, x @ w_v
    a, b, c = (call.value(name) for name in "abc")

    products = keys @ queries[word]
    foreseen = {
        "roles-exchanged": queries @ keys[word],
        "word-before": keys @ queries[word - 1],
        "words-as-columns": (x @ w_k.T) @ (x @ w_q.T)[word],
        "query-as-column": keys @ (x @ w_q.T)[word],
        "keys-as-columns": (x @ w_k.T) @ queries[word],
        "no-query": keys @ x[word],
        "no-keys": x @ queries[word],
        "no-matrix": x @ x[word],
    }
    asked = _judged("products", a, products, products, foreseen, 0.001)

    own = _own(a, products, foreseen)
    weights = (products / math.sqrt(2)).softmax(0)
    foreseen = {
        "unscaled": own.softmax(0),
        "scaled-by-d": (own / 2).softmax(0),
        "in-proportion": own / own.sum(),
        "power-of-two": (own * math.log(2) / math.sqrt(2)).softmax(0),
    }
    following = (own / math.sqrt(2)).softmax(0)
    by_twos = [(each * math.log(2)).softmax(0) for each in (products, own)]
    # Chapter 1 takes 2 for e^(1/√2), up to 0.0066 off. A tolerance for it would hide mistakes.
    rights = by_twos if _is_one_of(b, by_twos, 0.006) else [weights, following]
    weighed = _judged("weights", b, *rights, foreseen, 0.006)

    own = _own(b, weights, foreseen)
    foreseen = {"words-for-values": own @ x, "words-as-columns": own @ x @ w_v.T}
    output = _judged("output", c, weights @ values, own @ values, foreseen, 0.01)
    yield from charged_once([asked, weighed, output], ("words-as-columns",))
    yield _shapes(call.value("d"), given)


def _shapes(value: object, given: dict[str, Any]) -> Mark:
    words, length, vocabulary, width = (
        given[name] for name in ("words", "length", "vocabulary", "width")
    )
    right = [length, vocabulary, vocabulary, width, length, width]
    foreseen = {
        "not-padded": (
            [words, vocabulary, vocabulary, width, words, width],
            "That has a row for each word of the sentence, and none for its padding.",
        ),
        "embedding-turned": (
            [length, vocabulary, width, vocabulary, length, width],
            "With these shapes the one-hot matrix cannot be multiplied by $W_E$ on its right.",
        ),
        "places-as-columns": (
            [vocabulary, length, width, vocabulary, width, length],
            "That has a column for each place, and not a row.",
        ),
    }
    return numbers("shapes", value, right, foreseen, tolerance=0)


def _own(value: object, right: Tensor, foreseen: Mapping[str, Tensor]) -> Tensor:
    """The student's own answer, to go on from; the right one where nothing follows from it.

    Nothing follows from numbers that are all the same, unless they come from a known mistake.
    """
    given = reals(value)
    if not given or len(given) != len(right):
        return right
    one = torch.tensor(given).double()
    known = any(torch.allclose(one, each, atol=1e-3) for each in foreseen.values())
    return one if known or 1e-3 < one.max() - one.min() < 1e9 else right


def _is_one_of(value: object, those: Iterable[Tensor], tolerance: float) -> bool:
    given = reals(value) or []
    one = torch.tensor(given).double()
    alike = (len(given) == len(each) and (one - each).abs().max() <= tolerance for each in those)
    return any(alike)


def _judged(
    part: str,
    value: object,
    right: Tensor,
    following: Tensor,
    foreseen: Mapping[str, Tensor],
    tolerance: float,
) -> Mark:
    named = {name: (each.tolist(), SAYS[name]) for name, each in foreseen.items()}
    return numbers(
        part, value, right.tolist(), named, following=following.tolist(), tolerance=tolerance
    )
