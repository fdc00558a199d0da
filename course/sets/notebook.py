"""A problem set as a notebook with nbgrader's metadata (schema 3), and a submission put into it.

A task is a statement, the student's cell, a cell that checks a little and a cell that is marked;
where a person marks something, also a cell for text. The cell that is marked holds no check: the
points come from :mod:`course.sets.nbgrading`. It does nothing when a student runs it, and gives
none where nbgrader marks without our settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any
from urllib.parse import unquote

import nbformat
from nbformat import NotebookNode

from course.sets.cells import SHARED
from course.sets.tasks import ProblemSet, Settings, Task

SETUP = """\
import math

import numpy as np
import torch
from torch import Tensor"""

INSTALL = """\
# The book's own module is fetched where it is not installed.
from importlib.util import find_spec

if not find_spec("pe_lab"):
    %pip install --quiet "pe_core[lab] @ {address}download/pe_core-{version}-py3-none-any.whl\""""

NO_INSTALL = """\
# The book's own module has to be there.
from importlib.util import find_spec

if not find_spec("pe_lab"):
    print("The module pe_lab is missing: ask who handed this notebook out.")"""

HEAD = """\
# {title}

{points:g} points, about {hours}. About {chapters} of "Positional Encoding, Step by Step".

| task | points | minutes |
|---|--:|--:|
{tasks}

**What is allowed.** The book, its notebooks, and the documentation of Python, NumPy and torch. What
you hand in is your own work. It is marked where there are these three and what they and the book
need, such as matplotlib, and no other package.

**How it is marked.** Each task by itself, from a new start: the second cell below, your own cells
before the first task, and then your cells of that task. So a cell cannot use what you made in
another task. What a function returns counts, not what it prints. The points of a task are in parts,
each given by itself. A number that follows by a right step from a wrong one of yours has its
points: a mistake costs where it was made. Of a function each part is another use. Where it returns
what is wrong it has no points, even if a single line is to blame, because whoever calls it cannot
see its steps. The cells under yours look at a little of it and give no points. You may add cells of
your own under yours, and before the first task what every task needs, such as an import.

**How to hand in.** Save, and submit the file under its own name. Before that, restart and run all
cells: one that ends in an error belongs to a task that is not done."""

MARKED = """\
# {points:g} points, given after you have handed it in. Leave this cell as it is.
import os

assert os.environ.get("NBGRADER_EXECUTION") != "autograde", "mark with nbgrader_config.py"
"""

TEXT = "*Write your answer in this cell, in place of this line.*"
BESIDE = "*Nothing was written in this cell. What was added to the task is read in its place.*"

EARLY = ("-install", "-setup")  # programs before the first task
MAKERS: dict[str, Callable[..., Any]] = {
    "code": nbformat.v4.new_code_cell,
    "markdown": nbformat.v4.new_markdown_cell,
    "raw": nbformat.v4.new_markdown_cell,  # a student's, which may be a proof
}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def source(one: ProblemSet, settings: Settings, *, solved: bool) -> NotebookNode:
    """The notebook of a set: with solutions, or as it is handed out."""
    notebook: NotebookNode = nbformat.v4.new_notebook(
        metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    notebook.cells = [*_cells(one, settings, solved=solved)]
    return notebook


def _cells(one: ProblemSet, settings: Settings, *, solved: bool) -> Iterator[NotebookNode]:
    yield _cell("markdown", f"{one.id}-head", head(one), locked=True)
    install = INSTALL.format(address=settings.address, version=version("pe_core"))
    text = install if settings.address else NO_INSTALL
    yield _cell("code", f"{one.id}-install", text, locked=True)
    yield _cell("code", f"{one.id}-setup", SETUP, locked=True)
    for number, task in enumerate(one.tasks, 1):
        yield from _task(task, number, settings.seed, solved=solved)


def _task(task: Task, number: int, seed: int, *, solved: bool) -> Iterator[NotebookNode]:
    given = task.drawn(seed)
    text = "\n\n".join([
        f"## Task {number}: {task.title}",
        task.text("statement.md", given).strip(),
        parts(task),
    ])  # fmt: skip
    yield _cell("markdown", f"{task.id}-statement", text, locked=True)
    if task.marked:
        answer = task.text("solution.py" if solved else "starter.py", given)
        yield _cell("code", answer_id(task), answer.strip(), solution=True)
        if task.has("visible.py"):
            yield _cell("code", f"{task.id}-check", task.text("visible.py", given), locked=True)
        total = sum(part.points for part in task.marked)
        marked = MARKED.format(points=total)
        yield _cell("code", marked_id(task), marked, locked=True, points=total)
    if task.manual:
        total = sum(part.points for part in task.manual)
        answer = task.text("rubric.md", given) if solved else TEXT
        yield _cell("markdown", text_id(task), answer, solution=True, points=total)


def answer_id(task: Task) -> str:
    return f"{task.id}-answer"


def marked_id(task: Task) -> str:
    return f"{task.id}-marked"


def text_id(task: Task) -> str:
    return f"{task.id}-text"


def _cell(
    kind: str,
    name: str,
    text: str,
    *,
    locked: bool = False,
    solution: bool = False,
    points: float | None = None,
) -> NotebookNode:
    make = MAKERS[kind]
    about: dict[str, object] = {
        "schema_version": 3,
        "grade_id": name,
        "grade": points is not None,
        "solution": solution,
        "locked": locked,
        "task": False,
    }
    if points is not None:
        about["points"] = points
    cell: NotebookNode = make(text.strip(), id=name[:64], metadata={"nbgrader": about})
    return cell


def head(one: ProblemSet) -> str:
    hours, minutes = divmod(one.minutes, 60)
    numbers = [str(chapter) for chapter in one.chapters]
    return HEAD.format(
        title=f"{one.id.capitalize().replace('Set', 'Problem set ')}: {one.title}",
        points=sum(task.points for task in one.tasks),
        hours=f"{hours} h {minutes:02d} min",
        chapters=f"chapters {', '.join(numbers[:-1])} and {numbers[-1]}"
        if len(numbers) > 1
        else f"chapter {numbers[0]}",
        tasks="\n".join(
            f"| {number}. {task.title} | {task.points:g} | {task.minutes} |"
            for number, task in enumerate(one.tasks, 1)
        ),
    )


def parts(task: Task) -> str:
    """What gets points, in a list."""
    lines = [
        f"- {part.title}: {part.points:g}"
        + (" (marked by a person)" if part.manual else "")
        + (" (the cell below yours looks at it)" if part.visible else "")
        for part in task.parts
    ]
    return "\n".join([f"**{task.points:g} points, about {task.minutes} minutes.**", "", *lines])


def restored(handed_out: NotebookNode, submitted: NotebookNode) -> NotebookNode:
    """What was handed out, with the student's answers and added cells in it.

    However cells were moved, deleted, doubled, edited or made another kind, the answers are found
    by their names, and all else is as it was. An added cell stays behind the cell that it followed,
    and so does what was typed into a cell before the first task. A cell that a tool took the
    metadata from is found by its id or its text; one that is not found is marked as missing.
    """
    answers, added = _taken_apart(handed_out, submitted)
    cells = []
    for cell in handed_out.cells:
        name = _name(cell)
        if cell.metadata.nbgrader.solution and name in answers:
            _filled(cell, answers[name])
        elif cell.metadata.nbgrader.solution:
            cell.metadata.missing = True
        if cell.source == TEXT and _beside(name, added):
            cell.source = BESIDE  # to a cell that is as it was nbgrader gives 0, and asks nobody
        cells.append(cell)
        for number, extra in enumerate(added.get(name, []), 1):
            extra.id = f"{name}-{number}"[-64:]
            cells.append(extra)
    handed_out.cells = cells
    return handed_out


def _taken_apart(
    handed_out: NotebookNode, submitted: NotebookNode
) -> tuple[dict[str, NotebookNode], dict[str, list[NotebookNode]]]:
    """The cells that were handed out, by name, and the added ones, by that of the cell before."""
    texts = {_name(cell): _words(cell) for cell in handed_out.cells}
    found = {_name(cell) for cell in submitted.cells}
    ids = {cell.id: _name(cell) for cell in handed_out.cells if _name(cell) not in found}
    answers: dict[str, NotebookNode] = {}
    added: dict[str, list[NotebookNode]] = {}
    last = _name(handed_out.cells[0])
    for cell in submitted.cells:
        same = [name for name, text in texts.items() if text == _words(cell)]
        by_text = same[0] if len(same) == 1 and same[0] not in found else ""
        name = _name(cell) or ids.get(cell.get("id", ""), "") or by_text
        if name in texts:
            answers[name], last = cell, name
        own = name not in texts or name.endswith(EARLY)
        if own and not same and cell.cell_type in MAKERS and cell.source.strip():
            extra = MAKERS[cell.cell_type]()
            added.setdefault(last, []).append(_filled(extra, cell))
    return answers, added


def _words(cell: NotebookNode) -> str:
    """What stands in a cell, however a tool has broken or ended its lines."""
    return " ".join(cell.source.split())


def _beside(name: str, added: dict[str, list[NotebookNode]]) -> bool:
    """Whether a student added cells to the task of this cell."""
    task = name.rpartition("-")[0]
    return any(before.rpartition("-")[0] == task for before in added)


def _filled(cell: NotebookNode, written: NotebookNode) -> NotebookNode:
    """A cell with what a student wrote in it, and with the pictures that are attached."""
    cell.source = _shown(readable(written.source), cell.cell_type)
    if cell.cell_type == "markdown" and (pictures := _pictures(written)):
        cell.attachments = nbformat.from_dict(pictures)
    return cell


def readable(text: str) -> str:
    """Text that can be written to a file: halves of signs, which Python alone has, as "?"."""
    return text.encode("utf-8", "replace").decode()


def _shown(written: str, kind: str) -> str:
    """What a student wrote; in text no tag begins, since a script would run where it is marked.

    A picture's name may stand in pointed brackets; with an "=" it could be a tag that runs one.
    """
    tag = r"<(?=[A-Za-z/!?])(?!attachment:[^<>=]*>)"
    return written if kind == "code" else re.sub(tag, "< ", written)


def _pictures(cell: NotebookNode) -> dict[str, dict[str, str]]:
    """What is attached to a cell; whether it is a picture is seen where the page is made."""
    attached = cell.get("attachments")
    return {
        unquote(readable(name)): {
            readable(kind): readable("".join(map(str, data)))
            for kind, data in kinds.items()
            if isinstance(data, str | list)
        }
        for name, kinds in (attached.items() if isinstance(attached, dict) else ())
        if isinstance(kinds, dict)
    }


def _name(cell: NotebookNode) -> str:
    about = cell.metadata.get("nbgrader")
    return str(about.get("grade_id", "")) if isinstance(about, dict) else ""


def student_cells(task: Task, notebook: NotebookNode) -> list[str]:
    """The set's own first cell, the student's before the first task, and those of a task."""
    early = _cells_of(task.id.partition("-")[0], notebook)
    return [SETUP, *(f"{SHARED}{cell}" for cell in early), *own_cells(task, notebook)]


def own_cells(task: Task, notebook: NotebookNode) -> list[str]:
    """The student's cells of a task.

    Where the cell for the answer is missing, its starter would undo what stands in an added cell.
    """
    return _cells_of(task.id, notebook)


def other_cells(task: Task, notebook: NotebookNode) -> list[str]:
    """The cells that do not run when a task is marked."""
    run = {SETUP, *(cell.removeprefix(SHARED) for cell in student_cells(task, notebook))}
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return [cell for cell in cells if cell not in run]


def _cells_of(place: str, notebook: NotebookNode) -> list[str]:
    """The programs of a student in a task, or before the first one of a set."""
    return [
        cell.source
        for at, cell in _placed(notebook)
        if at == place and cell.cell_type == "code" and _is_own(cell)
    ]


def _is_own(cell: NotebookNode) -> bool:
    """Whether a student added the cell, or wrote an answer into it."""
    name = _name(cell)
    return not name or (name.endswith("-answer") and not cell.metadata.get("missing"))


def added_to(task: Task, notebook: NotebookNode) -> bool:
    """Whether a student added cells to a task."""
    return any(at == task.id and not _name(cell) for at, cell in _placed(notebook))


def _placed(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Each cell, and the task that it stands in; before the first task it is the set."""
    place = ""
    for cell in notebook.cells:
        place = _name(cell).rpartition("-")[0] or place
        yield place, cell
