"""What a lecturer draws on the board, drawn: one small picture a chapter.

A picture has what a hand can draw in two minutes. Its numbers are computed by ``pe_core``; what is
to be seen in it stands beside it in the page, and in its alternative text.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle, FancyBboxPatch

from pe_core import frequencies, sinusoidal_table

INK, BLUE, ORANGE, GREY = "#1d2228", "#0068a3", "#b84f00", "#8a929a"
STYLE: dict[Any, Any] = {
    "font.size": 11,
    "mathtext.fontset": "cm",
    "text.color": INK,
    "figure.dpi": 150,
}


def draw_boards(folder: Path) -> None:
    """One PNG a chapter: ``01_order.png``, …"""
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        for name, draw in BOARDS.items():
            width, height = SIZES.get(name, (6.4, 2.2))
            figure = Figure(figsize=(width, height), layout="constrained")
            axes = figure.add_subplot()
            axes.set(xlim=(0, 100), ylim=(0, 100 * height / width), aspect="equal")
            axes.axis("off")
            draw(axes)
            figure.savefig(folder / f"{name}.png", metadata={"Software": None})


def box(axes: Axes, x: float, y: float, words: str, width: float = 14, height: float = 7) -> None:
    """A box with its middle at (x, y)."""
    corner = (x - width / 2, y - height / 2)
    axes.add_patch(FancyBboxPatch(corner, width, height, "round,pad=0.4", fc="white", ec=INK))
    axes.text(x, y, words, ha="center", va="center")


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], ink: str = INK) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": ink})


def dial(axes: Axes, x: float, y: float, radius: float, *angles: float) -> None:
    """A clock with a hand at each angle, in radians from noon, clockwise; the last is blue."""
    axes.add_patch(Circle((x, y), radius, fill=False, ec=GREY))
    for number, angle in enumerate(angles):
        tip = (x + radius * math.sin(angle), y + radius * math.cos(angle))
        ink = BLUE if number == len(angles) - 1 else INK
        axes.plot([x, tip[0]], [y, tip[1]], color=ink, lw=2, solid_capstyle="round")


def arc(axes: Axes, x: float, y: float, radius: float, start: float, end: float, ink: str) -> None:
    """From one angle to another, clockwise from noon."""
    first, last = 90 - math.degrees(end), 90 - math.degrees(start)
    axes.add_patch(Arc((x, y), 2 * radius, 2 * radius, theta1=first, theta2=last, color=ink, lw=3))


def one_row(axes: Axes) -> None:
    for number, (word, product) in enumerate([("I", 0), ("love", 1), ("India", 2)]):
        x, weight = 20 + 26 * number, 2**product
        axes.text(x, 31, word, ha="center", weight="bold")
        axes.text(x, 24, f"product {product}", ha="center")
        axes.text(x, 15, rf"$2^{product} = {weight}$", ha="center", color=BLUE)
        axes.text(x, 5, rf"$\frac{{{weight}}}{{7}}$", ha="center", fontsize=15, color=ORANGE)
        if number < 2:
            axes.text(x + 13, 5, "+", ha="center")
    axes.text(92, 5, "= 1", ha="center")
    for y, step in ((24, "1"), (15, "2"), (5, "3")):
        axes.text(3, y, step, color=GREY, weight="bold")


def binary_hands(axes: Axes) -> None:
    for row, (position, y) in enumerate(((7, 27), (8, 9))):
        axes.text(2, y, f"{position}", weight="bold", va="center")
        for place in range(4):
            digit = position >> (3 - place) & 1
            x = 16 + 13 * place
            axes.text(x - 7, y, str(digit), ha="center", va="center", color=BLUE)
            dial(axes, x, y, 4.5, math.pi * digit)
        axes.text(66, y, "all four tick" if row else "", va="center", color=ORANGE)
    axes.text(9 + 13 * 3, 34.5, "fast", ha="center", color=GREY)
    axes.text(9, 34.5, "slow", ha="center", color=GREY)


def shapes(axes: Axes) -> None:
    names = [("positions", "(10, 1)"), ("denominator", "(3,)")]
    for (name, shape), y in zip(names, (26, 8), strict=True):
        box(axes, 10, y, f"{name}\n{shape}", 17, 8)
        arrow(axes, (20, y), (27, 17))
    box(axes, 35, 17, "angles\n(10, 3)", 12, 8)
    for y, name in ((26, "sin"), (8, "cos")):
        box(axes, 54, y, f"{name}\n(10, 3)", 12, 8)
        arrow(axes, (42.5, 17), (46.5, y))
        arrow(axes, (61.5, y), (65.5, 17))
    box(axes, 73, 17, "stack\n(10, 3, 2)", 13, 8)
    arrow(axes, (80.5, 17), (84.5, 17))
    box(axes, 92, 17, "flatten\n(10, 6)", 12.5, 8)


def clocks(axes: Axes) -> None:
    table = sinusoidal_table(7, 6)
    omega = frequencies(6).tolist()
    for row, p in enumerate((0, 3, 6)):
        y = 29 - 12 * row
        axes.text(2, y, f"$p = {p}$", va="center")
        for pair in range(3):
            x = 22 + 28 * pair
            dial(axes, x, y, 4.8, omega[pair] * p)
            sine, cosine = table[p, 2 * pair : 2 * pair + 2].tolist()
            axes.text(x + 7, y, f"${sine:.2f}$\n${cosine:.2f}$", va="center", fontsize=9)


def two_hands(axes: Axes) -> None:
    for x, turn, words in ((20, 0.5, "$p$ and $p + k$"), (60, 2.1, "the same, from another $p$")):
        dial(axes, x, 19, 11, turn, turn + 1.1)
        arc(axes, x, 19, 5, turn, turn + 1.1, ORANGE)
        axes.text(x + 14, 26, r"$\omega_i k$", color=ORANGE, va="center")
        axes.text(x, 3, words, ha="center")
    axes.text(82, 17, r"adds $\cos\,\omega_i k$", va="center")


def turned(axes: Axes) -> None:
    dial(axes, 18, 18, 12, 0.5, 1.6)
    arc(axes, 18, 18, 6, 0.5, 1.6, ORANGE)
    axes.text(26, 31, "$p$")
    axes.text(31.5, 17, "$p + k$")
    axes.text(44, 21, r"$\cos b \qquad \sin b$", va="center", fontsize=14)
    axes.text(42, 13, r"$-\sin b \qquad \cos b$", va="center", fontsize=14)
    axes.plot([41, 40, 40, 41], [26, 26, 8, 8], color=INK, lw=1)
    axes.plot([68, 69, 69, 68], [26, 26, 8, 8], color=INK, lw=1)
    axes.text(72, 17, r"$b = \omega_i k$, and no $p$", va="center", color=ORANGE)


def hill(axes: Axes) -> None:
    table = sinusoidal_table(12, 64)
    scores = table @ table[5] / 8
    for gain, shift, words in ((1, 0, "gain 1"), (4, 52, "gain 4")):
        weights = (gain * scores).softmax(0).tolist()
        for place, weight in enumerate(weights):
            x = 4 + shift + 3.4 * place
            axes.plot([x, x], [6, 6 + 70 * weight], lw=5, color=ORANGE if place == 5 else BLUE)
        axes.text(21 + shift, 1, words, ha="center")
    axes.text(21, 26, "$p - k$", ha="center", color=ORANGE)


def what_is_turned(axes: Axes) -> None:
    omega = frequencies(64).tolist()
    for x, pair, words in ((14, 0, "fast: learned"), (50, 4, "slower"), (86, 16, "slow: hardly")):
        dial(axes, x, 20, 9, 0.0, 3 * omega[pair])
        axes.text(x, 5, words, ha="center")
        axes.text(x, 31.5, rf"$3\,\omega_{{{pair}}}$", ha="center", color=BLUE)


def four_places(axes: Axes) -> None:
    box(axes, 8, 18, "row $x$", 12)
    for y, name in ((29, "$q, k$"), (7, "$v$")):
        box(axes, 34, y, name, 12)
        arrow(axes, (15.5, 18), (26.5, y))
    box(axes, 60, 29, "scores", 14)
    arrow(axes, (41.5, 29), (51.5, 29))
    box(axes, 88, 18, "sum", 12)
    arrow(axes, (68.5, 29), (80.5, 20))
    arrow(axes, (41.5, 7), (80.5, 16))
    for number, (x, y) in enumerate(((8, 25), (34, 22), (60, 22), (34, 14)), 1):
        axes.text(x, y, str(number), ha="center", va="center", color=ORANGE, weight="bold")


def arcs(axes: Axes) -> None:
    omega = frequencies(64).tolist()
    for x, pair in ((18, 0), (50, 8), (82, 14)):
        seen, later = 31 * omega[pair], 127 * omega[pair]
        axes.add_patch(Circle((x, 19), 10, fill=False, ec=GREY))
        arc(axes, x, 19, 10, 0, min(seen, 2 * math.pi - 0.01), BLUE)
        if seen < 2 * math.pi:
            arc(axes, x, 19, 10, seen, min(later, 2 * math.pi), ORANGE)
        axes.text(x, 19, f"pair {pair}", ha="center", va="center")
    axes.text(50, 2, "blue: seen at 0 to 31        orange: new by 127", ha="center", color=GREY)


BOARDS: dict[str, Callable[[Axes], None]] = {
    "01_order": one_row,
    "02_clocks": binary_hands,
    "03_step_by_step": shapes,
    "04_row_of_clocks": clocks,
    "05_near_and_far": two_hands,
    "06_shift": turned,
    "07_head": hill,
    "08_learning": what_is_turned,
    "09_family": four_places,
    "10_longer": arcs,
}
SIZES = {"02_clocks": (6.4, 2.4), "01_order": (6.4, 2.3)}
