"""Small whole numbers for which the foreseen mistakes give other numbers."""

import math
import random

import torch


def draw(rng: random.Random) -> dict[str, object]:
    while True:
        X = [[rng.randint(0, 2) for _ in range(2)] for _ in range(3)]
        W_Q, W_K, W_V = ([[rng.randint(-1, 2) for _ in range(2)] for _ in range(2)] for _ in "QKV")
        word = rng.randrange(1, 3)  # counted from 1, there is no word 0
        drawn = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "word": word}
        numbers = worked(X, W_Q, W_K, W_V, word)
        if numbers is not None:
            return {**drawn, **numbers, **sizes(rng)}


def sizes(rng: random.Random) -> dict[str, object]:
    """Of a sentence, its padding, a vocabulary and a model: no two alike."""
    return {
        "words": rng.randint(4, 9),
        "length": rng.choice([12, 16, 20, 24]),
        "vocabulary": rng.choice([500, 800, 2000, 5000]),
        "width": rng.choice([32, 64, 128, 256]),
    }


def worked(X, W_Q, W_K, W_V, word):  # type: ignore[no-untyped-def]
    """The products, right and with each mistake, and the values; None if of no use."""
    x, w_q, w_k, w_v = (torch.tensor(each).double() for each in (X, W_Q, W_K, W_V))
    if (w_q == w_q.T).all():
        return None  # W x, with words as columns, would be the same
    queries, keys, values = x @ w_q, x @ w_k, x @ w_v
    products, exchanged = keys @ queries[word], queries @ keys[word]
    before, columns = keys @ queries[word - 1], (x @ w_k.T) @ (x @ w_q.T)[word]
    asking, asked = keys @ (x @ w_q.T)[word], (x @ w_k.T) @ queries[word]
    unasked, unkeyed, bare = keys @ x[word], x @ queries[word], x @ x[word]
    if len({*products.tolist()}) < 3:
        return None
    if products.sum().abs() < 1 or (products - products.mean()).abs().max() < 1:
        return None
    if products.abs().max() > 8 or abs(torch.det(w_v)) < 1:
        return None
    wrong_ones = [products, exchanged, before, columns]
    wrong_ones += [asking, asked, unasked, unkeyed, bare]
    weights = [
        (products / math.sqrt(2)).softmax(0),
        products.softmax(0),
        (products / 2).softmax(0),
        products / products.sum(),
    ]
    outputs = [*(each @ values for each in weights), weights[0] @ x, weights[0] @ x @ w_v.T]
    after = (columns / math.sqrt(2)).softmax(0)  # to go on from these products
    carried = [after @ values, after @ x, after @ x @ w_v.T]
    if not all(_apart(rows) for rows in (wrong_ones, weights, outputs, carried)):
        return None
    names = ("products", "exchanged", "before", "columns")
    names += ("asking", "asked", "unasked", "unkeyed", "bare", "V")
    whole = dict(zip(names, (*wrong_ones, values), strict=True))
    return {name: each.long().tolist() for name, each in whole.items()}


def _apart(rows: list[torch.Tensor]) -> bool:
    pairs = ((one, other) for n, one in enumerate(rows) for other in rows[:n])
    return all(float((one - other).abs().max()) > 0.02 for one, other in pairs)
