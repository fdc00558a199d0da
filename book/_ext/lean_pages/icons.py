"""The theme's icons: of each icon font, the few characters that the style sheet names."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FONT_FACE = re.compile(r"@font-face\{[^}]*url\([^)]*/(fa-[\w-]+)\.woff2\)[^}]*\}")
SOURCE = re.compile(r"src:[^;}]*")

# Icon fonts keep their characters in Unicode's private use area.
ESCAPED = re.compile(r"\\([ef][0-9a-f]{3})\b")
LITERAL = re.compile("[\ue000-\uf8ff]")


def embed_icon_fonts(css: str, fonts: Path) -> str:
    """``css`` with every icon font replaced by a part of it that stands in the sheet itself."""
    characters = {int(code, 16) for code in ESCAPED.findall(css)}
    characters |= {ord(character) for character in LITERAL.findall(css)}

    def embed(face: re.Match[str]) -> str:
        # The hour of the build would make each sheet another one.
        font = TTFont(fonts / f"{face[1]}.ttf", recalcTimestamp=False)
        wanted = characters & set(font.getBestCmap())
        if not wanted:
            return ""
        address = f'url("data:font/woff;base64,{cut(font, wanted)}") format("woff")'
        return SOURCE.sub(f"src:{address}", face[0])

    return FONT_FACE.sub(embed, css)


def cut(font: TTFont, characters: set[int]) -> str:
    """The font with these characters only, as WOFF in base64."""
    cutter = subset.Subsetter(subset.Options(layout_features=[], notdef_outline=False))
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    font.flavor = "woff"
    file = io.BytesIO()
    font.save(file, reorderTables=False)
    return base64.b64encode(file.getvalue()).decode("ascii")
