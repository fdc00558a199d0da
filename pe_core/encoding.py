r"""The exact table of the sinusoidal encoding, and the module that adds it to its input.

A row holds one pair (sin pω_i, cos pω_i) per frequency ω_i = base^(-2i/d). Read as a complex
number, the pair is

    PE(p) = sin pω + i cos pω = i e^(-ipω),    so    PE(p + k) = PE(p) · e^(-ikω).

This is the linear-offset property of :mod:`pe_core.offset` in one line: moving by k turns every
pair by kω, whatever p is. A table is therefore cut into blocks of B rows, and these into stretches
of C blocks: sines and cosines for the first row of each stretch, and for every pair one complex
multiplication to the first row of its block, by e^(-icBω), and one to its own row, by e^(-ibω).
These turns are the same in every stretch and block, and kept from call to call.
Both begin at multiples of their length wherever a window begins: a row is always the same product.

Exactness. An angle matters only up to whole turns, so it is counted in ticks of 2^-64 turn, in
integers of 64 bits, where overflow drops the whole turns and nothing else. A position is written
in four digits of 16 bits, and for each digit ``_ticks_per_digit`` knows the ticks per unit to the
nearest tick. Four digits below 2^16, each off by at most half a tick, put the angle of any
position below 2^63 within 4 · 2^16 · 2^-65 turn = 4.5e-14 radians. The way to float64 adds
1.1e-15. An entry is the product of five such numbers, for a turn is one of two. Of these one is of
any position, one of a position below 2^32, off by half as much, and three of positions below 2^10,
off by next to nothing: every entry is within 1e-13 of the true value before it is rounded, once, to
the dtype asked for.
"""

import math
import sys
from array import array
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, localcontext
from functools import lru_cache
from itertools import pairwise
from typing import Self

import torch
from torch import Tensor, nn

from pe_core.checks import (
    FLOAT_DTYPES,
    check_base,
    check_d_model,
    check_dtype,
    check_length,
    check_probability,
    check_tensor,
    describe,
)

BLOCK = 64  # rows, or fewer where they are long
NEAR = 8  # an offset in a block is a multiple of it and a remainder
TICKS = 2**64  # in a full turn
DIGIT_SHIFTS = (0, 16, 32, 48)
END_OF_POSITIONS = 2**63
SMALLEST_BASE = 1e-30  # the digits of TWO_PI last that far
TWO_PI = Decimal(
    "6.28318530717958647692528676655900576839433879875021164194988"
    "9184615632812572417997256069650684234135"
)
# The devices that have float64, and how many pairs are a group there: as many as a cache holds, and
# on the CPU no more than torch gives to a thread at the least.
PAIRS_AT_A_TIME = {"cpu": 2**15, "cuda": 2**22}
# How many widths have their turns kept, and stretches the first rows of their blocks: of each at
# the most 512 KiB or a row; more on a GPU. Single blocks and stretches have one row kept as well.
KEPT = 16
# The caller may have set traps, or a narrower range.
EXACT = Context(prec=100, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
# Made when it is first asked for, because torch._dynamo takes long to import. Of an lru_cache a
# compiler would warn.
_UNCOMPILED: list[Callable[[Tensor, int, float], None]] = []


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
    position; then it is rounded to the nearest number of ``dtype``. So float64 is within 1e-13,
    and the others are within 1e-13 and half a unit in the last place of the entry itself: in
    float32 3.0e-8 at the most. On one device an entry has the same bits in every window, in
    whatever memory it is written to, and on any ``torch.get_num_threads()``, provided that torch
    gets so many: where OMP_THREAD_LIMIT allows fewer, the last bit of float64 may differ.

    Args:
        length: number of rows; zero gives an empty table.
        d_model: width d of the encoding, a positive even integer.
        start: position of the first row, zero or more; start + length is at most 2**63.
        base: the base of the geometric progression of frequencies; at least 1e-30, finite.
        dtype: a floating-point type of 16, 32 or 64 bits.
        device: where the table is made; by default torch's default device, or that of ``out``.
        out: a tensor of shape (length, d_model), of this dtype and on this device, to write
            to. It may have any strides with which no two entries share memory, and requires no
            gradient.

    Returns:
        The table, of shape (length, d_model), columns interleaved; ``out`` if it was given.

    Raises:
        TypeError: an argument is of the wrong type, or ``out`` has another dtype.
        ValueError: an argument is out of range, or ``out`` has another shape, layout or device,
            one place in memory for two entries, or a gradient.
        RuntimeError: the call is traced, as by ``torch.export``, into a graph that could not hold
            the table, or is made inside ``torch.func.grad`` or the like; a ``PositionalEncoding``
            made before has it. Or torch refuses the device, the memory, or to write to ``out``; a
            device that it was built without is an AssertionError of its own.
    """
    length = check_length(length, "length")
    d_model = check_d_model(d_model)
    start = check_length(start, "start")
    base = check_base(base)
    dtype = check_dtype(dtype)
    end = start + length
    if base < SMALLEST_BASE:
        raise ValueError(f"base must be at least {SMALLEST_BASE:g}, got {base}")
    if end > END_OF_POSITIONS:
        raise ValueError(f"start + length must be at most 2**63, got {start} + {length}")
    if out is None:
        out = torch.empty(length, d_model, dtype=dtype, device=device)
    else:
        _check_out(out, (length, d_model), dtype, device)
    if torch.jit.is_tracing() or _has_no_memory(out):
        _refuse_to_be_traced()
    elif length > 0:
        _write(out, start, base)
    return out


class PositionalEncoding(nn.Module):
    """Add the sinusoidal encoding to embeddings, then apply dropout.

    The table is the buffer ``pe``, of shape (max_sequence_length, d_model). It is not part of
    the ``state_dict``: whoever knows the arguments knows the table. For the same reason a
    module that is moved to another dtype or device computes it anew there instead of
    converting it. So ``.to(torch.bfloat16).to(torch.float32)`` loses nothing, ``.double()``
    gains the digits that float32 did not have, and a module made on the meta device holds the
    right table after ``to_empty``, and after ``.to`` to another device, too. To a dtype that has
    no table, such as ``torch.complex64``, the module goes with the model it is part of; there it
    refuses to be called.

    Args:
        d_model: width d of the embeddings, a positive even integer.
        max_sequence_length: the number of rows of the table.
        dropout: the probability with which an entry of the sum is set to zero in training.
        base: the base of the geometric progression of frequencies; at least 1e-30, finite.
        device: where the table is made; by default torch's default device.
        dtype: a floating-point type of 16, 32 or 64 bits; by default torch's default dtype.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: torch refuses the device or the memory.

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
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
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
            dtype=torch.get_default_dtype() if dtype is None else dtype,
            device=device,
        )
        self.register_buffer("pe", pe, persistent=False)  # (max_sequence_length, d_model)

    def reset_parameters(self) -> None:
        """Write the table anew into the memory it has, as torch asks after ``to_empty``."""
        pe = self.pe
        if not hasattr(pe, "placements"):
            with torch.no_grad():  # who asked a gradient of the table gets one of the new one
                sinusoidal_table(*pe.shape, base=self.base, dtype=pe.dtype, out=pe)
            return
        # A DTensor, as distribute_module leaves it: each device has what it was given of the table.
        from torch.distributed.tensor import DTensor, distribute_tensor

        assert isinstance(pe, DTensor)
        table = sinusoidal_table(*pe.shape, base=self.base, dtype=pe.dtype, device=pe.device)
        pe.copy_(distribute_tensor(table, pe.device_mesh, pe.placements))

    def forward(self, x: Tensor, *, start: int = 0) -> Tensor:
        """Return x plus the rows start, …, start + length - 1 of the table, after dropout.

        Where ``x`` has another dtype than the table, torch converts the rows, to 16 bits by
        rounding them a second time; a module that is converted has rows rounded once.

        Args:
            x: embeddings of shape (batch, length, d_model) or (length, d_model), of a
                floating-point type of 16, 32 or 64 bits and on the device of the module.
            start: the position of the first of them. One who decodes with a cache of
                ``start`` earlier positions passes the new ones only;
                start + length is at most ``max_sequence_length``.

        Returns:
            A tensor of the shape and dtype of ``x``.

        Raises:
            TypeError: ``x`` is not a tensor of floats, ``start`` not an integer, or the module
                has been converted to a dtype that has no table.
            ValueError: ``x`` has the wrong rank or width, or reaches beyond the table.
        """
        axes = ("batch", "length", "d_model")
        check_tensor(x, "x", *(axes[1:] if isinstance(x, Tensor) and x.ndim == 2 else axes))
        check_dtype(x.dtype, name="dtype of x")
        check_dtype(self.pe.dtype, name="dtype of the module")
        start = check_length(start, "start")
        length, width = x.shape[-2], x.shape[-1]
        if width != self.d_model:
            raise ValueError(f"x must have d_model = {self.d_model} columns, got {width}")
        if start + length > self.max_sequence_length:
            raise ValueError(
                "x must not reach beyond the table: max_sequence_length is "
                f"{self.max_sequence_length}, start {start}, the length of x {length}"
            )
        rows = self.pe[start : start + length].to(x.dtype)  # (length, d)
        encoded: Tensor = self.dropout(x + rows)  # (..., length, d)
        return encoded

    def extra_repr(self) -> str:
        return f"{self.d_model}, {self.max_sequence_length}, base={self.base}"

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Follow ``.to``, ``.half``, ``.to_empty``, …, and write the table anew where it lands.

        A refusal here would come after other modules of the model have been converted.
        """
        before = self.pe
        try:
            if before is not None and before.is_meta:
                self.pe = _off_meta(before, fn)
            # torch has no types for _apply.
            super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
            if self.pe is not before and self.pe.dtype in FLOAT_DTYPES:
                self.reset_parameters()
        except BaseException:  # Ctrl+C, too: what is only converted must not stay
            self.pe = before
            raise
        return self


def _off_meta(pe: Tensor, fn: Callable[[Tensor], Tensor]) -> Tensor:
    """Return memory for a table on the meta device where a conversion would put its copy.

    torch copies nothing out of meta, and refuses; where to, a tensor without entries tells.
    """
    try:
        fn(pe)
    except NotImplementedError:
        landed = fn(torch.empty(0, dtype=pe.dtype, device="cpu"))
        return torch.empty_like(pe, device=landed.device)
    return pe


def _write(out: Tensor, start: int, base: float) -> None:
    """Write the rows from ``start`` on to ``out``, (L, d), never compiled.

    Called by a compiled function, torch would compile this too: to other last bits of float64,
    which would be kept for all later calls. Without torch._dynamo nothing is compiled.
    """
    write = _uncompiled() if "torch._dynamo" in sys.modules else _write_rows
    write(out, start, base)


def _uncompiled() -> Callable[[Tensor, int, float], None]:
    if not _UNCOMPILED:
        # torch has no types for it.
        _UNCOMPILED.append(torch.compiler.disable(_write_rows))  # type: ignore[no-untyped-call]
    return _UNCOMPILED[0]


def _write_rows(out: Tensor, start: int, base: float) -> None:
    """Write the rows from ``start`` on to ``out``, (L, d).

    A block is B rows, PE(aB + b) = PE(aB) · e^(-ibω); a stretch is C blocks, and PE(nCB + cB) =
    PE(nCB) · e^(-icBω). So sines and cosines are taken of the first row of a stretch alone.
    """
    length, d_model = out.shape
    end = start + length
    work = out.device if out.device.type in PAIRS_AT_A_TIME else torch.device("cpu")
    at_a_time = max(1, 2 * PAIRS_AT_A_TIME[work.type] // d_model)  # rows
    block = min(BLOCK, at_a_time)  # B
    group = at_a_time // block * block  # rows of the blocks that are a group
    stretch = group * block  # rows; its C blocks are no more than a group's rows
    turn = _turns(block, 1, d_model, base, work)  # (B, d/2)
    n = start // block
    if end <= (n + 1) * block:
        pe = _kept_start(n, group, block, d_model, base, work)  # (1, d/2)
        _write_in_block(out, start % block, pe, turn)
        return
    if end <= (n + 2) * block:  # of groups, both blocks would be turned as a whole
        here = block - start % block
        _write_rows(out[:here], start, base)
        _write_rows(out[here:], start + here, base)
        return
    first, last = start // stretch, (end - 1) // stretch
    if first == last:
        pe = _kept_starts(first, group, block, d_model, base, work)  # (C, d/2)
        _write_in_stretch(out, start % stretch, pe, turn, group)
        return
    hop = _turns(group, block, d_model, base, work)  # (C, d/2)
    pe = torch.empty_like(hop)
    room = None
    if group > 1:  # else each stretch is one block
        shares = _shares(group * d_model // 2, work)
        room = _room(out, turn, min(hop.shape[0], shares * group // block))
    numbers = torch.split(_integers(last - first + 1) + first, at_a_time)
    begins = (each for some in numbers for each in _pairs(some * stretch, d_model, base, work))
    for n, begin in enumerate(begins, first):
        torch.mul(begin, hop, out=pe)
        here, there = max(start, n * stretch), min(end, (n + 1) * stretch)
        _write_in_stretch(out[here - start : there - start], here % stretch, pe, turn, group, room)


Room = tuple[Tensor, Tensor | None]


def _room(out: Tensor, turn: Tensor, blocks: int) -> Room:
    """Return memory to turn so many blocks in, and, for a table of 16 bits, to round them in.

    Made once: for pieces that come and go the C library takes up to twice as much.
    """
    turned = turn.new_empty(blocks, *turn.shape)  # (A, B, d/2)
    rows = (blocks * turn.shape[0], out.shape[1])
    narrow = out.dtype.itemsize == 2
    return turned, turn.new_empty(rows, dtype=torch.int64) if narrow else None  # (A·B, d)


def _write_in_stretch(
    out: Tensor, skip: int, pe: Tensor, turn: Tensor, group: int, room: Room | None = None
) -> None:
    """Write rows of a stretch, from row ``skip`` on: of one block, or in groups of blocks."""
    block, end = turn.shape[0], skip + out.shape[0]
    if skip // block == (end - 1) // block:
        _write_in_block(out, skip % block, pe[skip // block, None], turn)
        return
    # What the window has of a first group, then whole ones, then what it has of a last.
    at_a_time = group * _shares(group * out.shape[1] // 2, turn.device)  # rows
    head = min(skip + -skip % group, end)
    tail = max(end - end % group, head)
    room = room or _room(out, turn, min(math.ceil(end / block) - skip // block, at_a_time // block))
    for first, last in pairwise([skip, head, tail, end]):
        if first < last:
            blocks = pe[first // block : math.ceil(last / block), None]  # (A, 1, d/2)
            rows = out[first - skip : last - skip]
            _write_groups(rows, first % block, blocks, turn, at_a_time, room)


def _write_in_block(out: Tensor, skip: int, pe: Tensor, turn: Tensor) -> None:
    """Write rows of one block: the next row to decode costs its few calls of torch, no more."""
    turned = _turned(pe, turn, slice(skip, skip + out.shape[0]))  # (rows, d/2)
    _round_into(out, torch.view_as_real(turned).view(out.shape))


def _turned(start: Tensor, turns: Tensor, asked: slice) -> Tensor:
    """Return the row ``start``, (1, d/2), turned on by each of the turns that are asked."""
    # Where a row is one pair, torch would turn few rows in another way than many.
    return (start * turns)[asked] if turns.shape[1] == 1 else start * turns[asked]


def _write_groups(
    out: Tensor, skip: int, pe: Tensor, turn: Tensor, at_a_time: int, room: Room
) -> None:
    """Write whole groups, or a part of one, of blocks whose first rows are ``pe``, (A, 1, d/2)."""
    block, d_model = turn.shape[0], out.shape[1]
    turned = room[0][: min(at_a_time // block, pe.shape[0])]  # (at a time, B, d/2)
    spare = room[1]
    wide = torch.view_as_real(turned).view(-1, d_model)[skip:]  # (at a time · B, d)
    few, rows = torch.split(pe, turned.shape[0]), torch.split(out, at_a_time)
    whole = out.shape[0] // wide.shape[0]
    for starts, some in zip(few[:whole], rows[:whole], strict=True):
        torch.mul(starts, turn, out=turned)
        _round_into(some, wide, spare)
    if whole < len(rows):
        torch.mul(few[-1], turn, out=turned[: few[-1].shape[0]])
        _round_into(rows[-1], wide[: rows[-1].shape[0]], spare)


def _shares(pairs: int, device: torch.device) -> int:
    """Return how many threads share groups of so many pairs, a group each in one go.

    torch rounds the pairs at the end of a thread's share in another way than the rest. So a
    share is always a whole group, whatever the number of threads: torch cuts n pairs into as many
    equal shares as there are threads, and into fewer where one would have less than its least.
    Fewer groups than these, as are left over at the end, make as many shares.
    """
    if device.type != "cpu":
        return 1
    least = PAIRS_AT_A_TIME["cpu"]
    threads = torch.get_num_threads()
    fit = (n for n in range(1, threads + 1) if math.ceil(n * pairs / least) == n)
    return max(fit)  # one always does


def _round_into(rows: Tensor, wide: Tensor, spare: Tensor | None = None) -> None:
    """Round float64 once, to the dtype of the rows; ``spare`` is memory to do it with."""
    rows.copy_(wide if rows.dtype.itemsize > 2 else _round_to_odd(wide, spare))


@lru_cache(maxsize=2 * KEPT)
def _turns(count: int, step: int, d_model: int, base: float, device: torch.device) -> Tensor:
    """Return e^(-ibω) = -PE(j) · PE(k) for b = j + k = 0, step, 2 step, …: (count, d/2)."""
    near = _pairs(_integers(NEAR) * step, d_model, base, device)
    far = _pairs(_integers(math.ceil(count / NEAR)) * NEAR * step, d_model, base, device)
    turns = (-far[:, None] * near).flatten(0, 1)[:count].clone()  # no more is kept than that
    return _finished(turns)


@lru_cache(maxsize=KEPT)
def _kept_starts(
    n: int, blocks: int, block: int, d_model: int, base: float, device: torch.device
) -> Tensor:
    """Return PE(nCB + cB) for each block of a stretch, the n-th of C blocks: (C, d/2)."""
    return _finished(_starts(n, slice(None), blocks, block, d_model, base, device))


@lru_cache(maxsize=KEPT)
def _kept_start(
    n: int, blocks: int, block: int, d_model: int, base: float, device: torch.device
) -> Tensor:
    """Return PE(nB), the first row of the n-th block, without those of its stretch: (1, d/2)."""
    stretch, c = divmod(n, blocks)
    start = _starts(stretch, slice(c, c + 1), blocks, block, d_model, base, device)
    return _finished(start.clone())  # no more is kept than that


def _starts(
    n: int, asked: slice, blocks: int, block: int, d_model: int, base: float, device: torch.device
) -> Tensor:
    """Return the first rows of the blocks that are asked, of the n-th stretch: (A, d/2)."""
    begin = _kept_begin(n, blocks * block, d_model, base, device)  # (1, d/2)
    return _turned(begin, _turns(blocks, block, d_model, base, device), asked)


@lru_cache(maxsize=KEPT)
def _kept_begin(n: int, stretch: int, d_model: int, base: float, device: torch.device) -> Tensor:
    """Return the first row of the n-th stretch, of so many rows: (1, d/2)."""
    return _finished(_pairs(_integers(1) + n * stretch, d_model, base, device))


def _finished(kept: Tensor) -> Tensor:
    """Wait until a GPU has made what is kept: it may next be read on another of its streams."""
    if kept.device.type == "cuda":
        torch.cuda.current_stream(kept.device).synchronize()
    return kept


def _pairs(p: Tensor, d_model: int, base: float, device: torch.device) -> Tensor:
    """Return PE(p) in complex numbers, sin pω_i + i cos pω_i: (n,) -> (n, d/2)."""
    angle = _angles(p, d_model, base, device)
    return torch.complex(torch.sin(angle), torch.cos(angle))


def _integers(n: int) -> Tensor:
    return torch.arange(n, device="cpu")  # wherever torch is told to put things


def _angles(p: Tensor, d_model: int, base: float, device: torch.device) -> Tensor:
    """Return pω_i in [-π, π], short of whole turns: (n,), int64 -> (n, d/2), float64."""
    shift = torch.tensor(DIGIT_SHIFTS, device="cpu")
    digit = p[:, None] >> shift & (2**16 - 1)  # (n, 4)
    per_digit = torch.frombuffer(_ticks_per_digit(d_model, base), dtype=torch.int64)
    ticks = digit @ per_digit.view(4, d_model // 2)  # (n, d/2); overflow drops whole turns
    return ticks.to(device, torch.float64).mul_(2 * math.pi / TICKS)


@lru_cache(maxsize=64)
def _ticks_per_digit(d_model: int, base: float) -> "array[int]":
    """Return how many ticks each pair turns in 1, 2^16, 2^32 and 2^48 positions: 4 * d/2."""
    bits = 320  # the frequencies, in turns per position, are integers of 2^-320
    with localcontext(EXACT):
        ratio = int((Decimal(base).ln() * -2 / d_model).exp() * 2**bits)  # ω_{i+1} / ω_i
        frequency = int(2**bits / TWO_PI)  # ω_0 = 1 radian
    frequencies = []
    for _ in range(d_model // 2):
        frequencies.append(frequency)
        frequency = frequency * ratio >> bits
    ticks = array("Q")
    for shift in DIGIT_SHIFTS:
        drop = bits - 64 - shift  # what a tick leaves out
        half = 1 << drop - 1
        ticks.extend([(each + half >> drop) % TICKS for each in frequencies])
    return ticks


def _round_to_odd(wide: Tensor, spare: Tensor | None) -> Tensor:
    """Turn float64 into numbers that float32 holds, good for one rounding more, to 16 bits.

    torch rounds float64 to 16 bits by way of float32, that is twice, and the first may put a
    number half-way between two of 16 bits. Here what float32 has no place for is cut off, and
    leaves the last bit kept at 1: such a number is half-way between no two of 16 bits.
    """
    bits = wide.view(torch.int64)
    cut = 2**29 - 1  # float64 has 29 bits more than float32
    low = torch.bitwise_and(bits, cut, out=None if spare is None else spare[: len(bits)])
    bits |= low.add_(cut)
    bits &= ~cut
    return wide


def _has_no_memory(out: Tensor) -> bool:
    """Tell the meta device, and what FakeTensorMode makes: nothing is written there, or kept."""
    try:
        storage = out.new_empty(1).untyped_storage()
        if storage.device.type == "meta":
            return True
        storage.data_ptr()
    except RuntimeError:  # Of what torch.func wraps nothing may be kept for later calls.
        raise RuntimeError(
            "sinusoidal_table cannot be called inside torch.func.grad, functionalize and the like, "
            "or fill a distributed tensor: make the table, or a PositionalEncoding, before that"
        ) from None
    return False


def _refuse_to_be_traced() -> None:
    # A graph would keep the allocation, and of what is written there nothing.
    from torch.fx.experimental.proxy_tensor import get_proxy_mode

    if torch.jit.is_tracing() or get_proxy_mode() is not None:
        raise RuntimeError(
            "sinusoidal_table cannot be traced, as by torch.export: make the table, or a "
            "PositionalEncoding, before that, and let the model read it"
        )


def _check_out(
    out: object, shape: tuple[int, int], dtype: torch.dtype, device: torch.device | str | None
) -> None:
    if not isinstance(out, Tensor):
        raise TypeError(f"out must be a tensor of shape {shape}, got {describe(out)}")
    if out.is_nested:
        raise ValueError(f"out must have the shape {shape}, got {describe(out)}")
    if tuple(out.shape) != shape:
        raise ValueError(f"out must have the shape {shape}, got {tuple(out.shape)}")
    check_dtype(out.dtype, (dtype,), "dtype of out")
    if out.requires_grad and torch.is_grad_enabled():
        raise ValueError("out must not require a gradient: a table has none")
    if out.layout != torch.strided:
        raise ValueError(f"out must have the layout torch.strided, got {out.layout}")
    if device is not None:
        wanted = torch.device(device)
        same = wanted.type == "cpu" or wanted.index in (None, out.device.index)  # one CPU
        if out.device.type != wanted.type or not same:
            raise ValueError(f"out must be on the device {wanted}, got {out.device}")
    rows, columns = shape
    down, along = out.stride()
    # The nearest entry that may share a place lies along / step rows below, down / step columns
    # before.
    step = math.gcd(down, along) or 1
    if along // step < rows and down // step < columns:
        raise ValueError(f"out must have a place for each entry, got the strides {(down, along)}")
