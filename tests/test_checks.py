"""The checks that the whole package shares: what passes, what is refused, and what is said."""

import math
import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
import torch
from torch import Tensor

from pe_core import checks


class Index:
    """An integer of somebody else's making."""

    def __index__(self) -> int:
        return 6


@pytest.mark.parametrize(
    "six", [6, np.int64(6), np.uint8(6), np.array(6), torch.tensor(6), Index()]
)
def test_every_kind_of_integer_becomes_an_int(six: object) -> None:
    for checked in (
        checks.check_integer(six, "rows"),
        checks.check_d_model(six),
        checks.check_length(six),
    ):
        assert checked == 6
        assert type(checked) is int


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (True, "True of type bool"),
        (np.True_, "np.True_ of type bool"),
        (np.array(True), r"array\(True\) of type ndarray"),
        (torch.tensor(False), r"a tensor of shape \(\) and torch.bool"),
        (6.0, "6.0 of type float"),
        (np.float64(6), r"np.float64\(6.0\) of type float64"),
        (torch.tensor([6, 6]), r"a tensor of shape \(2,\) and torch.int64"),
        ("six", "'six' of type str"),
        (None, "None of type NoneType"),
        ("x" * 100, "'x{36}... of type str"),
    ],
)
def test_everything_else_is_refused_as_an_integer(value: object, got: str) -> None:
    with pytest.raises(TypeError, match=f"^rows must be an integer, got {got}$"):
        checks.check_integer(value, "rows")


@pytest.mark.parametrize(
    "value", [2.5, np.float64(2.5), np.float32(2.5), np.float16(2.5), Fraction(5, 2)]
)
def test_every_kind_of_real_number_becomes_a_float(value: object) -> None:
    for checked in (
        checks.check_real(value, "gain"),
        checks.check_base(value),
        checks.check_offset(value),
    ):
        assert checked == 2.5
        assert type(checked) is float


@pytest.mark.parametrize("value", [3, np.int64(3), torch.tensor(3)])
def test_integers_are_real_numbers(value: object) -> None:
    assert checks.check_real(value, "gain") == 3.0


@pytest.mark.parametrize("value", [True, np.True_, torch.tensor(True), 1j, "1", None, [1.0]])
def test_everything_else_is_refused_as_a_real_number(value: object) -> None:
    with pytest.raises(TypeError, match=r"^gain must be a real number, got .* (of type|and) .*$"):
        checks.check_real(value, "gain")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32("nan")])
def test_what_is_not_finite_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^gain must be a finite number, got .* of type .*$"):
        checks.check_real(value, "gain")


@pytest.mark.parametrize("value", [7, 1, -1, -6, 0])
def test_d_model_has_pairs(value: int) -> None:
    with pytest.raises(ValueError, match=f"^d_model must be a positive even integer, got {value}$"):
        checks.check_d_model(value)


def test_d_model_is_no_larger_than_torch_counts() -> None:
    assert checks.check_d_model(2**63 - 2) == 2**63 - 2
    with pytest.raises(ValueError, match=rf"^d_model must be less than 2\*\*63, got {2**63}$"):
        checks.check_d_model(2**63)


def test_length_may_be_zero_but_not_negative_and_is_called_by_its_name() -> None:
    assert checks.check_length(0) == 0
    with pytest.raises(ValueError, match=r"^start must be zero or a positive integer, got -3$"):
        checks.check_length(-3, "start")
    assert checks.check_length(2**63 - 1) == 2**63 - 1
    with pytest.raises(ValueError, match=rf"^start must be less than 2\*\*63, got {2**63}$"):
        checks.check_length(2**63, "start")


def test_an_error_gives_the_size_of_a_number_that_nobody_reads() -> None:
    many, size = 10**5000, "an integer of 16610 bits"
    with pytest.raises(ValueError, match=rf"^length must be less than 2\*\*63, got {size}$"):
        checks.check_length(many, "length")
    with pytest.raises(
        ValueError, match=f"^length must be zero or a positive integer, got {size}$"
    ):
        checks.check_length(-many, "length")
    with pytest.raises(ValueError, match=rf"^d_model must be less than 2\*\*63, got {size}$"):
        checks.check_d_model(many)
    with pytest.raises(ValueError, match=rf"^d_model must be less than 2\*\*63, got {10**38}$"):
        checks.check_d_model(10**38)
    with pytest.raises(ValueError, match=r"got an integer of 129 bits$"):
        checks.check_d_model(2**128)
    with pytest.raises(
        ValueError, match=f"^base must be a number that float64 holds, got {size} of type int$"
    ):
        checks.check_base(many)


@pytest.mark.parametrize(
    ("dtype", "bits"), [(torch.bfloat16, 8), (torch.float16, 11), (torch.float32, 24)]
)
def test_exact_integers_end_where_the_next_one_merges(dtype: torch.dtype, bits: int) -> None:
    last = torch.tensor([2**bits - 1, 2**bits, 2**bits + 1]).to(dtype).tolist()
    assert last[0] != last[1] == last[2]  # so 0 … 2^bits, that is 2^bits + 1 integers, differ
    checks.check_exact(2**bits + 1, dtype, "rows")
    with pytest.raises(ValueError, match=f"^rows must be at most {2**bits + 1} in {dtype}, .*$"):
        checks.check_exact(2**bits + 2, dtype, "rows")


@pytest.mark.parametrize("base", [0, -0.0, -10000])
def test_base_is_positive(base: float) -> None:
    with pytest.raises(ValueError, match=r"^base must be a positive number, got .*$"):
        checks.check_base(base)


@pytest.mark.parametrize(
    ("dtype", "limits"),
    [
        (torch.float32, r"4.93e-32 and 3.403e\+38"),
        (torch.float64, r"5.01e-293 and 1.798e\+308"),
    ],
)
def test_base_stays_within_the_type(dtype: torch.dtype, limits: str) -> None:
    assert checks.check_base(1e-31, dtype) == 1e-31
    assert checks.check_base(3e38, dtype) == 3e38
    with pytest.raises(ValueError, match=f"^base must lie between {limits} in {dtype}, got .*$"):
        checks.check_base(5e-324, dtype)


def test_offset_is_below_what_float64_counts() -> None:
    assert checks.check_offset(2**53 - 1) == 2**53 - 1
    assert checks.check_offset(-(2**53) + 1) == -(2**53) + 1
    for k in (2**53, 2**53 + 1, -(2**53), 1e17):
        with pytest.raises(ValueError, match=r"^k must lie between -2\*\*53 and 2\*\*53, got .*$"):
            checks.check_offset(k)


def test_dtype_is_one_of_those_allowed() -> None:
    assert checks.check_dtype(torch.bfloat16) == torch.bfloat16
    assert checks.check_dtype(torch.float32, checks.WIDE_DTYPES) == torch.float32
    with pytest.raises(
        TypeError, match=r"^out must be torch.float32 or torch.float64, got torch.float16$"
    ):
        checks.check_dtype(torch.float16, checks.WIDE_DTYPES, "out")
    with pytest.raises(TypeError, match=r"^dtype must be .*, got 'float32' of type str$"):
        checks.check_dtype("float32")


@pytest.mark.parametrize("shape", [(6,), (2, 6), (2, 3, 6)])
def test_tensor_with_any_leading_axes(shape: tuple[int, ...]) -> None:
    tensor = torch.ones(shape)
    assert checks.check_tensor(tensor, "x", "...", "d") is tensor


@pytest.mark.parametrize("shape", [(), (2,), (2, 3, 6)])
def test_tensor_with_another_number_of_axes(shape: tuple[int, ...]) -> None:
    message = re.escape(f"x must have the shape (L, d), got {shape}")
    with pytest.raises(ValueError, match=f"^{message}$"):
        checks.check_tensor(torch.ones(shape), "x", "L", "d")


# ------------------------------------------------------------------ symbolic lengths


def first_rows(x: Tensor, table: Tensor) -> Tensor:
    length = checks.check_length(x.shape[1], "length of x")
    return x + table[:length]


def test_a_checked_length_stays_symbolic_under_compile() -> None:
    graphs = []

    def count_and_run(graph: torch.fx.GraphModule, inputs: list[Tensor]) -> Callable[..., object]:
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(first_rows, backend=count_and_run, dynamic=True, fullgraph=True)
    table = torch.randn(64, 4)
    for length in (3, 5, 17, 64):
        x = torch.randn(2, length, 4)
        assert torch.equal(compiled(x, table), first_rows(x, table))
    assert len(graphs) == 1  # one graph for every length


def test_a_checked_length_stays_symbolic_under_export() -> None:
    class FirstRows(torch.nn.Module):
        def forward(self, x: Tensor, table: Tensor) -> Tensor:
            return first_rows(x, table)

    table = torch.randn(64, 4)
    length = torch.export.Dim("length", min=2, max=64)
    exported = torch.export.export(
        FirstRows(), (torch.randn(2, 7, 4), table), dynamic_shapes=({1: length}, None)
    ).module()
    for rows in (2, 7, 64):
        x = torch.randn(2, rows, 4)
        assert torch.equal(exported(x, table), first_rows(x, table))


def test_a_tensor_without_a_value_is_no_number() -> None:
    nowhere = torch.tensor(3, device="meta")
    with pytest.raises(TypeError, match=r"^n must be an integer, got a tensor of shape \(\) and"):
        checks.check_integer(nowhere, "n")
    with pytest.raises(TypeError, match=r"^k must be a real number, got a tensor of shape"):
        checks.check_real(nowhere, "k")
    with pytest.raises(TypeError, match="n must be an integer"):
        torch.vmap(lambda n: checks.check_integer(n, "n"))(torch.arange(3))
