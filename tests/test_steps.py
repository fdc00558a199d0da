"""The encoding step by step, against its definition evaluated to fifty digits."""

import dataclasses
import math

import mpmath
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from pe_core import (
    Step,
    denominator,
    even_indices,
    even_pe,
    interleave,
    odd_indices,
    odd_pe,
    positions,
    stepwise,
    trace,
)

DTYPES = st.sampled_from([torch.float32, torch.float64])
WIDTHS = st.integers(1, 16).map(lambda half: 2 * half) | st.sampled_from([64, 512, 1000, 4096])
BASES = st.just(10000.0) | st.floats(0.5, 1e9)

# The table of d_model = 6 and ten positions as the texts print it.
TABLE = [
    [0.0000, 1.0000, 0.0000, 1.0000, 0.0000, 1.0000],
    [0.8415, 0.5403, 0.0464, 0.9989, 0.0022, 1.0000],
    [0.9093, -0.4161, 0.0927, 0.9957, 0.0043, 1.0000],
    [0.1411, -0.9900, 0.1388, 0.9903, 0.0065, 1.0000],
    [-0.7568, -0.6536, 0.1846, 0.9828, 0.0086, 1.0000],
    [-0.9589, 0.2837, 0.2300, 0.9732, 0.0108, 0.9999],
    [-0.2794, 0.9602, 0.2749, 0.9615, 0.0129, 0.9999],
    [0.6570, 0.7539, 0.3192, 0.9477, 0.0151, 0.9999],
    [0.9894, -0.1455, 0.3629, 0.9318, 0.0172, 0.9999],
    [0.4121, -0.9111, 0.4057, 0.9140, 0.0194, 0.9998],
]


def exact_denominator(i: int, d_model: int, base: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        return mpmath.mpf(base) ** (mpmath.mpf(2 * i) / d_model)


def exact_pair(p: float, i: int, d_model: int, base: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    with mpmath.workdps(50):
        angle = mpmath.mpf(p) / exact_denominator(i, d_model, base)
        return mpmath.sin(angle), mpmath.cos(angle)


def denominator_bound(i: int, d_model: int, base: float, dtype: torch.dtype) -> float:
    """Bound the relative error of a denominator.

    With unit roundoff u and x = 2i/d: rounding base costs x u, rounding x costs x |ln base| u,
    and the power is good to one unit in the last place, 2 u. The first pair is 1 exactly.
    """
    u = torch.finfo(dtype).eps / 2
    x = 2 * i / d_model
    return (1 + 1e-3) * (2 + x + x * abs(math.log(base))) * u if i else 0.0


def value_bound(p: float, i: int, d_model: int, base: float, dtype: torch.dtype) -> float:
    """Bound the error of a sine or cosine.

    Its angle is off by the error of the denominator and of one division, u; the function
    itself is good to 3.5 units in the last place, 7 u, in the least exact of the libraries
    that torch is built with.
    """
    u = torch.finfo(dtype).eps / 2
    angle = p / base ** (2 * i / d_model)
    off_by = denominator_bound(i, d_model, base, dtype) + (u if i else 0.0)
    return (1 + 1e-3) * angle * off_by + 7 * u


# ------------------------------------------------------------------ the small example


def test_small_example_prints_as_the_texts_print_it() -> None:
    assert even_indices(6).tolist() == [0, 2, 4]
    assert odd_indices(6).tolist() == [1, 3, 5]
    assert [f"{value:.4f}" for value in denominator(6).tolist()] == [
        "1.0000",
        "21.5443",
        "464.1590",
    ]
    assert positions(10).tolist() == [[p] for p in range(10)]
    printed = [[f"{value:.4f}" for value in row] for row in stepwise(10, 6).tolist()]
    assert printed == [[f"{value:.4f}" for value in row] for row in TABLE]


def test_the_other_small_example() -> None:
    rows = stepwise(4, 4)
    assert [f"{value:.4f}" for value in rows[1].tolist()] == [
        "0.8415",
        "0.5403",
        "0.0100",
        "0.9999",
    ]
    assert [f"{value:.4f}" for value in rows[3].tolist()] == [
        "0.1411",
        "-0.9900",
        "0.0300",
        "0.9996",
    ]


# ------------------------------------------------------------------ values


@given(d_model=WIDTHS, base=BASES, dtype=DTYPES, data=st.data())
@settings(deadline=None, max_examples=60)
def test_denominator(d_model: int, base: float, dtype: torch.dtype, data: st.DataObject) -> None:
    divisor = denominator(d_model, base=base, dtype=dtype)
    assert divisor.shape == (d_model // 2,)
    assert divisor.dtype == dtype
    assert divisor[0] == 1
    i = data.draw(st.integers(0, d_model // 2 - 1), label="i")
    exact = exact_denominator(i, d_model, base)
    assert abs(divisor[i].item() / exact - 1) <= denominator_bound(i, d_model, base, dtype)


@given(d_model=WIDTHS)
@settings(deadline=None, max_examples=30)
def test_one_denominator_serves_both_parities(d_model: int) -> None:
    # By column parity: column c divides by base^(c/d) if c is even, base^((c-1)/d) if odd.
    divisor = denominator(d_model, dtype=torch.float64)
    even = torch.pow(10000.0, even_indices(d_model, dtype=torch.float64) / d_model)
    odd = torch.pow(10000.0, (odd_indices(d_model, dtype=torch.float64) - 1) / d_model)
    assert torch.equal(divisor, even)
    assert torch.equal(divisor, odd)


@given(
    p=st.integers(0, 100) | st.integers(0, 2**24) | st.integers(0, 2**53),
    d_model=WIDTHS,
    base=BASES,
    dtype=DTYPES,
    data=st.data(),
)
@settings(deadline=None, max_examples=150)
def test_any_position(
    p: int, d_model: int, base: float, dtype: torch.dtype, data: st.DataObject
) -> None:
    if dtype == torch.float32:
        p %= 2**24 + 1  # float32 holds every position up to here
    position = torch.tensor([[p]], dtype=dtype)
    divisor = denominator(d_model, base=base, dtype=dtype)
    i = data.draw(st.just(0) | st.integers(0, d_model // 2 - 1), label="i")
    sine, cosine = exact_pair(p, i, d_model, base)
    bound = value_bound(p, i, d_model, base, dtype)
    assert abs(even_pe(position, divisor)[0, i].item() - sine) <= bound
    assert abs(odd_pe(position, divisor)[0, i].item() - cosine) <= bound


@given(length=st.integers(1, 60), d_model=WIDTHS, base=BASES, dtype=DTYPES, data=st.data())
@settings(deadline=None, max_examples=100)
def test_stepwise(
    length: int, d_model: int, base: float, dtype: torch.dtype, data: st.DataObject
) -> None:
    pe = stepwise(length, d_model, base=base, dtype=dtype)
    assert pe.shape == (length, d_model)
    assert pe.dtype == dtype
    assert pe.is_contiguous()
    p = data.draw(st.integers(0, length - 1), label="p")
    i = data.draw(st.integers(0, d_model // 2 - 1), label="i")
    sine, cosine = exact_pair(p, i, d_model, base)
    bound = value_bound(p, i, d_model, base, dtype)
    assert abs(pe[p, 2 * i].item() - sine) <= bound
    assert abs(pe[p, 2 * i + 1].item() - cosine) <= bound


def test_float64_is_float64_throughout() -> None:
    # Worst over the whole table, against a bound that float32 in any step would exceed: the
    # rounding of one position / denominator to float32 alone costs up to 1e-5 at p = 1000.
    pe = stepwise(1000, 16, dtype=torch.float64)
    for p in (1, 17, 500, 999):
        for i in range(8):
            sine, cosine = exact_pair(p, i, 16, 10000.0)
            bound = value_bound(p, i, 16, 10000.0, torch.float64)
            assert bound < 1e-11
            assert abs(pe[p, 2 * i].item() - sine) <= bound
            assert abs(pe[p, 2 * i + 1].item() - cosine) <= bound


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_16_bits_are_computed_wide_and_rounded_once(dtype: torch.dtype) -> None:
    pe = stepwise(4096, 64, dtype=dtype)
    assert pe.dtype == dtype
    assert torch.equal(pe, stepwise(4096, 64).to(dtype))
    # Positions held in bfloat16 would leave 769 different rows, in float16 3073.
    assert len(torch.unique(pe, dim=0)) == 4096


# ------------------------------------------------------------------ properties


@given(length=st.integers(1, 300), d_model=WIDTHS, base=BASES, dtype=DTYPES)
@settings(deadline=None, max_examples=40)
def test_bounded_and_of_unit_norm_in_every_pair(
    length: int, d_model: int, base: float, dtype: torch.dtype
) -> None:
    pe = stepwise(length, d_model, base=base, dtype=dtype)
    assert pe.abs().max() <= 1
    squares = pe.double().square()
    norm = squares[:, 0::2] + squares[:, 1::2]
    # Sine and cosine are each good to 7 u of their size, so their squares add up to 1 within
    # 14 u, and adding them in float64 costs 3 of its own.
    u, u64 = torch.finfo(dtype).eps / 2, torch.finfo(torch.float64).eps / 2
    assert (norm - 1).abs().max() <= 14.01 * u + 3 * u64


@given(length=st.integers(2, 2000), d_model=st.sampled_from([2, 4, 6, 16, 64]), base=BASES)
@settings(deadline=None, max_examples=15)
def test_rows_are_distinct(length: int, d_model: int, base: float) -> None:
    # Pair 0 alone tells integers apart, because pi is irrational. Up to 2,000 the nearest two
    # are 710 apart, at a distance of 6e-5: hundreds of times what float32 rounds away.
    pe = stepwise(length, d_model, base=base)
    assert len(torch.unique(pe, dim=0)) == length


@given(
    length=st.integers(0, 40),
    half=st.integers(0, 40),
    dtype=st.sampled_from([torch.float16, torch.float32, torch.float64, torch.int64]),
    seed=st.integers(0, 2**31),
)
@settings(deadline=None, max_examples=60)
def test_interleave_is_the_inverse_of_slicing(
    length: int, half: int, dtype: torch.dtype, seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    even, odd = (torch.randn(2, length, half, generator=generator) * 100).to(dtype)
    both = interleave(even, odd)
    assert both.shape == (length, 2 * half)
    assert both.dtype == dtype
    assert torch.equal(both[:, 0::2], even)
    assert torch.equal(both[:, 1::2], odd)
    assert torch.equal(interleave(both[:, 0::2], both[:, 1::2]), both)


def test_steps_pass_gradients() -> None:
    position = positions(3, dtype=torch.float64).requires_grad_()
    divisor = denominator(4, dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda p: interleave(even_pe(p, divisor), odd_pe(p, divisor)), position
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_zero_positions_make_an_empty_table(dtype: torch.dtype) -> None:
    pe = stepwise(0, 6, dtype=dtype)
    assert pe.shape == (0, 6)
    assert pe.dtype == dtype
    assert positions(0).shape == (0, 1)
    assert trace(0, 6)[-1].tensor.shape == (0, 6)


def test_longest_float32_column_is_exact_to_the_end() -> None:
    # 2^24 is the last position that float32 tells from the next.
    assert positions(2**24 + 1)[-2:].tolist() == [[2**24 - 1], [2**24]]


# ------------------------------------------------------------------ trace


def test_trace_names_every_step_with_its_shape() -> None:
    assert [(step.name, tuple(step.tensor.shape)) for step in trace(10, 6)] == [
        ("even indices", (3,)),
        ("odd indices", (3,)),
        ("denominator", (3,)),
        ("positions", (10, 1)),
        ("angles", (10, 3)),
        ("even PE", (10, 3)),
        ("odd PE", (10, 3)),
        ("stacked", (10, 3, 2)),
        ("PE", (10, 6)),
    ]


@given(length=st.integers(0, 20), d_model=WIDTHS, base=BASES)
@settings(deadline=None, max_examples=25)
def test_trace_holds_what_the_steps_make(length: int, d_model: int, base: float) -> None:
    made = {step.name: step.tensor for step in trace(length, d_model, base=base)}
    position, divisor = positions(length), denominator(d_model, base=base)
    expected = {
        "even indices": even_indices(d_model),
        "odd indices": odd_indices(d_model),
        "denominator": divisor,
        "positions": position,
        "angles": position / divisor,
        "even PE": even_pe(position, divisor),
        "odd PE": odd_pe(position, divisor),
        "PE": stepwise(length, d_model, base=base),
    }
    for name, tensor in expected.items():
        assert torch.equal(made[name], tensor), name
    assert torch.equal(made["stacked"][..., 0], made["even PE"])
    assert torch.equal(made["stacked"][..., 1], made["odd PE"])


@pytest.mark.parametrize(
    ("base", "power"),
    [
        (10000.0, r"10000^{2i/d}"),
        (10000, r"10000^{2i/d}"),
        (500000.0, r"500000^{2i/d}"),
        (2.5, r"2.5^{2i/d}"),
        (1e20, r"(1 \cdot 10^{20})^{2i/d}"),
    ],
)
def test_trace_formulas_hold_the_base(base: float, power: str) -> None:
    formulas = {step.name: step.formula for step in trace(3, 4, base=base)}
    assert formulas["denominator"] == power
    assert formulas["even PE"] == rf"\sin\left(\frac{{p}}{{{power}}}\right)"
    assert formulas["odd PE"] == rf"\cos\left(\frac{{p}}{{{power}}}\right)"
    for formula in formulas.values():
        assert "$" not in formula
        assert formula.count("{") == formula.count("}")
        assert formula.count(r"\left") == formula.count(r"\right")


def test_step_reads_well_and_cannot_be_changed() -> None:
    step = trace(10, 6)[5]
    assert isinstance(step, Step)
    assert repr(step) == str(step) == "Step('even PE', shape (10, 3))"
    with pytest.raises(dataclasses.FrozenInstanceError):
        step.name = "odd PE"  # type: ignore[misc]


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("d_model", "error", "got"),
    [
        (5, ValueError, "5"),
        (0, ValueError, "0"),
        (-2, ValueError, "-2"),
        (True, TypeError, "True of type bool"),
        (6.0, TypeError, "6.0 of type float"),
        ("6", TypeError, "'6' of type str"),
        (None, TypeError, "None of type NoneType"),
        (torch.tensor(6.0), TypeError, r"a tensor of shape \(\) and torch.float32"),
        (torch.tensor(True), TypeError, r"a tensor of shape \(\) and torch.bool"),
    ],
)
@pytest.mark.parametrize(
    "build",
    [even_indices, odd_indices, denominator, lambda d: stepwise(3, d), lambda d: trace(3, d)],
)
def test_d_model_errors(build: object, d_model: object, error: type, got: str) -> None:
    allowed = "a positive even integer" if error is ValueError else "an integer"
    with pytest.raises(error, match=f"^d_model must be {allowed}, got {got}$"):
        build(d_model)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("length", "error", "message"),
    [
        (-1, ValueError, "zero or a positive integer, got -1"),
        (2.0, TypeError, "an integer, got 2.0 of type float"),
        (False, TypeError, "an integer, got False of type bool"),
        ("2", TypeError, "an integer, got '2' of type str"),
        (2**24 + 2, ValueError, "at most 16777217 in torch.float32, .*; got 16777218"),
    ],
)
@pytest.mark.parametrize(
    "build", [positions, lambda length: stepwise(length, 6), lambda length: trace(length, 6)]
)
def test_length_errors(build: object, length: object, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^max_sequence_length must be {message}$"):
        build(length)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("base", "error", "message"),
    [
        (0, ValueError, "be a positive number, got 0.0"),
        (-10000.0, ValueError, "be a positive number, got -10000.0"),
        (math.nan, ValueError, "be a finite number, got nan of type float"),
        (math.inf, ValueError, "be a finite number, got inf of type float"),
        (
            10**400,
            ValueError,
            "be a number that float64 holds, got an integer of 1329 bits of type int",
        ),
        (True, TypeError, "be a real number, got True of type bool"),
        ("10000", TypeError, "be a real number, got '10000' of type str"),
        (1j, TypeError, "be a real number, got 1j of type complex"),
        (1e-40, ValueError, r"lie between 4.93e-32 and 3.403e\+38 in torch.float32, got 1e-40"),
        (1e40, ValueError, r"lie between 4.93e-32 and 3.403e\+38 in torch.float32, got 1e\+40"),
    ],
)
@pytest.mark.parametrize(
    "build",
    [
        lambda base: denominator(6, base=base),
        lambda base: stepwise(3, 6, base=base),
        lambda base: trace(3, 6, base=base),
    ],
)
def test_base_errors(build: object, base: object, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^base must {message}$"):
        build(base)  # type: ignore[operator]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_extreme_bases_that_pass_give_finite_values(dtype: torch.dtype) -> None:
    finfo = torch.finfo(dtype)
    last = torch.tensor([[2 / finfo.eps]], dtype=dtype)
    for base in (2 / finfo.eps / finfo.max, finfo.max):
        divisor = denominator(4096, base=base, dtype=dtype)
        assert torch.isfinite(even_pe(last, divisor)).all()
        assert torch.isfinite(stepwise(3, 4096, base=base, dtype=dtype)).all()


@pytest.mark.parametrize(
    "dtype", [torch.int64, torch.bool, torch.complex64, "float32", None, float]
)
def test_stepwise_dtype_errors(dtype: object) -> None:
    allowed = "torch.float16 or torch.bfloat16 or torch.float32 or torch.float64"
    with pytest.raises(TypeError, match=f"^dtype must be {allowed}, got .*$"):
        stepwise(3, 6, dtype=dtype)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [torch.int64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    "build",
    [
        lambda dtype: even_indices(6, dtype=dtype),
        lambda dtype: odd_indices(6, dtype=dtype),
        lambda dtype: denominator(6, dtype=dtype),
        lambda dtype: positions(6, dtype=dtype),
    ],
)
def test_steps_refuse_types_that_merge_positions(build: object, dtype: torch.dtype) -> None:
    with pytest.raises(
        TypeError, match=f"^dtype must be torch.float32 or torch.float64, got {dtype}$"
    ):
        build(dtype)  # type: ignore[operator]


@pytest.mark.parametrize("step", [even_pe, odd_pe])
@pytest.mark.parametrize(
    ("position", "divisor", "error", "message"),
    [
        (
            [[1.0]],
            torch.ones(3),
            TypeError,
            r"positions must be a tensor of shape \(L, 1\), got .*",
        ),
        (torch.ones(4), torch.ones(3), ValueError, r"positions .* \(L, 1\), got \(4,\)"),
        (torch.ones(4, 2), torch.ones(3), ValueError, r"positions .* \(L, 1\), got \(4, 2\)"),
        (torch.ones(1, 4, 1), torch.ones(3), ValueError, r"positions .* got \(1, 4, 1\)"),
        (torch.ones(4, 1), 2.0, TypeError, r"denominator must be a tensor .* \(d/2\), got 2.0 .*"),
        (torch.ones(4, 1), torch.ones(1, 3), ValueError, r"denominator .* \(d/2\), got \(1, 3\)"),
        (
            torch.ones(4, 1, dtype=torch.int64),
            torch.ones(3),
            TypeError,
            "dtype of positions must be torch.float32 or torch.float64, got torch.int64",
        ),
        (
            torch.ones(4, 1, dtype=torch.bfloat16),
            torch.ones(3),
            TypeError,
            "dtype of positions must be torch.float32 or torch.float64, got torch.bfloat16",
        ),
        (
            torch.ones(4, 1, dtype=torch.float64),
            torch.ones(3),
            TypeError,
            "dtype of denominator must be torch.float64, got torch.float32",
        ),
    ],
)
def test_even_and_odd_pe_errors(
    step: object, position: Tensor, divisor: Tensor, error: type, message: str
) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        step(position, divisor)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("even", "odd", "error", "message"),
    [
        (
            1.0,
            torch.ones(2, 3),
            TypeError,
            r"even must be a tensor of shape \(L, d/2\), got 1.0 .*",
        ),
        (torch.ones(2, 3), [1], TypeError, r"odd must be a tensor of shape \(L, d/2\), got .*"),
        (torch.ones(3), torch.ones(3), ValueError, r"even must .* \(L, d/2\), got \(3,\)"),
        (torch.ones(2, 3), torch.ones(3), ValueError, r"odd must .* \(L, d/2\), got \(3,\)"),
        (
            torch.ones(2, 3),
            torch.ones(3, 2),
            ValueError,
            r"odd must have the shape of even, got odd \(3, 2\) and even \(2, 3\)",
        ),
        (
            torch.ones(2, 3),
            torch.ones(2, 3, dtype=torch.float64),
            TypeError,
            "odd must have the dtype of even, got odd torch.float64 and even torch.float32",
        ),
    ],
)
def test_interleave_errors(even: Tensor, odd: Tensor, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        interleave(even, odd)
