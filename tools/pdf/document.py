"""The title page, the contents and the chapters as one page of HTML, to be printed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tools.serve import BOOK

from .editions import Edition, edit
from .pages import Chapter, read_book, settings

PAPER = Path(__file__).with_name("paper.css")
LICENCE = "Text and figures: CC BY 4.0. Code: BSD 3-Clause License."


@dataclass(frozen=True)
class Entry:
    """A line of the contents, and of a PDF reader's outline; ``place`` is the id it leads to."""

    kind: str  # part, chapter or section
    title: str
    place: str
    html: str = ""


@dataclass(frozen=True)
class Document:
    title: str
    author: str
    html: str
    entries: list[Entry]


def document(edition: Edition, only: Collection[str] = ()) -> Document:
    """An edition of the book, or of ``only`` some pages of it, to be printed."""
    config = settings("_config.yml")
    chapters = read_book(only)
    for chapter in chapters:
        edit(chapter, edition)
    title, author = f"{config['title']}. {edition.title}", config["author"]
    contents = [entry for chapter in chapters for entry in entries(chapter)]
    html = (
        '<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>"
        f'<link rel="stylesheet" href="{(BOOK / "_static" / "book.css").as_uri()}">'
        f"<style>{''.join(map(looks, chapters))}</style>"
        f"<style>{PAPER.read_text(encoding='utf-8')}{''.join(map(running_head, chapters))}</style>"
        '</head><body><main id="main-content">'
        f"{title_page(config['title'], author, edition)}"
        f'<nav id="contents"><h1>Contents</h1>{"".join(map(line, contents))}</nav>'
        f"{''.join(map(printed, chapters))}</main></body></html>"
    )
    return Document(title, author, html, contents)


def title_page(title: str, author: str, edition: Edition) -> str:
    return (
        f'<section id="title-page"><h1>{escape(title)}</h1>'
        f'<p class="edition">{escape(edition.title)}</p>'
        f'<p class="author">{escape(author)}</p>'
        f'<div class="notes"><p>{escape(edition.note)}</p>'
        "<p>The figures that move on screen are printed as they stand there at first. "
        "Numbers of pages are those that your reader of PDFs counts.</p>"
        f"<p>{LICENCE}</p></div></section>"
    )


def entries(chapter: Chapter) -> Iterator[Entry]:
    """The part that begins here, the chapter, and its sections."""
    if chapter.part:
        yield Entry("part", chapter.part, chapter.key, escape(chapter.part))
    yield Entry("chapter", chapter.title, chapter.key, escape(chapter.title))
    for heading in chapter.article.css("section > section > h2"):
        section = heading.parent
        assert section is not None
        title = " ".join(heading.text().split())
        html = f'<span class="of-{chapter.key}">{heading.inner_html}</span>'
        yield Entry("section", title, section.attributes["id"] or "", html)


def line(entry: Entry) -> str:
    """A line of the contents; a part begins where its first chapter does."""
    if entry.kind == "part":
        return f'<p class="part">{entry.html}</p>'
    return (
        f'<p class="{entry.kind}"><a href="#{entry.place}"><span>{entry.html}</span>'
        f'<span class="leader"></span><span data-page="{entry.place}">000</span></a></p>'
    )


def printed(chapter: Chapter) -> str:
    part = f'<p class="part">{escape(chapter.part)}</p>' if chapter.part else ""
    return (
        f'<div class="printed-chapter of-{chapter.key}" id="{chapter.key}" '
        f'style="page: of-{chapter.key}">{part}{chapter.article.html}</div>'
    )


def looks(chapter: Chapter) -> str:
    """The looks of a chapter's formulas, whose names mean others elsewhere."""
    return f"@scope (.of-{chapter.key}) {{{chapter.looks}}}"


def running_head(chapter: Chapter) -> str:
    title = json.dumps(chapter.title, ensure_ascii=False)
    return f"@page of-{chapter.key} {{ @top-left {{ content: {title}; }} }}"
