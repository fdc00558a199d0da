r"""The linear-offset property: moving every position by k is one linear map.

Pair i of the encoding at position p holds (sin pω_i, cos pω_i), with the angular frequency
ω_i = base^(-2i/d). By the angle-addition formulas

    sin((p + k)ω) =  cos(kω) sin(pω) + sin(kω) cos(pω)
    cos((p + k)ω) = -sin(kω) sin(pω) + cos(kω) cos(pω)

so PE(p + k) = M_k PE(p), and M_k, made of one rotation per pair, does not depend on p.

Source of the observation: Vaswani et al., "Attention Is All You Need" (2017), section 3.5.

Angles are computed in float64 and on the CPU, because CUDA's powers are less exact; what is
returned is on torch's default device, or on that of ``pe``. The angle kω_i is off by at most about
|k| ω_i (3 + |ln base|) 2**-53 radians. Each entry of M_k is off by at most that and the rounding of
the entry itself, 2e-16: together less than 2e-9 for the default base and |k| up to a million.

What all of them share. ``d_model`` is a positive even integer; ``base`` is positive and finite;
``k``, the offset in positions, is a real number of either sign, less than 2**53 in size; columns
are interleaved. An argument of the wrong type is a ``TypeError``, one with a value or a shape
that is not allowed a ``ValueError``; either names it, its value and what is allowed.
"""

import math

import torch
from torch import Tensor

from pe_core.checks import (
    check_base,
    check_d_model,
    check_dtype,
    check_offset,
    check_tensor,
)

LONGEST = 1.79e308  # positions; float64 ends a little above


def frequencies(d_model: int, *, base: float = 10000.0) -> Tensor:
    """Return the angular frequency of each pair, ω_i = base^(-2i/d): (d/2,), float64.

    The unit is radians per position.
    """
    return _placed(_frequencies(check_d_model(d_model), base))  # (d/2,)


def wavelengths(d_model: int, *, base: float = 10000.0) -> Tensor:
    """Return the wavelength of each pair, λ_i = 2π/ω_i: (d/2,), float64.

    The unit is positions, those in one full turn: from 2π to 2π * base^(1 - 2/d), which may be
    1.79e308 at the most.
    """
    d_model, base = check_d_model(d_model), check_base(base)
    # Told in Python's own numbers: a compiler has no others yet.
    if 2 * math.pi / base ** (2 / d_model - 1) > LONGEST:
        raise ValueError(f"base must give wavelengths that float64 holds, got {base}")
    return 2 * math.pi / frequencies(d_model, base=base)  # (d/2,)


def offset_matrix(
    k: float,
    d_model: int,
    *,
    base: float = 10000.0,
    dtype: torch.dtype = torch.float64,
) -> Tensor:
    """Return the matrix M_k with PE[p + k] = M_k @ PE[p] for every position p: (d, d).

    It is block diagonal, one 2 x 2 rotation per pair. Computed in float64, its entries are
    converted to ``dtype``, a floating-point type of 16, 32 or 64 bits.
    """
    dtype = check_dtype(dtype)
    angle = check_offset(k) * _frequencies(check_d_model(d_model), base)  # (d/2,)
    sine, cosine = torch.sin(angle), torch.cos(angle)
    upper = torch.stack([cosine, sine], dim=-1)  # (d/2, 2)
    lower = torch.stack([0.0 - sine, cosine], dim=-1)  # (d/2, 2); 0.0 - 0.0 prints no "-0."
    blocks = torch.stack([upper, lower], dim=-2)  # (d/2, 2, 2)
    # torch has no types for block_diag.
    matrix: Tensor = torch.block_diag(*_placed(blocks.to(dtype)))  # type: ignore[no-untyped-call]
    return matrix  # (d, d)


def shift(pe: Tensor, k: float, *, base: float = 10000.0) -> Tensor:
    """Return every row of an encoding moved by k positions, without building M_k.

    Equal to ``pe @ offset_matrix(k, d).T`` at d/2 rotations a row instead of d * d products. The
    rows ``pe`` are of shape (..., d), of any float dtype, and made with this ``base``; the moved
    ones have their shape, dtype and device. Gradients pass through.
    """
    check_tensor(pe, "pe", "...", "d")
    wide = torch.promote_types(check_dtype(pe.dtype, name="dtype of pe"), torch.float32)
    d_model = pe.shape[-1]
    if d_model == 0 or d_model % 2:
        raise ValueError(f"pe must have an even, positive number of columns, got {d_model}")
    angle = check_offset(k) * _frequencies(d_model, base)  # (d/2,)
    sine_k = torch.sin(angle).to(wide).to(pe.device)
    cosine_k = torch.cos(angle).to(wide).to(pe.device)
    sine, cosine = pe[..., 0::2].to(wide), pe[..., 1::2].to(wide)  # (..., d/2) each
    moved_sine = cosine_k * sine + sine_k * cosine
    moved_cosine = cosine_k * cosine - sine_k * sine
    return torch.stack([moved_sine, moved_cosine], dim=-1).flatten(start_dim=-2).to(pe.dtype)


def similarity(pe: Tensor) -> Tensor:
    """Return the dot product of every row with every other, the Gram matrix: (L, d) -> (L, L).

    For a sinusoidal encoding the entry (p, q) is the sum of cos((p - q)ω_i) over the pairs: it
    depends on the offset p - q alone, and is d/2 where p = q. Any float dtype, kept; float16 ends
    at 65,504, and what is more is inf. Under autocast, and on some processors after
    torch.set_float32_matmul_precision("medium"), torch takes the products in 16 bits.
    """
    check_tensor(pe, "pe", "L", "d")
    wide = pe.to(torch.promote_types(check_dtype(pe.dtype, name="dtype of pe"), torch.float32))
    return (wide @ wide.T).to(pe.dtype)  # (L, d) @ (d, L) -> (L, L)


def _frequencies(d_model: int, base: float) -> Tensor:
    """Return the frequencies on the CPU, wherever torch is told to put things: (d/2,), float64."""
    columns = torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu")  # 2i
    return torch.pow(check_base(base), -columns / d_model)


def _placed(result: Tensor) -> Tensor:
    # torch.get_default_device cannot be compiled.
    return result.to(torch.empty(0).device)
