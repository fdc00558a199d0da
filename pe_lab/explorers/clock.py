"""ClockExplorer: every pair of columns as the hand of a clock."""

from __future__ import annotations

import math

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.offset import frequencies, wavelengths
from pe_core.steps import stepwise
from pe_lab import figures
from pe_lab.explorers.dial import draw_dial
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Base, Even, Whole

LAST_POSITION = 1000


class ClockExplorer(Explorer):
    """A dial for every pair: the hand of pair i stands at the angle p ω_i, clockwise from twelve.

    How far the hand points to the right is the sine, how far it points up is the cosine.

    Args:
        d_model: width of the encoding, even, 2 to 512; it has d_model/2 dials.
        position: the position p, 0 to 1000.
        base: the base of the frequencies, 10 to 1,000,000.
        pair: the pair whose numbers are shown where there are more than eight, 0 to d_model/2 - 1.
    """

    front_end = "clock.js"

    d_model = Even(8, 2, 512)
    position = Whole(0, 0, LAST_POSITION)
    base = Base()
    pair = Whole(0, 0, 255, below="d_model", per=2)

    def __init__(
        self, d_model: int = 8, position: int = 0, base: float = 10000.0, pair: int = 0
    ) -> None:
        super().__init__(d_model=d_model, position=position, base=base, pair=pair)

    @property
    def encoding(self) -> Tensor:
        """The rows 0 to 1000, float64, (1001, d_model); the dials show ``encoding[position]``."""
        return stepwise(LAST_POSITION + 1, self.d_model, base=self.base, dtype=torch.float64)

    def still(self) -> Figure:
        """Return the dials at the present position; of more than eight, eight from fast to slow."""
        pairs = self.d_model // 2
        shown = sorted({round(n * (pairs - 1) / 7) for n in range(8)})
        omega = frequencies(self.d_model, base=self.base)  # (d/2,)
        wavelength = wavelengths(self.d_model, base=self.base)  # (d/2,)
        columns = min(4, len(shown))
        figure = figures.new_figure(0.4 + 2.0 * math.ceil(len(shown) / columns))
        with figures.style():
            for n, i in enumerate(shown):
                ax = figure.add_subplot(math.ceil(len(shown) / columns), columns, n + 1)
                draw_dial(ax, self.position * float(omega[i]))
                ax.set_title(f"pair {i}\nλ = {float(wavelength[i]):,.1f}", loc="center")
            figure.suptitle(
                f"position p = {self.position}; right (blue): sine, up (vermilion): cosine",
                x=0.02,
                ha="left",
                fontsize=12.0,
            )
        return figure
