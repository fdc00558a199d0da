"""The book's questions as a reader answers them in a notebook: a text, and a line of code.

Only what is asked is read here. What is right is known to ``pe_lab.diagnosis``, which the line of
code calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from sphinx.errors import ExtensionError

from .markdown import Markdown

LETTERS = "abcdefghij"
WANTED = {"number": "A number.", "choice": "A letter.", "order": "All letters, in order."}
ANSWER = "# Put your answer in the place of the dots, letters in quotation marks."


@dataclass(frozen=True)
class Asked:
    """A question: its id, its kind, its text, and what is to be chosen from or put in order."""

    id: str
    kind: str
    words: str
    options: tuple[str, ...]

    def text(self, markdown: Markdown) -> str:
        """The question in Markdown; the files of questions are written in it."""
        lines = [f"{' '.join(self.words.split())} *{WANTED[self.kind]}*", ""]
        lines += [
            f"- **{letter}** {each}" for letter, each in zip(LETTERS, self.options, strict=False)
        ]
        return "\n".join(lines) + ("\n" if self.options else "")

    def code(self) -> str:
        return f'check_answer("{self.id}", ...)'


def read(folder: Path) -> dict[str, list[Asked]]:
    """The questions of a folder, by the prediction that each belongs to."""
    predictions: dict[str, list[Asked]] = {}
    for path in sorted(folder.glob("*.yml")):
        for raw in yaml.safe_load(path.read_text(encoding="utf-8")) or []:
            if "predicts" in raw:
                predictions.setdefault(raw["predicts"], []).append(asked(raw))
    return predictions


def asked(raw: dict[str, Any]) -> Asked:
    kind = raw["kind"]
    if kind not in WANTED:
        raise ExtensionError(f"question {raw['id']!r}: no notebook can ask for a {kind!r} yet")
    options: list[str] = []
    if kind == "choice":
        options = [str(each["text"]) for each in raw["choices"]]
    elif kind == "order":
        from pe_lab.diagnosis.asking import shown_order  # which loads torch

        lines = raw["lines"]
        options = [str(lines[n]) for n in shown_order(raw["id"], len(lines))]
    return Asked(raw["id"], kind, raw["text"], tuple(options))
