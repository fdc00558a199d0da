"""The built pages as chapters of one document."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pe_lab.yaml_file import read_yaml
from tools.serve import BOOK

from .formulas import tell

ROOT = Path(__file__).resolve().parents[2]

# What a page has for scripts, for the dark, and for a pointer.
NOT_ON_PAPER = ".headerlink, .dark-form, script, [data-late], button, output, p:has(> a.button)"
VERBS = "summary .when-open, summary .when-closed, summary .unanswered"

FRONT = "About this book"
LONG = 20  # lines of code, or of what it prints, that may begin on one page and end on the next

# Attributes that name ids of their own page.
NAMES_OF_IDS = ("id", "for", "aria-labelledby", "aria-describedby")


@dataclass
class Chapter:
    """A page of the book; ``part``: the part that begins with it, if one does."""

    name: str
    part: str
    article: LexborNode
    looks: str  # the style sheet of its formulas

    @property
    def key(self) -> str:
        return key(self.name)

    @property
    def title(self) -> str:
        return " ".join(found(self.article, "h1").text().split())


def key(name: str) -> str:
    """What a page is called among the ids: ``01_order`` for ``notebooks/01_order``."""
    return name.rpartition("/")[2]


def found(node: LexborNode, selector: str) -> LexborNode:
    first = node.css_first(selector)
    if first is None:
        raise ValueError(f"no {selector} in {node.html or ''!r:.80}")
    return first


def read_book(only: Collection[str] = ()) -> list[Chapter]:
    """The chapters in the order of the table of contents, without what only a screen can show."""
    parts = {name: part for name, part in listed() if not only or name in only}
    chapters = [read(name, part) for name, part in parts.items()]
    for chapter in chapters:
        tidy(chapter.article)
        tell_ids_apart(chapter)
        lead_within(chapter, set(parts))
    return chapters


def listed() -> Iterator[tuple[str, str]]:
    """The names of the pages, each with the part that it begins or with nothing."""
    toc = settings("_toc.yml")
    left_out = settings("_config.yml")["sphinx"]["config"]["readers_leave_out"]
    yield toc["root"], ""
    for part in toc["parts"]:
        names = [each["file"] for each in part["chapters"] if each["file"] not in left_out]
        yield names[0], part["caption"]
        yield from ((name, "") for name in names[1:])


def settings(name: str) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(ROOT / name)
    return found


def read(name: str, part: str) -> Chapter:
    page = LexborHTMLParser((BOOK / f"{name}.html").read_text(encoding="utf-8"))
    looks = "".join(style.text() for style in page.css("head > style"))
    (article,) = page.css("article.bd-article")
    if name == settings("_toc.yml")["root"]:
        found(article, "h1").inner_html = FRONT  # its own title is the title page's
    return Chapter(name, part, article, looks)


def tidy(article: LexborNode) -> None:
    """Take away what is not for paper, and open what is folded."""
    for node in article.css(f"{NOT_ON_PAPER}, {VERBS}"):
        node.decompose()
    for fold in article.css("details"):
        fold.attrs["open"] = ""
    for image in article.css("img[loading]"):  # one that waits to be near is not printed
        del image.attrs["loading"]
    for still in article.css(".live-still"):
        say_what_is_shown(still)
    for figure in article.css("figure"):  # else a second figure is told, one without words
        figure.attrs["role"] = "group"
    for formula in article.css(".katex"):
        tell(formula)
    for code in article.css(".cell_input, .output"):
        if code.text().count("\n") < LONG:
            code.attrs["class"] = f"{code.attributes['class']} short"


def say_what_is_shown(still: LexborNode) -> None:
    """Print below a live figure's still picture the words that a screen reader says of it."""
    words = found(still, "img").attributes["alt"]
    caption = LexborHTMLParser("<p class=still-words aria-hidden=true></p>").css("p")[0]
    caption.inner_html = f"<b>Live in the book on screen.</b> {words}"
    still.insert_after(caption)


def tell_ids_apart(chapter: Chapter) -> None:
    """Put the chapter's key before each id, and wherever the page names one."""
    for name in NAMES_OF_IDS:
        for node in chapter.article.css(f"[{name}]"):
            named = (node.attributes[name] or "").split()
            node.attrs[name] = " ".join(f"{chapter.key}--{each}" for each in named)


def lead_within(chapter: Chapter, names: set[str]) -> None:
    """Lead links to other pages to their chapters, and take pictures from the built book.

    What has no place in the book on paper, a download for instance, is not linked.
    """
    here = posixpath.dirname(chapter.name)
    for image in chapter.article.css("img"):
        path = posixpath.normpath(posixpath.join(here, unquote(image.attributes["src"] or "")))
        image.attrs["src"] = (BOOK / path).as_uri()
    for link in chapter.article.css("a[href]"):
        address = link.attributes["href"] or ""
        if ":" in address:
            continue
        page, _, anchor = address.partition("#")
        path = posixpath.normpath(posixpath.join(here, page))
        name = path.removesuffix(".html") if page else chapter.name
        if name not in names:
            link.unwrap()
        else:
            link.attrs["href"] = f"#{key(name)}--{anchor}" if anchor else f"#{key(name)}"
