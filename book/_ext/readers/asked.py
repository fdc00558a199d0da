"""The book's questions as a reader answers them in a notebook: a text, and a line of code.

The page has them as forms (``asking``). What is right, the line of code asks ``pe_lab.diagnosis``.
"""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes

from pe_lab.diagnosis.questions import LETTERS

from .markdown import Markdown

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
