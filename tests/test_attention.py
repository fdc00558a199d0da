"""pe_lab.attention against torch's own attention, and the properties the chapters prove."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pe_lab.attention import (
    attention,
    attention_weights,
    causal_mask,
    merge_heads,
    scores,
    split_heads,
)


def draw(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize("leading", [(), (3,), (2, 4)])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_torch(leading: tuple[int, ...], masked: bool) -> None:
    q, k, v = (draw(*leading, 7, 6, seed=s) for s in range(3))
    mask = causal_mask(7) if masked else None
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(attention(q, k, v, mask=mask), expected)


def test_attention_with_fewer_keys_and_other_value_width() -> None:
    q, k, v = draw(5, 4), draw(3, 4, seed=1), draw(3, 9, seed=2)
    torch.testing.assert_close(attention(q, k, v), F.scaled_dot_product_attention(q, k, v))


def test_scores_by_hand() -> None:
    q = torch.tensor([[1.0, 2.0, 0.0, 0.0]])
    k = torch.tensor([[3.0, 4.0, 0.0, 0.0], [0.0, 1.0, 5.0, 5.0]])
    torch.testing.assert_close(scores(q, k), torch.tensor([[5.5, 1.0]]))


def test_weights_are_a_weighted_mean_and_respect_the_mask() -> None:
    w = attention_weights(draw(6, 4), draw(6, 4, seed=1), mask=causal_mask(6))
    torch.testing.assert_close(w.sum(-1), torch.ones(6, dtype=torch.float64))
    assert (w >= 0).all()
    assert w.triu(1).eq(0).all()
    assert w.tril().ne(0).sum() == 21


def test_causal_mask_by_hand() -> None:
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert causal_mask(0).shape == (0, 0)


def test_padding_mask_hides_the_padded_rows() -> None:
    q, k, v = (draw(6, 4, seed=s) for s in range(3))
    mask = torch.tensor([True, True, True, False, False, False])
    torch.testing.assert_close(attention(q, k, v, mask=mask), attention(q, k[:3], v[:3]))


def test_equivariant_without_a_mask_and_not_with_one() -> None:
    x, w = draw(8, 6), draw(3, 6, 6, seed=1)
    order = torch.tensor([3, 1, 4, 0, 5, 7, 2, 6])
    plain = attention(x @ w[0], x @ w[1], x @ w[2])
    moved = attention(x[order] @ w[0], x[order] @ w[1], x[order] @ w[2])
    torch.testing.assert_close(moved, plain[order])

    mask = causal_mask(8)
    plain = attention(x @ w[0], x @ w[1], x @ w[2], mask=mask)
    moved = attention(x[order] @ w[0], x[order] @ w[1], x[order] @ w[2], mask=mask)
    assert (moved - plain[order]).abs().max() > 0.1


def test_split_heads_keeps_blocks_of_columns_together() -> None:
    x = torch.arange(12.0).view(2, 6)
    heads = split_heads(x, 3)
    assert heads.shape == (3, 2, 2)
    assert heads[1].tolist() == [[2.0, 3.0], [8.0, 9.0]]
    assert torch.equal(merge_heads(heads), x)


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_merge_is_the_inverse_of_split(leading: tuple[int, ...], heads: int) -> None:
    x = draw(*leading, 5, 6)
    assert split_heads(x, heads).shape == (*leading, heads, 5, 6 // heads)
    assert torch.equal(merge_heads(split_heads(x, heads)), x)


@pytest.mark.parametrize("heads", [0, -1, 4, 7])
def test_split_heads_names_what_is_wrong(heads: int) -> None:
    with pytest.raises(ValueError, match=rf"heads.*width 6.*{heads}"):
        split_heads(torch.zeros(5, 6), heads)


def test_what_does_not_fit_is_named() -> None:
    q, k, v = draw(5, 4), draw(3, 4), draw(3, 2)
    with pytest.raises(TypeError, match=r"length must be an integer, got 2\.5"):
        causal_mask(2.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="length must be zero or a positive integer, got -1"):
        causal_mask(-1)
    with pytest.raises(ValueError, match="keys must be as wide as the queries, 4; got 6"):
        scores(q, draw(3, 6))
    with pytest.raises(TypeError, match=r"keys .* queries, torch\.float64; got torch\.float32"):
        scores(q, k.float())
    with pytest.raises(TypeError, match=r"values .* weights, torch\.float64; got torch\.int64"):
        attention(q, k, v.long())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert attention(q.float(), k.bfloat16(), v.float()).dtype == torch.bfloat16
    with pytest.raises(TypeError, match="queries must be a tensor"):
        scores([[1.0]], k)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"keys must have the shape .*got \(4,\)"):
        scores(q, draw(4))
    with pytest.raises(TypeError, match=r"mask must be a tensor of torch\.bool, got .*int64"):
        attention_weights(q, k, mask=torch.ones(5, 3, dtype=torch.int64))
    with pytest.raises(ValueError, match="values must have as many rows as keys, 3; got 5"):
        attention(q, k, draw(5, 2))
    assert attention(q, k, v).shape == (5, 2)
    with pytest.raises(TypeError, match=r"heads must be an integer, got 1\.5"):
        split_heads(q, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"x must have the shape .*got \(5, 4\)"):
        merge_heads(q)


def test_heads_equal_torch_multihead_attention() -> None:
    torch.manual_seed(0)
    layer = nn.MultiheadAttention(6, 2, bias=False, batch_first=True, dtype=torch.float64)
    x = draw(10, 6)
    q, k, v = (split_heads(x @ w.T, 2) for w in layer.in_proj_weight.chunk(3))
    ours = merge_heads(attention(q, k, v)) @ layer.out_proj.weight.T
    torch.testing.assert_close(ours, layer(x, x, x, need_weights=False)[0])


def test_axes_that_do_not_broadcast_are_named() -> None:
    two, three = torch.zeros(2, 3, 4), torch.zeros(3, 5, 4)
    with pytest.raises(ValueError, match=r"keys must fit the queries: the axes \(3,\) and \(2,\)"):
        scores(two, three)
    with pytest.raises(ValueError, match=r"mask must fit the scores: the axes \(3, 4\) and"):
        attention_weights(two[0], three[0], mask=torch.ones(3, 4, dtype=torch.bool))
    one = torch.zeros(1, 4)  # a query alone, and a mask that would make five of it
    with pytest.raises(ValueError, match=r"the axes \(5, 5\), and they end in \(1, 5\)"):
        attention_weights(one, three[0], mask=causal_mask(5))
    assert attention_weights(one, three[0], mask=causal_mask(5)[4]).shape == (1, 5)
    assert attention_weights(one, three[0], mask=causal_mask(5)[None, 4:]).shape == (1, 1, 5)
    with pytest.raises(ValueError, match="values must fit the weights"):
        attention(two, torch.zeros(2, 5, 4), three)
    with pytest.raises(ValueError, match="queries must have at least 1 column, got 0"):
        attention_weights(torch.zeros(3, 0), torch.zeros(5, 0))
