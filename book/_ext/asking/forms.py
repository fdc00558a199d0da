"""The questions of a page as forms: their texts parsed as the page's own, their answers apart.

A form is whole without scripts: the text, a field, choices or lines, two buttons. Its sentences
are rendered with it, for their formulas, and then taken out of the page (``late``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from chapters.questions import QuestionDirective, open_box, page_prefix, question
from docutils import nodes
from live_figures.writers import add_page_node
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator
from torch import Tensor

from pe_lab.diagnosis.questions import LETTERS, SENTENCES, Question, load, shuffled
from pe_lab.diagnosis.typed import LONGEST, words

logger = logging.getLogger(__name__)

# In a page's metadata: the ids of its questions, in their order.
KEY = "asked"
CHECK = "Check yourself"
APART = "ask"  # the class of what takes none of the page's minutes beyond its prediction's


class form(nodes.General, nodes.Element):
    """A question: a ``prompt``, then ``alternative``s, then what is said of wrong answers.

    ``ask``: its id; ``kind``; ``table``: the whole hundredths that a figure shows, by rows;
    ``judged``: what the page's script compares answers with; ``answer``: the right one, in words.
    """


class prompt(nodes.General, nodes.TextElement):
    """The words of a question."""


class alternative(nodes.General, nodes.TextElement):
    """A choice or a line, with its ``number`` in the bank and its ``place`` on the page."""


class says(nodes.General, nodes.TextElement):
    """A sentence about a wrong answer. The page does not show it."""


class check(nodes.General, nodes.Element):
    """The questions of a page that belong to no prediction."""


def bank(app: Sphinx) -> dict[str, Question]:
    folder = app.config.asking_folder
    return load(Path(app.srcdir, folder)) if folder else {}


class Prediction(QuestionDirective):
    """A prediction, with the forms of its questions in its box."""

    def run(self) -> list[nodes.Node]:
        (box,) = super().run()
        assert isinstance(box, question)
        box += make(self, lambda each: each.predicts == box["question_id"])
        return [box]


class CheckDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        prefix = page_prefix(self.env.docname)
        found = make(self, lambda each: not each.predicts and each.id.startswith(f"{prefix}-"))
        if not found:
            raise self.error(f"check: no question of {prefix} is without a prediction")
        node = check("", *found, classes=[APART], ids=[f"check-{prefix}"])
        self.set_source_info(node)
        return [node]


def make(directive: SphinxDirective, wanted: Callable[[Question], bool]) -> list[nodes.Node]:
    """The forms of the questions of the bank that are wanted."""
    found = [each for each in bank(directive.env.app).values() if wanted(each)]
    if found:
        for path in Path(directive.env.srcdir, directive.config.asking_folder).glob("*.yml"):
            directive.env.note_dependency(str(path))
    return [form_of(directive, each) for each in found]


def form_of(directive: SphinxDirective, asked: Question) -> form:
    def parsed(kind: type[nodes.TextElement], text: str, **attributes: Any) -> nodes.TextElement:
        inline, _ = directive.state.inline_text(text, directive.lineno)
        return kind("", "", *inline, **attributes)

    order = range(len(asked.options))
    shown = shuffled(asked) if asked.kind == "order" else order
    node = form(
        "",
        parsed(prompt, asked.brief if asked.predicts else asked.text),
        *(
            parsed(alternative, asked.options[number], number=number, place=place)
            for place, number in enumerate(shown)
        ),
        *(parsed(says, wrong.says) for wrong in asked.wrong),
        ask=asked.id,
        kind=asked.kind,
        table=[] if asked.table is None else hundredths(asked.table),
        judged=judged(asked),
        answer=asked.right_in_words(),
        ids=[f"ask-{asked.id}"],
        classes=[APART],
    )
    directive.set_source_info(node)
    return node


def judged(asked: Question) -> dict[str, Any]:
    """What ``judging.js`` asks of a question, but for its sentences."""
    praise = "right-number" if asked.kind == "number" else "right"
    answer = asked.right_in_words()
    return {
        "kind": asked.kind,
        "right": asked.right,
        "tolerance": asked.tolerance,
        "wrong": [wrong.answer for wrong in asked.wrong],
        "within": [wrong.within for wrong in asked.wrong],
        "praise": SENTENCES[praise].format(right=answer),
        "answer": answer,
        "pick": asked.pick,
        "unit": asked.unit,
        "units": words(asked.unit),
    }


def hundredths(table: Tensor) -> list[list[int]]:
    """A table as a picture shows it: in whole hundredths of its largest entry."""
    whole: list[list[int]] = (100 * table / table.abs().max()).round().int().tolist()
    return whole


def note_questions(app: Sphinx, document: nodes.document) -> None:
    """Number what a page asks, note it, and complain of a question that the page leaves out."""
    asked = []
    for number, node in enumerate(document.findall(form), 1):
        node.next_node(prompt).insert(0, nodes.strong("", f"{number}. "))
        asked.append(node["ask"])
    if not asked:
        return
    app.env.metadata[app.env.docname][KEY] = asked
    prefix = asked[0].partition("-")[0]
    for name in bank(app):
        if name.startswith(f"{prefix}-") and name not in asked:
            logger.error(
                "question %s stands nowhere on its page: no {check}?", name, location=document
            )


def late(pagename: str, doctree: nodes.document) -> str:
    """The answers and sentences of a page: what its script asks for later."""
    found = list(doctree.findall(form))
    if not found:
        return ""
    data = json.dumps({node["ask"]: node["judged"] for node in found}, separators=(",", ":"))
    sentences = "".join(
        f'<p data-ask="{node["ask"]}">{sentence}</p>'
        for node in found
        for sentence in node["sentences"]
    )
    name = f"asking/{pagename.replace('/', '-')}.js"
    data = data.replace("<", r"\u003c")  # no value may end the script element
    return (
        f'<div data-late="{name}" hidden><script type="application/json">{data}</script>'
        f"{sentences}</div>\n"
    )


# How a page shows them


# What asks and what can be chosen names its field by ``aria-labelledby``, in a label or not: of a
# formula in a label Chromium makes no name, and of one that is named so it does.
def visit_form(self: HTML5Translator, node: form) -> None:
    node["sentences"] = []
    # Outside of a dialog its method sends nothing.
    tag = self.starttag(node, "form", CLASS=f"ask-{node['kind']}", method="dialog")
    self.body.append(tag)


def depart_form(self: HTML5Translator, node: form) -> None:
    kind, name = node["kind"], node["ask"]
    if kind == "choice":
        self.body.append("</ol></fieldset>")
    elif kind == "order":
        self.body.append("</ol>")
    elif kind == "figure":
        self.body.append(grid(node["table"], node["judged"]["pick"], f"t-{name}"))
    self.body.append('<p class="ask-do">')
    if kind == "number":
        self.body.append(
            f'<input id="n-{name}" aria-labelledby="t-{name}" autocomplete="off"'
            f' maxlength="{LONGEST}"> '
        )
    self.body.append(
        '<button>Check</button> <button type="button">Show me</button></p>'
        "<output></output></form>\n"
    )


def visit_prompt(self: HTML5Translator, node: prompt) -> None:
    kind, name = node.parent["kind"], node.parent["ask"]
    before = {
        "number": f'<label class="ask-text" id="t-{name}" for="n-{name}">',
        "choice": f'<fieldset aria-labelledby="t-{name}"><legend class="ask-text" id="t-{name}">',
    }
    self.body.append(before.get(kind, f'<p class="ask-text" id="t-{name}">'))


def depart_prompt(self: HTML5Translator, node: prompt) -> None:
    kind, name = node.parent["kind"], node.parent["ask"]
    after = {
        "number": "</label>",
        "choice": '</legend><ol class="ask-choices">',
        "order": f'</p><ol type="a" aria-labelledby="t-{name}">',
    }
    self.body.append(after.get(kind, "</p>"))


def visit_alternative(self: HTML5Translator, node: alternative) -> None:
    number, place, name = node["number"], node["place"], node.parent["ask"]
    if node.parent["kind"] == "choice":
        label = f"c-{name}-{number}"
        field = f'<input type="radio" name="{name}" value="{number}" aria-labelledby="{label}">'
        self.body.append(f'<li><label id="{label}">{field} {LETTERS[place]}. ')
    else:
        line = f'<span id="l-{name}-{number}">'
        self.body.append(f'<li value="{place + 1}" data-line="{number}">{line}')


def depart_alternative(self: HTML5Translator, node: alternative) -> None:
    self.body.append("</label></li>" if node.parent["kind"] == "choice" else "</span></li>")


def visit_says(self: HTML5Translator, node: says) -> None:
    node["from"] = len(self.body)


def depart_says(self: HTML5Translator, node: says) -> None:
    sentence = "".join(self.body[node["from"] :])
    del self.body[node["from"] :]
    node.parent["sentences"].append(sentence)


def grid(table: list[list[int]], pick: str, text: str) -> str:
    """A small picture of a table whose rows, columns or cells can be chosen, and what asks so."""
    heads = "".join(f"<th>{column}</th>" for column in range(len(table[0])))
    rows = "".join(
        f"<tr><th>{row}</th>"
        + "".join(f'<td style="--v:{value}"></td>' for value in values)
        + "</tr>"
        for row, values in enumerate(table)
    )
    name = escape(f"Table: choose a {pick}")
    return (
        f'<table role="grid" aria-label="{name}" aria-describedby="{text}" data-pick="{pick}">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def visit_check(self: HTML5Translator, node: check) -> None:
    open_box(self, node, CHECK)


def depart_check(self: HTML5Translator, node: check) -> None:
    self.body.append("</div>\n")


def leave_out(self: nodes.NodeVisitor, node: nodes.Node) -> None:
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    for node, visit, depart in (
        (form, visit_form, depart_form),
        (prompt, visit_prompt, depart_prompt),
        (alternative, visit_alternative, depart_alternative),
        (check, visit_check, depart_check),
    ):
        add_page_node(app, node, visit, depart)
    silent = (leave_out, None)
    app.add_node(
        says,
        html=(visit_says, depart_says),
        latex=silent,
        text=silent,
        man=silent,
        texinfo=silent,
    )
    app.add_directive("question", Prediction, override=True)
    app.add_directive("check", CheckDirective)
    app.connect("doctree-read", note_questions)
