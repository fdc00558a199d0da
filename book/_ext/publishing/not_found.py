"""``404.html``: what hosts of pages show for an address that is none, at whatever depth.

Its links are relative to the book's folder, which it names where the book's address is known; else
a script looks for it in the folders above (``book/_templates/404.html``). It needs no other file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx

Page = tuple[str, dict[str, Any], str]


def not_found_page(app: Sphinx) -> Iterator[Page]:
    if app.builder.name == "html":
        folder = urlsplit(app.config.html_baseurl).path
        yield "404", {"title": "No such page", "book_folder": folder}, "404.html"


def setup(app: Sphinx) -> None:
    app.connect("html-collect-pages", not_found_page)
