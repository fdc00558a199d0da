"""The book's questions as a reader answers them in a notebook: a text, and a line of code.

What is right is known to ``pe_lab.diagnosis`` alone, which the line of code calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml
from docutils import nodes

from .markdown import Markdown

LETTERS = "abcdefghij"
WANTED = {
    "number": "A number.",
    "choice": "A letter.",
    "order": "All letters, in order.",
    "row": "The number of a row.",
    "column": "The number of a column.",
    "cell": "A pair: (row, column).",
}
ANSWER = "# Put your answer in the place of the dots, letters in quotation marks."


def text(markdown: Markdown, form: nodes.Element) -> str:
    """The words of a question, what is to be chosen from, and what kind of answer is asked for."""
    wanted = WANTED[form["judged"]["pick"] if form["kind"] == "figure" else form["kind"]]
    (prompt,) = (child for child in form if child.tagname == "prompt")
    lines = [f"{markdown.words(prompt.children).strip()} *{wanted}*", ""]
    for child in form:
        if child.tagname == "alternative":
            lines.append(
                f"- **{LETTERS[child['place']]}** {markdown.words(child.children).strip()}"
            )
    return "\n".join(lines).strip()


def code(forms: Iterable[nodes.Element]) -> str:
    """The cell that checks the answers; it can run before they are there."""
    return "\n".join([ANSWER, *(f'check_answer("{form["ask"]}", ...)' for form in forms)])


# Until the pages have forms of their own, they are made from the files.


class form(nodes.General, nodes.Element):
    pass


class prompt(nodes.General, nodes.Element):
    pass


class alternative(nodes.General, nodes.Element):
    pass


def read(folder: Path) -> dict[str, list[form]]:
    """The questions of a folder, by the prediction that each belongs to."""
    predictions: dict[str, list[form]] = {}
    for path in sorted(folder.glob("*.yml")):
        for raw in yaml.safe_load(path.read_text(encoding="utf-8")) or []:
            if "predicts" in raw and raw["kind"] in ("number", "choice"):
                options = [str(each["text"]) for each in raw.get("choices", [])]
                made = form("", prompt("", *verbatim(" ".join(raw["text"].split()))))
                made += [
                    alternative("", *verbatim(each), place=n) for n, each in enumerate(options)
                ]
                made.attributes |= {"kind": raw["kind"], "ask": raw["id"]}
                predictions.setdefault(raw["predicts"], []).append(made)
    return predictions


def verbatim(text: str) -> list[nodes.Node]:
    return [nodes.raw("", text, format="markdown")]
