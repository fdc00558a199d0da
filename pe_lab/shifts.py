"""How much of a matrix is a shift: a head's W_Qᵀ W_K beside the matrices M_k of the theorem.

The score of a query at p and a key at q is PE(p)ᵀ A PE(q) with A = W_Qᵀ W_K, vectors as columns.
A head that looks k back wants it large where q = p - k, as PE(p - k)ᵀ PE(q) is; and that is
PE(p)ᵀ M₋ₖᵀ PE(q). So the matrix to be found is M₋ₖᵀ, and a head looks k back where A is most like
the transpose of M₋ₖ. Offsets are counted as in the theorem: -3 is three back.

The encoding goes through the layer norm first. That takes the mean over the columns away (C x,
with C = I - 11ᵀ/d), divides by the row's standard deviation, multiplies column c by γ_c and adds
β. Division is a positive factor for a row. Of what is left, the part that is quadratic in the
input is xᵀ (C Γ A Γ C) x', and `query_key` returns C Γ A Γ C: what A does to the input itself.
What β adds to a score depends on one of the two rows alone, and knows no offset.
"""

from __future__ import annotations

import torch
from torch import Tensor

from pe_core.checks import check_dtype, check_integer, check_tensor, describe
from pe_core.offset import offset_matrix
from pe_lab.model import Layer, Transformer


@torch.no_grad()
def query_key(model: Transformer, *, layer: int = 0, norm: bool = True) -> Tensor:
    """Return for each head the matrix A between two rows of the input: float64, (heads, d, d).

    Args:
        model: a Transformer.
        layer: which of its layers.
        norm: whether the layer norm is counted in, C Γ W_Qᵀ W_K Γ C, or left out, W_Qᵀ W_K.
    """
    if not isinstance(model, Transformer):
        raise TypeError(f"model must be a pe_lab.model.Transformer, got {describe(model)}")
    last = len(model.layers) - 1
    if not 0 <= check_integer(layer, "layer") <= last:
        raise ValueError(f"layer must lie between 0 and {last}, got {layer}")
    part = model.layers[layer]
    assert isinstance(part, Layer)
    W_Q, W_K = part.attention.W_Q.double(), part.attention.W_K.double()  # (heads, d_head, d)
    A: Tensor = W_Q.transpose(1, 2) @ W_K  # (heads, d, d)
    if norm:
        d = A.shape[-1]
        centre = torch.eye(d, dtype=A.dtype, device=A.device) - 1 / d
        before = part.norm_1.weight.double().diag() @ centre  # Γ C
        A = before.T @ A @ before
    return A


def shift_cosine(A: Tensor, k: float, *, pairs: int | None = None) -> Tensor:
    """Return the cosine between A and M_kᵀ as two long vectors: 1 where A is a multiple of it.

    Args:
        A: shape (..., d, d).
        k: the offset; -3 is the matrix that looks three back.
        pairs: count only the rows and columns of so many pairs, the fastest first; all, if None.

    Returns:
        Shape (...); nan where the rows and columns counted are zero, which is no direction.
    """
    counted = _fast(A, pairs)
    with A.device:
        M = _fast(offset_matrix(k, A.shape[-1]), pairs)
    product = (counted * M.T).sum(dim=(-2, -1))
    cosine: Tensor = product / (counted.norm(dim=(-2, -1)) * M.norm())
    return cosine


def shift_share(A: Tensor, *, pairs: int | None = None) -> Tensor:
    """Return how much of A any mixture of shifts explains: a share of its squared norm.

    The matrices M_k, over all real k, span those that turn and stretch each pair on its own: for
    each pair two numbers, d of d² in all. A random matrix has the share 1/d.

    Args:
        A: shape (..., d, d).
        pairs: as in `shift_cosine`.

    Returns:
        Shape (...); nan where it is for `shift_cosine`.
    """
    A = _fast(A, pairs)
    # A unit turn has the norm √2, and the two parts of a pair are at right angles.
    explained = 2 * pair_turns(A).abs().square().sum(dim=-1)
    return explained / A.square().sum(dim=(-2, -1))


def pair_turns(A: Tensor) -> Tensor:
    """Return what A does inside each pair, as the turn nearest to it.

    The nearest multiple of a turn to the 2 x 2 block of pair i is r times the block of M_kᵀ, where
    the returned complex number is r e^(ikω_i): its angle is -3ω_i where the pair looks three back.

    Args:
        A: shape (..., d, d).

    Returns:
        Complex, shape (..., d/2).
    """
    A = _fast(A, None)
    # The block of M_kᵀ is [[cos kω, -sin kω], [sin kω, cos kω]], on the diagonal of A.
    even, odd = A[..., 0::2, :], A[..., 1::2, :]  # (..., d/2, d) each
    upper, lower = _diagonal(even[..., 0::2]), _diagonal(odd[..., 1::2])  # (..., d/2)
    right, left = _diagonal(even[..., 1::2]), _diagonal(odd[..., 0::2])
    return torch.complex((upper + lower) / 2, (left - right) / 2)


def _diagonal(A: Tensor) -> Tensor:
    return A.diagonal(dim1=-2, dim2=-1)


def _fast(A: Tensor, pairs: int | None) -> Tensor:
    """The rows and columns of the fastest pairs, in 32 bits at least, as complex numbers need."""
    d = check_tensor(A, "A", "...", "d", "d").shape[-1]
    A = A.to(torch.promote_types(check_dtype(A.dtype, name="dtype of A"), torch.float32))
    if A.shape[-2] != d or d % 2:
        raise ValueError(f"A must have the shape (..., d, d) with d even, got {tuple(A.shape)}")
    if pairs is None:
        return A
    if not 1 <= check_integer(pairs, "pairs") <= d // 2:
        raise ValueError(f"pairs must lie between 1 and d/2, {d // 2}; got {pairs}")
    return A[..., : 2 * pairs, : 2 * pairs]
