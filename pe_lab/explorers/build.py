"""BuildExplorer: the encoding built one tensor at a time, and one number followed through it."""

from __future__ import annotations

from typing import ClassVar

import torch
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from pe_core.steps import Step, stepwise, trace
from pe_lab import figures
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Base, Even, Whole

STEPS = [step.name for step in trace(1, 2)]
PLAIN = ListedColormap(["#f4f5f7"])  # for what is not in [-1, 1]


class BuildExplorer(Explorer):
    """The steps of ``pe_core.trace``, one after another.

    ``row`` and ``column`` choose the number PE[row, column]; at each step the figure marks the
    cell on its way there and, in the tensors of the steps before, the cells it came from.

    Args:
        d_model: width of the encoding, even, 2 to 16.
        length: number of positions, 1 to 16.
        base: the base of the frequencies, 10 to 1,000,000.
        step: the step that is shown, 0 ("even indices") to 8 ("PE").
        row: position of the chosen number, 0 to length - 1.
        column: column of the chosen number in the encoding, 0 to d_model - 1.
    """

    front_end = "build.js"
    values: ClassVar = {"STEPS": STEPS}

    d_model = Even(6, 2, 16)
    length = Whole(10, 1, 16)
    base = Base()
    step = Whole(0, 0, len(STEPS) - 1).tag(counted_from_1=True)
    row = Whole(0, 0, 15, below="length")
    column = Whole(0, 0, 15, below="d_model")

    def __init__(
        self,
        d_model: int = 6,
        length: int = 10,
        base: float = 10000.0,
        step: int = 0,
        row: int = 0,
        column: int = 0,
    ) -> None:
        super().__init__(
            d_model=d_model, length=length, base=base, step=step, row=row, column=column
        )

    @property
    def encoding(self) -> Tensor:
        """The last step's tensor, float64, (length, d_model)."""
        return stepwise(self.length, self.d_model, base=self.base, dtype=torch.float64)

    @property
    def shown(self) -> Step:
        """The present step: its name, formula and tensor, as ``pe_core.trace`` gives it."""
        return trace(self.length, self.d_model, base=self.base)[self.step]

    def chosen_cell(self) -> tuple[int, int]:
        """Return the cell of the present step, as drawn, on the way to PE[row, column]."""
        shape = self.shown.tensor.shape
        row = self.row if shape[0] == self.length and len(shape) > 1 else 0
        if shape[-1] == 1:
            return row, 0
        return row, self.column if self.shown.name in ("stacked", "PE") else self.column // 2

    def still(self) -> Figure:
        """Return the present step's tensor, with the chosen cell framed."""
        step = self.shown
        drawn = step.tensor if step.tensor.ndim > 1 else step.tensor.unsqueeze(0)
        drawn = drawn.flatten(start_dim=1)
        values = drawn.double().numpy()
        rows, columns = values.shape
        coloured = step.name in ("even PE", "odd PE", "stacked", "PE")
        whole_numbers = step.name in ("even indices", "odd indices", "positions")
        size = 11.0 if columns <= 8 else 6.5
        figure = figures.new_figure(1.5 + 0.32 * rows)
        with figures.style():
            ax = figure.add_subplot()
            figures.table_axes(
                ax,
                values,
                cmap=figures.VALUES if coloured else PLAIN,
                digits=0 if whole_numbers else 2 if columns <= 8 else 1,
                size=size,
            )
            if step.name == "stacked":
                ax.set_xticks(range(columns), [f"{c // 2}, {c % 2}" for c in range(columns)])
            if step.tensor.ndim == 1:
                ax.set_yticks([])
            row, column = self.chosen_cell()
            ax.add_patch(
                Rectangle(
                    (column - 0.5, row - 0.5),
                    1,
                    1,
                    fill=False,
                    linewidth=2.5,
                    clip_on=False,
                    zorder=5,
                )
            )
            place = f"step {self.step + 1} of {len(STEPS)}"
            shape = str(tuple(step.tensor.shape))
            ax.set_title(f"{place}: {step.name}, shape {shape}\n${step.formula}$")
        return figure
