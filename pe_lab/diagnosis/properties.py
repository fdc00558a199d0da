"""What can be said of a table that nobody knows: properties, and the first entry that is wrong.

Each function returns a sentence, or None where the table is too small to tell.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from pe_lab.candidates import distances
from pe_lab.diagnosis.matching import Case
from pe_lab.diagnosis.recipe import ANGLE_TOLERANCE, Recipe
from pe_lab.diagnosis.result import both, printed, side_by_side, small

OFFSETS = (1, 5)
# A shift is called linear if it misses no row by more than this share of one, as of a short table
# that was computed in float32; large angles, and 16 bits, leave more.
LINEAR = 1e-5
EQUAL = 1e-6  # rows that are no farther apart differ by rounding
ROWS = 512  # of which all pairs are compared
FITTED = 2048  # rows to which a matrix is fitted, drawn by lot from a longer table


def describe(case: Case) -> str:
    """All that can be said, as sentences."""
    said = [
        wrong_entries(case.values, case.right(), case.wrong(Recipe())),
        _circles(case),
        _linear_shift(case),
        _distinct(case),
        _bounded(case),
    ]
    return " ".join(sentence for sentence in said if sentence)


def wrong_entries(given: Tensor, right: Tensor, wrong: Tensor) -> str:
    """How many entries of a table (L, d) are wrong, and the first and the worst of them."""
    row, column = wrong.nonzero()[0].tolist()
    count = int(wrong.sum())
    verb, first = ("are", "The first") if count > 1 else ("is", "It")
    is_here, belongs = side_by_side(float(given[row, column]), float(right[row, column]))
    return (
        f"{count} of {wrong.numel()} entries {verb} wrong. {first} is in row {row}, column "
        f"{column}: {is_here} where {belongs} belongs. {largest_difference(given, right, wrong)}"
    )


def largest_difference(given: Tensor, right: Tensor, wrong: Tensor) -> str:
    """How far two tables (L, d) are apart, among the entries that are wrong."""
    apart = (given - right).abs().where(wrong, 0.0)
    row, column = divmod(int(apart.argmax()), given.shape[1])
    size = small(float(apart.max()))
    if wrong.sum() == 1:
        return f"The difference is {size}."
    return f"The largest difference is {size}, in row {row}, column {column}."


def _circles(case: Case) -> str | None:
    """Which pairs of columns are a point on the circle of radius 1 in every row."""
    d = case.d_model
    if d % 2:
        return None
    squares = case.values.square()
    near = 4 * case.rounding + 3e-4
    woven = (squares[:, 0::2] + squares[:, 1::2] - 1).abs().amax(dim=0) < near  # (d/2,)
    halves = (squares[:, : d // 2] + squares[:, d // 2 :] - 1).abs().amax(dim=0) < near  # (d/2,)
    if woven.all():
        return "In every row each pair of columns 2i, 2i + 1 lies on the unit circle."
    if halves.all():
        return f"In every row columns i and i + {d // 2} lie on the unit circle together."
    if woven.any():
        off = [str(i) for i in (~woven).nonzero().flatten().tolist()]
        which = both(off[:4]) if len(off) <= 4 else f"{both(off[:3])} and {len(off) - 3} more"
        return (
            f"Off the unit circle: pair {which}."
            if len(off) == 1
            else (f"Off the unit circle: pairs {which}.")
        )
    return "No pair of columns 2i, 2i + 1 stays on the unit circle."


def _linear_shift(case: Case) -> str | None:
    """Whether one matrix takes row p to row p + k, for the offsets in OFFSETS."""
    table = case.values
    if len(table) < 4 * case.d_model + max(OFFSETS):
        return None
    if not all(table[k:].any() for k in OFFSETS):  # nothing to be wrong about
        return None
    bound = LINEAR + 2 * case.rounding + ANGLE_TOLERANCE * len(table)
    for k in OFFSETS:
        missed = _missed(table, k)
        row, worst = int(missed.argmax()), float(missed.max())
        if worst > bound:
            return (
                f"No matrix shifts every row by {k}: the best one misses row {row + k}, from row "
                f"{row}, by {_percent(worst)} of a row."
            )
    offsets = both([f"{k}" for k in OFFSETS])
    return (
        f"One matrix shifts every row by k, as it should, for k = {offsets}: it misses "
        f"none by more than {_percent(bound)} of a row."
    )


def _missed(table: Tensor, k: int) -> Tensor:
    """How far the best matrix misses row p + k from row p, in rows of the usual size: (L - k,)."""
    before, after = table[:-k], table[k:]  # (L - k, d) each
    count = min(len(before), max(FITTED, 4 * table.shape[1]))
    # Drawn by lot: rows in equal steps may leave out what turns by half a turn from row to row.
    fitted = torch.randperm(len(before), generator=torch.Generator().manual_seed(0))[:count]
    # gelsd, since the columns of a poor encoding may all be the same.
    matrix = torch.linalg.lstsq(before[fitted], after[fitted], driver="gelsd").solution  # (d, d)
    error = (before @ matrix - after).square().sum(dim=1)
    missed: Tensor = (error / after.square().sum(dim=1).mean()).sqrt()
    return missed


def _percent(share: float) -> str:
    """Two digits of a small share, none after the point of a large one."""
    return f"{share:.0%}" if share >= 0.1 else f"{100 * share:.2g}%"


def _distinct(case: Case) -> str | None:
    table = case.values
    if (table == table[0]).all():
        return "All rows are equal."
    spread = float((table.amax(dim=0) - table.amin(dim=0)).max())
    if spread < 0.01:
        return f"All rows are equal to within {small(spread)}."
    apart: Tensor = distances(table[:ROWS])
    apart.fill_diagonal_(math.inf)
    nearest = float(apart.min())
    if nearest > EQUAL:
        return None
    p, q = sorted((apart == nearest).nonzero()[0].tolist())
    return f"Rows {p} and {q} are equal{f' to within {small(nearest)}' if nearest else ''}."


def _bounded(case: Case) -> str | None:
    largest = float(case.values.abs().max())
    return f"The largest entry is {printed(largest)}, beyond 1." if largest > 1.01 else None
