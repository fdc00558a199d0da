"""Pictures of the tables that some questions are about, and the same in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.colors import Normalize
from torch import Tensor

from pe_lab import figures
from pe_lab.figures import new_figure, png, printed, table_axes


@dataclass(frozen=True)
class Picture:
    """A PNG file and its alternative text."""

    name: str
    data: bytes
    alternative: str


def picture(name: str, table: Tensor) -> Picture:
    """A table (rows, columns) as colours, rows and columns numbered from 0."""
    values = table.double().numpy()
    rows, columns = values.shape
    largest = float(np.abs(values).max())
    figure = new_figure(0.7 + 0.3 * rows, width=1.4 + 0.5 * columns)
    with figures.style():
        ax = figure.add_subplot()
        table_axes(ax, values, norm=Normalize(-largest, largest))
        ax.set_xticks(range(columns))
        ax.set_yticks(range(rows))
        ax.set_xlabel("column")
        ax.set_ylabel("row")
    return Picture(f"{name}.png", png(figure), in_words(table))


def in_words(table: Tensor) -> str:
    """What the colours tell, row by row."""
    rows = (
        f"Row {number}: {', '.join(printed(value, 1) for value in row)}."
        for number, row in enumerate(table.tolist())
    )
    size = f"{table.shape[0]} rows and {table.shape[1]} columns, counted from 0"
    return f"A table as colours: {size}. {' '.join(rows)}"
