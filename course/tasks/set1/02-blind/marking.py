"""Layers that are blind to order, and layers that see something of it, each in its own way."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from course.sets.judging import Mark
from course.sets.student import Call
from course.sets.trials import mark_test
from pe_core import stepwise

Layer = Callable[[Tensor], Tensor]

W_Q, W_K, W_V = torch.randn(
    3, 4, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64
)


def attention(X: Tensor, bias: Tensor | float = 0.0) -> Tensor:
    scores = (X @ W_Q) @ (X @ W_K).T / 2 + bias  # (L, L)
    return scores.softmax(dim=-1) @ (X @ W_V)


def two_layers(X: Tensor) -> Tensor:
    X = X + attention(X)
    X = (X - X.mean(1, keepdim=True)) / X.std(1, keepdim=True)
    return X + attention(X)


def with_the_mean(X: Tensor) -> Tensor:
    return X.tanh() + X.mean(dim=0)


def with_positions(X: Tensor) -> Tensor:
    return attention(X + stepwise(len(X), 4, dtype=torch.float64))


def causal(X: Tensor) -> Tensor:
    later = torch.ones(len(X), len(X), dtype=torch.bool).triu(1)
    return attention(X, torch.zeros(len(X), len(X)).double().masked_fill(later, float("-inf")))


def by_distance(X: Tensor) -> Tensor:
    p = torch.arange(len(X))
    return attention(X, -0.5 * (p[:, None] - p).abs())


def both_neighbours(X: Tensor) -> Tensor:
    padded = torch.cat([X[:1] * 0, X, X[:1] * 0])
    return X + padded[:-2] + padded[2:]


def round_neighbours(X: Tensor) -> Tensor:
    return X + 0.5 * X.roll(1, dims=0) - X.roll(2, dims=0)


def last_row(X: Tensor) -> Tensor:
    changed = X.clone()
    changed[-1] = 2 * changed[-1]
    return changed


def both_ends(X: Tensor) -> Tensor:
    return X + X[0] + X[-1]


def long_texts_alone(X: Tensor) -> Tensor:
    """Up to eight rows it is attention; of longer texts it sees the order."""
    return attention(X) if len(X) <= 8 else causal(X)


def negative_alone(X: Tensor) -> Tensor:
    return X + X.clamp(max=0).cumsum(dim=0)


def second_half(X: Tensor) -> Tensor:
    half = len(X) // 2
    return torch.cat([X[:half], X[half:].cumsum(dim=0)])


def every_second(X: Tensor) -> Tensor:
    return X * (1 + torch.arange(len(X)) % 2)[:, None]


def by_the_edge(X: Tensor) -> Tensor:
    p = torch.arange(len(X))
    return X + torch.minimum(p, p.flip(0))[:, None]


GOOD = {
    "attention": attention,
    "two layers with sums and norms": two_layers,
    "the rows with their mean": with_the_mean,
    "the mean in every row": lambda X: X.mean(dim=0).expand(len(X), -1),
    "each row by itself": lambda X: X.exp(),
}
BAD = {
    "with-positions": (with_positions, "adds a row of the table to every row"),
    "causal": (causal, "has a causal mask"),
    "by-distance": (by_distance, "weighs near rows more"),
    "both-neighbours": (both_neighbours, "adds to each row the one before and the one after"),
    "round-neighbours": (round_neighbours, "adds the rows before, and to the first the last"),
    "last-row": (last_row, "doubles the last row"),
    "running-sum": (lambda X: X.cumsum(0), "adds up all rows so far"),
    "sorted-in": (lambda X: X + X[len(X) // 2], "adds the row in the middle to all"),
    "both-ends": (both_ends, "adds the first and the last row to all"),
    "long-texts-alone": (long_texts_alone, "sees the order of texts of more than 8 rows alone"),
    "negative-alone": (negative_alone, "adds up what is negative in all rows so far"),
    "every-second": (every_second, "doubles every second row"),
    "by-the-edge": (by_the_edge, "adds to each row how far it is from the nearer end"),
    "last-to-all": (lambda X: X + X[-1], "adds the last row to all"),
    "second-half": (second_half, "adds up the rows from the middle on"),
}


LONGEST = 1000  # rows; the statement has 50


def short_enough(layer: Layer) -> Layer:
    """The layer, which takes no longer texts: attention needs their length squared."""

    def limited(X: Tensor) -> Tensor:
        if X.ndim > 1 and max(X.shape) > LONGEST:
            raise ValueError(f"layers take any length from 2 to 50, got {tuple(X.shape)}")
        return layer(X)

    return limited


def mark(call: Call, given: dict[str, object]) -> Iterator[Mark]:
    parts = ("accepts", "rejects")
    good = {name: short_enough(layer) for name, layer in GOOD.items()}
    bad = {name: (short_enough(layer), does) for name, (layer, does) in BAD.items()}
    yield from mark_test(parts, call, "blind", good, bad, exactly={"each row by itself"})
