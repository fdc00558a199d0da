"""The form that required chapters share, as far as a notebook's source shows it.

The pages to keep at hand have a form too: what one is for in a chapter's words, but no time; every
prediction with its answer folded, or with a live figure; what the reader can do, and exercises
that fold their solutions, last; and lines that fit. The front page has lines that fit. Wherever
code is folded it is said what it does.

``python -m tools.form [03_step_by_step …]`` prints what departs from it. Minutes are counted by
``tools.reading_time``.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.chapters import chapters
from tools.notebooks import WIDGET_VIEW, code_cells

FRONT_PAGE = "intro"
COLUMNS = 79  # what fits the box of a cell on a screen of 1280 pixels
LAST_SECTIONS = ["What you can now do", "Exercises", "More"]
OPENING = ("**You will be able to** ", "**You need** ", "```{time}\n```")

HEADING = re.compile(r"^##? (.+)$", flags=re.MULTILINE)
DIRECTIVE = re.compile(
    r"^(?:`{3,}|:{3,})\{((?:exercise|hint|solution)(?:-start)?)\} *(.*)\n((?::.*\n)*)",
    flags=re.MULTILINE,
)
ANSWER = "```{answer}\n"
UNANSWERED = "no folded result or live figure follows it"
QUESTION = re.compile(r"^```\{question\} (\S+)\n(?:.*\n)*?```$", flags=re.MULTILINE)


def faults(path: Path) -> list[str]:
    """Everything in which this chapter departs from the form, in words."""
    notebook = nbformat.read(path, as_version=4)
    if path.stem == FRONT_PAGE:
        return [*wide_lines(notebook), *hidden_names(notebook), *unnamed_code(notebook)]
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    prose = "\n\n".join(texts)
    number = path.stem.partition("_")[0]
    if not number.isdigit():
        return [
            *opening_faults(texts[0], OPENING[:-1]),
            *last_headings(prose, LAST_SECTIONS[:-1]),
            *unfolded(prose),
            *unanswered_questions(notebook),
            *wide_lines(notebook),
            *hidden_names(notebook),
            *unnamed_code(notebook),
        ]
    return [
        *opening_faults(texts[0], OPENING),
        *section_faults(prose),
        *exercise_faults(prose, number),
        *question_faults(notebook, prose),
        *wide_lines(notebook),
        *hidden_names(notebook),
        *unnamed_code(notebook),
    ]


def opening_faults(text: str, opening: tuple[str, ...]) -> list[str]:
    places = [text.find(part) for part in opening]
    found = [
        f"the first cell has no {part.splitlines()[0]}"
        for part, at in zip(opening, places, strict=True)
        if at < 0
    ]
    if not found and places != sorted(places):
        found.append(f"the first cell has not in this order: {', '.join(opening)}")
    return found


def section_faults(prose: str) -> list[str]:
    found = last_headings(prose, LAST_SECTIONS)
    if not prose.rstrip().splitlines()[-1].startswith("**Next:** "):
        found.append("the last line does not begin with **Next:**")
    return found


def last_headings(prose: str, sections: list[str]) -> list[str]:
    if HEADING.findall(prose)[-len(sections) :] == sections:
        return []
    return [f"the last sections are not {', '.join(sections)}"]


def exercise_faults(prose: str, number: str) -> list[str]:
    """Exercise, hint, solution, in this order; some exercise asks to write."""
    found = []
    parts = [
        (kind.removesuffix("-start"), argument.strip(), options)
        for kind, argument, options in DIRECTIVE.findall(prose)
    ]
    kinds = [kind for kind, _, _ in parts]
    if not kinds or kinds != ["exercise", "hint", "solution"] * (len(kinds) // 3):
        found.append(f"not exercise, hint, solution by turns: {', '.join(kinds) or 'no exercise'}")
    for kind, argument, options in parts:
        if kind == "exercise" and f":label: ex-{number}-" not in options:
            found.append(f"exercise {argument!r}: its label does not begin with ex-{number}-")
    found += unfolded(prose)
    if not any(kind == "exercise" and ":class: write" in options for kind, _, options in parts):
        found.append("no exercise asks to write something (:class: write)")
    return found


def unfolded(prose: str) -> list[str]:
    """The hints and solutions that stand open."""
    return [
        f"{kind.removesuffix('-start')} {argument.strip()}: not folded (:class: dropdown)"
        for kind, argument, options in DIRECTIVE.findall(prose)
        if not kind.startswith("exercise") and ":class: dropdown" not in options
    ]


def question_faults(notebook: NotebookNode, prose: str) -> list[str]:
    found = []
    if "**Predict" in prose:
        found.append("a prediction that is no {question}")
    if "```{question} " not in prose:
        found.append("no {question}")
    if not any("hide-output" in cell.metadata.get("tags", []) for cell in code_cells(notebook)):
        found.append("no result is folded (hide-output)")
    cells = before_last_sections(notebook)
    shown = [output for cell in cells for output in cell.get("outputs", [])]
    if not any(WIDGET_VIEW in output.get("data", {}) for output in shown):
        found.append("no live figure before the exercises")
    return [*found, *unanswered_questions(notebook)]


def unanswered_questions(notebook: NotebookNode) -> list[str]:
    cells = before_last_sections(notebook)
    return [
        fault
        for at, cell in enumerate(cells)
        if cell.cell_type == "markdown"
        for fault in unanswered(cell.source, cells[at + 1 :])
    ]


def unanswered(text: str, after: list[NotebookNode]) -> list[str]:
    """The questions of a text that no folded result and no live figure follows directly.

    What stands between would be read with the question on the screen, and may answer it; so may
    what follows the result or the figure and is not folded.
    """
    parts = re.split(QUESTION, text)  # text, name, text, name, text
    names, ends = parts[1::2], parts[2::2]
    found = []
    for at, (name, end) in enumerate(zip(names, ends, strict=True)):
        if end.strip().startswith(ANSWER):
            continue
        fault = UNANSWERED
        if not end.strip() and at == len(names) - 1:
            fault = told(after)
        if fault:
            found.append(f"question {name}: {fault}")
    return found


def told(cells: list[NotebookNode]) -> str:
    """What is wrong with the answer in these cells, or nothing.

    The first that shows anything folds it, or is a live figure; and the sentences after it are
    folded too or belong to another section.
    """
    answer = ""
    for cell in cells:
        tags = cell.metadata.get("tags", [])
        if "remove-cell" in tags:
            continue
        if cell.cell_type == "markdown":
            if answer and not cell.source.startswith((ANSWER, "#")):
                return f"the sentences after its {answer} are not folded ({{answer}})"
            return "" if answer else UNANSWERED
        if not cell.outputs:
            continue
        if "hide-output" in tags:
            answer = "folded result"
        elif answer == "folded result":
            return ""
        elif answer:
            return f"what is printed after its {answer} is not folded"
        elif any(WIDGET_VIEW in output.get("data", {}) for output in cell.outputs):
            answer = "live figure"
        else:
            return UNANSWERED
    return "" if answer else UNANSWERED


def before_last_sections(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that stand before what closes a chapter."""
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and f"## {LAST_SECTIONS[0]}" in cell.source:
            break
        cells.append(cell)
    return cells


def wide_lines(notebook: NotebookNode) -> list[str]:
    """Lines that do not fit their box: of code that shows, and of what it prints."""
    found = []
    for cell in code_cells(notebook):
        if "remove-cell" in cell.metadata.get("tags", []):
            continue
        texts = [("code", cell.source)] + [("printed", text) for text in printed(cell)]
        for kind, text in texts:
            widest = max(map(len, text.splitlines()), default=0)
            if widest > COLUMNS:
                found.append(f"cell {cell.id}: a line of {widest} columns, {kind}")
    return found


def hidden_names(notebook: NotebookNode) -> list[str]:
    """Names that a cell of the page uses and only a cell that the page leaves out defines."""
    found = []
    shown: set[str] = set()
    hidden: set[str] = set()
    for cell in code_cells(notebook):
        used, made = names(cell.source)
        if "remove-cell" in cell.metadata.get("tags", []):
            hidden |= made
            continue
        if missing := sorted((used - made - shown) & hidden):
            found.append(f"cell {cell.id}: defined in a hidden cell only: {', '.join(missing)}")
        shown |= made
    return found


def unnamed_code(notebook: NotebookNode) -> list[str]:
    """Code that is folded without a word about what it does."""
    return [
        f"cell {cell.id}: its code is folded and has no name (code_prompt_show)"
        for cell in code_cells(notebook)
        if "hide-input" in cell.metadata.get("tags", [])
        and not cell.metadata.get("mystnb", {}).get("code_prompt_show")
    ]


def names(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell's code uses, and those that it makes."""
    used, made = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name, ast.Load()):
                used.add(name)
            case ast.Name(name) | ast.arg(name):
                made.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                made.add(name)
            case ast.alias(name=name, asname=alias):
                made.add(alias or name.partition(".")[0])
    return used, made


def printed(cell: NotebookNode) -> list[str]:
    """The text that the page shows of a cell's outputs; of a picture it shows no text."""
    texts = []
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            texts.append(output.text)
        elif set(data) == {"text/plain"}:
            texts.append(data["text/plain"])
    return texts


def main(names: list[str]) -> int:
    all_faults = [f"{path.stem}: {fault}" for path in chapters(names) for fault in faults(path)]
    print("\n".join(all_faults))
    return 1 if all_faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
