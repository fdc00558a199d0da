"""A matrix that is to move every row by k, and what is wrong with it."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from pe_core import offset_matrix, sinusoidal_table
from pe_lab.diagnosis import diagnose_offset
from pe_lab.diagnosis.offset import _choices, _count, _make, _name


def wrong_matrices(k: float, d_model: int) -> dict[str, Tensor]:
    """Every matrix with one mistake in it, by name."""
    return {_name(each): _make(each, k, d_model) for each in _choices() if _count(each) == 1}


WRONG = wrong_matrices(3, 6)


def by_loops(k: int, d_model: int) -> list[list[float]]:
    matrix = [[0.0] * d_model for _ in range(d_model)]
    for i in range(d_model // 2):
        angle = k / 10000 ** (2 * i / d_model)
        matrix[2 * i][2 * i] = matrix[2 * i + 1][2 * i + 1] = math.cos(angle)
        matrix[2 * i][2 * i + 1], matrix[2 * i + 1][2 * i] = math.sin(angle), -math.sin(angle)
    return matrix


def by_least_squares(k: int, d_model: int, rows: int = 400) -> Tensor:
    table = sinusoidal_table(rows + k, d_model, dtype=torch.float64)
    return torch.linalg.lstsq(table[:rows], table[k:], driver="gelsd").solution.T


@pytest.mark.parametrize(
    "matrix",
    [
        offset_matrix(3, 6),
        offset_matrix(3, 6).float(),
        offset_matrix(3, 6).half(),
        offset_matrix(3, 6).bfloat16(),
        by_loops(3, 6),
        np.array(by_loops(3, 6)),
        offset_matrix(3, 6)[None],
        offset_matrix(1, 6) @ offset_matrix(2, 6),
        offset_matrix(-3, 6).T,
        by_least_squares(3, 6),
    ],
)
def test_a_right_matrix_passes_in_any_style(matrix: object) -> None:
    found = diagnose_offset(matrix, 3)
    assert (found.ok, found.name) == (True, "right"), found


def test_a_matrix_that_moves_every_row_is_right_though_it_is_another_one() -> None:
    fitted = by_least_squares(4, 64)
    assert (fitted - offset_matrix(4, 64)).abs().max() > 0.1
    found = diagnose_offset(fitted, 4)
    assert (found.ok, found.name) == (True, "moves-every-row")
    assert diagnose_offset(fitted.T, 4).name == "unknown"


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_gets_its_own_sentence(name: str) -> None:
    for matrix in (WRONG[name], WRONG[name].float(), WRONG[name].half()):
        found = diagnose_offset(matrix, 3)
        names = found.name.split(" or ")
        assert (found.ok, names[0]) == (False, name), found
        assert names[1:] == (["base-1000000"] if name == "half-minus-one" else []), found


def test_a_base_that_makes_the_matrix_of_a_mistake_is_told_beside_it() -> None:
    for d, base, mistake in ((6, 1e6, "half-minus-one"), (4, 4.0, "linear")):
        omega = base ** -(torch.arange(0, d, 2).double() / d)
        sine, cosine = (3 * omega).sin(), (3 * omega).cos()
        blocks = torch.stack([cosine, sine, -sine, cosine], dim=1).view(-1, 2, 2)
        for order, more in (([*range(d)], ""), ([*range(0, d, 2), *range(1, d, 2)], " + halves")):
            matrix = torch.block_diag(*blocks)[order][:, order]
            name = f"{mistake}{more} or base-{base:.0f}{more}"
            assert diagnose_offset(matrix, 3).name == name


def test_every_sentence_is_said_of_one_matrix_alone() -> None:
    messages = [diagnose_offset(matrix, 3).message for matrix in WRONG.values()]
    assert len(WRONG) >= 30
    assert len({*messages}) == len(messages)
    for number, message in enumerate(messages):
        assert [other for other in messages if other in message] == [messages[number]]


def test_two_mistakes_are_both_named() -> None:
    halves = WRONG["halves"]
    assert diagnose_offset(halves.T, 3).name == "transposed + halves"
    found = diagnose_offset(wrong_matrices(4, 6)["halves"], 3)
    assert found.name == "k-plus-1 + halves"
    assert "Two things at once." in found.message


def test_what_a_matrix_cannot_tell_apart_is_all_named() -> None:
    assert diagnose_offset(offset_matrix(2, 6), 1).name == "k-plus-1 or twice-k"
    assert diagnose_offset(torch.eye(6), 1).name == "k-minus-1 or no-offset"


@pytest.mark.parametrize("seed", range(3))
def test_a_matrix_that_is_not_known_is_described(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    found = diagnose_offset(torch.rand(6, 6, generator=generator), 3)
    assert found.name == "unknown"
    assert "36 of 36 entries are wrong" in found.message
    assert "not orthogonal" in found.message

    orthogonal = torch.linalg.qr(torch.rand(6, 6, generator=generator)).Q
    assert "It is orthogonal" in diagnose_offset(orthogonal, 3).message


@pytest.mark.parametrize("name", sorted(WRONG)[::4])
def test_a_small_change_takes_the_name_away(name: str) -> None:
    changed = WRONG[name].clone()
    changed[2, 3] += 0.01
    assert diagnose_offset(changed, 3).name == "unknown"


@pytest.mark.parametrize(
    ("matrix", "name", "says"),
    [
        ("M", "not-a-table", "the matrix"),
        (torch.zeros(6, 4), "shape", "(6, 4)"),
        (torch.eye(5), "shape", "d even"),
        (torch.full((4, 4), math.nan), "nan", "row 0, column 0"),
        ([[1.0], [1.0, 2.0]], "ragged", "different lengths"),
    ],
    ids=str,
)
def test_what_is_no_matrix_gets_a_sentence(matrix: object, name: str, says: str) -> None:
    found = diagnose_offset(matrix, 3)
    assert (found.ok, found.name) == (False, name)
    assert says in found.message


def test_an_offset_that_is_none_is_an_error_of_the_call() -> None:
    with pytest.raises(TypeError, match="k must be a real number"):
        diagnose_offset(torch.eye(6), "three")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite"):
        diagnose_offset(torch.eye(6), math.inf)


def test_the_picture_of_a_matrix() -> None:
    found = diagnose_offset(WRONG["transposed"], 3)
    assert len(found.figure().axes) == 3
    assert "6 of 36 entries differ" in found.alt()


@pytest.mark.parametrize(("d", "k"), [(12, 1), (16, 1), (16, 3)])
@pytest.mark.parametrize("turned", ["transposed", "identity"])
def test_a_slowest_pair_that_is_wrong_is_seen(d: int, k: int, turned: str) -> None:
    M = offset_matrix(k, d).clone()
    M[-2:, -2:] = M[-2:, -2:].T.clone() if turned == "transposed" else torch.eye(2)
    assert not diagnose_offset(M, k).ok


def test_a_matrix_of_three_digits_is_not_right() -> None:
    assert not diagnose_offset(offset_matrix(3, 8).round(decimals=3), 3).ok


@pytest.mark.parametrize("k", [2**24, 10**9])
def test_no_matrix_is_right_because_k_is_large(k: int) -> None:
    """float32 does not hold the angle k of pair 0; that makes nothing else right."""
    assert diagnose_offset(offset_matrix(k, 8), k).name == "right"
    assert diagnose_offset(torch.zeros(8, 8), k).name == "unknown"
    assert diagnose_offset(torch.eye(8), k).name == "no-offset"
    slow = offset_matrix(k, 64)
    slow[-2:, -2:] = torch.eye(2)
    assert not diagnose_offset(slow, k).ok


@pytest.mark.parametrize(
    ("j", "k", "d"),
    [
        *((9, 3, 6), (25, 5, 64), (3, 0, 6), (0.25, 4, 8)),
        *((1000, 3, 4), (512, 1, 4), (5000, 3, 8)),  # after whole turns of all hands
    ],
)
def test_the_matrix_of_another_offset_is_told_by_that_offset(j: float, k: int, d: int) -> None:
    found = diagnose_offset(offset_matrix(j, d).float(), k)
    assert (found.ok, found.name) == (False, f"by-{j}")
    assert found.message == f"It is the matrix that moves every row by {j}."
    turned = offset_matrix(j, d)
    turned[0, 0] += 0.01
    assert diagnose_offset(turned, k).name == "unknown"


@pytest.mark.parametrize(("j", "d"), [(2.41838, 4), (math.pi / 2, 4), (3.18534, 8)])
def test_an_offset_of_many_digits_is_none_after_whole_turns(j: float, d: int) -> None:
    assert diagnose_offset(offset_matrix(j, d), 3).name == f"by-{j:.5g}"


@pytest.mark.parametrize("d", [4, 8])
def test_a_block_of_the_wrong_sign_is_no_offset(d: int) -> None:
    """Half a turn of the slowest hand makes it: 314.159 positions, or 3141.59."""
    turned = offset_matrix(3, d).clone()
    turned[-2:, -2:] *= -1
    assert diagnose_offset(turned, 3).name == "unknown"


def test_an_angle_that_nobody_sees_is_no_evidence_of_a_mistake() -> None:
    """At k = 1 the second angle is 0.0001 with the exponent 4i/d, and 0 here."""
    still = offset_matrix(1, 4).clone()
    still[2:, 2:] = torch.eye(2)
    assert diagnose_offset(still, 1).name == "unknown"
    assert diagnose_offset(torch.eye(4), 1).name == "k-minus-1 or no-offset"


def test_of_a_matrix_that_nearly_moves_the_rows_it_is_said_how_nearly() -> None:
    """The last two cosines are hardly apart near 0: what one adds the other takes away."""
    bent = offset_matrix(5, 64).clone()
    bent[3, 61] += 1
    bent[3, 63] -= 1
    table = sinusoidal_table(64, 64, dtype=torch.float64)
    off = (table[:, 61] - table[:, 63]).abs()
    count = int((off > 1e-5 + 5 * 2.0**-23).sum())
    assert count > 1
    message = diagnose_offset(bent, 5).message
    assert (
        f"It nearly moves the rows 0 to 63 by k, but {count} of them are off, row {off.argmax()} "
        f"by the most, {off.max():.1e}, and no more than 1.1e-05 is allowed." in message
    ), message
    assert "wrongly" not in message


def test_of_a_matrix_that_moves_one_row_hardly_wrongly_that_row_is_told() -> None:
    rows = sinusoidal_table(64, 128, dtype=torch.float64)
    bent = offset_matrix(5, 128).clone()
    bent[3] += 3e-5 * torch.linalg.pinv(rows)[:, 7]  # other rows hardly
    assert "k, but row 7 is off by 1.5e-05, and no more than" in diagnose_offset(bent, 5).message


def test_the_rows_that_are_moved_wrongly_are_counted() -> None:
    fitted = by_least_squares(5, 64, rows=32)
    before = sinusoidal_table(64, 64, dtype=torch.float64)
    apart = (before @ fitted.T - before @ offset_matrix(5, 64).T).abs().amax(dim=1)
    wrong = (apart > 1e-5 + 5 * 2.0**-23).nonzero().flatten()
    assert apart[wrong[0]] < 1e-3  # less than what is seen at once
    assert (
        f"It moves {len(wrong)} of the rows 0 to 63 wrongly: row {wrong[0]} is the first, and row "
        f"63 is off by the most, {apart.max():.4f}." in diagnose_offset(fitted, 5).message
    )


def test_one_wrong_entry_is_told_in_the_singular() -> None:
    changed = offset_matrix(3, 6)
    changed[0, 5] = 0.01
    message = diagnose_offset(changed, 3).message
    assert "1 of 36 entries is wrong. It is in row 0, column 5: 0.0100" in message
    assert message.endswith("It is not orthogonal.")


def test_a_rotation_by_any_angle_is_no_mistake_whose_angle_nobody_knows() -> None:
    """With d = 2 the first pair of "pairs-from-minus-1" turns by 10000 k, about which float32 says
    too little."""
    generator = torch.Generator().manual_seed(0)
    for angle in (2 * math.pi * torch.rand(200, generator=generator)).tolist():
        s, c = math.sin(angle), math.cos(angle)
        assert "pairs-from-minus-1" not in diagnose_offset([[c, s], [-s, c]], 5).name
        assert diagnose_offset([[s, c], [c, s]], 5).name == "unknown"


@pytest.mark.parametrize("base", [500, 1000, 5000, 1e5])
@pytest.mark.parametrize("k", [100, 1000, 3000])
def test_a_pair_that_is_as_it_should_be_is_no_evidence_of_a_mistake(base: float, k: int) -> None:
    """Two pairs, the first of them right: the other one's angle alone tells, and not much."""
    name = diagnose_offset(offset_matrix(k, 4, base=base), k).name
    assert name == ("base-1000" if base == 1000 else "unknown")


def test_two_mistakes_are_not_told_of_what_one_may_have_made() -> None:
    """At d = 4 and k = 1 the angle of "divided" alone tells; another two give that matrix, too."""
    found = diagnose_offset(wrong_matrices(1, 4)["divided"].float(), 1)
    assert "divided" in found.name.split(" or ")
    assert " + " not in found.name
    for name, matrix in wrong_matrices(2, 4).items():
        for dtype in (torch.float16, torch.bfloat16):
            found = diagnose_offset(matrix.to(dtype), 2)
            if found.name != "unknown" and not found.name.startswith("by-"):
                assert name in found.name.split(" or "), (name, dtype, found.name)
            elif found.name == "unknown":
                assert found.message.startswith("No mistake is named: in so few pairs, or digits")


def test_where_float32_does_not_hold_the_angles_it_is_said() -> None:
    k, omega = 10**7, torch.exp(torch.arange(0, 64, 2) * (-math.log(10000) / 64))  # in float32
    blocks = [
        torch.tensor([[angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]])
        for angle in k * omega
    ]
    found = diagnose_offset(torch.block_diag(*blocks), k)
    assert found.name == "unknown"
    assert "Float32 does not hold all angles at this offset: they need float64." in found.message
    assert "float64" not in diagnose_offset(torch.zeros(8, 8), 1000).message


def test_a_block_is_told_whatever_the_digits() -> None:
    for name in ("both-signs-plus", "both-signs-minus", "reflection", "diagonal-alone"):
        found = diagnose_offset(wrong_matrices(1, 2)[name].bfloat16(), 1)
        assert name in found.name.split(" or "), (name, found.name)


def test_at_a_large_offset_the_bound_is_told_and_what_float32_holds_is_held() -> None:
    k = 10**6
    changed = offset_matrix(k, 2)
    assert diagnose_offset(changed, k).message == "Right: every entry of the 2 × 2 matrix agrees."
    changed[0, 0] += 1e-3  # float32 holds the angle 10^6
    assert diagnose_offset(changed, k).name == "unknown"
    changed = offset_matrix(k, 4)
    assert "so far as float32 can tell" in diagnose_offset(changed, k).message
    assert "agrees to within 0.0067." in diagnose_offset(changed, k).message
    changed[2, 2] += 0.005  # of pair 1, with the angle 10^4
    assert diagnose_offset(changed, k).ok
    changed[2, 2] += 0.015
    assert not diagnose_offset(changed, k).ok


def test_m_k_itself_is_right_at_the_largest_offset() -> None:
    """Its angles are exact there, and those of a recipe in float64 are not."""
    k = 2.0**53 - 1
    assert diagnose_offset(offset_matrix(k, 8), k).name == "right"


def test_how_far_the_rows_are_moved_right_is_told() -> None:
    """At d = 8 the first 64 rows hardly see one direction."""
    rows = sinusoidal_table(64, 8, dtype=torch.float64)
    unseen = torch.linalg.svd(rows).Vh[-1]  # (8,)
    matrix = offset_matrix(3, 8)
    matrix[5] += 0.002 * unseen / unseen.abs().max()
    found = diagnose_offset(matrix, 3)
    assert found.name == "moves-every-row"
    assert "by k, to within 1.0e-05." in found.message
    matrix[5] += 0.5 * unseen
    assert not diagnose_offset(matrix, 3).ok


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_a_fitted_matrix_in_fewer_digits_still_moves_every_row(dtype: torch.dtype) -> None:
    found = diagnose_offset(by_least_squares(4, 64).to(dtype), 4)
    assert (found.ok, found.name) == (True, "moves-every-row")


def test_a_matrix_of_nothing_has_no_shape_of_use() -> None:
    assert diagnose_offset(torch.zeros(0, 0), 3).name == "shape"
