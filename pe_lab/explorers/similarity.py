"""SimilarityExplorer: the dot product of one row with every row, for four frequency schedules."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.steps import even_pe, interleave, odd_pe, positions
from pe_lab import figures
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import BASE, Choice, Even, Whole


class Schedule(NamedTuple):
    """Frequencies: BASE^((a i + b) / d) radians per position in pair i, of sine and cosine."""

    name: str  # in the list of choices
    short: str  # in a sentence
    sine: tuple[int, int]  # a and b
    cosine: tuple[int, int]


SCHEDULES = {
    "paper": Schedule(
        "the paper's, ω = 10000^(−2i/d)", "the paper's frequencies", (-2, 0), (-2, 0)
    ),
    "equal": Schedule("all equal, ω = 1", "equal frequencies", (0, 0), (0, 0)),
    # The sine of pair i is in column c = 2i, the cosine in c = 2i + 1: they differ in frequency.
    "raw-exponent": Schedule(
        "by mistake: the raw-column exponent, 2c/d",
        "the raw-column exponent",
        (-4, 0),
        (-4, -2),
    ),
    # The position is divided by the frequency instead of multiplied with it.
    "division": Schedule(
        "by mistake: division, ω = 10000^(+2i/d)", "division by mistake", (2, 0), (2, 0)
    ),
}


def denominators(schedule: str, d_model: int) -> tuple[Tensor, Tensor]:
    """Return what the position is divided by in the sines and in the cosines, each (d/2,)."""
    pair = torch.arange(d_model // 2, dtype=torch.float64)  # (d/2,)
    exponents = (SCHEDULES[schedule].sine, SCHEDULES[schedule].cosine)
    sine, cosine = (torch.pow(BASE, -(a * pair + b) / d_model) for a, b in exponents)
    return sine, cosine


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
        first_rise: whether it is marked where the curve of row 0 rises for the first time.
    """

    front_end = "similarity.js"
    values: ClassVar = {
        "BASE": BASE,
        "SCHEDULES": {name: each._asdict() for name, each in SCHEDULES.items()},
    }

    d_model = Even(64, 2, 512)
    length = Whole(128, 2, 512)
    position = Whole(0, 0, 511, below="length")
    schedule = Choice(*SCHEDULES)
    first_rise = Choice(False, True)

    def __init__(
        self,
        d_model: int = 64,
        length: int = 128,
        position: int = 0,
        schedule: str = "paper",
        first_rise: bool = False,
    ) -> None:
        super().__init__(
            d_model=d_model,
            length=length,
            position=position,
            schedule=schedule,
            first_rise=first_rise,
        )

    @property
    def encoding(self) -> Tensor:
        """The table that the schedule gives, float64, (length, d_model)."""
        row = positions(self.length, dtype=torch.float64)  # (L, 1)
        sine, cosine = denominators(self.schedule, self.d_model)  # (d/2,) each
        return interleave(even_pe(row, sine), odd_pe(row, cosine))  # (L, d)

    def still(self) -> Figure:
        """Return the curve of row p over the curve of row 0."""
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
            if self.first_rise and rise is not None:
                ax.axvline(rise, color=figures.COSINE, linestyle=":")
                ax.set_title(f"first rise: {rise} to {rise + 1}", color=figures.COSINE, loc="right")
            ax.set_xlabel(f"offset k; d_model = {self.d_model}, frequencies: {self.schedule}")
            ax.set_title(f"PE({p}) · PE({p} + k); grey: p = 0")
        return figure
