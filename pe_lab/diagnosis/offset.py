"""Diagnosing a matrix that is to move every row by k: PE(p + k) = M_k PE(p).

It is a recipe too. Pair i has the angle k'·ω_i and a block of four numbers made of its sine and its
cosine; the blocks are laid out in a matrix (d, d). A mistake changes the offset, the block, the
frequencies (those of :mod:`pe_lab.diagnosis.mistakes`) or the order of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from pe_core import offset_matrix, sinusoidal_table
from pe_core.checks import check_offset
from pe_lab.diagnosis.mistakes import MISTAKES
from pe_lab.diagnosis.properties import largest_difference
from pe_lab.diagnosis.reading import Problem, Table, read
from pe_lab.diagnosis.recipe import ANGLE_TOLERANCE, RIGHT, TOLERANCE
from pe_lab.diagnosis.result import Diagnosis, printed

ROWS = 64  # on which a matrix is tried that is not M_k
MOVED = 1e-5  # the error of a row that a fitted matrix moves; a wrong slowest pair makes more


@dataclass(frozen=True)
class Choice:
    """One way to make a part of the matrix; the first of a list is the right one."""

    name: str
    says: str
    make: Callable[..., Tensor]


def _block(
    upper_left: Tensor, upper_right: Tensor, lower_left: Tensor, lower_right: Tensor
) -> Tensor:
    rows = [
        torch.stack(row, dim=-1) for row in ((upper_left, upper_right), (lower_left, lower_right))
    ]
    return torch.stack(rows, dim=-2)  # (d/2, 2, 2)


ANGLES = [
    Choice("", "", lambda k, omega: k * omega),
    Choice(
        "transposed",
        "The angles are those of -k, as in the transpose: it moves every row by -k.",
        lambda k, omega: -k * omega,
    ),
    Choice(
        "k-plus-1",
        "The angles are those of k + 1: it moves every row by k + 1.",
        lambda k, omega: (k + 1) * omega,
    ),
    Choice(
        "k-minus-1",
        "The angles are those of k - 1: it moves every row by k - 1.",
        lambda k, omega: (k - 1) * omega,
    ),
    Choice(
        "twice-k",
        "The angles are those of 2k: it moves every row by 2k.",
        lambda k, omega: 2 * k * omega,
    ),
    Choice(
        "no-offset",
        "The angles are all 0: it moves every row by 0.",
        lambda k, omega: 0 * omega,
    ),
    Choice(
        "one-step",
        "The angles are those of a shift by 1, whatever k is: it moves every row by 1.",
        lambda k, omega: omega,
    ),
    Choice(
        "degrees",
        "The angles are taken for degrees.",
        lambda k, omega: torch.deg2rad(k * omega),
    ),
    Choice(
        "divided",
        "The angle of pair i is k times the denominator, not k times the frequency.",
        lambda k, omega: k / omega,
    ),
]
BLOCKS = [
    Choice("", "", lambda s, c: _block(c, s, -s, c)),
    Choice(
        "both-signs-plus",
        "Both sines of a block have the sign plus: it is no rotation.",
        lambda s, c: _block(c, s, s, c),
    ),
    Choice(
        "both-signs-minus",
        "Both sines of a block have the sign minus: it is no rotation.",
        lambda s, c: _block(c, -s, -s, c),
    ),
    Choice(
        "sine-on-the-diagonal",
        "Sine and cosine of a block have changed places: the sines stand on the diagonal.",
        lambda s, c: _block(s, c, -c, s),
    ),
    Choice(
        "reflection",
        "The minus stands at a cosine: each block reflects, and its determinant is -1.",
        lambda s, c: _block(c, s, s, -c),
    ),
    Choice(
        "diagonal-alone",
        "Beside the diagonal everything is 0: the sines are missing.",
        lambda s, c: _block(c, 0 * s, 0 * s, c),
    ),
]


def _interleaved(blocks: Tensor) -> Tensor:
    matrix: Tensor = torch.block_diag(*blocks)  # type: ignore[no-untyped-call]
    return matrix


def _halves(blocks: Tensor) -> Tensor:
    quarters = [[blocks[:, row, column].diag() for column in (0, 1)] for row in (0, 1)]
    return torch.cat([torch.cat(row, dim=1) for row in quarters])


LAYOUTS = [
    Choice("", "", _interleaved),
    Choice(
        "halves",
        "It is made for a table with all sines before all cosines.",
        _halves,
    ),
    Choice(
        "blocks-reversed",
        "The blocks stand in the reverse order.",
        lambda b: _interleaved(b.flip(0)),
    ),
]
# A block needs one angle, and here there is no length; slow-first is blocks-reversed.
NO_BLOCK = {"raw-column", "own-column", "next-pair-cosine", "length-for-width", "slow-first"}
FREQUENCIES = [
    Choice("", "", RIGHT["frequencies"]),
    *(
        Choice(mistake.name, mistake.says, mistake.compute)
        for mistake in MISTAKES
        if mistake.slot == "frequencies" and mistake.name not in NO_BLOCK
    ),
]
Chosen = tuple[Choice, Choice, Choice, Choice]


def diagnose_offset(matrix: object, k: float) -> Diagnosis:
    """Say whether a matrix moves every row of the encoding by k, and if not, what it does.

    Args:
        matrix: M_k, of shape (d, d) with d even, for columns: M_k @ PE(p) = PE(p + k). A tensor,
            an array or lists.
        k: the offset in positions.

    Returns:
        A diagnosis. A matrix that is not M_k but moves the rows 0 … 63 as it does is right, too:
        from d = 32 on the rows do not determine it.

    Raises:
        TypeError: ``k`` is not a real number.
        ValueError: ``k`` is not finite, or 2**53 or more in size.
    """
    k = check_offset(k)
    table = read(matrix, "the matrix")
    if isinstance(table, Problem):
        return Diagnosis(False, table.name, table.says)
    d = table.values.shape[1]
    if table.values.shape[0] != d or d % 2:
        return Diagnosis(
            False,
            "shape",
            "The matrix must have the shape (d, d) with d even, and has "
            f"{tuple(table.values.shape)}.",
        )
    right = offset_matrix(k, d)
    message = _judge(table, k)
    return Diagnosis(
        message[0] in ("right", "moves-every-row"), *message, given=table.values, right=right
    )


def _judge(table: Table, k: float) -> tuple[str, str]:
    """Name and message."""
    d = table.values.shape[1]
    if _near(table, offset_matrix(k, d), k):
        return "right", f"Right: every entry of the {d} × {d} matrix agrees."
    if _moves_every_row(table, k):
        return "moves-every-row", (
            f"Right: it is not M_k entry by entry, but it moves the rows 0 to {ROWS - 1} by k. "
            "They do not determine the matrix."
        )
    known = [chosen for chosen in _choices() if _near(table, _make(chosen, k, d), k)]
    if known:
        fewest = min(_count(chosen) for chosen in known)
        simplest = {_name(each): _says(each) for each in known if _count(each) == fewest}
        alike = "Several mistakes give this very matrix. " if len(simplest) > 1 else ""
        return " or ".join(simplest), alike + " Or: ".join(simplest.values())
    return "unknown", f"Not one of the known mistakes. {_properties(table, k)}"


def _choices() -> Iterator[Chosen]:
    """All with one or two parts changed."""
    for chosen in product(FREQUENCIES, ANGLES, BLOCKS, LAYOUTS):
        if 1 <= _count(chosen) <= 2:
            yield chosen


def _count(chosen: Chosen) -> int:
    return sum(bool(choice.name) for choice in chosen)


def _name(chosen: Chosen) -> str:
    return " + ".join(choice.name for choice in chosen if choice.name)


def _says(chosen: Chosen) -> str:
    """Of two things only what was computed; what follows from one alone stands after a colon."""
    said = [choice.says for choice in chosen if choice.name]
    if len(said) == 1:
        return said[0]
    computed = (each.partition(": ")[0].rstrip(".") + "." for each in said)
    return " ".join(["Two things at once.", *computed])


def _make(chosen: Chosen, k: float, d_model: int) -> Tensor:
    """The matrix (d, d) in float64."""
    frequencies, angle, block, layout = (choice.make for choice in chosen)
    omega = frequencies(torch.arange(0, d_model, 2).double(), d_model, d_model)  # (d/2,)
    angles = angle(k, omega)  # (d/2,)
    return layout(block(angles.sin(), angles.cos()))


def _near(table: Table, matrix: Tensor, k: float) -> bool:
    slack = TOLERANCE + ANGLE_TOLERANCE * abs(k) * 2 + table.rounding
    return bool(((table.values - matrix).abs() <= slack).all())


def _moves_every_row(table: Table, k: float) -> bool:
    before, after, d = _rows(table, k)
    slack = MOVED + ANGLE_TOLERANCE * abs(k) + table.rounding * d
    return bool(((before @ table.values.T - after).abs() <= min(slack, 0.01)).all())


def _rows(table: Table, k: float) -> tuple[Tensor, Tensor, int]:
    """The rows 0, 1, … and the same moved by k: (64, d) each."""
    d = table.values.shape[1]
    before = sinusoidal_table(ROWS, d, dtype=torch.float64)
    return before, before @ offset_matrix(k, d).T, d


def _properties(table: Table, k: float) -> str:
    values = table.values
    before, after, d = _rows(table, k)
    wrong = (values - offset_matrix(k, d)).abs() > TOLERANCE + table.rounding
    row, column = wrong.nonzero()[0].tolist()
    belongs = float(offset_matrix(k, d)[row, column])
    said = [
        f"{int(wrong.sum())} of {wrong.numel()} entries are wrong. The first is in row {row}, "
        f"column {column}: {printed(float(values[row, column]))} where {printed(belongs)} belongs. "
        + largest_difference(values, offset_matrix(k, d), wrong)
    ]
    apart = (before @ values.T - after).abs().amax(dim=1)  # (64,)
    p = int((apart > 0.01).nonzero()[0]) if (apart > 0.01).any() else int(apart.argmax())
    said.append(f"The first row it moves wrongly is {p}, by up to {printed(float(apart[p]))}.")
    identity = torch.eye(d, dtype=torch.float64)
    orthogonal = bool((values @ values.T - identity).abs().max() < 1e-3 + d * table.rounding)
    said.append(f"It is {'' if orthogonal else 'not '}orthogonal, as a rotation is.")
    return " ".join(said)


def wrong_matrices(k: float, d_model: int) -> dict[str, Tensor]:
    """Every matrix with one mistake in it, by name."""
    return {_name(each): _make(each, k, d_model) for each in _choices() if _count(each) == 1}
