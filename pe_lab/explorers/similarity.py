"""SimilarityExplorer: the dot product of one row with every row, for four frequency schedules."""

from __future__ import annotations

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.steps import (
    denominator,
    even_indices,
    even_pe,
    interleave,
    odd_indices,
    odd_pe,
    positions,
)
from pe_lab import figures
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Choice, Even, Whole

BASE = 10000.0
SCHEDULES = ("paper", "equal", "raw-exponent", "division")


def denominators(schedule: str, d_model: int) -> tuple[Tensor, Tensor]:
    """Return what the position is divided by in the sines and in the cosines, each (d/2,).

    - ``"paper"``: 10000^(2i/d), one for both.
    - ``"equal"``: 1 in every pair.
    - ``"raw-exponent"``, a mistake: 10000^(2c/d) in column c, so that the sine and the cosine of
      a pair differ in frequency.
    - ``"division"``, a mistake: the position is divided by the frequency 10000^(-2i/d) instead of
      multiplied with it.
    """
    wide = torch.float64
    paper = denominator(d_model, base=BASE, dtype=wide)  # (d/2,)
    if schedule == "equal":
        return torch.ones_like(paper), torch.ones_like(paper)
    if schedule == "raw-exponent":
        return (
            torch.pow(BASE, 2 * even_indices(d_model, dtype=wide) / d_model),
            torch.pow(BASE, 2 * odd_indices(d_model, dtype=wide) / d_model),
        )
    if schedule == "division":
        return 1 / paper, 1 / paper
    return paper, paper


class SimilarityExplorer(Explorer):
    """The dot product of row p with every row, against the offset.

    With the right pairing the curve does not depend on p. Whether the frequencies are the paper's
    matters for its shape alone.

    Args:
        d_model: width of the encoding, even, 2 to 512.
        length: number of positions, 2 to 512.
        position: the row p, 0 to length - 1.
        schedule: "paper", "equal" (every pair turns 1 radian per position), "raw-exponent"
            (column c uses the exponent 2c/d) or "division" (frequencies 10000^(+2i/d)).
    """

    front_end = "similarity.js"

    d_model = Even(64, 2, 512)
    length = Whole(128, 2, 512)
    position = Whole(0, 0, 511, below="length")
    schedule = Choice(*SCHEDULES)

    def __init__(
        self, d_model: int = 64, length: int = 128, position: int = 0, schedule: str = "paper"
    ) -> None:
        super().__init__(d_model=d_model, length=length, position=position, schedule=schedule)

    @property
    def encoding(self) -> Tensor:
        """The table that the schedule gives, float64, (length, d_model)."""
        row = positions(self.length, dtype=torch.float64)  # (L, 1)
        sine, cosine = denominators(self.schedule, self.d_model)  # (d/2,) each
        return interleave(even_pe(row, sine), odd_pe(row, cosine))  # (L, d)

    def still(self) -> Figure:
        """Return the curve of row p over the curve of row 0, with its first rise."""
        table = self.encoding
        p = self.position
        start = (table @ table[0]).tolist()  # (L,)
        curve = (table @ table[p]).tolist()  # (L,)
        rise = next((k for k in range(self.length - 1) if start[k + 1] > start[k]), None)
        figure = figures.new_figure(3.6)
        with figures.style():
            ax = figure.add_subplot()
            ax.axhline(0.0, color=figures.FAINT, linewidth=1.0)
            ax.plot(range(1 - self.length, self.length), start[:0:-1] + start, color=figures.FAINT)
            ax.plot(range(-p, self.length - p), curve, color=figures.SINE, linewidth=3.0)
            if rise is not None:
                ax.axvline(rise, color=figures.COSINE, linestyle=":")
                ax.set_title(f"first rise: {rise} to {rise + 1}", color=figures.COSINE, loc="right")
            ax.set_xlabel(f"offset k; d_model = {self.d_model}, frequencies: {self.schedule}")
            ax.set_title(f"PE({p}) · PE({p} + k); grey: p = 0")
        return figure
