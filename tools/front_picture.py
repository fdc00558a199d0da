"""Draw the picture on the front page: each row of the table, and each pair in it as a clock.

``python -m tools.front_picture`` writes ``book/_static/front.svg``. A test holds every number and
every hand in that file against the encoding.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.colors import to_hex
from torch import Tensor

from pe_core.steps import stepwise
from pe_lab.figures import COSINE, INK, SINE, UNIT, VALUES, ink_on, printed

PICTURE = Path(__file__).resolve().parent.parent / "book" / "_static" / "front.svg"
WORDS = ["My", "name", "is", "John"]
D_MODEL, LENGTH = 6, 10

LEFT, TOP = 98, 46  # where the first clock begins
ROW, CELL, CLOCK, GAP = 32, 48, 32, 6  # pixels
RADIUS = 12
PAIR = CLOCK + 2 * CELL + GAP


def front_picture(pe: Tensor, words: list[str]) -> str:
    """The table (L, d) as an SVG: words, positions, and for each pair a clock and two cells."""
    length, d_model = pe.shape
    width, height = LEFT + d_model // 2 * PAIR, TOP + length * ROW + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="14" '
        f'text-anchor="middle" fill="{INK}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="white"/>',
        text(LEFT - 16, TOP - 8, "p"),
    ]
    for i in range(d_model // 2):
        x = LEFT + i * PAIR + CLOCK
        parts += [
            text(x + CELL, TOP - 26, f"pair {i}"),
            text(x + CELL / 2, TOP - 8, "sin", SINE),
            text(x + CELL * 3 / 2, TOP - 8, "cos", COSINE),
        ]
    for p in range(length):
        middle = TOP + p * ROW + ROW / 2
        if p < len(words):
            parts.append(text(10, middle + 5, words[p], anchor="start", weight="bold"))
        parts.append(text(LEFT - 16, middle + 5, str(p)))
        for i in range(d_model // 2):
            x = LEFT + i * PAIR
            sine, cosine = pe[p, 2 * i].item(), pe[p, 2 * i + 1].item()
            parts.append(clock(x + CLOCK / 2 - 2, middle, sine, cosine))
            parts.append(cell(x + CLOCK, middle, sine))
            parts.append(cell(x + CLOCK + CELL, middle, cosine))
    return "\n".join([*parts, "</svg>", ""])


def text(
    x: float,
    y: float,
    words: str,
    colour: str = INK,
    anchor: str = "middle",
    weight: str = "normal",
) -> str:
    style = f'fill="{colour}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{words}</text>'


def cell(x: float, middle: float, value: float) -> str:
    colour = VALUES(UNIT(value))
    return (
        f'<rect x="{x:g}" y="{middle - ROW / 2 + 1:g}" width="{CELL - 2}" height="{ROW - 2}" '
        f'fill="{to_hex(colour)}"/>'
        + text(x + CELL / 2 - 1, middle + 5, printed(value, 2), ink_on(colour))
    )


def clock(x: float, y: float, sine: float, cosine: float) -> str:
    """A hand that points ``sine`` to the right and ``cosine`` up: noon is angle 0."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="none" stroke="#8c8c8c"/>'
        f'<line x1="{x:g}" y1="{y:g}" x2="{x + RADIUS * sine:.2f}" y2="{y - RADIUS * cosine:.2f}" '
        f'stroke="{INK}" stroke-width="2.5" stroke-linecap="round"/>'
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(
        front_picture(stepwise(LENGTH, D_MODEL), WORDS), encoding="utf-8", newline="\n"
    )
