"""Figures of the book: tensors in, a matplotlib ``Figure`` out.

The style is set here once. Values in [-1, 1] are coloured purple (-1), near white (0), green (+1);
a colour-blind reader can tell the two ends apart. Sine columns are blue, cosine columns vermilion,
and their lines differ by dashes too. The type is large enough for a 360-pixel phone.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle, ConnectionPatch, Rectangle
from PIL import Image
from torch import Tensor

from pe_core.checks import check_integer, check_length, check_real, check_tensor, describe
from pe_lab.checks import check_count

MINUS, ZERO, PLUS = "#762a83", "#f7f7f7", "#1b7837"  # values -1, 0, +1
SINE, COSINE = "#0072b2", "#b84f00"  # even columns, odd columns
INK, FAINT = "#1a1a1a", "#8c8c8c"

VALUES = LinearSegmentedColormap.from_list("minus-zero-plus", [MINUS, ZERO, PLUS], N=511)
UNIT = Normalize(-1.0, 1.0)
GRAM = mpl.colormaps["cividis"]

WIDTH = 6.0  # inches
DPI = 110

STYLE: Any = {
    "figure.dpi": DPI,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters on every machine
    "font.size": 12.0,
    "axes.titlesize": 12.0,
    "axes.labelsize": 12.0,
    "xtick.labelsize": 11.0,
    "ytick.labelsize": 11.0,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "lines.linewidth": 2.0,
    "lines.markersize": 5.0,
}


class BookFigure(Figure):
    """A Figure that a notebook shows by itself, without pyplot keeping a second reference to it."""

    def _repr_png_(self) -> bytes:
        return png(self)


def style() -> AbstractContextManager[None]:
    """Everything drawn inside ``with style():`` looks like the rest of the book."""
    return mpl.rc_context(STYLE)


def png(figure: Figure) -> bytes:
    """The figure as PNG bytes, on opaque white. The same figure gives the same bytes.

    The figure itself is changed: its layout is settled for good.
    """
    canvas, packed = FigureCanvasAgg(figure), io.BytesIO()
    with style():
        settle_layout(figure)
        figure.set_facecolor("white")
        canvas.draw()
    # 256 colours are enough for these pictures and halve what a reader downloads.
    drawn = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    image = drawn.quantize(256, dither=Image.Dither.NONE)
    image.save(packed, format="png", optimize=True)
    return packed.getvalue()


def settle_layout(figure: Figure) -> None:
    """Lay the figure out once, on round numbers: the layout's solver is not the same to the last
    digit in every process, and now and then that digit decides a pixel."""
    if layout := figure.get_layout_engine():
        layout.execute(figure)
    figure.set_layout_engine("none")
    for ax in figure.axes:
        left, bottom, width, height = ax.get_position(original=True).bounds
        ax.set_position((round(left, 4), round(bottom, 4), round(width, 4), round(height, 4)))


def show_in_notebooks() -> None:
    """In IPython, show a BookFigure by ``png`` even where pyplot has registered its own drawing.

    Pyplot does so for every Figure as soon as it is imported, and that comes before ``_repr_png_``;
    ``interact`` imports it.
    """
    if shell := getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)():
        shell.display_formatter.formatters["image/png"].for_type(BookFigure, png)


show_in_notebooks()


def new_figure(height: float, *, width: float = WIDTH) -> Figure:
    """An empty figure in the shared style; width and height in inches."""
    with style():
        return BookFigure(figsize=(width, height), layout="constrained")


def _array(
    tensor: Tensor, name: str, *, pairs: bool = False, columns: int | None = None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The values of a table; where ``pairs``, its columns come in pairs. Of so many, where told."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name} must be a tensor; got {describe(tensor)}")
    if tensor.is_complex():
        raise TypeError(f"{name} must hold real numbers; got {describe(tensor)}")
    if tensor.dim() != 2 or 0 in tensor.shape:
        shape = tuple(tensor.shape)
        raise ValueError(f"{name} must be a table with at least one row and column; got {shape}")
    if pairs and tensor.shape[1] % 2:
        raise ValueError(f"{name} must have an even number of columns; got {tensor.shape[1]}")
    if columns is not None and tensor.shape[1] != columns:
        raise ValueError(f"{name} must have {columns} columns; got {tensor.shape[1]}")
    return tensor.detach().cpu().double().numpy()


def _chosen(indices: Sequence[int], name: str, count: int) -> list[int]:
    """The indices, each of which must be one of ``count`` rows or columns."""
    chosen = [check_integer(index, name) for index in indices]
    if not chosen:
        raise ValueError(f"{name} must not be empty")
    for index in chosen:
        if not 0 <= index < count:
            raise ValueError(f"{name} must lie between 0 and {count - 1}; got {index}")
    return chosen


def _some(tables: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    if not tables:
        raise ValueError("tables must not be empty")
    return tables


def _few(curves: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    """As many as there are kinds of lines."""
    if len(curves) > len(LINES):
        raise ValueError(f"there must be at most {len(LINES)} curves, got {len(curves)}")
    return _some(curves)


def ink_on(colour: tuple[float, float, float, float]) -> str:
    """Black or white, whichever has more contrast on ``colour``."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "black" if luminance > 0.18 else "white"


def printed(value: float, digits: int) -> str:
    """The number as it stands in a cell: a true minus sign, and none before zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def table_axes(
    ax: Axes,
    values: np.ndarray[Any, np.dtype[np.float64]],
    *,
    cmap: Colormap = VALUES,
    norm: Normalize = UNIT,
    digits: int | None = None,
    size: float = 10.0,
) -> Any:
    """Draw ``values`` (rows, columns) as coloured cells; print them when ``digits`` is given."""
    image = ax.imshow(values, cmap=cmap, norm=norm, aspect="auto", interpolation="nearest")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    if digits is not None:
        rows, columns = values.shape
        ax.set_xticks(range(columns))
        ax.set_yticks(range(rows))
        ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
        ax.grid(which="minor", color="white", linewidth=1.5)
        ax.tick_params(which="minor", length=0)
        for r in range(rows):
            for c in range(columns):
                ax.text(
                    c,
                    r,
                    printed(float(values[r, c]), digits),
                    ha="center",
                    va="center",
                    fontsize=size,
                    color=ink_on(cmap(norm(values[r, c]))),
                )
    return image


def heat_map(pe: Tensor) -> Figure:
    """The table (L, d) as colours: one row per position, one column per dimension.

    A small table (at most 16 rows and 8 columns) has its values printed in the cells, a larger
    one has a colour bar.
    """
    values = _array(pe, "pe")
    rows, columns = values.shape
    small = rows <= 16 and columns <= 8
    figure = new_figure(0.9 + 0.32 * rows if small else 4.4)
    with style():
        ax = figure.add_subplot()
        image = table_axes(ax, values, digits=2 if small else None, size=11.0)
        ax.set_xlabel("column")
        ax.set_ylabel("position p")
        if not small:
            figure.colorbar(image, ax=ax, ticks=[-1, 0, 1], label="value", pad=0.02)
    return figure


def waves(pe: Tensor, columns: Sequence[int] | None = None) -> Figure:
    """Columns of the table (L, d) as curves over the position, a panel for each pair.

    Sines are solid, cosines dashed. Without ``columns`` all columns are drawn or, of more than
    eight, those of four pairs from the fastest to the slowest.
    """
    values = _array(pe, "pe", pairs=True)
    length, d_model = values.shape
    if columns is None:
        pairs = sorted({round(n * (d_model // 2 - 1) / 3) for n in range(4)})
        columns = range(d_model) if d_model <= 8 else [c for i in pairs for c in (2 * i, 2 * i + 1)]
    columns = _chosen(columns, "columns", d_model)
    shown = sorted({c // 2 for c in columns})
    figure = new_figure(0.7 + 1.3 * len(shown))
    with style():
        axes = figure.subplots(len(shown), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        marker = "o" if length <= 32 else ""
        for ax, i in zip(axes, shown, strict=True):
            for c, colour, line in ((2 * i, SINE, "-"), (2 * i + 1, COSINE, "--")):
                if c in columns:
                    ax.plot(values[:, c], line, color=colour, marker=marker, label=f"column {c}")
            ax.set_ylim(-1.15, 1.15)
            ax.set_yticks([-1, 0, 1])
            ax.set_title(f"pair {i}")
            ax.legend(loc="lower right", bbox_to_anchor=(1.0, 0.94), ncols=2, borderaxespad=0.0)
        axes[-1].set_xlabel("position p")
    return figure


def similarity_curve(pe: Tensor, p: int = 0) -> Figure:
    """The dot product of row ``p`` with every row of the table (L, d), against the offset k."""
    values = _array(pe, "pe")
    length, p = values.shape[0], check_integer(p, "p")
    if not 0 <= p < length:
        raise ValueError(f"p must be a row of the table, 0 to {length - 1}; got {p}")
    products = values @ values[p]  # (L,)
    offsets = np.arange(length) - p  # (L,)
    figure = new_figure(3.4)
    with style():
        ax = figure.add_subplot()
        ax.plot(offsets, products, color=INK, marker="o" if length <= 32 else "")
        ax.axhline(0.0, color=FAINT, linewidth=1.0)
        ax.set_xlabel("offset k")
        ax.set_title(f"dot product of row {p} and row {p} + k")
    return figure


def gram(pe: Tensor) -> Figure:
    """The dot products of all rows of the table (L, d) with all rows, as an (L, L) picture."""
    values = _array(pe, "pe")
    products = values @ values.T  # (L, L)
    length = products.shape[0]
    norm = Normalize(float(products.min(initial=0.0)), float(products.max(initial=0.0)))
    small = length <= 10
    figure = new_figure(0.9 + 0.36 * length if small else 4.8)
    with style():
        ax = figure.add_subplot()
        image = table_axes(
            ax, products, cmap=GRAM, norm=norm, digits=1 if small else None, size=11.0
        )
        ax.set_xlabel("position q")
        ax.set_ylabel("position p")
        if not small:
            ax.set_aspect("equal")
            figure.colorbar(image, ax=ax, label="dot product", pad=0.02)
    return figure


def interleave_picture(even: Tensor, odd: Tensor) -> Figure:
    """Which column came from where: sine, cosine (L, d/2) above, the woven table (L, d) below."""
    sine, cosine = _array(even, "even"), _array(odd, "odd")
    if sine.shape != cosine.shape:
        raise ValueError(f"even and odd must have one shape; got {sine.shape} and {cosine.shape}")
    length, pairs = sine.shape
    woven = np.stack([sine, cosine], axis=-1).reshape(length, 2 * pairs)
    figure = new_figure(2.6 + 0.6 * length)
    with style():
        grid = figure.add_gridspec(2, 2, hspace=0.35)
        left, right = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        below = figure.add_subplot(grid[1, :])
        for ax, values, name, colour in (
            (left, sine, "even_PE: sine", SINE),
            (right, cosine, "odd_PE: cosine", COSINE),
        ):
            table_axes(ax, values, digits=2, size=11.0)
            ax.xaxis.tick_top()
            ax.set_xticks(range(pairs), [f"pair {i}" for i in range(pairs)])
            ax.set_title(name, color=colour, loc="center")
        right.tick_params(labelleft=False)
        table_axes(below, woven, digits=2, size=11.0)
        below.set_xlabel("column of the table")
        for i in range(pairs):
            for ax, c, colour, line in ((left, 2 * i, SINE, "-"), (right, 2 * i + 1, COSINE, "--")):
                figure.add_artist(
                    ConnectionPatch(
                        (i, length - 0.5),
                        (c, -0.5),
                        "data",
                        "data",
                        axesA=ax,
                        axesB=below,
                        arrowstyle="-|>",
                        color=colour,
                        linestyle=line,
                        linewidth=1.6,
                    )
                )
                below.get_xticklabels()[c].set_color(colour)
    return figure


def side_by_side(tables: Mapping[str, Tensor]) -> Figure:
    """Several tables (L, d) of one shape as heat maps beside each other, under their names."""
    arrays = {name: _array(pe, name) for name, pe in _some(tables).items()}
    if len(shapes := {values.shape for values in arrays.values()}) > 1:
        raise ValueError(f"tables must have one shape; got {' and '.join(map(str, shapes))}")
    figure = new_figure(3.6)
    with style():
        axes = figure.subplots(1, len(arrays), squeeze=False, sharey=True)[0]
        for ax, (name, values) in zip(axes, arrays.items(), strict=True):
            image = table_axes(ax, values)
            ax.set_title(name, loc="center")
            ax.set_xlabel("column")
        axes[0].set_ylabel("position p")
        figure.colorbar(image, ax=axes, ticks=[-1, 0, 1], label="value", pad=0.02)
    return figure


def clocks(pe: Tensor, rows: Sequence[int]) -> Figure:
    """Rows of the table (L, d) as clock hands: a line of dials per pair, a column per position.

    The pair (sine, cosine) is the tip of the hand, (right, up): the hand starts at noon and turns
    clockwise.
    """
    values = _array(pe, "pe", pairs=True)
    rows = _chosen(rows, "rows", len(values))
    pairs = values.shape[1] // 2
    figure = new_figure(0.35 + 6.0 / len(rows) * pairs)
    with style():
        dials = figure.subplots(pairs, len(rows), squeeze=False)
        for column, p in enumerate(rows):
            for i in range(pairs):
                ax, sine, cosine = dials[i, column], values[p, 2 * i], values[p, 2 * i + 1]
                ax.add_patch(Circle((0.0, 0.0), 1.0, fill=False, edgecolor=FAINT, linewidth=1.5))
                ax.plot([0.0, 0.0], [0.9, 1.0], color=FAINT, linewidth=1.5)  # noon
                ax.plot([0.0, sine], [0.0, 0.0], "-", color=SINE)
                ax.plot([sine, sine], [0.0, cosine], "--", color=COSINE)
                ax.plot([0.0, sine], [0.0, cosine], color=INK, linewidth=2.5)
                ax.plot(sine, cosine, "o", color=INK)
                ax.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
                ax.spines[:].set_visible(False)
            dials[0, column].set_title(f"p = {p}", loc="center")
        for i in range(pairs):
            dials[i, 0].set_ylabel(f"pair {i}")
    return figure


def wavelength_ladders(ladders: Mapping[str, Tensor]) -> Figure:
    """Several sets of wavelengths (d/2,), in positions, on one logarithmic axis."""
    figure = new_figure(1.2 + 0.6 * len(ladders))
    with style():
        ax = figure.add_subplot()
        for n, wavelengths in enumerate(ladders.values()):
            ax.plot(wavelengths, [n] * len(wavelengths), "o", color=INK, markersize=9.0)
        ax.set_xscale("log")
        ax.set_ylim(len(ladders) - 0.5, -0.5)
        ax.set_yticks(range(len(ladders)), list(ladders))
        ax.grid(axis="x", color=FAINT, linewidth=0.5)
        ax.set_xlabel("wavelength in positions")
    return figure


def column_movement(spreads: Mapping[int, Tensor], threshold: float) -> Figure:
    """The standard deviation of every column (d,) over the first L rows, a panel for each L."""
    figure = new_figure(0.7 + 1.4 * len(spreads))
    with style():
        axes = figure.subplots(len(spreads), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for ax, (length, spread) in zip(axes, spreads.items(), strict=True):
            pairs = range(len(spread) // 2)
            ax.plot(pairs, spread[0::2], "-", color=SINE, label="sine")
            ax.plot(pairs, spread[1::2], "--", color=COSINE, label="cosine")
            ax.axhline(threshold, color=FAINT, linewidth=1.0)
            ax.set_title(f"first {length} rows")
            ax.set_ylim(0.0, 1.0)
        axes[0].legend(loc="upper right", ncols=2, borderaxespad=0.0)
        axes[-1].set_xlabel("pair i")
        figure.supylabel("standard deviation", fontsize=12.0)
    return figure


def embedding_picture(
    one_hot: Tensor, embedding: Tensor, x: Tensor, tokens: Sequence[str], vocabulary: Sequence[str]
) -> Figure:
    """The product one_hot (L, V) @ embedding (V, d) = x (L, d), the rows under their words."""
    product = [
        ("one-hot", _array(one_hot, "one_hot"), tokens),
        ("@  W_E", _array(embedding, "embedding"), vocabulary),
        ("=  X", _array(x, "x"), tokens),
    ]
    largest = max(float(np.abs(values).max()) for _, values, _ in product)
    figure = new_figure(0.7 + 0.22 * len(tokens))
    with style():
        grid = figure.add_gridspec(1, 3, width_ratios=[v.shape[1] for _, v, _ in product])
        for column, (name, values, words) in enumerate(product):
            rows, columns = values.shape
            ax = figure.add_subplot(grid[column])
            norm = UNIT if column == 0 else Normalize(-largest, largest)
            table_axes(ax, values, norm=norm)
            ax.set_box_aspect(rows / columns)
            ax.set_xticks([0, columns - 1])
            ax.set_yticks(range(rows), words)
            ax.set_title(f"{name}  {rows} × {columns}", loc="center")
    return figure


def similarity_decay(offsets: Tensor, curve: Tensor, line: Tensor) -> Figure:
    """A similarity (n,) and a straight line (n,) against offsets (n,), on a logarithmic axis."""
    figure = new_figure(3.4)
    with style():
        ax = figure.add_subplot()
        ax.plot(offsets, curve, color=INK, label="s(k) / (d/2)")
        ax.plot(offsets, line, "--", color=COSINE, label="straight line")
        ax.axhline(0.0, color=FAINT, linewidth=1.0)
        ax.set_xscale("log")
        ax.set_xlabel("offset k")
        ax.legend(loc="upper right")
    return figure


def products_by_offset(tables: Mapping[str, Tensor], furthest: int) -> Figure:
    """For each (L, L) table of products a panel: over all p, those of p and p + k, against k.

    The thick line is their mean, the thin ones are the smallest and the largest.
    """
    furthest = check_integer(furthest, "furthest")
    figure = new_figure(3.4)
    with style():
        axes = figure.subplots(1, len(_some(tables)), squeeze=False)[0]
        for ax, (name, table) in zip(axes, tables.items(), strict=True):
            products = _array(table, name)
            if not 0 <= furthest < len(products):
                raise ValueError(
                    f"furthest must be an offset in the table, 0 to {len(products) - 1}; got "
                    f"{furthest}"
                )
            diagonals = [products.diagonal(k) for k in range(furthest + 1)]
            low, high = [d.min() for d in diagonals], [d.max() for d in diagonals]
            for bound in (low, high):
                ax.plot(bound, color=SINE, linewidth=1.0)
            ax.plot([d.mean() for d in diagonals], color=INK)
            ax.set_title(name)
            ax.set_xlabel("offset k")
    return figure


def _box(ax: Axes, x: float, y: float, width: float, text: str, *, fill: str = "white") -> None:
    """A box one unit high with its name, its lower left corner at (x, y)."""
    ax.add_patch(Rectangle((x, y), width, 1.0, facecolor=fill, edgecolor=INK, linewidth=1.2))
    ax.text(x + width / 2, y + 0.5, text, ha="center", va="center")


def _arrow(ax: Axes, *points: tuple[float, float]) -> None:
    """A line through the points with its head at the last one."""
    ax.plot(*zip(*points, strict=True), color=INK, linewidth=1.2)
    style = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", points[-1], points[-2], arrowprops=style)


def transformer_diagram() -> Figure:
    """Encoder and decoder as boxes, and the two places where the encoding is added."""
    position, plain = "#d9ead3", "white"
    figure = new_figure(6.3)
    with style():
        ax = figure.add_subplot()
        ax.set(xlim=(-0.1, 12.1), ylim=(-0.2, 12.6), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        for x, name, words, attention, top in (
            (2.0, "encoder", "words to read", "self-attention", 6.0),
            (8.6, "decoder", "words written so far", "self-attention, causal", 8.0),
        ):
            middle = x + 1.4
            ax.text(middle, 0.0, words, ha="center", va="center")
            _arrow(ax, (middle, 0.35), (middle, 0.8))
            _box(ax, middle - 1.2, 0.8, 2.4, r"$W_E$", fill=plain)
            _arrow(ax, (middle, 1.8), (middle, 2.55))
            ax.text(middle + 0.2, 2.15, "X", va="center")
            ax.add_patch(Circle((middle, 2.9), 0.33, facecolor=position, edgecolor=INK))
            ax.text(middle, 2.88, "+", ha="center", va="center", fontsize=15.0)
            _box(ax, x - 1.9, 2.4, 1.5, "PE", fill=position)
            _arrow(ax, (x - 0.4, 2.9), (middle - 0.33, 2.9))
            # The layers: a frame, and three arrows into attention.
            ax.add_patch(
                Rectangle((x - 0.6, 3.9), 4.0, top - 1.3, facecolor=plain, edgecolor=FAINT)
            )
            ax.text(x + 3.3, top + 2.25, "N times", ha="right", va="center", color="#595959")
            ax.plot([middle, middle], [3.23, 4.2], color=INK, linewidth=1.2)
            for shift, letter in ((-1.0, "Q"), (0.0, "K"), (1.0, "V")):
                _arrow(ax, (middle, 4.2), (middle + shift, 4.2), (middle + shift, 4.95))
                ax.text(middle + shift + 0.12, 4.5, letter, va="center", fontsize=11.0)
            _box(ax, x - 0.4, 4.95, 3.6, attention, fill=plain)
            if name == "decoder":
                _arrow(ax, (middle, 5.95), (middle, 6.95))
                _box(ax, x - 0.4, 6.95, 3.6, "attention to encoder", fill=plain)
            _arrow(ax, (middle, top - 0.05), (middle, top + 0.95))
            _box(ax, x - 0.4, top + 0.95, 3.6, "feed-forward", fill=plain)
            ax.text(middle, 12.2, name, ha="center", va="center", fontweight="bold")
        _arrow(ax, (3.4, 7.95), (3.4, 9.4), (6.2, 9.4), (6.2, 7.45), (8.2, 7.45))
        _arrow(ax, (10.0, 9.95), (10.0, 11.0))
        ax.text(10.0, 11.35, "next word", ha="center", va="center")
    return figure


def places_diagram() -> Figure:
    """A head from the word to what it brings, and the four places where a position can enter."""
    position, plain = "#d9ead3", "white"
    figure = new_figure(6.3)

    def enter(ax: Axes, x: float, y: float, number: int, what: str, who: str) -> None:
        _box(ax, x, y, 2.5, f"{number}  {what}", fill=position)
        ax.text(x + 1.25, y - 0.4, who, ha="center", va="center", fontsize=10.5)

    def plus(ax: Axes, x: float, y: float) -> None:
        ax.add_patch(Circle((x, y), 0.33, facecolor=position, edgecolor=INK))
        ax.text(x, y - 0.02, "+", ha="center", va="center", fontsize=15.0)

    with style():
        ax = figure.add_subplot()
        ax.set(xlim=(-0.1, 12.1), ylim=(-0.2, 12.6), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.add_patch(Rectangle((2.7, 2.3), 9.3, 9.2, facecolor=plain, edgecolor=FAINT))
        ax.text(11.8, 11.1, "in every layer", ha="right", va="center", color="#595959")
        # The row of a word, and what is added to it.
        ax.text(5.4, 0.0, "word", ha="center", va="center")
        _arrow(ax, (5.4, 0.35), (5.4, 1.17))
        plus(ax, 5.4, 1.5)
        enter(ax, 0.0, 1.0, 1, "a row", "learned table,")
        ax.text(1.25, 0.15, "sinusoid", ha="center", va="center", fontsize=10.5)
        _arrow(ax, (2.5, 1.5), (5.07, 1.5))
        # Query, key and value.
        ax.plot([5.4, 5.4], [1.83, 2.7], color=INK, linewidth=1.2)
        for x, matrix in ((4.0, "$W_Q$"), (6.8, "$W_K$"), (9.2, "$W_V$")):
            _arrow(ax, (5.4, 2.7), (x, 2.7), (x, 3.2))
            _box(ax, x - 0.8, 3.2, 1.6, matrix, fill=plain)
        for x in (4.0, 6.8):
            _arrow(ax, (x, 4.2), (x, 4.9))
            _arrow(ax, (x, 5.9), (x, 6.5))
        _box(ax, 3.2, 4.9, 4.4, "2  a turn: RoPE", fill=position)
        # The score, and what is added to it.
        _box(ax, 3.2, 6.5, 4.4, "query · key", fill=plain)
        _arrow(ax, (5.4, 7.5), (5.4, 7.97))
        plus(ax, 5.4, 8.3)
        enter(ax, 0.0, 7.8, 3, "a number", "T5, ALiBi, Shaw")
        _arrow(ax, (2.5, 8.3), (5.07, 8.3))
        _arrow(ax, (5.4, 8.63), (5.4, 9.5))
        ax.text(5.6, 9.05, "softmax", va="center", fontsize=11.0)
        # The values, and what is added to them.
        _arrow(ax, (9.2, 4.2), (9.2, 7.97))
        plus(ax, 9.2, 8.3)
        enter(ax, 9.4, 6.0, 4, "a vector", "Shaw")
        _arrow(ax, (10.7, 7.0), (10.7, 8.3), (9.53, 8.3))
        _arrow(ax, (9.2, 8.63), (9.2, 9.5))
        _box(ax, 4.0, 9.5, 6.6, "sum of values by weights", fill=plain)
        _arrow(ax, (7.3, 10.5), (7.3, 11.9))
        ax.text(7.3, 12.25, "what the head brings", ha="center", va="center")
    return figure


def digit_waves(digits: Tensor, waves: Tensor) -> Figure:
    """Columns of digits (L, n) as steps, and waves (m, n) over the same positions, n panels."""
    steps = _array(digits, "digits")
    length, columns = steps.shape
    curves = _array(waves, "waves", columns=columns)
    figure = new_figure(0.7 + 1.2 * columns)
    with style():
        axes = figure.subplots(columns, 1, sharex=True, squeeze=False)[:, 0]
        for c, ax in enumerate(axes):
            ax.stairs(steps[:, c], np.arange(length + 1) - 0.5, color=INK, label="digit")
            where = np.linspace(-0.5, length - 0.5, len(curves))
            ax.plot(where, curves[:, c], "--", color=COSINE, label="wave")
            ax.set_ylim(-0.15, 1.15)
            ax.set_yticks([0, 1])
            ax.set_title(f"column {c}")
        axes[0].legend(loc="lower right", bbox_to_anchor=(1.0, 0.94), ncols=2, borderaxespad=0.0)
        axes[-1].set_xlabel("position p")
    return figure


# Curves that share a panel differ in colour and in dashes.
LINES: Sequence[tuple[str, str]] = (
    (FAINT, "-"),
    (INK, ":"),
    (MINUS, "--"),
    (PLUS, "-"),
    (COSINE, "-."),
    (SINE, "-"),
)


def loss_curves(curves: Mapping[str, Tensor], every: int) -> Figure:
    """Losses of trainings (seeds, points), a point for ``every`` steps, a line for each seed."""
    every = check_count(every, "every")
    figure = new_figure(4.0)
    with style():
        ax = figure.add_subplot()
        for (name, losses), (colour, line) in zip(_few(curves).items(), LINES, strict=False):
            values = _array(losses, name)
            steps = every * (np.arange(values.shape[1]) + 1)
            for n, one_seed in enumerate(values):
                label = "" if n else name
                ax.plot(steps, one_seed, line, color=colour, linewidth=1.5, label=label)
        ax.set_ylim(bottom=0.0)
        ax.set_xlabel("step")
        ax.set_title("loss")
        ax.legend(loc="center right")
    return figure


def shift_cosines(curves: Mapping[str, Tensor], furthest: int) -> Figure:
    """Cosines (heads, 2 furthest + 1) between heads and M_k, against k, under their names."""
    furthest = check_length(furthest, "furthest")
    offsets = range(-furthest, furthest + 1)
    figure = new_figure(3.6)
    with style():
        ax = figure.add_subplot()
        ax.axhline(0.0, color=FAINT, linewidth=1.0)
        for (name, cosines), (colour, line) in zip(
            _few(curves).items(), reversed(LINES), strict=False
        ):
            for n, one_head in enumerate(_array(cosines, name, columns=len(offsets))):
                label = "" if n else name
                ax.plot(offsets, one_head, line, color=colour, linewidth=1.5, label=label)
        ax.set_xlabel("k")
        ax.set_title("cosine with M_k")
        ax.legend(loc="upper left")
    return figure


def pair_angles(turns: Tensor, angles: Tensor) -> Figure:
    """By how much a matrix turns each pair, beside the angles (n,) expected.

    ``turns`` (heads, n) are complex, r e^(iθ) for a turn by θ: θ is the height of a disc, and its
    area is r, as a share of the largest r of its head.
    """
    check_tensor(turns, "turns", "heads", "n")
    (expected,) = _array(check_tensor(angles, "angles", "n")[None], "angles")
    if not turns.is_complex() or turns.shape[1:] != angles.shape:
        raise ValueError(f"turns must be complex, (heads, {len(angles)}); got {describe(turns)}")
    sizes, heights = _array(turns.abs(), "turns"), _array(turns.angle(), "turns")
    figure = new_figure(3.6)
    with style():
        ax = figure.add_subplot()
        ax.plot(expected, "--", color=COSINE, label="M_k")
        for n, (size, height) in enumerate(zip(sizes, heights, strict=True)):
            area = 250 * size / (size.max() or 1.0)
            label = "" if n else "the head"
            ax.scatter(range(len(height)), height, area, color=SINE, label=label)
        ax.set_ylim(-3.7, 3.7)
        ax.set_yticks([-np.pi, 0.0, np.pi], ["−π", "0", "π"])
        ax.set_xlabel("pair i")
        ax.set_title("turns the pair by (radians)")
        ax.legend(loc="lower left")
    return figure


def right_by_length(shares: Mapping[str, Tensor], lengths: Sequence[int]) -> Figure:
    """Shares of right answers (seeds, lengths) against the length of a text, a line a seed."""
    lengths = [check_count(length, "lengths") for length in lengths]
    figure = new_figure(4.0)
    with style():
        ax = figure.add_subplot()
        for (name, right), (colour, line) in zip(_few(shares).items(), LINES, strict=False):
            for n, one_seed in enumerate(_array(right, name, columns=len(lengths))):
                label = "" if n else name
                ax.plot(lengths, one_seed, line, color=colour, linewidth=1.5, label=label)
        ax.set_xscale("log", base=2)
        ax.set_xticks(lengths, [str(length) for length in lengths])
        ax.set_ylim(0.0, 1.03)
        ax.set_xlabel("words in a text")
        ax.set_title("share of right answers")
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def seen_arcs(omega: Mapping[str, float], trained: int, length: int) -> Figure:
    """Dials of hands with these frequencies: where they stand at the first ``trained`` positions.

    That arc is thick. The dashed one inside is what positions up to ``length`` add to it. Hands
    start at noon and turn clockwise.
    """
    if not omega:
        raise ValueError("omega must not be empty")
    trained, length = check_count(trained, "trained"), check_count(length, "length")
    columns = 3
    lines = -(-len(omega) // columns)
    figure = new_figure(2.3 * lines)
    with style():
        dials = figure.subplots(lines, columns, squeeze=False).flatten()
        for ax in dials:
            ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal", xticks=[], yticks=[])
            ax.spines[:].set_visible(False)
        for ax, (name, frequency) in zip(dials, omega.items(), strict=False):
            ax.add_patch(Circle((0.0, 0.0), 1.0, fill=False, edgecolor=FAINT, linewidth=1.0))
            ax.plot([0.0, 0.0], [1.0, 1.12], color=FAINT, linewidth=1.5)  # noon
            frequency = check_real(frequency, name)
            seen, ends = (min(frequency * (n - 1), 2 * np.pi) for n in (trained, length))
            known, new = np.linspace(0.0, seen, 200), np.linspace(seen, ends, 200)
            ax.plot(np.sin(known), np.cos(known), color=SINE, linewidth=5.0)
            if ends > seen:
                ax.plot(0.82 * np.sin(new), 0.82 * np.cos(new), "--", color=COSINE)
            ax.set_title(name, loc="center")
    return figure


def comings_together(alike: Tensor, weights: Tensor, known: int) -> Figure:
    """How much alike hands are at a distance (1, n); and weights (seeds, n) at that distance.

    A line stands where the distances below ``known`` end. (A shaded part would be taken for a
    table's cell in the dark form, and stay light.)
    """
    known, cosines = check_count(known, "known"), _array(alike, "alike")
    means = _array(weights, "weights", columns=cosines.shape[1])
    panels = {"cosine of the hands, mean": cosines, "weight, mean": means}
    figure = new_figure(5.0)
    with style():
        axes = figure.subplots(2, 1, sharex=True)
        for ax, (title, rows) in zip(axes, panels.items(), strict=True):
            for (colour, line), one in zip(reversed(LINES), rows, strict=False):
                ax.plot(one, line, color=colour, linewidth=1.5)
            ax.axvline(known - 1, color=FAINT, linestyle="--", linewidth=1.0)
            ax.set_title(title)
            ax.set_xmargin(0.01)
        axes[0].axhline(0.0, color=FAINT, linewidth=1.0)
        axes[1].set_ylim(bottom=0.0)
        axes[1].set_xlabel("places before the right word; left of the line: in the training")
    return figure
