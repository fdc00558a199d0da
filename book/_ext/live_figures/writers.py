"""A node of the book's own, for each of Sphinx's writers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

Visit = Callable[[Any, Any], None]


def add_page_node(app: Sphinx, node: type[nodes.Element], visit: Visit, depart: Visit) -> None:
    """Add a node that a page shows in its own way; elsewhere it is what it contains."""
    app.add_node(
        node,
        html=(visit, depart),
        latex=(words_only, words_only),
        text=(words_only, words_only),
        man=(words_only, words_only),
        texinfo=(words_only, words_only),
    )


def words_only(self: nodes.NodeVisitor, node: nodes.Node) -> None:
    """Where there is no page: the contents, and nothing round them."""
