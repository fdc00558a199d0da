"""Five tests of a table (L, d). Each returns curves, (n, m), of a number a row, offset or column.

What they tell has been met in the chapters: the first row needs no calculator, a row is √(d/2)
long, a dot product depends on the offset alone, one matrix shifts every row, neighbours are near.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

OFFSETS = 32  # of the diagonals, from 0
SHIFTS = 8  # of the matrix, from 1
CUT = 1e-6  # of the largest singular value: a combination of columns that is smaller is left out


def first_row(table: Tensor) -> Tensor:
    """Row 0: (1, d)."""
    return table[:1]


def norms(table: Tensor) -> Tensor:
    """The length of each row: (1, L)."""
    lengths: Tensor = table.norm(dim=1)  # (L,)
    return lengths.unsqueeze(0)


def diagonals(table: Tensor) -> Tensor:
    """The smallest and the largest PE(p) · PE(p + k) over all p, for k = 0 … 32: (2, 33)."""
    lines = [(table @ table.T).diagonal(k) for k in range(OFFSETS + 1)]
    return torch.stack([torch.stack([line.min(), line.max()]) for line in lines], dim=1)


def shift(table: Tensor) -> Tensor:
    """What the best matrix for a shift by k leaves of rows it has not seen, k = 1 … 8: (1, 8).

    It is fitted to every second row and tried on the others; left is the root mean square of the
    error, as a part of that of the rows.
    """
    count = len(table) - SHIFTS
    seen, unseen = table[:count:2], table[1:count:2]
    left = []
    for k in range(1, SHIFTS + 1):
        goal, aim = table[k : count + k : 2], table[k + 1 : count + k : 2]
        matrix = torch.linalg.lstsq(seen, goal, rcond=CUT, driver="gelsd").solution  # (d, d)
        error = unseen @ matrix - aim
        left.append((error.square().mean() / aim.square().mean()).sqrt())
    return torch.stack(left).unsqueeze(0)


def neighbours(table: Tensor) -> Tensor:
    """The distance of each row from the next: (1, L - 1)."""
    return norms(table.diff(dim=0))


EXAMINATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "first row": first_row,
    "norms": norms,
    "diagonals": diagonals,
    "shift": shift,
    "neighbours": neighbours,
}
