"""Takes away the ids that sphinx-exercise and sphinx-proof give to all their boxes alike.

An id is that of one element of a page. What links lead to is the id of an exercise or a theorem,
which stays.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

ALIKE = {"exercise-content", "solution-content", "proof-content", "proof"}


class NoIdsAlike(SphinxPostTransform):
    default_priority = 198
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for box in self.document.findall(is_box):
            box["ids"] = [name for name in box["ids"] if name not in ALIKE]


def is_box(node: nodes.Node) -> bool:
    """Whether it may be one of theirs: a heading "Proof" has its section's id for its own."""
    untitled = isinstance(node, (nodes.section, nodes.admonition))
    return untitled and not any(isinstance(child, nodes.title) for child in node.children)


def setup(app: Sphinx) -> None:
    app.add_post_transform(NoIdsAlike)
