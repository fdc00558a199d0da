"""Slides: a deck for each required chapter and for each lesson, made from the chapters.

It is a builder (``-b slides``) that shares the documents that the pages were made from: formulas,
pictures and live figures are those of the pages, and nothing is read twice.

- ``cutting``: a chapter as slides. A section is a slide, a question another, what answers it comes
  as a fragment; prose goes to the speaker's notes;
- ``texts``: what a cell's metadata puts on the slide in place of its prose;
- ``builder``: the decks and their index, as files that need no server;
- ``decks``: the slides that a deck begins with, and what a lesson takes from its chapters.

What a notebook says of its cells, in their metadata:

- ``slideshow.slide_type``, Jupyter's own: ``slide`` and ``subslide`` begin a slide, ``fragment``
  adds to the one before, ``notes`` puts the cell into the speaker's notes, ``skip`` leaves it out;
- ``slides``: of a Markdown cell the words of its slide (``---`` begins another), or several
  such words by what they stand for: ``text``, ``question``, ``answer``; of a code cell what is
  shown of it: ``code``, ``result`` or ``both``.
"""

from __future__ import annotations

from myst_nb.core.render import base_render_priority
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from .builder import SlidesBuilder


def show_as_pages(app: Sphinx, config: Config) -> None:
    """Of each output the form that a page shows; MyST-NB asks for the builder by its name."""
    forms = base_render_priority()["html"].items()
    as_here = [(SlidesBuilder.name, kind, priority) for kind, priority in forms]
    config.nb_mime_priority_overrides = [*config.nb_mime_priority_overrides, *as_here]


def setup(app: Sphinx) -> ExtensionMetadata:
    app.connect("config-inited", show_as_pages)
    app.add_builder(SlidesBuilder)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
