"""The colours of the explorers, light and dark; those that the still figures share are theirs."""

from __future__ import annotations

from pe_lab.figures import COSINE, INK, MINUS, PLUS, SINE, VALUES, ZERO

# The name of each in explorers.css, on a light page and on a dark one.
COLOURS = {
    "ground": ("#ffffff", "#14181e"),
    "panel": ("#f4f5f7", "#1d232c"),
    "ink": (INK, "#e9ecf1"),
    "soft": ("#555c67", "#adb5c1"),
    "line": ("#cdd2d9", "#3a4350"),
    "edge": ("#7b838f", "#818b9a"),
    "sine": (SINE, "#56b4e9"),
    "cosine": (COSINE, "#f0883e"),
    "arc": ("#7b3fa0", "#cda2ee"),
    "accent": ("#39424f", "#c3cad6"),
}


def style() -> str:
    """Return the CSS that gives the colours their names."""
    names = "".join(
        f"  --{name}: light-dark({light}, {dark});\n" for name, (light, dark) in COLOURS.items()
    )
    return f".pex {{\n{names}}}\n"


def channels(colour: str) -> list[int]:
    """Return red, green and blue of ``"#rrggbb"``, 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def values() -> dict[str, object]:
    """Return the colours of the values -1, 0 and 1 as the front end reads them."""
    ends = {"minus": MINUS, "zero": ZERO, "plus": PLUS}
    return {**{name: channels(each) for name, each in ends.items()}, "shades": VALUES.N}
