"""Native ``<details>`` for what a reader opens: results, code, hints and solutions.

They open without scripts, by the browser's search and by a link to what is inside; the style
sheet opens them on paper. The words of a summary are right in both states.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import admonitionlabels
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

KINDS = {"cell_code_source": "code", "cell_code_output": "result"}


class fold(nodes.General, nodes.Element):
    """What is folded; its first child is the ``summary``.

    ``after``: the anchor of the prediction that it answers, if one can be answered on the page.
    """


class summary(nodes.General, nodes.TextElement):
    """The line that stays. ``verbs``: that of what is closed and that of what is open, if any."""


class FoldCells(SphinxPostTransform):
    """The code or the result of a cell with a tag ``hide-…``, in MyST-NB's place."""

    default_priority = 198  # before MyST-NB's own
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("nb_element") != "cell_code" or not cell.get("hide_mode"):
                continue
            hidden = cell.attributes.pop("hide_mode")
            if hidden == "all":
                parts = fold("", self.label(cell, "cell"), *cell.children, classes=["folded-cell"])
                cell.children = []
                cell += parts
                continue
            for part in list(cell.children):
                kind = KINDS[part["nb_element"]]
                if {"code": "input", "result": "output"}[kind] in hidden:
                    wrap(part, kind, self.label(cell, kind))

    def label(self, cell: nodes.container, kind: str) -> summary:
        """The cell's own words for its code; for the rest two verbs."""
        own = cell["cell_metadata"].get("mystnb", {}).get("code_prompt_show")
        if own and kind != "result":
            return summary(
                "",
                "",
                nodes.inline("", kind.capitalize(), classes=["fold-kind"]),
                nodes.Text(f" {own}"),
            )
        return summary("", f" the {kind}", verbs=("Show", "Hide"))


class FoldAdmonitions(SphinxPostTransform):
    """Hints, solutions and other boxes with ``:class: dropdown``."""

    default_priority = 198  # after sphinx-exercise has given the solutions their titles
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for box in list(self.document.findall(nodes.Admonition)):
            if isinstance(box, nodes.Element) and "dropdown" in box["classes"]:
                box.parent.replace(box, folded(box))


def folded(box: nodes.Element) -> fold:
    """The box as ``<details>``, its title as the summary, without links: a click opens."""
    kind = box.tagname if box.tagname in admonitionlabels else ""
    content = list(box.children)
    if content and isinstance(content[0], nodes.title):
        title = content.pop(0)
        for link in list(title.findall(nodes.reference)):
            link.replace_self(link.children)
        line = summary("", "", *title.children)
    else:
        line = summary("", str(admonitionlabels[kind]))
    line["classes"].append("admonition-title")
    classes = ["admonition", *box["classes"], *([kind] if kind else [])]
    classes = [name for name in dict.fromkeys(classes) if name != "dropdown"]
    # A link opens what it leads into, so it leads to the contents.
    contents = nodes.container("", *content, ids=box["ids"], names=box["names"])
    return fold("", line, contents, classes=classes)


def wrap(content: nodes.Element, kind: str, line: summary) -> None:
    result = fold(classes=["folded-cell", f"folded-{kind}"])
    content.parent.replace(content, result)
    result += [line, content]


def visit_html(self: HTML5Translator, node: fold) -> None:
    attributes = {"data-after": node["after"]} if "after" in node else {}
    self.body.append(self.starttag(node, "details", CLASS="fold", **attributes))


def depart_html(self: HTML5Translator, node: fold) -> None:
    self.body.append("</details>\n")


def visit_summary(self: HTML5Translator, node: summary) -> None:
    self.body.append(self.starttag(node, "summary", ""))
    if verbs := node.get("verbs"):
        closed, opened = verbs
        self.body.append(
            f'<span class="when-closed">{closed}</span><span class="when-open">{opened}</span>'
        )


def depart_summary(self: HTML5Translator, node: summary) -> None:
    self.body.append("</summary>\n")


def setup(app: Sphinx) -> None:
    app.add_post_transform(FoldCells)
    app.add_post_transform(FoldAdmonitions)
