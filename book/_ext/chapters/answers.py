"""``answer``: the sentences that answer a question, folded with the result that answers it.

    ```{answer}
    Row 0: all its angles are 0.
    ```

It follows the cell whose result is folded. After anything else, a live figure for instance, it is
folded by itself.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from .folding import fold, summary


class answer(nodes.General, nodes.Element):
    """What answers the question above."""


class AnswerDirective(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        node = answer()
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class FoldAnswers(SphinxPostTransform):
    default_priority = 199  # when the results of cells are folded
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for node in list(self.document.findall(answer)):
            result = result_before(node)
            if result is None:
                line = summary("", " the answer", verbs=("Show", "Hide"))
                node.replace_self(fold("", line, node.deepcopy(), classes=["folded-answer"]))
            else:
                node.parent.remove(node)
                result += node


def result_before(node: nodes.Element) -> fold | None:
    """The folded result of the cell that the node follows."""
    at = node.parent.index(node)
    before = node.parent[at - 1] if at else None
    if not isinstance(before, nodes.container) or before.get("nb_element") != "cell_code":
        return None
    last = before[-1] if before.children else None
    return last if isinstance(last, fold) and "folded-result" in last["classes"] else None


def visit_html(self: HTML5Translator, node: answer) -> None:
    self.body.append(self.starttag(node, "div", CLASS="answer"))


def depart_html(self: HTML5Translator, node: answer) -> None:
    self.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    app.add_directive("answer", AnswerDirective)
    app.add_post_transform(FoldAnswers)
