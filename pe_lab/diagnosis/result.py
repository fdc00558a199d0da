"""What a diagnosis returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pe_lab.diagnosis.conventions import Convention

SHOWN = 32  # rows, and columns, of the picture


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Whether something is right, and if not, what it is.

    ``str()`` of it is the message, ``bool()`` of it whether it is right.

    Attributes:
        ok: whether it is right.
        name: "right"; or the name of a mistake, of several joined by " + ", of those that cannot
            be told apart here joined by " or "; or of a convention; or "unknown"; or what kept it
            from being read, such as "nan" or "shape".
        message: sentences.
        untested: the mistakes that would give the very same numbers here.
        convention: set if it is one.
        given: what was judged, in float64; None if it could not be read.
        right: what would be right, of the same shape.
    """

    ok: bool
    name: str
    message: str
    untested: tuple[str, ...] = ()
    convention: Convention | None = field(default=None, repr=False)
    given: Tensor | None = field(default=None, repr=False)
    right: Tensor | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"Diagnosis(ok={self.ok}, name={self.name!r})"

    def figure(self) -> Figure:
        """Where the two part: yours, the right one and the difference, as three heat maps.

        Of a large table the part around the first difference is shown. :meth:`alt` has it in
        words.

        Raises:
            ValueError: nothing could be read, and there is nothing to draw.
        """
        from pe_lab import figures  # takes half a second, and who marks asks for no picture

        given, right = self._both()
        rows, columns = self._window()
        apart = (given - right).abs()
        figure = figures.new_figure(3.4, width=7.5)
        with figures.style():
            axes = figure.subplots(1, 3, sharex=True, sharey=True)
            shown = {"yours": given, "right": right, "difference": apart}
            for ax, (title, values) in zip(axes, shown.items(), strict=True):
                cut = values[rows, columns].numpy()
                image = figures.table_axes(ax, cut)
                image.set_extent((*_edges(columns), *_edges(rows)[::-1]))
                ax.set_title(title, loc="center")
                ax.set_xlabel("column")
            axes[0].set_ylabel("row")
        return figure

    def alt(self) -> str:
        """What :meth:`figure` shows, in words."""
        given, right = self._both()
        wrong = (given - right).abs() > 1e-3
        rows, columns = self._window()
        share = f"{int(wrong.sum())} of {wrong.numel()} entries differ by more than 0.001"
        return (
            "Three heat maps beside each other: yours, the right one, and how far they are apart, "
            f"rows {rows.start} to {rows.stop - 1} and columns {columns.start} to "
            f"{columns.stop - 1}. {share}."
        )

    def _both(self) -> tuple[Tensor, Tensor]:
        if self.given is None or self.right is None:
            raise ValueError(f"there is nothing to draw: {self.message}")
        return self.given, self.right

    def _window(self) -> tuple[slice, slice]:
        """The rows and columns shown, with the first difference among them."""
        given, right = self._both()
        apart = (given - right).abs() > 1e-3
        first = apart.nonzero()[0].tolist() if apart.any() else [0, 0]
        starts = [
            max(0, min(place - SHOWN // 2, size - SHOWN))
            for place, size in zip(first, given.shape, strict=True)
        ]
        ends = [min(start + SHOWN, size) for start, size in zip(starts, given.shape, strict=True)]
        return slice(starts[0], ends[0]), slice(starts[1], ends[1])


def _edges(cells: slice) -> tuple[float, float]:
    return cells.start - 0.5, cells.stop - 0.5


def printed(value: float) -> str:
    """A number in a message: four digits, a true minus sign."""
    text = f"{value:.4g}" if abs(value) >= 1e4 else f"{value + 0.0:.4f}"
    return ("0.0000" if text == "-0.0000" else text).replace("-", "\N{MINUS SIGN}")


def side_by_side(one: float, other: float) -> tuple[str, str]:
    """Two numbers that differ, in as many more digits as it takes to see it."""
    digits = next(each for each in range(4, 18) if f"{one:.{each}f}" != f"{other:.{each}f}")
    if digits == 4:
        return printed(one), printed(other)
    minus = "\N{MINUS SIGN}"
    return f"{one:.{digits}f}".replace("-", minus), f"{other:.{digits}f}".replace("-", minus)


def small(value: float) -> str:
    """The same, and two digits of a number that would be printed as 0.0000 or nearly so."""
    return printed(value) if abs(value) >= 1e-3 or value == 0 else f"{value:.1e}"


def both(words: list[str], last: str = "and") -> str:
    """a, b and c."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def whole(table: Tensor) -> Tensor:
    """A table as it is kept in a result: float64, on the CPU, without its history."""
    return table.detach().to("cpu", torch.float64)
