"""Each finished page, parsed once and written shorter and steadier.

Sphinx asks its template bridge for every page (``template_bridge`` in ``_config.yml``); this one
hands on what the theme's templates give, with:

- the size of every image stated, a dark form beside it (drawn, or made by ``dark``), and those
  that are not in sight at once loaded when they are near;
- no tag around words of code that have the colour of plain code, and a short one around others;
- the looks of formulas' boxes, each once and named (``looks``);
- what is not needed before the reader asks for it (``data-late``) in a script of its own;
- no address of the page where that of the book is not known;
- a page's notebook saved, and not shown as text;
- entries of the bibliography as items of a list: screen readers dropped their old role;
  citations titled without the address to which their entry leads; and folded cells named by the
  text that they show, not by a label that hides it;
- signs of icons, and the one after a heading, not read aloud; and the present page marked as such
  in the contents.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

from minify_html import minify
from PIL import Image
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sphinx.errors import ExtensionError
from sphinx.jinja2glue import BuiltinTemplateLoader

from .dark import write_dark_form
from .looks import name_looks

Size = tuple[int, int]

LATE = "document.currentScript.html="

# The classes of words that neither the light nor the dark style of code sets apart: names,
# punctuation, white space.
PLAIN_CODE = ".highlight span.n, .highlight span.p, .highlight span.w"

# A word that they do set apart; as <b> it is shorter (static/formulas.css takes the weight away).
CODE_WORD = re.compile(r'<span class="([a-z]\w?)">([^<]*)</span>')


class LeanPages(BuiltinTemplateLoader):
    """Sphinx's own templates, and ``lean`` for every page that they give."""

    def init(self, builder: Any, theme: Any = None, dirs: list[str] | None = None) -> None:
        super().init(builder, theme, dirs)
        self.images: dict[str, str] = builder.images
        self.sources = Path(builder.srcdir)
        self.image_folder = Path(builder.outdir) / builder.imagedir
        self.static = Path(builder.outdir) / "_static"

    # Sphinx's base class promises None, though every caller writes what comes back.
    def render(  # type: ignore[override]
        self, template: str, context: dict[str, Any]
    ) -> str:
        page: str = super().render(template, context)
        if not template.endswith(".html"):
            return page
        return lean(page, self.source_of, self.write_dark_form, self.write_late)

    def source_of(self, address: str) -> Path | None:
        """The file of the image that a page names so, if it is one of the book's."""
        name = unquote(address.rpartition("/")[2])
        for source, target in self.images.items():
            if target == name:
                return self.sources / source
        return None

    def write_dark_form(self, address: str, source: Path) -> str:
        """The address of an image's dark form, which is made unless it is there."""
        dark = f"{address.removesuffix(source.suffix)}.dark{source.suffix}"
        target = self.image_folder / dark.rpartition("/")[2]
        drawn = own_dark_form(source)
        if drawn.exists():
            shutil.copyfile(drawn, target)
        elif not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            write_dark_form(source, target)
        return dark

    def write_late(self, name: str, html: str) -> None:
        """A part of a page, as what a script hands over: a page on disk may load no other file."""
        path = self.static / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(LATE + json.dumps(html), encoding="utf-8")


def late_part(path: Path) -> str:
    """The HTML that ``write_late`` has written."""
    html: str = json.loads(path.read_text(encoding="utf-8").removeprefix(LATE))
    return html


def lean(
    html: str,
    source_of: Callable[[str], Path | None],
    write_dark_form: Callable[[str, Path], str],
    write_late: Callable[[str, str], None],
) -> str:
    page = LexborHTMLParser(html)
    for number, image in enumerate(page.css("main img")):
        address = image.attributes.get("src") or ""
        # The first picture above the first section may be the largest thing in sight.
        if number or image.css_matches("section section img"):
            image.attrs["loading"] = "lazy"
        if not (source := source_of(address)):
            continue
        image.attrs["width"], image.attrs["height"] = map(str, image_size(source))
        if source.suffix == ".png" or own_dark_form(source).exists():
            add_dark_form(image, write_dark_form(address, source))
    for word in page.css(f"{PLAIN_CODE}, a > span.std"):
        word.unwrap()
    for code in page.css(".highlight pre"):
        code.inner_html = CODE_WORD.sub(r'<b class="\1">\2</b>', code.inner_html or "")
    if (style := name_looks(page)) and page.head:
        page.head.insert_child(element(f"<style>{style}</style>", "style"))
    for part in page.css("[data-late]"):  # its formulas' looks are named now
        write_late(part.attributes["data-late"] or "", part.inner_html or "")
        part.inner_html = ""
    for unknown in page.css('meta[property="og:url"]:not([content*="://"])'):
        unknown.decompose()
    for entry in page.css("[role=doc-biblioentry]"):
        entry.attrs["role"] = "listitem"
    for citation in page.css('a[title*=" URL: "]'):
        citation.attrs["title"] = (citation.attributes["title"] or "").partition(" URL: ")[0]
    for summary in page.css("summary[aria-label]"):
        del summary.attrs["aria-label"]
    for sign in page.css("i[class*=fa-], span[class*=fa-], a.headerlink"):
        sign.attrs["aria-hidden"] = "true"
    for here in page.css(".bd-links a.current"):
        here.attrs["aria-current"] = "page"
    for notebook in page.css("a.btn-download-notebook-button"):
        notebook.attrs["download"] = None  # a browser would show it, in a new tab
        del notebook.attrs["target"]
    return minify(
        page.html or "",
        keep_closing_tags=True,
        keep_html_and_head_opening_tags=True,
        minify_js=True,
    )


def add_dark_form(image: LexborNode, address: str) -> None:
    """A second image beside ``image``; the style sheet shows one of them, aloud too.

    ``dark-light`` tells the theme that the image needs no light card behind it.
    """
    dark = element(image.html or "", "img")
    dark.attrs["src"] = address
    dark.attrs["loading"] = "lazy"
    for each, name in ((image, "light-form"), (dark, "dark-form dark-light")):
        each.attrs["class"] = f"{each.attributes.get('class') or ''} {name}".strip()
    image.insert_after(dark)


def element(html: str, tag: str) -> LexborNode:
    """The first element of this kind in ``html``, to be put into a page."""
    return LexborHTMLParser(html).css(tag)[0]


def own_dark_form(source: Path) -> Path:
    """Where an image's dark form is, if it was drawn as well: beside it."""
    return source.with_suffix(f".dark{source.suffix}")


def image_size(path: Path) -> Size:
    """Width and height of a picture in pixels; of an SVG, in the units of its view box."""
    if path.suffix == ".svg":
        box = ElementTree.parse(path).getroot().get("viewBox")
        if box is None:
            raise ExtensionError(f"{path.name} has no viewBox, which says how large it is")
        _, _, width, height = (round(float(number)) for number in re.split(r"[\s,]+", box))
        return width, height
    with Image.open(path) as image:
        return image.size
