"""A page as the cells of its notebook, and its solutions as those of another.

The path of the page stays as it is: text, code, questions, exercises. What a notebook has beside
it: after a question a cell that checks the answer, after an exercise that asks to write something a
cell to write it in, and after words that set a live figure the lines that do so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.errors import ExtensionError

from . import asked
from .markdown import Markdown

ID_LENGTH = 64
HIDDEN = {"hide-input", "hide-cell", "remove-input"}
NOTHING = {"target", "comment", "index", "substitution_definition", "meta"}


@dataclass
class Source:
    """What a page is made from.

    Attributes:
        title: of the page, with its number.
        tree: the resolved document.
        cells: those of the stored notebook; none where the page is no notebook.
        install: the code that finds or fetches the book's module.
        writer: makes what writes the Markdown of the page, or (True) of its solutions.
        solutions: the address of the notebook with the solutions.
        page: the address of the notebook itself.
    """

    title: str
    tree: nodes.document
    cells: list[NotebookNode]
    install: Callable[[bool], str]
    writer: Callable[[bool], Markdown]
    solutions: str
    page: str


def notebooks(source: Source) -> tuple[NotebookNode, NotebookNode | None]:
    """The notebook of a page, and the one with its solutions, if it has any."""
    chapter, solutions = Cells(source, False), Cells(source, True)
    Walk(source, chapter, solutions).all()
    return chapter.notebook(), solutions.notebook() if solutions.cells else None


class Cells:
    """The cells of one notebook while it is written."""

    def __init__(self, source: Source, solutions: bool) -> None:
        self.source = source
        self.markdown = source.writer(solutions)
        self.cells: list[NotebookNode] = []
        self.name = "top"  # of the section, which names the cells in it
        self.texts: list[str] = []

    def text(self, text: str) -> None:
        """Append to the Markdown cell that is being written."""
        if text:
            self.texts.append(text)

    def alone(self, text: str) -> None:
        """A Markdown cell of its own, since what is folded has no space below it."""
        self.end()
        self.text(text)
        self.end()

    def section(self, name: str, heading: str) -> None:
        """Begin a Markdown cell with a heading."""
        self.end()
        self.name = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII)
        self.text(heading)

    def end(self, **metadata: Any) -> None:
        """End the Markdown cell that is being written, if one is."""
        text = "\n\n".join(text.strip("\n") for text in self.texts)
        self.texts = []
        settings, self.markdown.settings = self.markdown.settings, []
        if not text:
            return
        cell = nbformat.v4.new_markdown_cell(text, id=self.free_id(self.name), metadata=metadata)
        self.cells.append(cell)
        if lines := list(self.setting_lines(settings)):
            first = "# What the text above sets. Take away a # and run the cell."
            self.code(f"{self.name}-settings", "\n".join([first, *lines]))

    def setting_lines(self, settings: list[tuple[str, dict[str, Any], str]]) -> Iterator[str]:
        """``# clock.position = 6  # move to position 6``, where ``clock`` is a name in the code."""
        code = "\n".join(cell.source for cell in self.cells if cell.cell_type == "code")
        for figure, values, words in settings:
            if re.search(rf"^{re.escape(figure)} = ", code, re.MULTILINE):
                names = ", ".join(f"{figure}.{name}" for name in values)
                yield f"# {names} = {', '.join(map(repr, values.values()))}  # {words}"

    def code(self, name: str, source: str, **metadata: Any) -> None:
        """Append a code cell, without outputs."""
        self.end()
        cell = nbformat.v4.new_code_cell(source, id=self.free_id(name), metadata=metadata)
        self.cells.append(cell)

    def free_id(self, name: str) -> str:
        taken = {cell.id for cell in self.cells}
        numbered = (f"-{n}" if n > 1 else "" for n in range(1, len(taken) + 2))
        names = (name[: ID_LENGTH - len(end)] + end for end in numbered)
        return next(each for each in names if each not in taken)

    def notebook(self) -> NotebookNode:
        self.end()
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        notebook: NotebookNode = nbformat.v4.new_notebook(
            cells=self.cells,
            metadata={"kernelspec": kernel, "language_info": {"name": "python"}},
        )
        if any(cell.cell_type == "code" for cell in self.cells):
            checks = any("check_answer(" in cell.source for cell in self.cells)
            first = nbformat.v4.new_code_cell(self.source.install(checks), id="install")
            notebook.cells.insert(1, first)
        notebook.nbformat_minor = 5
        nbformat.validate(notebook)
        return notebook


class Walk:
    """Goes through the page once, from top to bottom."""

    def __init__(self, source: Source, chapter: Cells, solutions: Cells) -> None:
        self.source, self.chapter, self.solutions = source, chapter, solutions
        self.code_before: list[tuple[str, str]] = []  # of the chapter, not yet in the solutions
        self.told = False  # where the solutions are
        self.to_write: list[str] = []  # the exercise that gets a cell to write in, after its hint

    def all(self) -> None:
        self.walk(self.source.tree.children, self.chapter, 1)
        self.offer_cell()

    def walk(self, children: Iterable[nodes.Node], to: Cells, depth: int) -> None:
        for node in children:
            if node.tagname != "hint":
                self.offer_cell()
            if isinstance(node, nodes.section) and isinstance(node[0], nodes.title):
                words = to.markdown.words(node[0].children)
                title = self.source.title if depth == 1 else words
                to.section(node["ids"][0], f"{'#' * depth} {title}")
                self.walk(node.children[1:], to, depth + 1)
            elif isinstance(node, nodes.Element) and node.get("nb_element") == "cell_code":
                self.code(node, to)
            elif node.tagname in ("question", "check"):
                self.question(node, to)
            elif node.tagname in ("exercise_enumerable_node", "exercise_node"):
                self.exercise(node, to, depth)
            elif node.tagname == "solution_node":
                self.solution(node)
            elif node.tagname == "answer":
                to.alone(to.markdown.block(node))
            elif node.tagname not in NOTHING:
                to.text(to.markdown.block(node))

    def code(self, node: nodes.Element, to: Cells) -> None:
        """The cell of the stored notebook, and what its figure shows in words."""
        stored = self.source.cells[node["cell_index"]]
        tags = stored.metadata.get("tags", [])
        alt = stored.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        metadata: dict[str, Any] = {"tags": tags} if tags else {}
        if HIDDEN & set(tags):
            metadata["jupyter"] = {"source_hidden": True}
        if alt:
            metadata["alt"] = alt
        to.code(stored.id, stored.source, **metadata)
        for figure in node.findall(nodes.figure):
            to.text(to.markdown.caption(figure))
        # A live figure says itself what it shows.
        if alt and not any(each.tagname == "live_figure" for each in node.findall(nodes.Element)):
            to.alone(to.markdown.folded("The figure in words", [paragraph(alt)]))
        if to is self.chapter:
            self.code_before.append((stored.id, stored.source))

    def question(self, node: nodes.Element, to: Cells) -> None:
        forms = [child for child in node if child.tagname == "form"]
        words = [child for child in node if child not in forms]
        to.end()
        to.name = node["ids"][0]
        title = "Check yourself" if node.tagname == "check" else "Predict"
        to.text(to.markdown.quoted(f"**{title}**", words))
        if forms:
            for form in forms:
                to.text(asked.text(to.markdown, form))
            to.code(f"{to.name}-check", asked.code(forms))

    def exercise(self, node: nodes.Element, to: Cells, depth: int) -> None:
        solved = any(
            each.tagname == "solution_node" for each in self.source.tree.findall(nodes.Element)
        )
        if solved and not self.told:
            to.text(f"The solutions are in [a notebook of their own]({self.source.solutions}).")
            self.told = True
        to.section(node["ids"][0], f"{'#' * depth} {exercise_title(to.markdown, node)}")
        to.text(to.markdown.blocks(node.children[1:]))
        if "write" in node["classes"]:
            self.to_write.append(f"{node['ids'][0]}-yours")

    def offer_cell(self) -> None:
        """An empty cell for what the exercise above asks to write."""
        while self.to_write:
            self.chapter.code(self.to_write.pop(), "# Write it here.")

    def solution(self, node: nodes.Element) -> None:
        """In the other notebook: what comes before it, its exercise, and then the solution."""
        to = self.solutions
        if not to.cells:
            to.section("solutions", f"# Solutions to {self.source.title}")
            to.text(f"The exercises are in [{self.source.title}]({self.source.page}).")
        exercise = self.exercise_of(node)
        if self.code_before:
            to.section("chapter", "## The chapter's cells, which the solutions go on from")
            to.end(**{"jp-MarkdownHeadingCollapsed": True})
            for name, source in self.code_before:
                to.code(name, source, jupyter={"source_hidden": True, "outputs_hidden": True})
            self.code_before = []
        to.section(node["ids"][0], f"## {exercise_title(to.markdown, exercise)}")
        to.text(to.markdown.quote(to.markdown.blocks(exercise.children[1:])))
        for child in node.children[1:]:
            self.walk(child.children if isinstance(child, nodes.section) else [child], to, 3)

    def exercise_of(self, node: nodes.Element) -> nodes.Element:
        label = node["target_label"]
        for exercise in self.source.tree.findall(nodes.Element):
            if exercise.tagname.startswith("exercise_") and exercise.get("label") == label:
                return exercise
        raise ExtensionError(f"{self.source.page}: no exercise is labelled {label!r}")


def exercise_title(markdown: Markdown, node: nodes.Element) -> str:
    """``Exercise 3.1 (One entry by hand)``."""
    name = f"Exercise {markdown.number('exercise', node)}".strip()
    return name + markdown.words(node[0].children)


def paragraph(text: str) -> nodes.paragraph:
    return nodes.paragraph("", text)
