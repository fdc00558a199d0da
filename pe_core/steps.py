r"""The sinusoidal positional encoding, step by step.

One function per step, in the order in which the encoding is built. With the position p, the
pair index i = 0 … d/2 - 1 and d short for ``d_model``:

    PE(p, 2i)     = sin(p / base^(2i/d))
    PE(p, 2i + 1) = cos(p / base^(2i/d))

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5, where base is 10000.

What all of them share. ``d_model`` is a positive even integer; ``base`` is positive and finite,
and ``dtype`` can divide by it; ``max_sequence_length`` is the number L of positions, zero or more.
Steps compute in float32 or float64, and no step takes more integers than its dtype tells apart
(2**24 + 1 of them in float32). An argument of the wrong type is a ``TypeError``, one with a value
or a shape that is not allowed a ``ValueError``; either names it, its value and what is allowed.

This is the form to read. For large tables, or for positions in the thousands where the last
digits matter, use :func:`pe_core.sinusoidal_table`.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from pe_core.checks import (
    WIDE_DTYPES,
    check_base,
    check_d_model,
    check_dtype,
    check_exact,
    check_length,
    check_tensor,
)


def even_indices(d_model: int, *, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return the indices 0, 2, …, d - 2 of the columns that hold a sine: (d/2,), as floats."""
    d_model = check_d_model(d_model)
    check_exact(d_model, check_dtype(dtype, WIDE_DTYPES), "d_model")
    return torch.arange(0, d_model, 2, dtype=dtype)  # (d/2,)


def odd_indices(d_model: int, *, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return the indices 1, 3, …, d - 1 of the columns that hold a cosine: (d/2,), as floats."""
    return even_indices(d_model, dtype=dtype) + 1  # (d/2,)


def denominator(
    d_model: int, *, base: float = 10000.0, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return what the position is divided by in each pair, base^(2i/d): (d/2,).

    The unit is positions per radian. The sine in column c = 2i divides by base^(c/d), the cosine
    in column c = 2i + 1 by base^((c-1)/d). Both exponents are 2i/d, so one tensor serves both.
    """
    d_model = check_d_model(d_model)
    exponent = even_indices(d_model, dtype=dtype) / d_model  # (d/2,)
    return torch.pow(check_base(base, dtype), exponent)  # (d/2,)


def positions(max_sequence_length: int, *, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return the positions 0, 1, …, L - 1 as a column: (L, 1), as floats."""
    max_sequence_length = check_length(max_sequence_length)
    check_exact(max_sequence_length, check_dtype(dtype, WIDE_DTYPES), "max_sequence_length")
    return torch.arange(max_sequence_length, dtype=dtype).unsqueeze(1)  # (L, 1)


def even_pe(positions: Tensor, denominator: Tensor) -> Tensor:
    """Return the sine columns 0, 2, 4, … of the encoding: (L, 1) and (d/2,) -> (L, d/2)."""
    _check_factors(positions, denominator)
    return torch.sin(positions / denominator)  # (L, 1) / (d/2,) -> (L, d/2)


def odd_pe(positions: Tensor, denominator: Tensor) -> Tensor:
    """Return the cosine columns 1, 3, 5, … of the encoding: (L, 1) and (d/2,) -> (L, d/2)."""
    _check_factors(positions, denominator)
    return torch.cos(positions / denominator)  # (L, 1) / (d/2,) -> (L, d/2)


def interleave(even: Tensor, odd: Tensor) -> Tensor:
    """Return the columns of two tensors in turn: two of (L, d/2), of one dtype -> (L, d).

    ``[:, 0::2]`` of the result is ``even`` and ``[:, 1::2]`` is ``odd``.
    """
    check_tensor(even, "even", "L", "d/2")
    check_tensor(odd, "odd", "L", "d/2")
    if even.shape != odd.shape:
        raise ValueError(
            "odd must have the shape of even, "
            f"got odd {tuple(odd.shape)} and even {tuple(even.shape)}"
        )
    if even.dtype != odd.dtype:
        raise TypeError(
            f"odd must have the dtype of even, got odd {odd.dtype} and even {even.dtype}"
        )
    stacked = torch.stack([even, odd], dim=-1)  # (L, d/2, 2)
    return stacked.flatten(start_dim=-2)  # (L, d)


def stepwise(
    max_sequence_length: int,
    d_model: int,
    *,
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the encoding, (L, d), composed of the steps above and nothing else.

    Every step is computed in ``dtype``, so that each tensor is the one the chapter shows. In
    float32 the angle p / denominator is off by up to about p * 1e-7 radians, if ``base`` is 1 or
    more. The two 16-bit types, allowed here alone, do not even hold the positions: for them the
    steps run in float32 and the result is rounded once.
    """
    wide = torch.promote_types(check_dtype(dtype), torch.float32)
    position = positions(max_sequence_length, dtype=wide)  # (L, 1)
    divisor = denominator(d_model, base=base, dtype=wide)  # (d/2,)
    even = even_pe(position, divisor)  # (L, d/2)
    odd = odd_pe(position, divisor)  # (L, d/2)
    return interleave(even, odd).to(dtype)  # (L, d)


@dataclass(frozen=True, eq=False, repr=False)
class Step:
    """One step: its name, such as "even PE", its formula in LaTeX, and the tensor it made."""

    name: str
    formula: str  # without dollar signs
    tensor: Tensor

    def __repr__(self) -> str:
        return f"Step({self.name!r}, shape {tuple(self.tensor.shape)})"


def trace(max_sequence_length: int, d_model: int, *, base: float = 10000.0) -> list[Step]:
    """Return every step of :func:`stepwise` in order, in float32; the last one is the table."""
    position = positions(max_sequence_length)  # (L, 1)
    divisor = denominator(d_model, base=base)  # (d/2,)
    even = even_pe(position, divisor)  # (L, d/2)
    odd = odd_pe(position, divisor)  # (L, d/2)
    power = rf"{_latex(float(base))}^{{2i/d}}"
    return [
        Step("even indices", "2i", even_indices(d_model)),
        Step("odd indices", "2i + 1", odd_indices(d_model)),
        Step("denominator", power, divisor),
        Step("positions", "p", position),
        Step("angles", rf"\frac{{p}}{{{power}}}", position / divisor),
        Step("even PE", rf"\sin\left(\frac{{p}}{{{power}}}\right)", even),
        Step("odd PE", rf"\cos\left(\frac{{p}}{{{power}}}\right)", odd),
        Step(
            "stacked",
            r"S_{p,i} = \left(\mathrm{PE}_{p,2i},\ \mathrm{PE}_{p,2i+1}\right)",
            torch.stack([even, odd], dim=-1),
        ),
        Step(
            "PE",
            r"\mathrm{PE}_{p} = \left(S_{p,0},\ S_{p,1},\ \ldots,\ S_{p,d/2-1}\right)",
            interleave(even, odd),
        ),
    ]


def _check_factors(positions: Tensor, denominator: Tensor) -> None:
    check_tensor(positions, "positions", "L", "1")
    check_tensor(denominator, "denominator", "d/2")
    if positions.shape[1] != 1:
        raise ValueError(f"positions must have the shape (L, 1), got {tuple(positions.shape)}")
    # Integers would be computed in float32 whatever the caller wants, and 16-bit floats have
    # merged neighbouring positions before they get here.
    check_dtype(positions.dtype, WIDE_DTYPES, "dtype of positions")
    check_dtype(denominator.dtype, (positions.dtype,), "dtype of denominator")


def _latex(number: float) -> str:
    mantissa, _, exponent = f"{number:.15g}".partition("e")
    return rf"({mantissa} \cdot 10^{{{int(exponent)}}})" if exponent else mantissa
