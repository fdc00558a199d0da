"""Entries of the bibliography are items of its list: screen readers dropped their old role."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def setup(app: Sphinx) -> None:
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))


def visit_citation(translator: HTML5Translator, node: nodes.citation) -> None:
    HTML5Translator.visit_citation(translator, node)
    translator.body[-1] = translator.body[-1].replace('"doc-biblioentry"', '"listitem"', 1)


def depart_citation(translator: HTML5Translator, node: nodes.citation) -> None:
    HTML5Translator.depart_citation(translator, node)
