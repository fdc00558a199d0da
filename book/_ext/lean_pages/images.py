"""Every image states its size, so that the text below it never moves."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def setup(app: Sphinx) -> None:
    app.add_node(nodes.image, override=True, html=(visit_image, depart_image))


def visit_image(translator: HTML5Translator, node: nodes.image) -> None:
    size = image_size(Path(translator.builder.srcdir) / node["uri"])
    HTML5Translator.visit_image(translator, node)
    if size is None:
        return
    attributes = f'<img width="{size[0]}" height="{size[1]}" decoding="async" '
    # The first picture of a page may be the largest thing in sight.
    if any("<img " in part for part in translator.body[:-1]):
        attributes += 'loading="lazy" '
    translator.body[-1] = translator.body[-1].replace("<img ", attributes, 1)


def depart_image(translator: HTML5Translator, node: nodes.image) -> None:
    HTML5Translator.depart_image(translator, node)


def image_size(path: Path) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG or SVG file, or None for another kind of file."""
    if not path.is_file():
        return None
    if path.suffix == ".png":
        head = path.read_bytes()[:24]
        if head[:8] == PNG_SIGNATURE:
            width, height = struct.unpack(">II", head[16:24])
            return width, height
    if path.suffix == ".svg":
        box = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', path.read_text("utf-8"))
        if box:
            return round(float(box[1])), round(float(box[2]))
    return None
