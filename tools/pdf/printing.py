"""A page of HTML on paper, by Chromium; and the numbers of its pages, where it names them."""

from __future__ import annotations

import io
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize
from pypdf import PdfReader, PdfWriter
from pypdf.generic import Fit, IndirectObject

from .document import Document

# As wide as the column of paper.css, 160 mm, in whole pixels.
COLUMN: ViewportSize = {"width": 604, "height": 900}

# A font that comes later than the first paint is used all the same.
FONTS = """() => Promise.all([...document.fonts].map((face) => {
  face.display = "block";
  return face.load();
}))"""

NUMBER = """(pages) => {
  for (const place of document.querySelectorAll("[data-page]"))
    place.textContent = pages[place.dataset.page] ?? "000";
}"""

LEVELS = {"part": 0, "chapter": 1, "section": 2}  # of the outline

# It wonders that its copy of a PDF has more objects than the PDF.
logging.getLogger("pypdf").setLevel(logging.ERROR)

Pages = dict[str, int]


@contextmanager
def opened(browser: Browser, html: str, pages: Pages | None = None) -> Iterator[Page]:
    """The HTML laid out for paper, with the numbers of pages that are known."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.html")
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(viewport=COLUMN)
        page.emulate_media(media="print", color_scheme="light")
        page.goto(path.as_uri())
        page.evaluate(FONTS)
        page.evaluate(NUMBER, pages or {})
        yield page
        page.close()


def printed(browser: Browser, html: str, pages: Pages | None = None, *, final: bool) -> bytes:
    """The HTML as PDF. The structure that is read aloud is for the ``final`` one.

    Opened anew each time: what has been printed once, Chromium may divide otherwise the next time.
    """
    with opened(browser, html, pages) as page:
        return page.pdf(prefer_css_page_size=True, print_background=True, tagged=final)


def with_page_numbers(browser: Browser, html: str) -> bytes:
    """The HTML as PDF, each page that it names with its number."""
    named = pages_of_places(PdfReader(io.BytesIO(printed(browser, html, final=False))))
    pdf = printed(browser, html, named, final=True)
    pages = pages_of_places(PdfReader(io.BytesIO(pdf)))
    if moved := [place for place, page in pages.items() if named.get(place) != page]:
        raise RuntimeError(f"not on the pages that are printed: {', '.join(moved)}")
    return pdf


def pages_of_places(pdf: PdfReader) -> Pages:
    """The page of each id that a link leads to, counted from 1."""
    return {name: number for name, (number, _) in places(pdf).items()}


def places(pdf: PdfReader) -> dict[str, tuple[int, Fit]]:
    """The ids that links lead to: on which page each is, counted from 1, and where on it."""
    numbers = {
        page.indirect_reference.idnum: number
        for number, page in enumerate(pdf.pages, 1)
        if page.indirect_reference
    }
    return {
        name.removeprefix("/"): (
            numbers[place.raw_get("/Page").idnum],
            Fit.xyz(left=0, top=place.top),
        )
        for name, place in pdf.named_destinations.items()
    }


def finished(pdf: bytes, document: Document) -> bytes:
    """The PDF with its author and an outline. (Chromium's own leaves out spaces in titles.)"""
    reader = PdfReader(io.BytesIO(pdf))
    writer = PdfWriter(clone_from=reader)
    writer.pdf_header = reader.pdf_header
    writer.add_metadata({"/Title": document.title, "/Author": document.author})
    writer.page_mode = "/UseOutlines"
    found = places(reader)
    parents: dict[int, IndirectObject] = {}
    for entry in document.entries:
        level = LEVELS[entry.kind]
        number, fit = found[entry.place]
        parent = max((above for above in parents if above < level), default=None)
        parents = {above: item for above, item in parents.items() if above < level}
        parents[level] = writer.add_outline_item(
            title=entry.title,
            page_number=number - 1,
            parent=None if parent is None else parents[parent],
            fit=fit,
            is_open=level == 0,
        )
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()
