"""Draw chapter 3's picture of the table: in each row, each pair as a clock and as two numbers.

``python -m tools.front_picture`` writes ``book/_static/front.svg``, and its form for a dark page,
``front.dark.svg``. A test holds every number and every hand in both against the encoding.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from matplotlib.colors import to_hex
from torch import Tensor

from pe_core.steps import stepwise
from pe_lab.figures import COSINE, INK, SINE, UNIT, VALUES, ink_on, printed

STATIC = Path(__file__).resolve().parent.parent / "book" / "_static"


@dataclass(frozen=True)
class Colours:
    """Of all but the cells, which are the same on every ground."""

    ground: str
    ink: str
    sine: str
    cosine: str
    rim: str


PICTURES = {
    STATIC / "front.svg": Colours("white", INK, SINE, COSINE, "#8c8c8c"),
    STATIC / "front.dark.svg": Colours("#121212", "#e1e4e8", "#4aa8e0", "#e08a4a", "#8c8c8c"),
}
WORDS = ["My", "name", "is", "John"]
D_MODEL, LENGTH = 6, 10

LEFT, TOP = 98, 46  # where the first clock begins
ROW, CELL, CLOCK, GAP = 32, 48, 32, 6  # pixels
RADIUS = 12
PAIR = CLOCK + 2 * CELL + GAP


def front_picture(pe: Tensor, words: list[str], colours: Colours) -> str:
    """The table (L, d) as an SVG: words, positions, and for each pair a clock and two cells."""
    length, d_model = pe.shape
    width, height = LEFT + d_model // 2 * PAIR, TOP + length * ROW + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="14" '
        f'text-anchor="middle" fill="{colours.ink}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{colours.ground}"/>',
        text(LEFT - 16, TOP - 8, "p", colours.ink),
    ]
    for i in range(d_model // 2):
        x = LEFT + i * PAIR + CLOCK
        parts += [
            text(x + CELL, TOP - 26, f"pair {i}", colours.ink),
            text(x + CELL / 2, TOP - 8, "sin", colours.sine),
            text(x + CELL * 3 / 2, TOP - 8, "cos", colours.cosine),
        ]
    for p in range(length):
        middle = TOP + p * ROW + ROW / 2
        if p < len(words):
            parts.append(text(10, middle + 5, words[p], colours.ink, "start", "bold"))
        parts.append(text(LEFT - 16, middle + 5, str(p), colours.ink))
        for i in range(d_model // 2):
            x = LEFT + i * PAIR
            sine, cosine = pe[p, 2 * i].item(), pe[p, 2 * i + 1].item()
            parts.append(clock(x + CLOCK / 2 - 2, middle, sine, cosine, colours))
            parts.append(cell(x + CLOCK, middle, sine))
            parts.append(cell(x + CLOCK + CELL, middle, cosine))
    return "\n".join([*parts, "</svg>", ""])


def text(
    x: float,
    y: float,
    words: str,
    colour: str,
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


def clock(x: float, y: float, sine: float, cosine: float, colours: Colours) -> str:
    """A hand that points ``sine`` to the right and ``cosine`` up: noon is angle 0."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="none" stroke="{colours.rim}"/>'
        f'<line x1="{x:g}" y1="{y:g}" x2="{x + RADIUS * sine:.2f}" y2="{y - RADIUS * cosine:.2f}" '
        f'stroke="{colours.ink}" stroke-width="2.5" stroke-linecap="round"/>'
    )


if __name__ == "__main__":
    for path, colours in PICTURES.items():
        picture = front_picture(stepwise(LENGTH, D_MODEL), WORDS, colours)
        path.write_text(picture, encoding="utf-8", newline="\n")
