"""Each finished page, parsed once and written shorter and steadier.

Sphinx asks its template bridge for every page (``template_bridge`` in ``_config.yml``); this one
hands on what the theme's templates give, with:

- the size of every image stated, and those after the first loaded when they are near;
- no tag around words of code that have the colour of plain code;
- formulas without the TeX that they came from, which no browser shows;
- no address of the page where that of the book is not known;
- entries of the bibliography as items of a list: screen readers dropped their old role; and
  folded cells named by the text that they show, not by a label that hides it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

from PIL import Image
from selectolax.lexbor import LexborHTMLParser
from sphinx.jinja2glue import BuiltinTemplateLoader

Size = tuple[int, int]

# The classes of words that neither the light nor the dark style of code sets apart: names,
# punctuation, white space.
PLAIN_CODE = ".highlight span.n, .highlight span.p, .highlight span.w"


class LeanPages(BuiltinTemplateLoader):
    """Sphinx's own templates, and ``lean`` for every page that they give."""

    def init(self, builder: Any, theme: Any = None, dirs: list[str] | None = None) -> None:
        super().init(builder, theme, dirs)
        self.builder = builder

    # Sphinx's base class promises None, though every caller writes what comes back.
    def render(  # type: ignore[override]
        self, template: str, context: dict[str, Any]
    ) -> str:
        page: str = super().render(template, context)
        return lean(page, self.image_size) if template.endswith(".html") else page

    def image_size(self, address: str) -> Size | None:
        """The size of the image that a page names so, if it is one of the book's."""
        name = unquote(address.rpartition("/")[2])
        for source, target in self.builder.images.items():
            if target == name:
                return image_size(Path(self.builder.srcdir) / source)
        return None


def lean(html: str, size_of: Callable[[str], Size | None]) -> str:
    page = LexborHTMLParser(html)
    for number, image in enumerate(page.css("main img")):
        if size := size_of(image.attributes.get("src") or ""):
            image.attrs["width"], image.attrs["height"] = map(str, size)
        # The first picture of a page may be the largest thing in sight.
        if number:
            image.attrs["loading"] = "lazy"
    for word in page.css(PLAIN_CODE):
        word.unwrap()
    for source in page.css("annotation"):
        source.decompose()
    for meaning in page.css("semantics"):
        meaning.unwrap()
    for formula in page.css("math"):
        del formula.attrs["xmlns"]
    for address in page.css('meta[property="og:url"]:not([content*="://"])'):
        address.decompose()
    for entry in page.css("[role=doc-biblioentry]"):
        entry.attrs["role"] = "listitem"
    for summary in page.css("summary[aria-label]"):
        del summary.attrs["aria-label"]
    return f"{page.html}\n"


def image_size(path: Path) -> Size | None:
    """Width and height of a picture in pixels; of an SVG, in the units of its view box."""
    if path.suffix == ".svg":
        box = ElementTree.parse(path).getroot().get("viewBox", "")
        numbers = [float(number) for number in re.split(r"[\s,]+", box) if number]
        return (round(numbers[2]), round(numbers[3])) if len(numbers) == 4 else None
    with Image.open(path) as image:
        return image.size
