"""The built book, as the guide sees it: its pages, their minutes, and their live figures."""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser

from course.sets.tasks import TaskError, read_settings

ROOT = Path(__file__).resolve().parents[2]
SCHEME = "book"


@dataclass(frozen=True)
class Book:
    """A built book: ``html``, its pages, and ``doctrees``, what Sphinx has read of them.

    Attributes:
        at: what an address of the book begins with, seen from a page of the guide.
    """

    html: Path
    doctrees: Path
    at: str

    def address(self, uri: str) -> str:
        """The address for ``book:06_shift``, ``book:06_shift#exercises``, or, with a live figure
        at a setting, ``book:06_shift#live-turn?offset=10``.

        Raises:
            ValueError: there is no such page, place, figure, trait or value.
        """
        page, _, fragment = uri.removeprefix(f"{SCHEME}:").partition("#")
        place, _, settings = fragment.partition("?")
        name = self.docname(page)
        if place and place not in places(self.html / f"{name}.html"):
            raise ValueError(f"{name} has no place {place!r}")
        if settings:
            self.check_setting(name, place.removeprefix("live-"), settings)
        return f"{self.at}{name}.html" + (
            f"#{quote(fragment, safe='?=&+%-_.')}" if fragment else ""
        )

    def docname(self, page: str) -> str:
        """The name of a page that is called by its file alone."""
        for folder in ("notebooks", "book"):
            if (self.html / folder / f"{page}.html").exists():
                return f"{folder}/{page}"
        raise ValueError(f"the book has no page {page!r}")

    def check_setting(self, name: str, figure: str, settings: str) -> None:
        """Raises ValueError where a link of that page itself could not say ``live:``."""
        from live_figures.links import make_link

        make_link(
            f"live:{figure}?{settings}", figures(self.doctrees / f"{name}.doctree"), ["pe_lab"]
        )

    def title(self, page: str) -> str:
        """A page's title."""
        return cast(str, environment(self.doctrees).titles[self.docname(page)].astext())

    def minutes(self, place: str) -> int:
        """The minutes of ``06_shift`` or of a section, ``06_shift#turn-it-yourself``.

        Raises:
            ValueError: there is no such page or section.
        """
        page, _, section = place.partition("#")
        name = self.docname(page)
        efforts = environment(self.doctrees).metadata[name].get("efforts", {})
        if section not in efforts:
            raise ValueError(f"{name} has no section {section!r} to count")
        return cast(int, efforts[section].printed_minutes)


@cache
def places(page: Path) -> frozenset[str]:
    """The ids of a built page."""
    parsed = LexborHTMLParser(page.read_text(encoding="utf-8"))
    return frozenset(element.attributes["id"] or "" for element in parsed.css("[id]"))


@cache
def figures(doctree: Path) -> dict[str, Any]:
    """The live figures of a page that Sphinx has read, by their names."""
    from live_figures.figures import live_figure

    found = pickle.loads(doctree.read_bytes()).findall(live_figure)
    return {node["name"]: node for node in found}


@cache
def environment(doctrees: Path) -> Any:
    """What Sphinx knows of the book's pages."""
    return pickle.loads((doctrees / "environment.pickle").read_bytes())


def built_book(into: Path) -> Book:
    """The book of this clone, seen from pages in ``into``.

    Its address is BOOK_ADDRESS or that of the settings, where one is set, else the way to it.

    Raises:
        TaskError: it has not been built.
    """
    build = ROOT / "_build"
    html, doctrees = build / "html", build / ".doctrees"
    if not (doctrees / "environment.pickle").exists():
        raise TaskError(f"the book is not built: there is no {doctrees}; make book")
    sys.path[:0] = [str(ROOT), str(ROOT / "book" / "_ext")]  # for what the pickles name
    address = read_settings(address=os.environ.get("BOOK_ADDRESS", "")).address
    way = Path(os.path.relpath(html, into)).as_posix()
    return Book(html, doctrees, address or f"{way}/")
