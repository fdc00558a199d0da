"""How long a page takes: what there is to read on it, and what that costs.

Words / 200 + lines of code / 12 + 0.7 for a question + 1.5 for a figure, in minutes. A question
that takes longer says so (``:minutes: 3``). What each counts:

- words: of prose, headings, tables and questions. A formula in a sentence is a word on each side
  of its signs (``p`` one, ``p = 4`` two); a formula of its own is ten words for each of its rows.
  A theorem and its proof are read slowly: their words count three times. What code prints is
  looked at, not read: no words.
- lines of code: that show, without blank ones.
- figures: pictures, in the text or made by a cell, and live figures.

Apart are exercises, hints and solutions, cells and code that are folded or not shown, the forms of
questions, whose minutes hold the answer, and all that stands under the headings ``Exercises`` and
``More``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from docutils import nodes
from live_figures.figures import live_figure
from sphinx import addnodes

from .questions import question

WORDS_A_MINUTE = 200
CODE_LINES_A_MINUTE = 12
MINUTES_A_QUESTION = 0.7
MINUTES_A_FIGURE = 1.5
WORDS_A_ROW_OF_A_FORMULA = 10
TIMES_A_PROOF_IS_READ = 3

SECTIONS_APART = {"Exercises", "More"}
CLASSES_APART = {"exercise", "solution", "hint", "ask"}
PROOF = "proof"  # of sphinx-proof, which gives it to theorems as well
UNSEEN = (nodes.Invisible, nodes.raw, nodes.system_message, addnodes.toctree)

RELATION = re.compile(r"[=<>]|\\(?:le|ge|lt|gt|ne|leq|geq|neq|approx|equiv|sim|in|to|mapsto)\b")
ROW_END = re.compile(r"\\\\(?:\[[^\]]*\])?")
WORD = re.compile(r"\w")
FORMULA = "formula "


@dataclass(frozen=True)
class Effort:
    """What there is to read."""

    words: float = 0
    code_lines: float = 0
    questions: float = 0
    figures: float = 0
    thinking: float = 0.0  # minutes that questions take beyond those of a question

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.words + other.words,
            self.code_lines + other.code_lines,
            self.questions + other.questions,
            self.figures + other.figures,
            self.thinking + other.thinking,
        )

    def __truediv__(self, parts: int) -> Effort:
        return Effort(
            self.words / parts,
            self.code_lines / parts,
            self.questions / parts,
            self.figures / parts,
            self.thinking / parts,
        )

    @property
    def minutes(self) -> float:
        return (
            self.words / WORDS_A_MINUTE
            + self.code_lines / CODE_LINES_A_MINUTE
            + self.questions * MINUTES_A_QUESTION
            + self.figures * MINUTES_A_FIGURE
            + self.thinking
        )

    @property
    def printed_minutes(self) -> int:
        """Rounded up: a time that is promised is enough. (Of 25.000000001 it says 25.)"""
        return math.ceil(round(self.minutes, 6))


def count(node: nodes.Node) -> Effort:
    """What there is to read in a doctree, or in a part of one, as it was read."""
    if is_apart(node):
        return Effort()
    if isinstance(node, nodes.container) and node.get("nb_element") == "cell_code":
        return count_cell(node)
    if isinstance(node, (live_figure, nodes.image)):
        return Effort(figures=1)
    if isinstance(node, nodes.literal_block):
        return Effort(code_lines=lines(node.astext()))
    if isinstance(node, nodes.math_block):
        return Effort(words=WORDS_A_ROW_OF_A_FORMULA * rows(node.astext()))
    if isinstance(node, nodes.TextElement):
        return count_text(node)
    effort = total(node.children)
    if isinstance(node, question):
        return effort + ask(node)
    if PROOF in node["classes"]:
        return replace(effort, words=effort.words * TIMES_A_PROOF_IS_READ)
    return effort


def total(parts: Iterable[nodes.Node]) -> Effort:
    return sum(map(count, parts), Effort())


def ask(node: question) -> Effort:
    """One question, and how much longer than others it takes."""
    minutes = node["minutes"]
    return Effort(questions=1, thinking=minutes - MINUTES_A_QUESTION if minutes else 0.0)


def is_apart(node: nodes.Node) -> bool:
    if isinstance(node, UNSEEN) or not isinstance(node, nodes.Element):
        return True
    if isinstance(node, nodes.section):
        return heading(node) in SECTIONS_APART
    return isinstance(node, nodes.hint) or bool(CLASSES_APART & set(node["classes"]))


def heading(section: nodes.section) -> str:
    title = section.next_node(nodes.title)
    return title.astext() if title else ""


def count_text(node: nodes.TextElement) -> Effort:
    """A paragraph, a heading: its words, and the pictures that stand in its lines."""
    words = sum(bool(WORD.search(word)) for word in "".join(text_parts(node)).split())
    return Effort(words=words, figures=len(list(node.findall(nodes.image))))


def text_parts(node: nodes.Node) -> Iterator[str]:
    """The text as it is read, with a word in the place of each that a formula counts."""
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, nodes.math):
        yield FORMULA * sides(node.astext())
    elif isinstance(node, nodes.math_block):
        yield FORMULA * WORDS_A_ROW_OF_A_FORMULA * rows(node.astext())
    elif not isinstance(node, UNSEEN):
        for child in node.children:
            yield from text_parts(child)


def count_cell(cell: nodes.container) -> Effort:
    """A code cell: its code unless it is folded, and the figures that it makes, captions too."""
    hidden = cell.get("hide_mode", "")
    if hidden == "all":
        return Effort()
    parts = {part.get("nb_element"): part for part in cell.children}
    effort = Effort()
    if (source := parts.get("cell_code_source")) and "input" not in hidden:
        effort += total(source.children)
    if output := parts.get("cell_code_output"):
        effort += Effort(figures=made_figures(output)) + total(output.findall(nodes.caption))
    return effort


def made_figures(output: nodes.Node) -> int:
    """The pictures and live figures among what a cell has made."""
    if isinstance(output, (live_figure, nodes.image)):
        return 1
    if isinstance(output, nodes.Element) and output.get("nb_element") == "mime_bundle":
        return any(kind.get("mime_type", "").startswith("image/") for kind in output.children)
    return sum(map(made_figures, output.children))


def lines(code: str) -> int:
    return sum(bool(line.strip()) for line in code.splitlines())


def sides(formula: str) -> int:
    return len(RELATION.findall(formula)) + 1


def rows(formula: str) -> int:
    """The rows of a formula; a matrix has some of its own."""
    return sum(bool(row.strip()) for row in ROW_END.split(formula))
