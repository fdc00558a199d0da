"""pe_lab.model against a Transformer written out in loops, and what its parts promise."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from pe_lab.encodings import ENCODINGS, Encoding, make
from pe_lab.model import Attention, Layer, Transformer

V, D, HEADS, LENGTH = 7, 12, 3, 9


def build(name: str = "sinusoid", *, seed: int = 1, **sizes: int) -> Transformer:
    sizes = {"d_model": D, "n_heads": HEADS, "n_layers": 2, "d_ff": 20} | sizes
    shape = {name: sizes[name] for name in ("d_model", "n_heads")}
    return Transformer(V, encoding=make(name, max_length=LENGTH, **shape), seed=seed, **sizes)


def words(*shape: int, seed: int = 0) -> Tensor:
    return torch.randint(V, shape, generator=torch.Generator().manual_seed(seed))


# The same model in loops: numbers, row by row, from the paper's formulas.


def norm(x: list[float], gain: list[float], shift: list[float]) -> list[float]:
    mean = sum(x) / len(x)
    deviation = math.sqrt(sum((e - mean) ** 2 for e in x) / len(x) + 1e-5)
    return [g * (e - mean) / deviation + b for e, g, b in zip(x, gain, shift, strict=True)]


def times(matrix: list[list[float]], x: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, x, strict=True)) for row in matrix]


def added(x: list[float], y: list[float]) -> list[float]:
    return [a + b for a, b in zip(x, y, strict=True)]


def looped_heads(rows: list[list[float]], part: Attention, causal: bool) -> list[list[float]]:
    joined: list[list[float]] = [[] for _ in rows]
    for Q, K, W in zip(part.W_Q.tolist(), part.W_K.tolist(), part.W_V.tolist(), strict=True):
        q, k, v = ([times(M, x) for x in rows] for M in (Q, K, W))
        for p in range(len(rows)):
            seen = range(p + 1) if causal else range(len(rows))
            e = [
                math.exp(sum(map(math.prod, zip(q[p], k[r], strict=True))) / math.sqrt(len(Q)))
                for r in seen
            ]
            for c in range(len(Q)):
                joined[p].append(sum(w * v[r][c] for w, r in zip(e, seen, strict=True)) / sum(e))
    return [times(part.W_O.tolist(), x) for x in joined]


def looped(model: Transformer, tokens: list[int], table: list[list[float]]) -> list[list[float]]:
    embedding = model.embedding.weight.tolist()
    rows = [added(embedding[t], table[p]) for p, t in enumerate(tokens)]
    for layer in model.layers:
        assert isinstance(layer, Layer)
        g, b = layer.norm_1.weight.tolist(), layer.norm_1.bias.tolist()
        seen = looped_heads([norm(x, g, b) for x in rows], layer.attention, model.causal)
        rows = [added(x, y) for x, y in zip(rows, seen, strict=True)]
        first, _, second = layer.feed_forward
        g, b = layer.norm_2.weight.tolist(), layer.norm_2.bias.tolist()
        for p, x in enumerate(rows):
            wide = added(times(first.weight.tolist(), norm(x, g, b)), first.bias.tolist())
            wide = [max(0.0, e) for e in wide]
            rows[p] = added(x, added(times(second.weight.tolist(), wide), second.bias.tolist()))
    g, b = model.norm.weight.tolist(), model.norm.bias.tolist()
    return [times(model.answer.weight.tolist(), norm(x, g, b)) for x in rows]


@pytest.mark.parametrize("causal", [False, True])
def test_it_computes_what_the_paper_says(causal: bool) -> None:
    model = build(causal=causal).double()
    with torch.no_grad():  # at the start every gain is 1 and every shift 0, which would hide much
        for weight in model.parameters():
            weight += 0.3 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(5))
    tokens = words(2, LENGTH)
    table = model.encoding.add(torch.zeros(1, LENGTH, D, dtype=torch.float64))[0].tolist()
    expected = [looped(model, each, table) for each in tokens.tolist()]
    torch.testing.assert_close(model(tokens), torch.tensor(expected, dtype=torch.float64))


class Everywhere(Encoding):
    """Acts at each of the four places, with what can be told apart."""

    def add(self, x: Tensor) -> Tensor:
        return 2 * x

    def turn(self, q: Tensor) -> Tensor:
        return q.flip(-1) * 3

    def scores(self, q: Tensor) -> Tensor:
        return q.sum(-1, keepdim=True) - torch.arange(q.shape[2])

    def values(self, weights: Tensor) -> Tensor:
        return weights[..., :1] * torch.arange(D // HEADS)


def test_an_encoding_acts_where_it_says() -> None:
    model = Transformer(V, encoding=Everywhere(), d_model=D, n_heads=HEADS, n_layers=1)
    tokens = words(2, LENGTH)
    layer = model.layers[0]
    assert isinstance(layer, Layer)
    part = layer.attention
    x = 2 * model.embedding(tokens)
    n = layer.norm_1(x)
    parts = []
    for h in range(HEADS):
        q, k, v = 3 * (n @ part.W_Q[h].T), 3 * (n @ part.W_K[h].T), n @ part.W_V[h].T
        s = q @ k.transpose(1, 2) / math.sqrt(D // HEADS)
        s = s + q.sum(-1, keepdim=True) - torch.arange(LENGTH)
        w = s.softmax(-1)
        parts.append(w @ v + w[..., :1] * torch.arange(D // HEADS))
        torch.testing.assert_close(model.attention(tokens)[0, :, h], w)
    x = x + torch.cat(parts, -1) @ part.W_O.T
    x = x + layer.feed_forward(layer.norm_2(x))
    torch.testing.assert_close(model(tokens), model.answer(model.norm(x)))


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("causal", [False, True])
def test_every_row_gives_away_a_weight_of_one(name: str, causal: bool) -> None:
    model = build(name, causal=causal)
    weights = model.attention(words(2, LENGTH))
    assert weights.shape == (2, 2, HEADS, LENGTH, LENGTH)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, HEADS, LENGTH))
    assert (weights >= 0).all()
    assert (weights.triu(1) == 0).all() == causal


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_causal_model_does_not_see_what_comes_after(name: str) -> None:
    tokens, changed = words(1, LENGTH), words(1, LENGTH)
    changed[0, 5] = (changed[0, 5] + 1) % V
    for causal in (True, False):
        model = build(name, causal=causal)
        before = model(tokens)[0, :5], model(changed)[0, :5]
        assert torch.equal(*before) == causal


def test_the_weights_at_the_start_depend_on_the_seed_alone() -> None:
    one, other = build("sinusoid").state_dict(), build("RoPE").state_dict()
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
    another = build(seed=2).state_dict()
    assert not torch.equal(one["embedding.weight"], another["embedding.weight"])
    state = torch.random.get_rng_state()
    build()
    assert torch.equal(state, torch.random.get_rng_state())


@pytest.mark.parametrize("name", ["index", "scaled index"])
def test_an_index_is_taken_away_by_the_norm(name: str) -> None:
    # What is added to all columns alike is their mean, and the norm subtracts the mean.
    tokens = words(3, LENGTH)
    none, index = build("none").double(), build(name).double()
    torch.testing.assert_close(index(tokens), none(tokens), atol=1e-9, rtol=0)
    assert (build("sinusoid").double()(tokens) - none(tokens)).abs().max() > 0.1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"d_model": 0}, "d_model must be a positive integer, got 0"),
        ({"n_heads": 5}, "n_heads must divide d_model, 12; got 5"),
        ({"n_layers": -1}, "n_layers must be a positive integer, got -1"),
        ({"d_ff": 0}, "d_ff must be a positive integer, got 0"),
        ({"vocabulary": 0}, "vocabulary must be a positive integer, got 0"),
        (
            {"seed": 2**64},
            "seed must lie between -2\\*\\*63 and 2\\*\\*64 - 1, got 18446744073709551616",
        ),
    ],
)
def test_sizes_that_no_model_has(arguments: dict[str, int], message: str) -> None:
    sizes = {"vocabulary": V, "d_model": D, "n_heads": HEADS} | arguments
    with pytest.raises(ValueError, match=message):
        Transformer(encoding=Encoding(), **sizes)  # type: ignore[arg-type]


def test_what_is_no_encoding() -> None:
    with pytest.raises(TypeError, match=r"encoding must be .* got 'sinusoid' of type str"):
        Transformer(V, encoding="sinusoid")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"d_model must be an integer, got 2\.5"):
        Transformer(V, encoding=Encoding(), d_model=2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="causal must be True or False, got 1 of type int"):
        Transformer(V, encoding=Encoding(), causal=1)  # type: ignore[arg-type]


def test_words_that_the_model_does_not_know() -> None:
    model = build()
    with pytest.raises(ValueError, match="tokens must lie between 0 and 6, got 0 to 7"):
        model(torch.tensor([[0, 7]]))
    with pytest.raises(ValueError, match="tokens must lie between 0 and 6, got -1 to 0"):
        model(torch.tensor([[0, -1]]))
    with pytest.raises(TypeError, match=r"tokens must hold torch.int64, got torch.float32"):
        model(torch.zeros(1, 2))
    with pytest.raises(ValueError, match=r"tokens must have the shape \(batch, length\)"):
        model(torch.zeros(2, dtype=torch.int64))
    assert model(torch.zeros(1, 0, dtype=torch.int64)).shape == (1, 0, V)
