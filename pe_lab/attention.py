"""The few lines of attention that the chapters need.

Scaled dot-product attention and multi-head splitting as in Vaswani et al. (2017), section 3.2,
written so that every intermediate tensor can be looked at. For training or long inputs use
`torch.nn.functional.scaled_dot_product_attention`, which gives the same result and is faster.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Return how well each query matches each key: q · k / √d_k.

    Args:
        queries: shape (..., L, d_k).
        keys: shape (..., S, d_k).

    Returns:
        Shape (..., L, S); entry (p, q) belongs to the query of row p and the key of row q.
    """
    return queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])


def causal_mask(length: int) -> Tensor:
    """Return the mask that lets row p look at rows 0 … p only.

    Args:
        length: number of rows L.

    Returns:
        Boolean, shape (L, L); True where the row may look at the column.
    """
    return torch.ones(length, length, dtype=torch.bool).tril()


def attention_weights(queries: Tensor, keys: Tensor, *, mask: Tensor | None = None) -> Tensor:
    """Return the weights with which each row looks at every row: softmax of the scores.

    Args:
        queries: shape (..., L, d_k).
        keys: shape (..., S, d_k).
        mask: boolean, broadcastable to (..., L, S), True where looking is allowed. A row that
            may look nowhere has no weights; its entries are nan, as in torch.

    Returns:
        Shape (..., L, S); not negative, each row sums to 1.
    """
    s = scores(queries, keys)  # (..., L, S)
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    return s.softmax(dim=-1)


def attention(
    queries: Tensor, keys: Tensor, values: Tensor, *, mask: Tensor | None = None
) -> Tensor:
    """Return scaled dot-product attention: for each row, the weighted mean of the values.

    Args:
        queries: shape (..., L, d_k).
        keys: shape (..., S, d_k).
        values: shape (..., S, d_v).
        mask: as in `attention_weights`.

    Returns:
        Shape (..., L, d_v).
    """
    return attention_weights(queries, keys, mask=mask) @ values


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Cut the columns into `heads` blocks of equal width, one per head.

    Args:
        x: shape (..., L, d).
        heads: number of heads; divides d.

    Returns:
        Shape (..., heads, L, d / heads).

    Raises:
        ValueError: if `heads` is not a positive divisor of d.
    """
    d = x.shape[-1]
    if heads < 1 or d % heads != 0:
        raise ValueError(f"heads must be a positive divisor of the width {d}, got {heads}")
    blocks = x.reshape(*x.shape[:-1], heads, d // heads)  # (..., L, heads, d / heads)
    return blocks.transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads side by side again: the inverse of `split_heads`.

    Args:
        x: shape (..., heads, L, d / heads).

    Returns:
        Shape (..., L, d).
    """
    return x.transpose(-3, -2).flatten(-2)
