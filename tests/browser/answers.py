"""The bank's questions as a page is asked them, for the tests of its forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pe_lab.diagnosis.questions import Question, load

# A function, as each engine wants it.
ANSWER_ALL = (Path(__file__).parent / "asking.js").read_text(encoding="utf-8").rstrip(";\n")
REMEMBERED = "positional-encoding-answers-1"  # the name of what a browser stores


def one(question: Question, answer: Any) -> Any:
    """An answer as it is handed in: a text for a number, the first of some places."""
    if question.kind == "number":
        return repr(answer)
    return answer[0] if question.kind == "figure" else answer


def asked(chapter: str) -> dict[str, Any]:
    """The questions of a chapter, such as "03", for ANSWER_ALL."""
    return {
        name: {
            "kind": question.kind,
            "right": one(question, question.right),
            "wrong": [one(question, wrong.answer) for wrong in question.wrong],
        }
        for name, question in load().items()
        if name.startswith(f"{chapter}-")
    }
