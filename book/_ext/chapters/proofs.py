"""The word "Proof." that sphinx-proof puts before a proof's first line, made a heading there."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

WORD = "Proof."


class ProofHeadings(SphinxPostTransform):
    default_priority = 198
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for proof in self.document.findall(nodes.admonition):
            first = proof.next_node(nodes.Text)
            if "proof" in proof["classes"] and first and first.startswith(WORD):
                rest = nodes.Text(first.removeprefix(WORD))
                heading = nodes.strong("", WORD, classes=["proof-heading"])
                first.parent.replace(first, [heading, rest])


def setup(app: Sphinx) -> None:
    app.add_post_transform(ProofHeadings)
