"""What a cell's metadata puts on a slide: Markdown, parsed as the chapter's own."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from docutils.utils import new_document
from docutils.utils.smartquotes import smartyPants
from lean_pages.maths import take_punctuation_along
from live_figures.figures import live_figure
from live_figures.links import SCHEME, make_link
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

KEY = "slides"
PARTS = {"text", "question", "answer"}
SHOWN = {"code", "result", "both"}
TYPES = {"-", "slide", "subslide", "fragment", "notes", "skip"}


def slide_type(metadata: dict[str, Any], where: str) -> str:
    """Jupyter's ``slide_type`` of a cell; "-" where it has none."""
    found: str = metadata.get("slideshow", {}).get("slide_type", "-")
    if found not in TYPES:
        raise ExtensionError(f"{where}: slide_type {found!r}; it is one of {sorted(TYPES)}")
    return found


def words_of(metadata: dict[str, Any], where: str) -> dict[str, str]:
    """A Markdown cell's words for slides, by what they stand for."""
    given = metadata.get(KEY, {})
    words: dict[str, str] = {"text": given} if isinstance(given, str) else given
    if unknown := sorted(words.keys() - PARTS):
        raise ExtensionError(f"{where}: slides has {unknown}; its parts are {sorted(PARTS)}")
    return words


def shown_of(metadata: dict[str, Any], where: str) -> str:
    """What is shown of a code cell; "" where it does not say."""
    shown: str = metadata.get(KEY, "")
    if shown and shown not in SHOWN:
        raise ExtensionError(f"{where}: slides is {shown!r}; it is one of {sorted(SHOWN)}")
    return shown


class Texts:
    """Parses words of a chapter. ``chapter``: its document, for the live figures that it has."""

    def __init__(self, env: BuildEnvironment, docname: str, chapter: nodes.document) -> None:
        self.env = env
        self.docname = docname
        self.settings = chapter.settings
        self.figures = {node["name"]: node for node in chapter.findall(live_figure)}

    def parsed(self, text: str) -> list[nodes.Node]:
        app = self.env.app
        self.env.prepare_settings(self.docname)
        document = new_document(f"{self.docname} (slides)", self.settings)
        parser = MystParser()
        parser.set_application(app)
        parser.parse(text, document)
        self.env.temp_data.clear()
        for link in list(document.findall(nodes.reference)):
            uri = html.unescape(link.get("refuri", ""))
            if not uri.startswith(f"{SCHEME}:"):
                continue
            try:
                live = make_link(uri, self.figures, self.env.config.live_figures_packages)
            except ValueError as error:
                raise ExtensionError(f"{self.docname}, slides: {uri}: {error}") from error
            live += link.children
            link.replace_self(live)
        take_punctuation_along(app, document)
        for words in list(document.findall(nodes.Text)):
            if not isinstance(words.parent, (nodes.literal, nodes.math, nodes.math_block)):
                words.parent.replace(words, nodes.Text(smartyPants(words.astext(), "q")))
        if errors := list(document.findall(nodes.system_message)):
            raise ExtensionError(f"{self.docname}, slides: {errors[0].astext()}")
        return list(document.children)

    def slides(self, text: str) -> Iterator[list[nodes.Node]]:
        """The words of several slides, which a line ``---`` parts."""
        content: list[nodes.Node] = []
        for node in self.parsed(text):
            if isinstance(node, nodes.transition):
                yield content
                content = []
            else:
                content.append(node)
        yield content
