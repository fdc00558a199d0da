"""OffsetExplorer: a move of k positions turns every pair by an angle that does not depend on p."""

from __future__ import annotations

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from pe_core.offset import frequencies, offset_matrix, shift
from pe_core.steps import stepwise
from pe_lab import figures
from pe_lab.explorers.dial import RIM, draw_hand
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Base, Even, Whole

LAST_POSITION, LARGEST_OFFSET = 100, 50


class OffsetExplorer(Explorer):
    """The hands at p and at p + k, the arc k ω_i between them, and the matrix M_k that turns them.

    Args:
        d_model: width of the encoding, even, 2 to 16.
        position: the position p, 0 to 100.
        offset: the offset k, -50 to 50. Where p + k is negative the formula still holds, though
            no row of a table stands there.
        base: the base of the frequencies, 10 to 1,000,000.
        pair: the pair whose dial and block of M_k are framed, 0 to d_model/2 - 1.
    """

    front_end = "offset.js"

    d_model = Even(6, 2, 16)
    position = Whole(3, 0, LAST_POSITION)
    offset = Whole(4, -LARGEST_OFFSET, LARGEST_OFFSET)
    base = Base()
    pair = Whole(0, 0, 7, below="d_model", per=2)

    def __init__(
        self,
        d_model: int = 6,
        position: int = 3,
        offset: int = 4,
        base: float = 10000.0,
        pair: int = 0,
    ) -> None:
        super().__init__(d_model=d_model, position=position, offset=offset, base=base, pair=pair)

    @property
    def encoding(self) -> Tensor:
        """The rows 0 to 150, float64, (151, d_model): every p, and every p + k from 0 up."""
        length = LAST_POSITION + LARGEST_OFFSET + 1
        return stepwise(length, self.d_model, base=self.base, dtype=torch.float64)

    @property
    def matrix(self) -> Tensor:
        """M_k, float64, (d_model, d_model)."""
        return offset_matrix(self.offset, self.d_model, base=self.base)

    def still(self) -> Figure:
        """Return the dials, and below them M_k beside PE(p) and PE(p + k)."""
        pairs, p, k = self.d_model // 2, self.position, self.offset
        omega = frequencies(self.d_model, base=self.base).tolist()  # (d/2,)
        start = self.encoding[p]  # (d,)
        goal = shift(start, k, base=self.base)  # (d,)
        across = min(4, pairs)
        down = -(-pairs // across)
        small = self.d_model <= 6
        figure = figures.new_figure(1.9 * down + 0.7 + 0.36 * self.d_model)
        with figures.style():
            halves = figure.add_gridspec(
                2, 1, height_ratios=(1.9 * down, 0.7 + 0.36 * self.d_model)
            )
            upper, lower = figure.add_subfigure(halves[0]), figure.add_subfigure(halves[1])
            for i in range(pairs):
                ax = upper.add_subplot(down, across, i + 1)
                draw_turn(ax, p * omega[i], k * omega[i])
                ax.set_title(f"pair {i}\nkω = {k * omega[i]:.4f}".replace("-", "−"), loc="center")
                ax.title.set_fontweight("bold" if i == self.pair else "normal")
            left, right = lower.subplots(
                1, 2, width_ratios=(self.d_model, max(2, self.d_model / 4))
            )
            size = 10.0 if small else 7.0
            figures.table_axes(left, self.matrix.numpy(), digits=2 if small else 1, size=size)
            corner = (2 * self.pair - 0.5, 2 * self.pair - 0.5)
            left.add_patch(
                Rectangle(corner, 2, 2, fill=False, linewidth=2.5, clip_on=False, zorder=5)
            )
            left.set_title(f"M for k = {k}".replace("-", "−"))
            vectors = torch.stack([start, goal], dim=1)  # (d, 2)
            figures.table_axes(right, vectors.numpy(), digits=2, size=size)
            right.set_xticks([0, 1], [f"PE({p})", f"PE({p + k})".replace("-", "−")])
            for ax in (left, right):
                ax.tick_params(labelleft=False)
            left.tick_params(labelbottom=False)
            right.xaxis.tick_top()
            right.tick_params(labelsize=9.5)
        return figure


def draw_turn(ax: Axes, start: float, turn: float) -> None:
    """Draw a dial with the hand at ``start``, the hand ``turn`` radians on, and the arc between."""
    along = np.linspace(0.0, 1.0, max(3, int(abs(turn) / 0.1)))
    radius = 0.4 + along * min(0.43, 0.07 * abs(turn) / (2 * np.pi))
    angle = start + turn * along
    ax.plot(np.sin(RIM), np.cos(RIM), color=figures.FAINT, linewidth=1.0)
    ax.plot(radius * np.sin(angle), radius * np.cos(angle), color=figures.MINUS)
    draw_hand(ax, start, figures.FAINT)
    draw_hand(ax, start + turn)
