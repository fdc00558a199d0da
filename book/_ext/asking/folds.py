"""What is folded below a prediction says that an answer may come first.

It opens all the same, at any time; the script opens it when the questions are answered.
"""

from __future__ import annotations

from chapters.folding import fold, summary
from chapters.questions import question
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from .forms import form

WITHOUT = " without answering"
ANSWERING = {"folded-result", "folded-answer"}


class MarkFolds(SphinxPostTransform):
    default_priority = 200  # when results and answers are folded
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        asked: question | None = None
        for node in self.document.findall(nodes.Element):
            if isinstance(node, question):
                asked = node if node.next_node(form) else None
            elif isinstance(node, nodes.section):
                asked = None
            elif asked and isinstance(node, fold) and ANSWERING & {*node["classes"]}:
                node["after"] = asked["ids"][0]
                line = node.next_node(summary)
                assert line is not None
                line += nodes.inline("", WITHOUT, classes=["unanswered"])
                asked = None


def setup(app: Sphinx) -> None:
    app.add_post_transform(MarkFolds)
