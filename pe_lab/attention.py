"""The few lines of attention that the chapters need.

Scaled dot-product attention and multi-head splitting as in Vaswani et al. (2017), section 3.2,
written so that every intermediate tensor can be looked at. Any axes may come first (``...``), the
same or broadcastable in all arguments, all of one dtype. What is not a tensor or of another dtype,
or a mask not of truth values, is a TypeError; shapes that do not fit are a ValueError. For training
or long inputs use `torch.nn.functional.scaled_dot_product_attention`, which gives the same result
and is faster; only of a row that may look nowhere it makes zeros, where here is nan.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from pe_core.checks import check_integer, check_length, check_tensor, describe


def scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Return how well each query matches each key: q · k / √d_k.

    Args:
        queries: shape (..., L, d_k).
        keys: shape (..., S, d_k).

    Returns:
        Shape (..., L, S); entry (p, q) belongs to the query of row p and the key of row q.
    """
    check_tensor(queries, "queries", "...", "L", "d_k")
    check_tensor(keys, "keys", "...", "S", "d_k")
    d_k = queries.shape[-1]
    if keys.shape[-1] != d_k:
        raise ValueError(f"keys must be as wide as the queries, {d_k}; got {keys.shape[-1]}")
    if d_k == 0:
        raise ValueError("queries must have at least 1 column, got 0")
    _check_fit("keys", keys.shape[:-2], "queries", queries.shape[:-2])
    return _product("queries", queries, "keys", keys.transpose(-2, -1)) / math.sqrt(d_k)


def causal_mask(length: int) -> Tensor:
    """Return the mask that lets row p look at rows 0 … p only.

    Args:
        length: number of rows L.

    Returns:
        Boolean, shape (L, L); True where the row may look at the column.
    """
    length = check_length(length, "length")
    return torch.ones(length, length, dtype=torch.bool).tril()


def attention_weights(queries: Tensor, keys: Tensor, *, mask: Tensor | None = None) -> Tensor:
    """Return the weights with which each row looks at every row: softmax of the scores.

    Args:
        queries: shape (..., L, d_k).
        keys: shape (..., S, d_k).
        mask: boolean, broadcastable to (..., L, S), True where looking is allowed. A row that
            may look nowhere has no weights; its entries are nan, as those of torch.softmax.

    Returns:
        Shape (..., L, S); not negative, each row sums to 1.
    """
    s = scores(queries, keys)  # (..., L, S)
    if mask is not None:
        if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
            raise TypeError(f"mask must be a tensor of torch.bool, got {describe(mask)}")
        _check_fit("mask", mask.shape, "scores", s.shape)
        whole = torch.broadcast_shapes(mask.shape, s.shape)  # type: ignore[no-untyped-call]
        if whole[-2:] != s.shape[-2:]:
            raise ValueError(
                f"mask must fit the scores: it has the axes {tuple(mask.shape)}, and they end in "
                f"{tuple(s.shape[-2:])}"
            )
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
    weights = attention_weights(queries, keys, mask=mask)  # (..., L, S)
    check_tensor(values, "values", "...", "S", "d_v")
    rows = keys.shape[-2]
    if values.shape[-2] != rows:
        raise ValueError(f"values must have as many rows as keys, {rows}; got {values.shape[-2]}")
    _check_fit("values", values.shape[:-2], "weights", weights.shape[:-2])
    return _product("weights", weights, "values", values)


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Cut the columns into `heads` blocks of equal width, one per head.

    Args:
        x: shape (..., L, d).
        heads: number of heads; divides d.

    Returns:
        Shape (..., heads, L, d / heads).
    """
    d, heads = check_tensor(x, "x", "...", "L", "d").shape[-1], check_integer(heads, "heads")
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
    check_tensor(x, "x", "...", "heads", "L", "d / heads")
    return x.transpose(-3, -2).flatten(-2)


def _product(first: str, left: Tensor, second: str, right: Tensor) -> Tensor:
    """Return left @ right; of two dtypes it is a TypeError, unless autocast makes them one."""
    try:
        return left @ right
    except RuntimeError:
        if left.dtype == right.dtype:
            raise
        raise TypeError(
            f"{second} must have the dtype of the {first}, {left.dtype}; got {right.dtype}"
        ) from None


def _check_fit(name: str, shape: torch.Size, other: str, fixed: torch.Size) -> None:
    """Refuse axes that do not broadcast."""
    try:
        torch.broadcast_shapes(shape, fixed)  # type: ignore[no-untyped-call]
    except RuntimeError:
        raise ValueError(
            f"{name} must fit the {other}: the axes {tuple(shape)} and {tuple(fixed)} do not "
            "broadcast"
        ) from None
