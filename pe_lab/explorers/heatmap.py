"""HeatmapExplorer: the whole table as colours, with one row and one column picked out."""

from __future__ import annotations

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.offset import wavelengths
from pe_core.steps import stepwise
from pe_lab import figures
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Base, Even, Whole


class HeatmapExplorer(Explorer):
    """The encoding as a heat map; a cross-hair shows a row as a vector and a column as a wave.

    Args:
        length: number of positions, 2 to 512.
        d_model: width of the encoding, even, 2 to 512.
        base: the base of the frequencies, 10 to 1,000,000.
        row: the row under the cross-hair, 0 to length - 1.
        column: the column under the cross-hair, 0 to d_model - 1.
    """

    front_end = "heatmap.js"

    length = Whole(64, 2, 512)
    d_model = Even(64, 2, 512)
    base = Base()
    row = Whole(0, 0, 511, below="length")
    column = Whole(0, 0, 511, below="d_model")

    def __init__(
        self,
        length: int = 64,
        d_model: int = 64,
        base: float = 10000.0,
        row: int = 0,
        column: int = 0,
    ) -> None:
        super().__init__(length=length, d_model=d_model, base=base, row=row, column=column)

    @property
    def encoding(self) -> Tensor:
        """The whole table, float64, (length, d_model)."""
        return stepwise(self.length, self.d_model, base=self.base, dtype=torch.float64)

    def still(self) -> Figure:
        """Return the heat map, the chosen row below it and the chosen column beside it."""
        table = self.encoding.numpy()  # (L, d)
        length, d_model = table.shape
        wavelength = float(wavelengths(d_model, base=self.base)[self.column // 2])
        colour = figures.COSINE if self.column % 2 else figures.SINE
        figure = figures.new_figure(4.8)
        with figures.style():
            grid = figure.add_gridspec(2, 2, width_ratios=(5, 1), height_ratios=(4, 1))
            ax = figure.add_subplot(grid[0, 0])
            beside = figure.add_subplot(grid[0, 1], sharey=ax)
            below = figure.add_subplot(grid[1, 0], sharex=ax)
            figures.table_axes(ax, table)
            ax.axhline(self.row, color=figures.INK, linewidth=1.0)
            ax.axvline(self.column, color=figures.INK, linewidth=1.0)
            ax.set_ylabel("position p")
            ax.tick_params(labelbottom=False)
            ax.set_title(f"PE[{self.row}, {self.column}] = {table[self.row, self.column]:.4f}")
            beside.plot(table[:, self.column], range(length), color=colour)
            beside.set_xlim(-1.15, 1.15)
            beside.tick_params(labelleft=False)
            beside.set_title(f"column {self.column}\nλ = {wavelength:,.1f}", fontsize=10.0)
            for parity, shade in ((0, figures.SINE), (1, figures.COSINE)):
                columns = range(parity, d_model, 2)
                below.bar(columns, table[self.row, parity::2], width=0.9, color=shade)
            below.set_ylim(-1.15, 1.15)
            below.set_xlabel(f"column; below the map: row {self.row}")
        return figure
