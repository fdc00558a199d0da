"""The linear-offset property, against the definition evaluated to fifty digits."""

import math
from collections.abc import Callable

import mpmath
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from pe_core import frequencies, offset, offset_matrix, shift, similarity, stepwise, wavelengths

U = torch.finfo(torch.float64).eps / 2  # unit roundoff of float64
# A sine or cosine is good to 3.5 units in the last place, 7 u, in the least exact of the
# libraries that torch is built with.
FUNCTION = 7 * U

WIDTHS = st.integers(1, 16).map(lambda half: 2 * half) | st.sampled_from([64, 512])
BASES = st.just(10000.0) | st.floats(0.5, 1e9)
BUILT_OF_WIDTH: dict[str, Callable[[int], Tensor]] = {
    "frequencies": frequencies,
    "wavelengths": wavelengths,
    "offset_matrix": lambda d: offset_matrix(3, d),
}
OFFSETS = (
    st.integers(-20, 20) | st.integers(-(10**6), 10**6) | st.floats(-1e4, 1e4, allow_nan=False)
)


def exact_frequency(i: int, d_model: int, base: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        return mpmath.mpf(base) ** -(mpmath.mpf(2 * i) / d_model)


def exact_row(p: mpmath.mpf, d_model: int, base: float) -> list[mpmath.mpf]:
    with mpmath.workdps(50):
        angles = [p * exact_frequency(i, d_model, base) for i in range(d_model // 2)]
        return [f(angle) for angle in angles for f in (mpmath.sin, mpmath.cos)]


def frequency_bound(i: int, d_model: int, base: float) -> float:
    """Bound the relative error of a frequency: |x ln base| u for x = 2i/d, and 2 u for the power.

    The first frequency is 1 exactly.
    """
    x = 2 * i / d_model
    return (1 + 1e-3) * (2 + x * abs(math.log(base))) * U if i else 0.0


def angle_bound(k: float, d_model: int, base: float) -> Tensor:
    """Bound the error of each angle k ω_i: that of the frequency, and of one product, u."""
    return torch.tensor(
        [
            abs(k)
            * base ** (-2 * i / d_model)
            * (frequency_bound(i, d_model, base) + (U if i else 0))
            for i in range(d_model // 2)
        ],
        dtype=torch.float64,
    )


def by_pair(matrix: Tensor) -> Tensor:
    """Return the diagonal blocks of a (d, d) matrix, of shape (d/2, 2, 2)."""
    half = matrix.shape[0] // 2
    pair = torch.arange(half)
    return matrix.reshape(half, 2, half, 2)[pair, :, pair, :]


# ------------------------------------------------------------------ frequencies


@given(d_model=WIDTHS | st.just(4096), base=BASES, data=st.data())
@settings(deadline=None, max_examples=100)
def test_frequencies_and_wavelengths(d_model: int, base: float, data: st.DataObject) -> None:
    omega, wavelength = frequencies(d_model, base=base), wavelengths(d_model, base=base)
    assert omega.shape == wavelength.shape == (d_model // 2,)
    assert omega.dtype == wavelength.dtype == torch.float64
    i = data.draw(st.integers(0, d_model // 2 - 1), label="i")
    exact = exact_frequency(i, d_model, base)
    with mpmath.workdps(50):
        bound = frequency_bound(i, d_model, base)
        assert abs(omega[i].item() / exact - 1) <= bound
        # 2 pi is rounded and divided: u each.
        assert abs(wavelength[i].item() * exact / (2 * mpmath.pi) - 1) <= bound + 2.01 * U


@pytest.mark.parametrize(
    ("d_model", "longest"),
    [(4, 628.3), (6, 2916.4), (8, 6283.2), (64, 47117.2), (512, 60611.5)],
)
def test_longest_wavelength_is_not_ten_thousand_turns(d_model: int, longest: float) -> None:
    wavelength = wavelengths(d_model)
    assert wavelength[0] == 2 * math.pi
    assert round(wavelength[-1].item(), 1) == longest


@pytest.mark.parametrize(("d_model", "ratio"), [(6, 21.5443), (48, 1.4678), (512, 1.0366)])
def test_neighbouring_wavelengths_keep_one_ratio(d_model: int, ratio: float) -> None:
    wavelength = wavelengths(d_model)
    ratios = wavelength[1:] / wavelength[:-1]
    assert {round(each, 4) for each in ratios.tolist()} == {ratio}


# ------------------------------------------------------------------ the matrix


@given(k=OFFSETS, d_model=st.sampled_from([2, 4, 6, 8, 16, 32]), base=BASES)
@settings(deadline=None, max_examples=60)
def test_matrix_moves_every_position(k: float, d_model: int, base: float) -> None:
    # One matrix, made without a position, and rows it has never seen.
    matrix = offset_matrix(k, d_model, base=base)
    assert matrix.shape == (d_model, d_model)
    assert matrix.dtype == torch.float64
    bound = angle_bound(k, d_model, base).repeat_interleave(2)
    for p in (0, 1, 7, 1000, 10**6, 10**9):
        with mpmath.workdps(50):
            target = p + mpmath.mpf(k)
        row, moved = exact_row(p, d_model, base), exact_row(target, d_model, base)
        row64 = torch.tensor([float(value) for value in row], dtype=torch.float64)
        moved64 = torch.tensor([float(value) for value in moved], dtype=torch.float64)
        # The entries, each off by its angle and its function; the two products and their sum;
        # the two rows rounded to float64.
        allowed = 2 * (bound + FUNCTION) + 6 * U
        assert ((matrix @ row64 - moved64).abs() <= allowed).all()


@given(k=OFFSETS, d_model=WIDTHS, base=BASES, data=st.data())
@settings(deadline=None, max_examples=60)
def test_matrix_entries(k: float, d_model: int, base: float, data: st.DataObject) -> None:
    blocks = by_pair(offset_matrix(k, d_model, base=base))
    i = data.draw(st.integers(0, d_model // 2 - 1), label="i")
    with mpmath.workdps(50):
        angle = mpmath.mpf(k) * exact_frequency(i, d_model, base)
        sine, cosine = mpmath.sin(angle), mpmath.cos(angle)
    allowed = angle_bound(k, d_model, base)[i].item() + FUNCTION
    for entry, exact in zip(
        blocks[i].flatten().tolist(), (cosine, sine, -sine, cosine), strict=True
    ):
        assert abs(entry - exact) <= allowed


@given(k=OFFSETS, d_model=WIDTHS, base=BASES)
@settings(deadline=None, max_examples=60)
def test_matrix_is_a_block_diagonal_rotation(k: float, d_model: int, base: float) -> None:
    matrix = offset_matrix(k, d_model, base=base)
    blocks = by_pair(matrix)
    assert torch.equal(torch.block_diag(*blocks), matrix)  # nothing outside the blocks
    # sin^2 + cos^2 is 1 within 14 u whatever the angle, plus the rounding of the product.
    allowed = 14.01 * U + 3 * U
    identity = torch.eye(d_model, dtype=torch.float64)
    assert (matrix @ matrix.T - identity).abs().max() <= allowed
    determinants = blocks[:, 0, 0] * blocks[:, 1, 1] - blocks[:, 0, 1] * blocks[:, 1, 0]
    assert (determinants - 1).abs().max() <= allowed
    assert abs(torch.linalg.det(matrix).item() - 1) <= d_model * allowed


@given(j=OFFSETS, k=OFFSETS, d_model=WIDTHS, base=BASES)
@settings(deadline=None, max_examples=60)
def test_two_moves_are_one(j: float, k: float, d_model: int, base: float) -> None:
    one = offset_matrix(j + k, d_model, base=base)
    two = offset_matrix(j, d_model, base=base) @ offset_matrix(k, d_model, base=base)
    fastest = max(1.0, 1.0 / base)
    rounded_sum = abs(j + k) * fastest * U  # j + k is itself rounded if it is not an integer
    off_by = sum(angle_bound(each, d_model, base) for each in (j, k, j + k)) + rounded_sum
    allowed = off_by.max() + 2 * 2 * FUNCTION + FUNCTION + 3 * U
    assert (two - one).abs().max() <= allowed


@given(k=OFFSETS, d_model=WIDTHS, base=BASES)
@settings(deadline=None, max_examples=60)
def test_moving_back_is_the_transpose(k: float, d_model: int, base: float) -> None:
    # Exactly: float64 sine is odd and cosine even to the last bit.
    there, back = offset_matrix(k, d_model, base=base), offset_matrix(-k, d_model, base=base)
    assert torch.equal(back, there.T)


@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_no_move_is_exactly_the_identity(zero: float, dtype: torch.dtype) -> None:
    for d_model in (2, 6, 512):
        assert torch.equal(
            offset_matrix(zero, d_model, dtype=dtype), torch.eye(d_model, dtype=dtype)
        )
    assert "-0" not in str(offset_matrix(0, 6, dtype=dtype))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_matrix_is_rounded_once(dtype: torch.dtype) -> None:
    # In 16 bits the angle 1000 itself would be lost, or off by a radian.
    assert torch.equal(offset_matrix(1003, 64, dtype=dtype), offset_matrix(1003, 64).to(dtype))


def test_table_rows_move_as_the_book_says() -> None:
    pe = stepwise(1000, 64, dtype=torch.float64)
    matrix = offset_matrix(37, 64)
    # Angles of the table up to 999, each off by at most 999 (3 + ln 10000) u for the table and
    # 37 (3 + ln 10000) u for the matrix; then as in test_matrix_moves_every_position.
    allowed = (2 * 999 + 2 * 37) * (4 + math.log(10000)) * U + 4 * FUNCTION + 6 * U
    assert (pe[:-37] @ matrix.T - pe[37:]).abs().max() <= allowed < 4e-12


# ------------------------------------------------------------------ shift


@given(
    k=OFFSETS,
    d_model=WIDTHS,
    base=BASES,
    leading=st.lists(st.integers(0, 3), max_size=3),
    seed=st.integers(0, 2**31),
)
@settings(deadline=None, max_examples=80)
def test_shift_equals_the_matrix_product(
    k: float, d_model: int, base: float, leading: list[int], seed: int
) -> None:
    # Rows of any numbers, not only encodings: the map is linear.
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(*leading, d_model, generator=generator, dtype=torch.float64)
    moved = shift(rows, k, base=base)
    assert moved.shape == rows.shape
    assert moved.dtype == rows.dtype
    expected = rows @ offset_matrix(k, d_model, base=base).T
    # The same entries: only the rounding of two products and a sum can differ.
    assert ((moved - expected).abs() <= 6 * U * rows.abs().sum(dim=-1, keepdim=True)).all()


@given(k=OFFSETS, d_model=st.sampled_from([2, 6, 64]), base=BASES)
@settings(deadline=None, max_examples=40)
def test_shift_keeps_the_dtype_and_computes_wide(k: float, d_model: int, base: float) -> None:
    pe = stepwise(20, d_model, base=base)
    wide = shift(pe.double(), k, base=base)
    # float32: sine and cosine of k ω rounded, two products, one sum, in units of 2^-24.
    assert (shift(pe, k, base=base).double() - wide).abs().max() <= 6 * 2.0**-24
    for dtype in (torch.float16, torch.bfloat16):
        half = pe.to(dtype)
        moved = shift(half, k, base=base)
        assert moved.dtype == dtype
        assert torch.equal(moved, shift(half.float(), k, base=base).to(dtype))


def test_shift_undone_and_composed() -> None:
    pe = stepwise(50, 16, dtype=torch.float64)
    assert torch.equal(shift(pe, 0), pe)
    # Each move turns by the angles of one k: 25 (4 + ln 10000) u at most for k = 12.5 twice.
    allowed = 2 * 25 * (4 + math.log(10000)) * U + 8 * FUNCTION
    assert (shift(shift(pe, 12.5), -12.5) - pe).abs().max() <= allowed
    assert (shift(shift(pe, 12.5), 12.5) - shift(pe, 25)).abs().max() <= allowed


def test_shift_leaves_its_argument_alone_and_takes_slices() -> None:
    pe = stepwise(30, 16, dtype=torch.float64)
    before = pe.clone()
    apart = shift(pe[::3], 5)  # not contiguous
    assert torch.equal(pe, before)
    assert torch.equal(apart, shift(pe[::3].contiguous(), 5))


@pytest.mark.parametrize("name", ["frequencies", "wavelengths", "offset_matrix"])
def test_it_is_computed_on_the_cpu_and_put_where_torch_is_told_to(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    powers, devices = offset._frequencies, []

    def noted(d_model: int, base: float) -> Tensor:
        made = powers(d_model, base)
        devices.append(made.device.type)
        return made

    monkeypatch.setattr(offset, "_frequencies", noted)
    with torch.device("meta"):
        built = BUILT_OF_WIDTH[name](6)
    assert built.device.type == "meta"
    assert devices == ["cpu"]


@pytest.mark.parametrize("name", ["frequencies", "wavelengths", "offset_matrix"])
def test_it_can_be_compiled_whole_and_made_without_values(name: str) -> None:
    torch._dynamo.reset()
    build = BUILT_OF_WIDTH[name]
    assert torch.equal(torch.compile(build, fullgraph=True, backend="eager")(6), build(6))
    with FakeTensorMode():
        shape = build(6).shape
    assert shape == build(6).shape


def test_shift_stays_on_the_device_of_its_argument() -> None:
    moved = shift(torch.ones(2, 6, device="meta"), 3)  # a device without values: shapes only
    assert moved.device.type == "meta"
    assert moved.shape == (2, 6)
    pe = stepwise(4, 6)
    moved = shift(pe, 3)
    with torch.device("meta"):  # where torch is told to put what is new
        assert torch.equal(shift(pe, 3), moved)
    if torch.cuda.is_available():
        pe = stepwise(20, 64)
        moved = shift(pe.cuda(), 3)
        assert moved.device.type == "cuda"
        torch.testing.assert_close(moved.cpu(), shift(pe, 3), rtol=0, atol=6 * 2.0**-24)


def test_gradient_of_shift_is_the_move_back() -> None:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(3, 8, generator=generator, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(3, 8, generator=generator, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda x: shift(x, 2.5), rows)
    (shift(rows, 2.5) * weight).sum().backward()
    torch.testing.assert_close(rows.grad, shift(weight, -2.5))


# ------------------------------------------------------------------ similarity


def test_similarity_of_row_0_in_the_small_example() -> None:
    row_0 = similarity(stepwise(8, 6))[0].tolist()
    assert [f"{value:.4f}" for value in row_0] == [
        "3.0000",
        "2.5392",
        "1.5795",
        "1.0003",
        "1.3291",
        "2.2568",
        "2.9216",
        "2.7015",
    ]


@given(length=st.integers(0, 40), d_model=WIDTHS, base=BASES)
@settings(deadline=None, max_examples=15)
def test_similarity_depends_on_the_offset_alone(length: int, d_model: int, base: float) -> None:
    gram = similarity(stepwise(length, d_model, base=base, dtype=torch.float64))
    assert gram.shape == (length, length)
    for k in range(length):
        with mpmath.workdps(50):
            angles = [k * exact_frequency(i, d_model, base) for i in range(d_model // 2)]
            exact = float(sum(map(mpmath.cos, angles)))
        # Each pair: two rows off by their angles (p < 40) and functions. Then d products of
        # size at most 1 and their sum in any order: less than d u for every unit summed.
        angle = angle_bound(length, d_model, base).sum().item() * 2
        allowed = 2 * angle + d_model * (2 * FUNCTION + U) + d_model**2 * U
        assert ((gram.diagonal(k) - exact).abs() <= allowed).all()
        assert ((gram.diagonal(-k) - exact).abs() <= allowed).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_similarity_in_16_bits_is_summed_wide(dtype: torch.dtype) -> None:
    pe = stepwise(64, 512, dtype=dtype)
    gram = similarity(pe)
    assert gram.dtype == dtype
    assert torch.equal(gram, similarity(pe.float()).to(dtype))


def test_what_float16_does_not_reach_is_inf() -> None:
    assert similarity(torch.ones(1, 65504, dtype=torch.float16)).item() == 65504
    assert similarity(torch.ones(1, 65536, dtype=torch.float16)).item() == math.inf


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("d_model", "error", "message"),
    [
        (7, ValueError, "a positive even integer, got 7"),
        (0, ValueError, "a positive even integer, got 0"),
        (-4, ValueError, "a positive even integer, got -4"),
        (True, TypeError, "an integer, got True of type bool"),
        (4.0, TypeError, "an integer, got 4.0 of type float"),
    ],
)
@pytest.mark.parametrize("build", [frequencies, wavelengths, lambda d: offset_matrix(1, d)])
def test_d_model_errors(build: object, d_model: object, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^d_model must be {message}$"):
        build(d_model)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("base", "error", "message"),
    [
        (0, ValueError, "be a positive number, got 0.0"),
        (-1.0, ValueError, "be a positive number, got -1.0"),
        (math.nan, ValueError, "be a finite number, got nan of type float"),
        (-math.inf, ValueError, "be a finite number, got -inf of type float"),
        (True, TypeError, "be a real number, got True of type bool"),
        ([1], TypeError, r"be a real number, got \[1\] of type list"),
        (1e-300, ValueError, r"lie between 5.01e-293 and 1.798e\+308 in torch.float64, got 1e-300"),
    ],
)
@pytest.mark.parametrize(
    "build",
    [
        lambda base: frequencies(6, base=base),
        lambda base: wavelengths(6, base=base),
        lambda base: offset_matrix(1, 6, base=base),
        lambda base: shift(torch.ones(6), 1, base=base),
    ],
)
def test_base_errors(build: object, base: object, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^base must {message}$"):
        build(base)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("k", "error", "message"),
    [
        (math.nan, ValueError, "be a finite number, got nan of type float"),
        (math.inf, ValueError, "be a finite number, got inf of type float"),
        (
            -(10**400),
            ValueError,
            "be a number that float64 holds, got an integer of 1329 bits of type int",
        ),
        (True, TypeError, "be a real number, got True of type bool"),
        (1j, TypeError, "be a real number, got 1j of type complex"),
        ("1", TypeError, "be a real number, got '1' of type str"),
        (None, TypeError, "be a real number, got None of type NoneType"),
        (torch.tensor(1.5), TypeError, r"be a real number, got a tensor of shape \(\) and .*"),
        (2**53 + 1, ValueError, r"lie between -2\*\*53 and 2\*\*53, got 9007199254740993 of .*"),
        (-1e300, ValueError, r"lie between -2\*\*53 and 2\*\*53, got -1e\+300 of type float"),
    ],
)
@pytest.mark.parametrize(
    "build", [lambda k: offset_matrix(k, 6), lambda k: shift(torch.ones(6), k)]
)
def test_offset_errors(build: object, k: object, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^k must {message}$"):
        build(k)  # type: ignore[operator]


def test_matrix_dtype_error() -> None:
    with pytest.raises(TypeError, match=r"^dtype must be .*torch.float64, got torch.int64$"):
        offset_matrix(1, 6, dtype=torch.int64)


@pytest.mark.parametrize(
    ("pe", "error", "message"),
    [
        ([1.0, 2.0], TypeError, r"pe must be a tensor of shape \(\.\.\., d\), got .*"),
        (torch.tensor(1.0), ValueError, r"pe must have the shape \(\.\.\., d\), got \(\)"),
        (torch.ones(2, 5), ValueError, "pe must have an even, positive number of columns, got 5"),
        (torch.ones(2, 0), ValueError, "pe must have an even, positive number of columns, got 0"),
        (
            torch.ones(2, 4, dtype=torch.int64),
            TypeError,
            "dtype of pe must be .*torch.float64, got torch.int64",
        ),
        (
            torch.ones(2, 4, dtype=torch.complex64),
            TypeError,
            "dtype of pe must be .*torch.float64, got torch.complex64",
        ),
    ],
)
def test_shift_errors(pe: Tensor, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        shift(pe, 1)


@pytest.mark.parametrize(
    ("pe", "error", "message"),
    [
        ("pe", TypeError, r"pe must be a tensor of shape \(L, d\), got 'pe' of type str"),
        (torch.ones(4), ValueError, r"pe must have the shape \(L, d\), got \(4,\)"),
        (torch.ones(1, 4, 4), ValueError, r"pe must have the shape \(L, d\), got \(1, 4, 4\)"),
        (
            torch.ones(2, 4, dtype=torch.int64),
            TypeError,
            "dtype of pe must be .*torch.float64, got torch.int64",
        ),
    ],
)
def test_similarity_errors(pe: Tensor, error: type, message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        similarity(pe)


def test_an_offset_may_be_symbolic_under_compile() -> None:
    """Where torch makes one graph for all offsets."""
    torch._dynamo.reset()
    pe = stepwise(5, 6)
    matrix = torch.compile(
        lambda k: offset_matrix(k, 6), fullgraph=True, dynamic=True, backend="eager"
    )
    moved = torch.compile(shift, fullgraph=True, dynamic=True, backend="eager")
    for k in (3, -4, 17, 2.5, -0.25):
        assert torch.equal(matrix(k), offset_matrix(k, 6))
        assert torch.equal(moved(pe, k), shift(pe, k))


@pytest.mark.parametrize("build", [frequencies, wavelengths])
def test_one_export_holds_for_every_width(build: Callable[..., Tensor]) -> None:
    class OfRows(torch.nn.Module):
        def forward(self, pe: Tensor) -> Tensor:
            return build(pe.shape[-1])

    torch._dynamo.reset()
    shapes = {"pe": (torch.export.Dim.STATIC, 2 * torch.export.Dim("pairs", min=2, max=64))}
    exported = torch.export.export(
        OfRows(), (torch.zeros(3, 8),), dynamic_shapes=shapes, strict=True
    )
    for d_model in (4, 8, 30):
        assert torch.equal(exported.module()(torch.zeros(3, d_model)), build(d_model))


def test_wavelengths_that_float64_does_not_hold_are_refused() -> None:
    assert torch.isfinite(wavelengths(8192, base=2.8e307)).all()
    with pytest.raises(ValueError, match=r"base must give wavelengths .* got 1\.7e\+308"):
        wavelengths(8192, base=1.7e308)


def test_no_offset_has_no_minus_before_a_zero() -> None:
    assert "-0." not in str(offset_matrix(-0.0, 4))
