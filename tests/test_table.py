"""The exact table, against the definition evaluated to eighty digits, at any position."""

import decimal
import itertools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from pe_core import encoding, sinusoidal_table

BEFORE_ROUNDING = 1e-13  # what the module promises, at every position
DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)

WIDTHS = st.integers(1, 2048).map(lambda half: 2 * half) | st.sampled_from([2, 6, 512, 4096])
BASES = st.sampled_from([10000.0, 100.0, 500000.0, 1.0, 0.5, 1e-6, 1e12]) | st.floats(1.0, 1e7)
STARTS = (
    st.integers(0, 100)
    | st.integers(0, 10**6)
    | st.integers(0, 10**9)
    | st.sampled_from([2**16 - 5, 2**24 - 5, 2**32 - 5, 2**48 - 5, 2**53 - 5])
    | st.integers(0, 2**62)
)


def exact_pair(p: int, i: int, d_model: int, base: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Return sin pω_i and cos pω_i to about fifty digits."""
    with mpmath.workdps(80):
        angle = p * mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model)
        return mpmath.sin(angle), mpmath.cos(angle)


def half_unit(value: mpmath.mpf, dtype: torch.dtype) -> float:
    """Return half a unit in the last place of ``dtype`` at ``value``: one rounding's error."""
    finfo = torch.finfo(dtype)
    smallest = math.log2(finfo.smallest_normal)
    exponent = max(math.floor(mpmath.log(abs(value), 2)), smallest) if value else smallest
    return finfo.eps / 2 * 2.0**exponent


def reference(start: int, length: int, d_model: int, base: float = 10000.0) -> Tensor:
    """Evaluate the formula as it stands in float64; good to 1e-12 at positions below 2000."""
    position = torch.arange(start, start + length, dtype=torch.float64)[:, None]  # (L, 1)
    column = torch.arange(0, d_model, 2, dtype=torch.float64)  # (d/2,)
    angle = position * torch.exp(column * (-math.log(base) / d_model))  # (L, d/2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (L, d)


# --- how close the values are ----------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    start=STARTS,
    length=st.integers(1, 90),
    d_model=WIDTHS,
    base=BASES,
    dtype=st.sampled_from(DTYPES),
    data=st.data(),
)
def test_every_value_is_the_true_one_rounded_once(
    start: int, length: int, d_model: int, base: float, dtype: torch.dtype, data: st.DataObject
) -> None:
    table = sinusoidal_table(length, d_model, start=start, base=base, dtype=dtype)
    assert table.shape == (length, d_model)
    assert table.dtype == dtype
    for _ in range(6):
        row = data.draw(st.integers(0, length - 1))
        i = data.draw(st.integers(0, d_model // 2 - 1))
        for column, true in enumerate(exact_pair(start + row, i, d_model, base), start=2 * i):
            error = abs(mpmath.mpf(table[row, column].item()) - true)
            once = 0 if dtype == torch.float64 else half_unit(true, dtype)
            assert error <= BEFORE_ROUNDING + once


@pytest.mark.parametrize("start", [0, 10, 10**6, 10**9, 2**40, 2**63 - 700])
def test_float32_is_within_half_a_unit_in_the_last_place_at_any_start(start: int) -> None:
    table = sinusoidal_table(700, 64, start=start)
    worst = max(
        abs(float(mpmath.mpf(table[row, 2 * i + odd].item()) - true))
        for row in range(0, 700, 13)
        for i in range(32)
        for odd, true in enumerate(exact_pair(start + row, i, 64, 10000.0))
    )
    assert 2e-8 < worst <= 2**-25 + BEFORE_ROUNDING  # 2.98e-8


@pytest.mark.parametrize("start", [0, 10**6 - 300])
def test_float64_is_within_1e_13_up_to_a_million(start: int) -> None:
    table = sinusoidal_table(300, 64, start=start, dtype=torch.float64)
    for row in range(0, 300, 7):
        for i in range(32):
            for odd, true in enumerate(exact_pair(start + row, i, 64, 10000.0)):
                assert abs(mpmath.mpf(table[row, 2 * i + odd].item()) - true) <= BEFORE_ROUNDING


@pytest.mark.parametrize("length", [*range(1, 40), 99, 100, 101, 1023, 1024, 1025])
def test_every_row_of_every_length_is_in_its_place(length: int) -> None:
    table = sinusoidal_table(length, 10, dtype=torch.float64)
    torch.testing.assert_close(table, reference(0, length, 10), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("length", "d_model"), [(1000, 4096), (1999, 512), (1000, 1026)])
def test_every_row_is_in_its_place_when_it_takes_many_rounds(length: int, d_model: int) -> None:
    assert length * d_model / 2 > 3 * encoding.PAIRS_AT_A_TIME["cpu"]
    table = sinusoidal_table(length, d_model, dtype=torch.float64)
    torch.testing.assert_close(table, reference(0, length, d_model), rtol=0, atol=1e-12)


@pytest.mark.parametrize("d_model", [512, 1026, 20_000])
def test_a_long_table_goes_on_where_a_stretch_ends(d_model: int) -> None:
    at_a_time = 2 * encoding.PAIRS_AT_A_TIME["cpu"] // d_model  # rows
    block = min(encoding.BLOCK, at_a_time)
    stretch = at_a_time // block * block * block
    start, length = stretch - 3, stretch + 6  # of three stretches
    table = sinusoidal_table(length, d_model, start=start, dtype=torch.float64)
    torch.testing.assert_close(table, reference(start, length, d_model), rtol=0, atol=1e-11)
    for rows in (slice(0, 4), slice(stretch, length)):
        part = table[rows]
        again = sinusoidal_table(len(part), d_model, start=start + rows.start, dtype=torch.float64)
        assert torch.equal(again, part)
        one = sinusoidal_table(1, d_model, start=start + rows.start + 2, dtype=torch.float64)
        assert torch.equal(one[0], part[2])


def test_the_first_row_is_exactly_zeros_and_ones() -> None:
    for dtype in DTYPES:
        assert sinusoidal_table(300, 8, dtype=dtype)[0].tolist() == [0.0, 1.0] * 4


def test_neighbours_differ_where_float32_positions_have_merged() -> None:
    table = sinusoidal_table(4, 512, start=2**24)
    assert float(torch.tensor(2.0**24 + 1)) == 2.0**24  # float32 cannot tell these two apart
    assert (table[1:] - table[:-1]).norm(dim=1).min() > 3.7


# --- one row, one value ----------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    start=STARTS,
    length=st.integers(1, 300) | st.just(5000),
    window=st.tuples(st.integers(0, 4999), st.integers(1, 300) | st.just(1)),
    d_model=st.sampled_from([2, 4, 6, 20, 64, 130, 520]),
    dtype=st.sampled_from(DTYPES),
)
def test_a_row_has_the_same_bits_in_every_window(
    start: int, length: int, window: tuple[int, int], d_model: int, dtype: torch.dtype
) -> None:
    whole = sinusoidal_table(length, d_model, start=start, dtype=dtype)
    skip = min(window[0], length - 1)
    size = min(window[1], length - skip)
    part = sinusoidal_table(size, d_model, start=start + skip, dtype=dtype)
    assert torch.equal(part, whole[skip : skip + size])


@pytest.mark.parametrize("d_model", [2, 64])
def test_a_few_rows_have_the_bits_that_they_have_among_others(d_model: int) -> None:
    whole = sinusoidal_table(300, d_model, start=10**6, dtype=torch.float64)
    for size, step in ((1, 1), (2, 2), (3, 3), (150, 11)):  # of one block, of two, of three
        for p in range(0, 300 - size, step):
            few = sinusoidal_table(size, d_model, start=10**6 + p, dtype=torch.float64)
            assert torch.equal(few, whole[p : p + size]), (p, size)


def test_a_row_may_be_longer_than_what_is_turned_in_one_go() -> None:
    d_model = 2 * encoding.PAIRS_AT_A_TIME["cpu"] + 2
    table = sinusoidal_table(3, d_model, start=4, dtype=torch.float64)
    for p, row in enumerate(table, 4):
        assert torch.equal(row, sinusoidal_table(1, d_model, start=p, dtype=torch.float64)[0])
        for i in (0, 5, d_model // 2 - 1):
            angle = p * 10000.0 ** (-2 * i / d_model)
            assert row[2 * i].item() == pytest.approx(math.sin(angle), abs=1e-13)
            assert row[2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-13)


def test_a_table_has_the_same_bits_on_any_number_of_threads() -> None:
    first: dict[tuple[int, torch.dtype], Tensor] = {}
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 3):  # another number starts other threads, which takes longest
            torch.set_num_threads(threads)
            for d_model, dtype in itertools.product((2, 6, 130, 512, 514, 770, 2050), DTYPES):
                table = sinusoidal_table(700, d_model, start=10**6 + 7, dtype=dtype)
                filled = torch.empty(700, d_model, dtype=dtype)
                sinusoidal_table(700, d_model, start=10**6 + 7, dtype=dtype, out=filled)
                same = first.setdefault((d_model, dtype), table)
                assert torch.equal(table, same), (threads, d_model, dtype)
                assert torch.equal(filled, same), (threads, d_model, dtype)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("dtype", "row", "column"), [(torch.bfloat16, 589, 283), (torch.float16, 35, 242)]
)
def test_16_bits_are_the_nearest_ones_to_the_wide_value(
    dtype: torch.dtype, row: int, column: int
) -> None:
    table = sinusoidal_table(4096, 512, dtype=dtype)
    wide = sinusoidal_table(4096, 512, dtype=torch.float64)
    error = (table.double() - wide).abs()
    for neighbour in (table.view(torch.int16) + 1, table.view(torch.int16) - 1):
        farther = (neighbour.view(dtype).double() - wide).abs()
        nonzero = table != 0  # beside zero the neighbour's bits are those of a nan
        assert (error <= farther)[nonzero].all()
    assert (wide[table == 0] == 0).all()
    # torch's own way, through float32, rounds this entry twice, and to the wrong side.
    assert wide.to(dtype)[row, column] != table[row, column]


# --- the angles ------------------------------------------------------------------------------


def test_two_pi_has_as_many_digits_as_it_shows() -> None:
    with mpmath.workdps(130):
        shown = mpmath.mpf(str(encoding.TWO_PI))
        assert len(encoding.TWO_PI.as_tuple().digits) >= 100
        assert abs(shown - 2 * mpmath.pi) < mpmath.mpf(10) ** -98


@settings(max_examples=60, deadline=None)
@given(d_model=WIDTHS, base=BASES | st.floats(encoding.SMALLEST_BASE, 1e300), data=st.data())
@example(d_model=4096, base=encoding.SMALLEST_BASE, data=None)
def test_ticks_are_the_nearest_ones_to_the_true_frequency(
    d_model: int, base: float, data: st.DataObject | None
) -> None:
    ticks = encoding._ticks_per_digit(d_model, base)
    assert len(ticks) == 4 * (d_model // 2)
    last = d_model // 2 - 1
    for i in {0, last, data.draw(st.integers(0, last)) if data else last // 2}:
        for j in range(4):
            with mpmath.workdps(120):
                frequency = mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model)
                true = frequency / (2 * mpmath.pi) * 2 ** (64 + 16 * j)
                difference = ticks[j * (d_model // 2) + i] - true
                wrapped = difference - 2**64 * mpmath.nint(difference / 2**64)
                assert abs(wrapped) <= 0.5 + 1e-9


def test_how_the_caller_reckons_in_decimals_changes_nothing() -> None:
    ticks = encoding._ticks_per_digit.__wrapped__  # one call's are not another's
    every = [*decimal.getcontext().traps]
    with decimal.localcontext(decimal.Context(prec=3, Emin=0, Emax=1, traps=every)):
        theirs = ticks(20, 9999.9)
    assert theirs == ticks(20, 9999.9)


@settings(max_examples=60, deadline=None)
@given(position=st.lists(STARTS | st.integers(0, 2**63 - 1), min_size=1, max_size=20))
def test_overflow_drops_whole_turns_and_nothing_else(position: list[int]) -> None:
    ticks = encoding._ticks_per_digit(64, 10000.0)
    angle = encoding._angles(torch.tensor(position), 64, 10000.0, torch.device("cpu"))
    for row, p in zip(angle.tolist(), position, strict=True):
        for i, radians in enumerate(row):
            digits = [p >> shift & 0xFFFF for shift in (0, 16, 32, 48)]
            turned = sum(each * ticks[32 * j + i] for j, each in enumerate(digits))
            exact = mpmath.mpf((turned + 2**63) % 2**64 - 2**63) / 2**64 * 2 * mpmath.pi
            assert abs(radians - exact) <= 1.1e-15


# --- where the table is written --------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_out_is_written_in_place_and_returned(dtype: torch.dtype) -> None:
    out = torch.full((50, 6), math.nan, dtype=dtype)
    memory = out.data_ptr()
    assert sinusoidal_table(50, 6, start=7, dtype=dtype, out=out) is out
    assert out.data_ptr() == memory
    assert torch.equal(out, sinusoidal_table(50, 6, start=7, dtype=dtype))


def test_out_may_have_any_strides_and_nothing_beside_it_is_touched() -> None:
    frame = torch.full((52, 20), math.nan)
    sinusoidal_table(50, 6, out=frame[1:-1, 3:15:2])
    assert torch.equal(frame[1:-1, 3:15:2], sinusoidal_table(50, 6))
    frame[1:-1, 3:15:2] = math.nan
    assert frame.isnan().all()
    columns = torch.full((6, 50), math.nan)
    sinusoidal_table(50, 6, out=columns.T)
    assert torch.equal(columns.T, sinusoidal_table(50, 6))


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_an_out_that_does_not_fit_is_an_error_and_stays_as_it_was() -> None:
    out = torch.full((50, 6), 3.0)
    with pytest.raises(ValueError, match=r"out must have the shape \(50, 8\), got \(50, 6\)"):
        sinusoidal_table(50, 8, out=out)
    with pytest.raises(ValueError, match=r"out must have the shape \(49, 6\), got \(50, 6\)"):
        sinusoidal_table(49, 6, out=out)
    with pytest.raises(ValueError, match=r"out must have the shape \(2, 4\), got a tensor nested"):
        sinusoidal_table(2, 4, out=torch.nested.as_nested_tensor([torch.zeros(4)] * 2))
    with pytest.raises(TypeError, match=r"dtype of out must be .*torch\.float64"):
        sinusoidal_table(50, 6, dtype=torch.float64, out=out)
    with pytest.raises(ValueError, match="out must be on the device meta, got cpu"):
        sinusoidal_table(50, 6, device="meta", out=out)
    with pytest.raises(TypeError, match="out must be a tensor"):
        sinusoidal_table(50, 6, out=out.numpy())  # type: ignore[arg-type]
    for one in (out.clone().requires_grad_(), out.clone().requires_grad_() * 1):
        with pytest.raises(ValueError, match="out must not require a gradient"):
            sinusoidal_table(50, 6, out=one)
    assert torch.equal(out.detach(), torch.full((50, 6), 3.0))


@pytest.mark.parametrize("rows", [0, 1, 2, 5])
def test_out_has_a_place_for_each_entry(rows: int) -> None:
    places = torch.arange(200)
    for strides in itertools.product(range(10), repeat=2):
        out = torch.full((200,), 3.0).as_strided((rows, 4), strides)
        of_each = places.as_strided((rows, 4), strides).flatten().tolist()
        said = ""
        try:
            sinusoidal_table(rows, 4, out=out)
        except (ValueError, RuntimeError) as error:  # the second is torch's
            said = str(error)
        if len(set(of_each)) == len(of_each):
            assert said == ""
            assert torch.equal(out, sinusoidal_table(rows, 4))
        else:
            assert said == f"out must have a place for each entry, got the strides {strides}"
            assert (out == 3.0).all()


def test_there_is_one_cpu() -> None:
    out = torch.empty(50, 6)
    assert sinusoidal_table(50, 6, device="cpu:0", out=out) is out


def test_a_table_without_memory_has_its_shape_and_no_values() -> None:
    with FakeTensorMode():
        table = sinusoidal_table(4, 6, device="cuda", dtype=torch.bfloat16)
        assert sinusoidal_table(4, 6, dtype=torch.bfloat16, out=table) is table
    assert (table.shape, table.dtype, table.device.type) == ((4, 6), torch.bfloat16, "cuda")


class Makes(torch.nn.Module):
    """A model that makes its table each time it is called."""

    def forward(self, x: Tensor) -> Tensor:
        return x + sinusoidal_table(x.shape[1], x.shape[2])


class Fills(torch.nn.Module):
    """One that writes it into a buffer of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("pe", torch.zeros(4, 6))

    def forward(self, x: Tensor) -> Tensor:
        return x + sinusoidal_table(4, 6, out=self.get_buffer("pe"))


@pytest.mark.parametrize("model", [Makes(), Fills()], ids=["made", "filled"])
def test_a_graph_that_would_hold_no_table_is_refused(model: torch.nn.Module) -> None:
    x = torch.zeros(1, 4, 6)
    with pytest.raises(RuntimeError, match=r"sinusoidal_table cannot be traced"):
        torch.export.export(model, (x,), strict=False)


def test_a_graph_of_real_tensors_holds_the_table() -> None:
    x = torch.zeros(1, 4, 6)
    with pytest.raises(RuntimeError, match=r"sinusoidal_table cannot be traced"):
        make_fx(Makes(), tracing_mode="fake")(x)
    assert torch.equal(make_fx(Makes())(x)(x), Makes()(x))


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("kept", [False, True])
def test_a_trace_of_one_call_is_refused(kept: bool) -> None:
    forget()
    if kept:
        sinusoidal_table(4, 6)
    with pytest.raises(RuntimeError, match=r"sinusoidal_table cannot be traced"):
        torch.jit.trace(Makes(), torch.zeros(1, 4, 6))


KEPT = {
    encoding._turns: 2 * encoding.KEPT,
    encoding._kept_starts: encoding.KEPT,
    encoding._kept_start: encoding.KEPT,
    encoding._kept_begin: encoding.KEPT,
}


def forget() -> None:
    """Have the next table computed as if it were the first."""
    for kept in (*KEPT, encoding._ticks_per_digit):
        kept.cache_clear()


def test_what_is_kept_changes_no_bit_and_its_number_is_limited() -> None:
    for width in range(2, 102, 2):
        forget()
        table = sinusoidal_table(200, width, start=30, dtype=torch.float64)
        assert torch.equal(sinusoidal_table(200, width, start=30, dtype=torch.float64), table)
        for p in range(0, 200, 9):
            row = sinusoidal_table(1, width, start=30 + p, dtype=torch.float64)
            assert torch.equal(row, table[p : p + 1])
    for width in range(2, 102, 2):
        sinusoidal_table(1, width)
        sinusoidal_table(200, width)
    for kept, most in KEPT.items():
        assert kept.cache_info().currsize == most
    row = encoding._kept_start(1, 2**9, 64, 2, 10000.0, torch.device("cpu"))
    assert row.untyped_storage().nbytes() == 16  # and not what it was cut from


def test_what_is_kept_serves_whatever_mode_it_was_made_in() -> None:
    out = torch.full((4, 6), math.nan)
    forget()
    with FakeTensorMode(allow_non_fake_inputs=True):
        sinusoidal_table(4, 6, out=out)
    torch.testing.assert_close(sinusoidal_table(4, 6, out=out), reference(0, 4, 6).float())
    forget()
    with torch.inference_mode():
        table = sinusoidal_table(300, 6)
    weight = torch.ones(6, requires_grad=True)
    (gradient,) = torch.autograd.grad((sinusoidal_table(300, 6) * weight).sum(), weight)
    torch.testing.assert_close(gradient, table.sum(dim=0))


@pytest.mark.filterwarnings("error:.*lru_cache:UserWarning")
def test_a_compiled_function_may_make_a_table() -> None:
    for length in (20, 600):
        made = torch.compile(lambda x, n=length: x + sinusoidal_table(n, 6), backend="eager")(
            torch.zeros(length, 6)
        )
        assert torch.equal(made, sinusoidal_table(length, 6))


def test_what_a_compiler_does_reaches_no_table() -> None:
    """One whose numbers differ in the last bit, as inductor's do: now, or in what is kept."""

    def in_other_bits(graph: torch.fx.GraphModule, _: object) -> Callable[..., Any]:
        def run(*given: Any) -> tuple[Any, ...]:
            made = graph(*given)
            return tuple(
                each + each.abs() * 1e-9 if each.dtype.is_floating_point else each for each in made
            )

        return run

    def fill(out: Tensor) -> Tensor:
        return sinusoidal_table(300, 10, start=10**6, dtype=torch.float64, out=out)

    right = fill(torch.empty(300, 10, dtype=torch.float64))
    forget()
    assert torch.equal(torch.compile(fill, backend=in_other_bits)(torch.empty_like(right)), right)
    assert torch.equal(fill(torch.empty_like(right)), right)


def test_a_table_goes_where_torch_is_told_to_put_things() -> None:
    assert sinusoidal_table(4, 6, device="meta").is_meta
    with torch.device("meta"):
        assert sinusoidal_table(4, 6).is_meta
        here = sinusoidal_table(4, 6, device="cpu")
    assert torch.equal(here, sinusoidal_table(4, 6))


@pytest.mark.parametrize("name", ["mps", "xpu", "hpu", "xla", "privateuseone"])
def test_a_device_that_may_lack_float64_is_sent_rows_made_on_the_cpu(name: str) -> None:
    class Elsewhere(Tensor):
        """A tensor that says it is elsewhere: an operation sent there would fail here."""

        @property
        def device(self) -> torch.device:  # type: ignore[override]
            return torch.device(name)

    out = torch.empty(50, 6).as_subclass(Elsewhere)
    sinusoidal_table(50, 6, start=5, out=out)
    assert torch.equal(out.as_subclass(Tensor), sinusoidal_table(50, 6, start=5))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_cuda_table_is_as_exact(dtype: torch.dtype) -> None:
    table = sinusoidal_table(3000, 512, start=10**9, dtype=dtype, device="cuda")
    exact = sinusoidal_table(3000, 512, start=10**9, dtype=torch.float64)
    unit = torch.finfo(dtype).eps / 2 if dtype != torch.float64 else BEFORE_ROUNDING
    assert (table.cpu().double() - exact).abs().max() <= unit


# A process of its own for each dtype, because a peak stays; forked, because torch loads slowly.
MEMORY = """
import os
import sys
import torch
from pe_core import sinusoidal_table

def kib(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field))

for name in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    dtype = getattr(torch, name)
    sinusoidal_table(300, 512, dtype=dtype)  # so that what is loaded once is loaded
    before = kib("VmRSS")
    table = sinusoidal_table(65_536, 512, dtype=dtype)
    print(name, 1024 * (max(kib("VmHWM"), kib("VmRSS")) - before) / table.nbytes)
    break
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_memory_is_the_result_and_little_else() -> None:
    # One more array of the size of the result, or a float32 table behind a 16-bit one, would
    # make it 2 or 3 times the result.
    names = ["float64", "float32", "bfloat16"]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *names],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        cwd=Path(encoding.__file__).parent.parent,
    )
    measured = dict(line.split() for line in done.stdout.splitlines())
    assert list(measured) == names
    for name, share in measured.items():
        assert 0.9 < float(share) < 1.25, name


# --- what is refused -------------------------------------------------------------------------


def test_no_rows_is_an_empty_table() -> None:
    assert sinusoidal_table(0, 6).shape == (0, 6)
    assert sinusoidal_table(0, 6, start=2**63 - 1).shape == (0, 6)


@pytest.mark.parametrize("d_model", [0, -2, 5])
def test_an_error_names_a_width_that_has_no_pairs(d_model: int) -> None:
    with pytest.raises(ValueError, match=f"d_model must be a positive even integer, got {d_model}"):
        sinusoidal_table(10, d_model)


def test_an_error_names_the_argument_the_value_and_what_is_allowed() -> None:
    with pytest.raises(ValueError, match="length must be zero or a positive integer, got -1"):
        sinusoidal_table(-1, 6)
    with pytest.raises(TypeError, match="length must be an integer, got 2"):
        sinusoidal_table(2.5, 6)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="d_model must be an integer, got True"):
        sinusoidal_table(10, True)
    with pytest.raises(ValueError, match="start must be zero or a positive integer, got -3"):
        sinusoidal_table(10, 6, start=-3)
    with pytest.raises(TypeError, match=r"start must be an integer, got 1\.0"):
        sinusoidal_table(10, 6, start=1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"start \+ length must be at most 2\*\*63"):
        sinusoidal_table(10, 6, start=2**63 - 9)
    assert sinusoidal_table(10, 6, start=2**63 - 10).isfinite().all()
    for base in (0.0, -1.0, math.inf, math.nan, 1e-31):
        with pytest.raises(ValueError, match="base must"):
            sinusoidal_table(10, 6, base=base)
    for dtype in (torch.int64, torch.complex64, torch.bool, "float32"):
        with pytest.raises(TypeError, match="dtype must be"):
            sinusoidal_table(10, 6, dtype=dtype)  # type: ignore[arg-type]


def test_out_of_another_layout_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"out must have the layout torch\.strided, got torch\.sp"):
        sinusoidal_table(5, 8, out=torch.zeros(5, 8).to_sparse())
