"""Diagnosing a matrix that is to move every row by k: PE(p + k) = M_k PE(p).

It is a recipe too. Pair i has the angle k'·ω_i and a block of four numbers made of its sine and its
cosine; the blocks are laid out in a matrix (d, d). A mistake changes the offset, the block, the
frequencies (those of :mod:`pe_lab.diagnosis.mistakes`) or the order of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import torch
from torch import Tensor

from pe_core import offset_matrix, sinusoidal_table
from pe_core.checks import check_offset
from pe_lab.diagnosis.fitting import (
    AS_IF,
    in_few_digits,
    is_told,
    of_base,
    plain,
    read_clock,
    same_base,
    turns_unseen,
)
from pe_lab.diagnosis.mistakes import MISTAKES
from pe_lab.diagnosis.properties import wrong_entries
from pe_lab.diagnosis.reading import Problem, Table, on_the_cpu, read
from pe_lab.diagnosis.recipe import RIGHT, TOLERANCE, UNKNOWABLE, lost
from pe_lab.diagnosis.result import Diagnosis, small

ROWS = 64  # on which a matrix is tried that is not M_k
CHANCE = 5e-3  # a choice is not named if so many angles would be taken for one of its kind
TOO_FEW = "No mistake is named: in so few pairs, or digits, too many angles look like one."
WHOLE = 2**24  # the whole numbers up to it are numbers of float32
MOVED = 1e-5  # the error of a row that a fitted matrix moves; a wrong slowest pair makes more
HARDLY = 1e-4  # a matrix that was fitted less well makes no more


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
# A block needs one angle, and here there is no length; slow-first is blocks-reversed. A matrix may
# be one of 16 bits: at a small offset it is right although its frequencies have no more.
NO_BLOCK = {"raw-column", "own-column", "next-pair-cosine", "length-for-width", "slow-first"}
NO_BLOCK |= {"bfloat16-frequencies", "float16-frequencies"}
FREQUENCIES = [
    Choice("", "", RIGHT["frequencies"]),
    *(
        Choice(mistake.name, mistake.says, mistake.compute)
        for mistake in MISTAKES
        if mistake.slot == "frequencies" and mistake.name not in NO_BLOCK
    ),
]
Chosen = tuple[Choice, Choice, Choice, Choice]
RIGHT_CHOICE: Chosen = (FREQUENCIES[0], ANGLES[0], BLOCKS[0], LAYOUTS[0])


@on_the_cpu
def diagnose_offset(matrix: object, k: float) -> Diagnosis:
    """Say whether a matrix moves every row of the encoding by k, and if not, what it does.

    Args:
        matrix: M_k, of shape (d, d) with d even, for columns: M_k @ PE(p) = PE(p + k). A tensor,
            an array or lists.
        k: the offset in positions.

    Returns:
        A diagnosis. A matrix that is not M_k but moves the rows 0 … 63 as it does, to the bound
        that the message names, is right, too: within it these rows leave entries of M_k open, at
        d = 8 by more than 0.2 and from d = 16 on altogether.

    Raises:
        TypeError: ``k`` is not a real number.
        ValueError: ``k`` is not finite, or 2**53 or more in size.
    """
    k = check_offset(k)
    table = read(matrix, "the matrix")
    if isinstance(table, Problem):
        return Diagnosis(False, table.name, table.says)
    d = table.values.shape[1]
    if table.values.shape[0] != d or d % 2 or not d:
        return Diagnosis(
            False,
            "shape",
            "The matrix must have the shape (d, d) with d positive and even, and has "
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
    if not _wrong(table, k).any():
        agrees = f"every entry of the {d} × {d} matrix agrees"
        bound = float(_lost(RIGHT_CHOICE, k, d).clamp(max=UNKNOWABLE).max())
        if bound <= TOLERANCE:
            return "right", f"Right: {agrees}."
        return "right", f"Right, so far as float32 can tell: {agrees} to within {small(bound)}."
    if not _moved_wrongly(table, k).any():
        return "moves-every-row", (
            f"Right: it is not M_k entry by entry, but it moves the rows 0 to {ROWS - 1} by k, to "
            f"within {small(_row_slack(table, k))}. To that bound the rows do not determine the "
            "matrix."
        )
    near = [chosen for chosen in _at_first_look(table, k) if _near(table, chosen, k)]
    # What two mistakes make is not told of the matrix of one that so few angles do not tell.
    fewest = min(map(_count, near), default=0)
    near = [chosen for chosen in near if _count(chosen) == fewest]
    if any(_by_chance(table, chosen, k) < CHANCE for chosen in near):
        near += _with_a_base(table, near, k)
        simplest = {_name(each): _says(each) for each in near}
        alike = "Several mistakes give this very matrix. " if len(simplest) > 1 else ""
        return " or ".join(simplest), alike + " Or: ".join(simplest.values())
    if (other := _another_offset(table, k)) is not None:
        return f"by-{plain(other)}", f"It is the matrix that moves every row by {plain(other)}."
    which = TOO_FEW if near else "Not one of the known mistakes."
    if _lost(RIGHT_CHOICE, k, d).max() > UNKNOWABLE:
        which += " Float32 does not hold all angles at this offset: they need float64."
    return "unknown", f"{which} {_properties(table, k)}"


@cache
def _choices() -> list[Chosen]:
    """All with one or two parts changed."""
    every = product(FREQUENCIES, ANGLES, BLOCKS, LAYOUTS)
    return [chosen for chosen in every if 1 <= _count(chosen) <= 2]


def _at_first_look(table: Table, k: float) -> list[Chosen]:
    """The choices whose blocks may be those of the matrix, all compared at once."""
    d = len(table.values)
    columns = torch.arange(0, d, 2).double()
    speeds = [*product(FREQUENCIES, ANGLES)]
    angles = torch.stack([turn.make(k, each.make(columns, d, d)) for each, turn in speeds])
    likely: set[Chosen] = set()
    for layout in LAYOUTS:
        given = _blocks(table.values, layout)
        for block in BLOCKS:
            apart = (block.make(angles.sin(), angles.cos()) - given).abs()  # (n, d/2, 2, 2)
            near = apart.flatten(1).amax(dim=1) <= _farthest(table)
            likely |= {(*speeds[n], block, layout) for n in near.nonzero().flatten().tolist()}
    return [chosen for chosen in _choices() if chosen in likely]


def _blocks(matrix: Tensor, layout: Choice) -> Tensor:
    """The blocks (d/2, 2, 2) that the layout has put into a matrix (d, d)."""
    numbered = torch.arange(1, 2 * len(matrix) + 1).reshape(-1, 2, 2)
    places = layout.make(numbered).flatten().argsort()[-numbered.numel() :]  # elsewhere are zeros
    return matrix.flatten()[places].reshape(numbered.shape)


def _count(choices: Sequence[Choice]) -> int:
    return sum(bool(choice.name) for choice in choices)


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
    _, _, block, layout = (choice.make for choice in chosen)
    _, angles = _angles(chosen, k, d_model)
    return layout(block(angles.sin(), angles.cos()))


def _angles(chosen: Chosen, k: float, d_model: int) -> tuple[Tensor, Tensor]:
    """The frequency and the angle of every pair: (d/2,) each."""
    frequencies, angle, _, _ = (choice.make for choice in chosen)
    omega = frequencies(torch.arange(0, d_model, 2).double(), d_model, d_model)
    return omega, angle(k, omega)


def _with_a_base(table: Table, near: list[Chosen], k: float) -> Iterator[Chosen]:
    """The choices with a plain base in place of a mistake, where that comes to the same."""
    if any(words in chosen[0].says for chosen in near for words in AS_IF):
        return
    for chosen in [each for each in near if each[0].name]:
        omega, _ = _angles(chosen, k, len(table.values))
        parts = map(of_base, same_base(omega))
        others = ((Choice(one.name, one.says, one.compute), *chosen[1:]) for one in parts)
        yield from (each for each in others if _near(table, each, k))


def _near(table: Table, chosen: Chosen, k: float) -> bool:
    apart = (table.values - _make(chosen, k, len(table.values))).abs()
    if apart.max() > _farthest(table):
        return False
    return bool((apart <= _slack(table, chosen, k)).all())


def _farthest(table: Table) -> float:
    """The largest of all bounds."""
    return TOLERANCE + UNKNOWABLE + table.rounding


def _by_chance(table: Table, chosen: Chosen, k: float) -> float:
    """The share of all angles, one a pair, that would be taken for a choice of this kind.

    A choice of other angles is told by those pairs alone whose angle it changes, and to none or to
    one that is seen. With one of them, or with angles of which float32 holds little, the share is
    large.
    """
    d = len(table.values)
    bound = TOLERANCE + table.rounding + _lost(chosen, k, d)  # (d/2,)
    near = (bound / torch.pi).clamp(max=1)
    changed = _changed_angles(chosen)
    if changed:
        _, angles = _angles(chosen, k, d)
        _, right = _angles(RIGHT_CHOICE, k, d)
        tells = (_apart(angles, right) > bound) & ((angles == 0) | (_apart(angles) > bound))
        near = torch.where(tells, near, 1.0)
    tried = sum(_changed_angles(each) == changed for each in product(FREQUENCIES, ANGLES))
    return tried * float(near.prod())


def _apart(angles: Tensor, others: Tensor | float = 0.0) -> Tensor:
    """The distance of two points on the circle."""
    return 2 * ((angles - others) / 2).sin().abs()


def _changed_angles(choices: Sequence[Choice]) -> int:
    """How many of the two parts that make the angles, which stand first, are not the right one."""
    return _count(choices[:2])


def _lost(chosen: Chosen, k: float, d_model: int) -> Tensor:
    omega, angles = _angles(chosen, k, d_model)
    whole = (omega == 1) & (angles == angles.round()) & (angles.abs() <= WHOLE)  # as they are
    return lost(angles, omega).masked_fill(whole, 0.0)  # (d/2,)


def _slack(table: Table, chosen: Chosen, k: float) -> Tensor:
    """How far an entry may be off, (d, d): by what float32 does not hold of its pair's angle.

    Where float32 holds nothing of it, the bound stays: otherwise any matrix would be right.
    """
    error = _lost(chosen, k, len(table.values)).clamp(max=UNKNOWABLE)  # (d/2,)
    return TOLERANCE + table.rounding + chosen[-1].make(error.reshape(-1, 1, 1).expand(-1, 2, 2))


def _wrong(table: Table, k: float) -> Tensor:
    """Where the matrix is not M_k: bool, (d, d). M_k is exact, and a recipe's angles are not."""
    right = offset_matrix(k, len(table.values))
    return (table.values - right).abs() > _slack(table, RIGHT_CHOICE, k)


def _moved_wrongly(table: Table, k: float) -> Tensor:
    """By how much each of the rows 0 to 63 is moved wrongly: (64,), and 0 where it is not."""
    before, after = _rows(table, k)
    apart = (before @ table.values.T - after).abs().amax(dim=1)
    return apart.where(apart > _row_slack(table, k), 0.0)


def _row_slack(table: Table, k: float) -> float:
    """How far an entry of a moved row may be off."""
    d = len(table.values)
    error = min(MOVED + float(_lost(RIGHT_CHOICE, k, d).max()), 1e-3)
    return min(error + table.rounding * d, 0.01)


def _another_offset(table: Table, k: float) -> float | None:
    """The offset whose matrix this is, read like a clock from the angles of the pairs."""
    pairs = table.values[0::2]
    angles = torch.atan2(pairs[:, 1::2].diagonal(), pairs[:, 0::2].diagonal())  # (d/2,)
    d = len(table.values)
    omega, _ = _angles(RIGHT_CHOICE, k, d)
    read = [(read_clock(angles, omega) + turns,) for turns in turns_unseen(d)]
    offsets = (each for (each,) in in_few_digits(read) if is_told(each, d))
    return next((each for each in offsets if _near(table, RIGHT_CHOICE, each)), None)


def _rows(table: Table, k: float) -> tuple[Tensor, Tensor]:
    """The rows 0, 1, … and the same moved by k: (64, d) each."""
    d = table.values.shape[1]
    before = sinusoidal_table(ROWS, d, dtype=torch.float64)
    return before, before @ offset_matrix(k, d).T


def _properties(table: Table, k: float) -> str:
    values, d = table.values, len(table.values)
    said = [wrong_entries(values, offset_matrix(k, d), _wrong(table, k))]
    said.append(_how_it_moves(table, k))
    identity = torch.eye(d, dtype=torch.float64)
    orthogonal = bool((values @ values.T - identity).abs().max() < 1e-3 + d * table.rounding)
    said.append(f"It is {'orthogonal, as a rotation is' if orthogonal else 'not orthogonal'}.")
    return " ".join(said)


def _how_it_moves(table: Table, k: float) -> str:
    """How many rows are moved wrongly, or by how little all of them are."""
    moved = _moved_wrongly(table, k)
    first, worst = int(moved.nonzero()[0]), int(moved.argmax())
    most = small(float(moved[worst]))
    count = int((moved > 0).sum())
    if moved[worst] < HARDLY:
        off = f"{count} of them are off, row {worst} by the most, {most}"
        off = off if count > 1 else f"row {worst} is off by {most}"
        return (
            f"It nearly moves the rows 0 to {ROWS - 1} by k, but {off}, and no more than "
            f"{small(_row_slack(table, k))} is allowed."
        )
    return (
        f"It moves {count} of the rows 0 to {ROWS - 1} wrongly: row {first} is the first, and row "
        f"{worst} is off by the most, {most}."
    )
