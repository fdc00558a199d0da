r"""The exact table of the sinusoidal encoding, and the module that adds it to its input.

A row holds one pair (sin pω_i, cos pω_i) per frequency ω_i = base^(-2i/d). Read as a complex
number, the pair is

    PE(p) = sin pω + i cos pω = i e^(-ipω),    so    PE(p + k) = PE(p) · e^(-ikω).

This is the linear-offset property of :mod:`pe_core.offset` in one line: moving by k turns every
pair by kω, whatever p is. A table of L rows is therefore about √L rows, turned about √L times:
sines and cosines for 2√L positions, and one complex multiplication for every other pair.

Exactness. An angle matters only up to whole turns, so it is counted in ticks of 2^-64 turn, in
integers of 64 bits, where overflow drops the whole turns and nothing else. A position is written
in four digits of 16 bits, and for each digit ``_ticks_per_digit`` knows the ticks per unit to the
nearest tick. Four digits below 2^16, each off by at most half a tick, put the angle of any
position below 2^63 within 4 · 2^16 · 2^-65 turn = 4.5e-14 radians. The way to float64 adds
1.1e-15, an entry is the product of two such turns, and so every entry is within 1e-13 of the
true value before it is rounded, once, to the dtype asked for.
"""

import math
from array import array
from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn

from pe_core.checks import (
    check_base,
    check_d_model,
    check_dtype,
    check_length,
    check_probability,
    check_tensor,
    describe,
)

TICKS = 2**64  # in a full turn
DIGIT_SHIFTS = (0, 16, 32, 48)
END_OF_POSITIONS = 2**63
SMALLEST_BASE = 1e-30  # the digits of TWO_PI last that far
PAIRS_AT_A_TIME = {True: 2**17, False: 2**22}  # on the CPU: 2 MiB; elsewhere: 64 MiB
TWO_PI = Decimal(
    "6.28318530717958647692528676655900576839433879875021164194988"
    "9184615632812572417997256069650684234135"
)


def sinusoidal_table(
    length: int,
    d_model: int,
    *,
    start: int = 0,
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the rows start, …, start + length - 1 of the encoding, each entry rounded once.

    Before it is rounded to ``dtype`` an entry is within 1e-13 of the true value, at every
    position. After it: float64 within 1e-13, float32 within 3.0e-8 (half a unit in the last
    place of the numbers next to 1), the 16-bit types within one unit in their last place.
    The window decides how a row is come by, so two windows may differ by one such rounding.

    Args:
        length: number of rows; zero gives an empty table.
        d_model: width d of the encoding, a positive even integer.
        start: position of the first row, zero or more; start + length may reach 2**63.
        base: the base of the geometric progression of frequencies; at least 1e-30, finite.
        dtype: a floating-point type of 16, 32 or 64 bits.
        device: where the table is made; by default torch's default device, or that of ``out``.
        out: a tensor of shape (length, d_model), of this dtype and on this device, to write
            to. It may have any strides.

    Returns:
        The table, of shape (length, d_model), columns interleaved; ``out`` if it was given.

    Raises:
        TypeError: an argument is of the wrong type, or ``out`` has another dtype.
        ValueError: an argument is out of range, or ``out`` has another shape or device.
    """
    length = check_length(length, "length")
    d_model = check_d_model(d_model)
    start = check_length(start, "start")
    base = check_base(base)
    dtype = check_dtype(dtype)
    if base < SMALLEST_BASE:
        raise ValueError(f"base must be at least {SMALLEST_BASE:g}, got {base}")
    if start + length > END_OF_POSITIONS:
        raise ValueError(f"start + length must be at most 2**63, got {start} + {length}")
    if out is None:
        out = _new_table(length, d_model, dtype, device)
    else:
        _check_out(out, (length, d_model), dtype, device)
    if length == 0 or out.is_meta:
        return out

    # MPS has no float64: there the work is done on the CPU, and the rounded rows are sent.
    work = torch.device("cpu") if out.device.type == "mps" else out.device
    block = math.isqrt(length)  # B rows, turned by 0, B, 2B, … positions
    row = start + torch.arange(block, device="cpu")  # (B,)
    offset = torch.arange(0, length, block, device="cpu")  # (A,)
    angle = _angles(torch.cat([row, offset]), d_model, base, work)  # (B + A, d/2)
    sine, cosine = torch.sin(angle), torch.cos(angle)
    pe = torch.complex(sine[:block], cosine[:block])  # (B, d/2)
    turn = torch.complex(cosine[block:], -sine[block:])  # (A, d/2)

    # A few blocks at a time, as many as stay in a cache: only the table itself is large.
    step = max(1, PAIRS_AT_A_TIME[work.type == "cpu"] // pe.numel())
    for a in range(0, len(turn), step):
        turned = pe * turn[a : a + step, None]  # (step, B, d/2)
        rows = out[a * block : (a + step) * block]  # the last block may be cut short
        rows.copy_(torch.view_as_real(turned).view(-1, d_model)[: len(rows)])
    return out


class PositionalEncoding(nn.Module):
    """Add the sinusoidal encoding to a batch of embeddings, then apply dropout.

    The table is the buffer ``pe``, of shape (max_sequence_length, d_model). It is not part of
    the ``state_dict``: whoever knows the arguments knows the table. For the same reason a
    module that is moved to another dtype or device computes it anew there instead of
    converting it. So ``.to(torch.bfloat16).to(torch.float32)`` loses nothing, ``.double()``
    gains the digits that float32 did not have, and a module made on the meta device holds the
    right table after ``to_empty``.

    Args:
        d_model: width d of the embeddings, a positive even integer.
        max_sequence_length: the longest input, in positions.
        dropout: the probability with which an entry of the sum is set to zero in training.
        base: the base of the geometric progression of frequencies; at least 1e-30, finite.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Source: Vaswani et al., "Attention Is All You Need" (2017), sections 3.5 and 5.4.
    """

    pe: Tensor

    def __init__(
        self,
        d_model: int,
        max_sequence_length: int,
        *,
        dropout: float = 0.0,
        base: float = 10000.0,
    ) -> None:
        super().__init__()
        self.d_model = check_d_model(d_model)
        self.max_sequence_length = check_length(max_sequence_length)
        self.base = check_base(base)
        self.dropout = nn.Dropout(check_probability(dropout, "dropout"))
        pe = sinusoidal_table(
            self.max_sequence_length,
            self.d_model,
            base=self.base,
            dtype=torch.get_default_dtype(),
        )
        self.register_buffer("pe", pe, persistent=False)  # (max_sequence_length, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Return x plus the first ``length`` rows of the table, after dropout.

        Args:
            x: embeddings of shape (batch, length, d_model), of any floating-point type and on
                the device of the module; length is at most ``max_sequence_length``.

        Returns:
            A tensor of the shape and dtype of ``x``.

        Raises:
            TypeError: ``x`` is not a tensor of floats.
            ValueError: ``x`` has the wrong rank or width, or is longer than the table.
        """
        check_tensor(x, "x", "batch", "length", "d_model")
        check_dtype(x.dtype, name="dtype of x")
        length, width = x.shape[1], x.shape[2]
        if width != self.d_model:
            raise ValueError(f"x must have d_model = {self.d_model} columns, got {width}")
        if length > self.max_sequence_length:
            raise ValueError(
                "x must not be longer than the table: "
                f"max_sequence_length is {self.max_sequence_length}, the length of x {length}"
            )
        rows = self.pe[:length].to(x.dtype)  # (length, d)
        encoded: Tensor = self.dropout(x + rows)  # (batch, length, d)
        return encoded

    def extra_repr(self) -> str:
        return f"{self.d_model}, {self.max_sequence_length}, base={self.base:g}"

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Follow ``.to``, ``.half``, ``.to_empty``, …, and write the table anew where it lands."""
        before = self.pe
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if self.pe is not before:
            # Should the table not exist in the new dtype, the module stays as it was.
            pe, self.pe = self.pe, before
            self.pe = sinusoidal_table(*pe.shape, base=self.base, dtype=pe.dtype, out=pe)
        return self


def _new_table(
    length: int, d_model: int, dtype: torch.dtype, device: torch.device | str | None
) -> Tensor:
    """Return memory for a table. On the CPU numpy provides it, because numpy asks Linux for
    large pages and torch does not: handing out small ones takes longer than filling them."""
    empty = torch.empty(0, dtype=dtype, device=device)
    if empty.device.type != "cpu" or length == 0:
        return empty.new_empty(length, d_model)
    memory = np.empty(length * d_model * dtype.itemsize, dtype=np.uint8)
    return torch.from_numpy(memory).view(dtype).view(length, d_model)


def _angles(position: Tensor, d_model: int, base: float, device: torch.device) -> Tensor:
    """Return pω_i in [-π, π], short of whole turns: (n,), int64 -> (n, d/2), float64."""
    shift = torch.tensor(DIGIT_SHIFTS, device="cpu")
    digit = position[:, None] >> shift & (2**16 - 1)  # (n, 4)
    per_digit = torch.frombuffer(_ticks_per_digit(d_model, base), dtype=torch.int64)
    ticks = digit @ per_digit.view(4, d_model // 2)  # (n, d/2); overflow drops whole turns
    return ticks.to(device).to(torch.float64) * (2 * math.pi / TICKS)


@lru_cache(maxsize=64)
def _ticks_per_digit(d_model: int, base: float) -> "array[int]":
    """Return how many ticks each pair turns in 1, 2^16, 2^32 and 2^48 positions: 4 * d/2."""
    with localcontext() as context:
        context.prec = 100
        ratio = Decimal(base) ** (Decimal(-2) / d_model)  # ω_{i+1} / ω_i
        frequency = 2**128 / TWO_PI  # ω_0 = 1 radian
        frequencies = []
        for _ in range(d_model // 2):
            frequencies.append(int(frequency))
            frequency *= ratio
    ticks = array("q")
    for shift in DIGIT_SHIFTS:
        drop = 64 - shift  # bits of 2^-128 turn that a tick leaves out
        nearest = ((each + (1 << drop - 1)) >> drop for each in frequencies)
        ticks.extend((each + TICKS // 2) % TICKS - TICKS // 2 for each in nearest)  # signed
    return ticks


def _check_out(
    out: object, shape: tuple[int, int], dtype: torch.dtype, device: torch.device | str | None
) -> None:
    if not isinstance(out, Tensor):
        raise TypeError(f"out must be a tensor of shape {shape}, got {describe(out)}")
    if tuple(out.shape) != shape:
        raise ValueError(f"out must have the shape {shape}, got {tuple(out.shape)}")
    check_dtype(out.dtype, (dtype,), "dtype of out")
    if device is not None:
        wanted = torch.device(device)
        if out.device.type != wanted.type or wanted.index not in (None, out.device.index):
            raise ValueError(f"out must be on the device {wanted}, got {out.device}")
