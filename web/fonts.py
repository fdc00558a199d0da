"""Fonts cut to the characters that some pages show."""

from __future__ import annotations

import base64
import functools
import io
import logging
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

# It tells each table that it cuts, hundreds of lines a build.
logging.getLogger("fontTools").setLevel(logging.WARNING)

# Copyright, licence and its address. A font that was changed may not keep a name that is reserved
# (Source Serif's is), and a style sheet calls it as it likes.
KEPT_NAMES = [0, 13, 14]

# What a browser does to letters unasked. Fractions, raised and other figures are asked for, and by
# no page.
UNASKED = ["calt", "ccmp", "clig", "curs", "kern", "liga", "locl", "mark", "mkmk", "rlig"]


def cut_font(path: Path, characters: Iterable[str], *, hinting: bool = True) -> bytes:
    """The font with these of its characters, as WOFF2; empty, if it has none of them."""
    return _cut(path, frozenset(characters), hinting)


@functools.cache  # the next sheet that a process writes has mostly the same
def _cut(path: Path, characters: frozenset[str], hinting: bool) -> bytes:
    # The hour of the build would make each font another one.
    font = TTFont(path, recalcTimestamp=False)
    wanted = set(map(ord, characters)) & set(font.getBestCmap())
    if not wanted:
        return b""
    options = subset.Options(
        hinting=hinting, layout_features=UNASKED, notdef_outline=True, name_IDs=KEPT_NAMES
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    font.flavor = "woff2"
    file = io.BytesIO()
    font.save(file, reorderTables=False)
    return file.getvalue()


def as_address(font: bytes) -> str:
    """The font itself as the address that a style sheet names."""
    return f"data:font/woff2;base64,{base64.b64encode(font).decode('ascii')}"
