"""The right answers of a page, folded at its end, for readers without scripts and on paper.

They have the numbers of the questions. A choice is told by its letter, and so is a line: the page
has the words already.
"""

from __future__ import annotations

from chapters.folding import fold, summary
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from .forms import APART, form

SUMMARY = "Answers to the questions of this page"


class FoldAnswers(SphinxPostTransform):
    default_priority = 199
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        asked = list(self.document.findall(form))
        section = self.document.next_node(nodes.section)
        if asked and section:
            answers = nodes.enumerated_list("", *map(answer, asked))
            section += fold("", summary("", SUMMARY), answers, classes=["answers", APART])


def answer(node: form) -> nodes.list_item:
    return nodes.list_item("", nodes.paragraph("", node["answer"]))


def setup(app: Sphinx) -> None:
    app.add_post_transform(FoldAnswers)
