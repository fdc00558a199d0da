"""What every encoding shares: the four places where one can act, and the checks of what it gets."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from pe_core.checks import FLOAT_DTYPES, check_dtype, check_tensor
from pe_lab.checks import check_count


class Encoding(nn.Module):
    """Where an encoding acts; what a subclass leaves alone does nothing.

    A model calls ``add`` once, on its input, and the other three in each of its layers. One module
    serves all layers, so what is learned is shared by them, unless its class says otherwise.

    What is returned has the dtype and the device of what came in. A tensor of another shape than
    is told here is a ``ValueError``, what is no tensor of floating-point numbers a ``TypeError``.
    """

    acts: ClassVar[tuple[str, ...]] = ()  # the methods that do something

    def __init__(self) -> None:
        super().__init__()  # without arguments of its own, unless a subclass has some

    def add(self, x: Tensor) -> Tensor:
        """Return the input with positions: (batch, length, d_model) -> the same shape."""
        return x

    def turn(self, q: Tensor) -> Tensor:
        """Return queries, or keys, with positions: (batch, heads, length, d_head) -> the same."""
        return q

    def scores(self, q: Tensor) -> Tensor | None:
        """Return what is added to the scores q · k / √d_head, before the softmax, or None.

        Queries (batch, heads, length, d_head) -> (batch or 1, heads, length, length). Entry
        (p, r) is for the query of position p and the key of position r.
        """
        return None

    def values(self, weights: Tensor) -> Tensor | None:
        """Return what is added to the output of the heads, or None.

        Weights of attention (batch, heads, length, length) -> (batch, heads, length, d_head).
        """
        return None


def check_head(d_model: object, n_heads: object) -> int:
    """Return the width of a head, d_model / n_heads."""
    width, heads = check_count(d_model, "d_model"), check_count(n_heads, "n_heads")
    if width % heads:
        raise ValueError(f"n_heads must divide d_model, {width}; got {heads}")
    return width // heads


def check_input(x: Tensor, d_model: int) -> Tensor:
    """Return ``x``, which has d_model columns."""
    check_dtype(check_tensor(x, "x", "batch", "length", "d_model").dtype, name="dtype of x")
    if x.shape[-1] != d_model:
        raise ValueError(f"x must have d_model = {d_model} columns, got {tuple(x.shape)}")
    return x


def check_heads(
    q: Tensor, n_heads: int | None, d_head: int | None = None, name: str = "q"
) -> Tensor:
    """Return ``q``, a tensor (batch, heads, length, …) with so many heads, so wide where told."""
    check_tensor(q, name, "batch", "heads", "length", "d_head" if name == "q" else "length")
    check_dtype(q.dtype, FLOAT_DTYPES, f"dtype of {name}")
    if n_heads is not None and q.shape[1] != n_heads:
        raise ValueError(f"{name} must have n_heads = {n_heads} heads, got {tuple(q.shape)}")
    if d_head is not None and q.shape[3] != d_head:
        raise ValueError(f"{name} must have d_head = {d_head} columns, got {tuple(q.shape)}")
    return q


def offsets(length: int, device: torch.device) -> Tensor:
    """Return the offset r - p from each position p to each position r, int64: (length, length)."""
    position = torch.arange(length, device=device)  # (length,)
    return position[None, :] - position[:, None]
