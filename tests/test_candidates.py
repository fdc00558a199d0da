"""The candidates by hand-written values, and each measure on tables whose answer is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor

from pe_core import stepwise
from pe_lab import candidates
from pe_lab.candidates import (
    binary_digits,
    distances,
    largest_entry,
    length_dependence,
    nearer_than_neighbour,
    nearest_rows,
    offset_spread,
    one_sine,
    random_table,
    raw_index,
    rows_defined,
    scaled_index,
    shift_residual,
    told_apart,
)

Candidate = Callable[[int, int], Tensor]
CANDIDATES = [raw_index, scaled_index, binary_digits, one_sine, random_table]


def sinusoid(length: int, d_model: int) -> Tensor:
    return stepwise(length, d_model, dtype=torch.float64)


def rotations(length: int) -> Tensor:
    """Rows that go round a circle in steps of 0.1 radians."""
    angle = 0.1 * torch.arange(length, dtype=torch.float64)
    return torch.stack([torch.sin(angle), torch.cos(angle)], dim=1)


# Candidates


@pytest.mark.parametrize("candidate", CANDIDATES)
@pytest.mark.parametrize(("length", "d_model"), [(0, 4), (1, 2), (10, 6), (512, 16)])
def test_shape_and_dtype(candidate: Candidate, length: int, d_model: int) -> None:
    table = candidate(length, d_model)
    assert table.shape == (length, d_model)
    assert table.dtype == torch.float64
    assert table.isfinite().all()


@pytest.mark.parametrize("candidate", CANDIDATES)
def test_bad_arguments_are_named(candidate: Candidate) -> None:
    with pytest.raises(ValueError, match=r"length.*-1"):
        candidate(-1, 4)
    with pytest.raises(TypeError, match=r"length.*2\.5"):
        candidate(2.5, 4)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"d_model.*3"):
        candidate(5, 3)


def test_raw_and_scaled_index() -> None:
    assert raw_index(3, 2).tolist() == [[0, 0], [1, 1], [2, 2]]
    assert scaled_index(5, 2)[:, 1].tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert scaled_index(1, 2).tolist() == [[0, 0]]


def test_binary_digits() -> None:
    assert binary_digits(9, 4)[[0, 1, 6, 7, 8]].tolist() == [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [0, 1, 1, 0],
        [1, 1, 1, 0],
        [0, 0, 0, 1],
    ]
    assert torch.equal(binary_digits(20, 4)[16:], binary_digits(4, 4))
    assert binary_digits(300, 128)[:, 9:].eq(0).all()


def test_one_sine() -> None:
    assert one_sine(4, 2)[:, 0].tolist() == pytest.approx([math.sin(p) for p in range(4)])
    assert one_sine(4, 2, frequency=0.5)[3, 1] == pytest.approx(math.sin(1.5))


def test_random_table_has_the_same_rows_at_every_length_and_no_more() -> None:
    assert torch.equal(random_table(7, 4), random_table(512, 4)[:7])
    assert not torch.equal(random_table(7, 4), random_table(7, 4, seed=1))
    assert random_table(512, 4).abs().max() <= 1
    with pytest.raises(ValueError, match="at most trained_length, 20; got 21"):
        random_table(21, 4, trained_length=20)


# Measures


def test_largest_entry() -> None:
    assert largest_entry(torch.tensor([[0.5, -3.0], [1.0, 2.0]])) == 3
    assert largest_entry(raw_index(100, 2)) == 99


def test_length_dependence_of_widths_that_differ_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"encode\(9\) must be as wide as encode\(5\), 5; got 9"):
        length_dependence(lambda n: torch.zeros(n, n), 5, 9)
    longer = lambda n: torch.arange(12.0).unsqueeze(1).expand(12, 4)  # noqa: E731, of any length
    assert length_dependence(longer, 5, 9) == 0


def test_length_dependence() -> None:
    # p/4 against p/8: the last of five rows is 1 and becomes 1/2.
    assert length_dependence(lambda n: scaled_index(n, 2), 5, 9) == 0.5
    for candidate in (raw_index, binary_digits, one_sine, random_table, sinusoid):
        assert length_dependence(partial(candidate, d_model=6), 10, 300) == 0


@pytest.mark.parametrize("trained", [0, 1, 17, 99, 100])
def test_rows_defined(trained: int) -> None:
    encode = partial(random_table, d_model=2, trained_length=trained)
    assert rows_defined(encode, 100) == trained
    assert rows_defined(lambda n: raw_index(n, 2), 100) == 100


def test_distances_keep_small_ones() -> None:
    table = torch.tensor([[1.0, 0.0], [1.0 + 1e-9, 0.0], [1.0, 3.0]], dtype=torch.float64)
    assert distances(table)[0].tolist() == pytest.approx([0, 1e-9, 3], rel=1e-6)


def test_nearest_rows_is_per_column() -> None:
    assert nearest_rows(torch.tensor([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0]])) == pytest.approx(
        5 / math.sqrt(2)
    )
    assert nearest_rows(raw_index(9, 2)) == pytest.approx(nearest_rows(raw_index(9, 64)))
    assert nearest_rows(binary_digits(17, 4)) == 0  # row 16 is row 0 again


def test_told_apart_counts_what_bfloat16_keeps() -> None:
    # Eight digits: 1 to 256 are exact, above only every second number is; 257 becomes 256, and
    # 299 becomes 300.
    assert told_apart(raw_index(300, 2)) == 256 + 22
    assert told_apart(raw_index(300, 2), word=0.0) == 257 + 22
    # Between 1 and 2 there are 128 steps.
    assert told_apart(scaled_index(129, 2)) == 129
    assert told_apart(scaled_index(1000, 2)) == 129
    assert told_apart(binary_digits(20, 4)) == 16
    # A column alone that differs is enough.
    table = torch.zeros(3, 4, dtype=torch.float64)
    table[1, 3], table[2, 3] = 0.5, 0.001
    assert told_apart(table) == 2


def test_nearer_than_neighbour_by_hand() -> None:
    # 0, 5, 1, 2, 9 on a line. From 0 to its neighbour it is 5; of the others 1 and 2 are nearer
    # and 9 is not: 2/3. From 5 to 0 it is 5: 2 and 9 are nearer, both: 1; from 5 to 1, 4: 2 is
    # nearer, 9 is as near: 1/2. From 1 to 5: 0: 1/2 (9 is farther); from 1 to 2: none. From 2 to
    # 1: none; from 2 to 9: 0 and 5: 1. From 9 to 2: 5, of 0, 5, 1: 1/3.
    line = torch.tensor([[0.0], [5.0], [1.0], [2.0], [9.0]])
    shares = [2 / 3, 1, 1 / 2, 1 / 2, 0, 0, 1, 1 / 3]
    assert nearer_than_neighbour(line) == pytest.approx(sum(shares) / 8)


def test_nearer_than_neighbour_of_tables_that_are_known() -> None:
    assert nearer_than_neighbour(raw_index(50, 4)) == 0
    # A row that is as near as the neighbour is not nearer, though rounding may say so.
    assert nearer_than_neighbour(rotations(62)) == 0
    assert nearer_than_neighbour(binary_digits(64, 6)) > 0
    for seed in range(5):
        assert 0.45 < nearer_than_neighbour(random_table(512, 16, seed=seed)) < 0.55
    with pytest.raises(ValueError, match=r"at least 4 rows and 1 column, got the shape \(3, 2\)"):
        nearer_than_neighbour(raw_index(3, 2))


def test_shift_residual_of_rows_that_rotate_is_zero() -> None:
    table = rotations(200)
    for k in (1, 7, 100):
        assert shift_residual(table, k) < 1e-12


def test_shift_residual_of_noise_is_about_one() -> None:
    for seed in range(5):
        assert 0.9 < shift_residual(random_table(512, 16, seed=seed), 4) < 1.1


def test_shift_residual_against_a_fit_by_hand() -> None:
    # Rows p of one column: the best factor from p to p + 1 over even p is Σ p (p + 1) / Σ p².
    position = torch.arange(101, dtype=torch.float64).unsqueeze(1)
    p = position[:-1]
    even, odd = p[0::2], p[1::2]
    factor = (even * (even + 1)).sum() / even.square().sum()
    error = factor * odd - (odd + 1)
    expected = (error.square().mean() / (odd + 1).square().mean()).sqrt()
    assert shift_residual(position, 1) == pytest.approx(float(expected))
    assert shift_residual(position, 1, constant=True) < 1e-12


def test_shift_residual_refuses_a_fit_that_cannot_fail() -> None:
    assert shift_residual(random_table(67, 16), 4) > 0.5
    with pytest.raises(ValueError, match="needs 67, got 66"):
        shift_residual(random_table(66, 16), 4)
    with pytest.raises(ValueError, match="k must be a positive integer, got 0"):
        shift_residual(rotations(100), 0)


def test_what_no_measure_can_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="long must be at least short, 5; got 1"):
        length_dependence(partial(sinusoid, d_model=4), 5, 1)
    with pytest.raises(ValueError, match=r"scores must have the shape \(L, L\), got \(3, 4\)"):
        offset_spread(torch.eye(3, 4))
    with pytest.raises(ValueError, match="frequency must be a finite number"):
        one_sine(4, 4, frequency=math.nan)


MEASURES: dict[str, Callable[[Tensor], object]] = {
    "largest_entry": largest_entry,
    "length_dependence": lambda pe: length_dependence(lambda _: pe, len(pe), len(pe)),
    "distances": distances,
    "nearest_rows": nearest_rows,
    "told_apart": told_apart,
    "nearer_than_neighbour": nearer_than_neighbour,
    "shift_residual": lambda pe: shift_residual(pe, 1),
    "offset_spread": lambda pe: offset_spread(pe @ pe.T),
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_no_measure_takes_a_table_that_is_not_finite(
    measure: Callable[[Tensor], object], value: float
) -> None:
    table = sinusoid(40, 4)
    measure(table)
    table[2, 1] = value
    with pytest.raises(ValueError, match=r"must be finite, got (nan|inf) in row [02], column"):
        measure(table)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_every_measure_names_a_table_that_it_has_no_answer_for(
    measure: Callable[[Tensor], object],
) -> None:
    with pytest.raises((ValueError, TypeError), match=r"^(pe|scores|short) must .*got"):
        measure(torch.zeros(0, 4))
    with pytest.raises(TypeError, match=r"must hold floating-point numbers, got .*torch\.int64"):
        measure(torch.ones(40, 4, dtype=torch.int64))


def test_one_row_has_no_nearest() -> None:
    with pytest.raises(ValueError, match=r"pe must have at least 2 rows .*got the shape \(1, 4\)"):
        nearest_rows(sinusoid(1, 4))
    with pytest.raises(ValueError, match=r"at least 1 row and 1 column, got the shape \(3, 0\)"):
        largest_entry(torch.zeros(3, 0))


def test_a_length_an_offset_or_a_word_that_is_none_is_named() -> None:
    encode = partial(sinusoid, d_model=4)
    with pytest.raises(ValueError, match="short must be a positive integer, got 0"):
        length_dependence(encode, 0, 3)
    with pytest.raises(TypeError, match=r"long must be an integer, got 5\.5"):
        length_dependence(encode, 3, 5.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"encode\(9\) must have at least 9 rows"):
        length_dependence(lambda _: sinusoid(5, 4), 3, 9)
    with pytest.raises(TypeError, match=r"asked must be an integer, got 2\.5"):
        rows_defined(encode, 2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"k must be an integer, got 1\.5"):
        shift_residual(sinusoid(100, 4), 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="word must be a finite number, got nan"):
        told_apart(sinusoid(10, 4), word=math.nan)
    with pytest.raises(TypeError, match=r"seed must be an integer, got 0\.5"):
        random_table(10, 4, seed=0.5)  # type: ignore[arg-type]


def test_a_share_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="pe must not be zero in all the rows held out"):
        shift_residual(torch.zeros(100, 4), 1)
    with pytest.raises(ValueError, match=r"scores must not all be equal, got 1\.0 everywhere"):
        offset_spread(torch.ones(4, 4))


def test_offset_spread() -> None:
    p = torch.arange(5.0)
    assert offset_spread(p.unsqueeze(0) - p.unsqueeze(1)) == 0
    assert offset_spread(p.unsqueeze(0) + p.unsqueeze(1)) == 1
    # Offset 1 holds 0 and 1, offset -1 holds 0 and 3, all scores range from 0 to 4.
    scores = torch.tensor([[2.0, 0.0, 4.0], [0.0, 2.0, 1.0], [4.0, 3.0, 2.0]])
    assert offset_spread(scores) == offset_spread(scores.T) == 0.75


# What the chapter says of the sinusoid, at other sizes than the chapter's


@pytest.mark.parametrize("d_model", [4, 6, 16, 32])
def test_the_sinusoid_has_what_the_chapter_asks_for(d_model: int) -> None:
    table = sinusoid(512, d_model)
    assert largest_entry(table) <= 1
    assert length_dependence(partial(sinusoid, d_model=d_model), 64, 512) == 0
    assert nearest_rows(table) > 0.01
    assert told_apart(table) == 512
    # Two or three hands are too few: the fastest comes round before the others have moved far.
    assert (nearer_than_neighbour(table) == 0) == (d_model >= 16)
    assert shift_residual(table, 4) < 1e-10
    assert rows_defined(partial(sinusoid, d_model=d_model), 1024) == 1024
    assert offset_spread(table @ table.T) < 1e-12


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_tables_of_16_bits_are_measured(dtype: torch.dtype) -> None:
    table = stepwise(60, 6, dtype=dtype)
    wide = table.float()
    for measure in (candidates.nearest_rows, candidates.nearer_than_neighbour):
        assert measure(table) == measure(wide)
    assert candidates.shift_residual(table, 1) == candidates.shift_residual(wide, 1)


def test_a_short_table_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"encode\(5\) must have at least 5 rows"):
        candidates.length_dependence(lambda n: torch.zeros(n if n > 5 else 1, 4), 5, 10)
