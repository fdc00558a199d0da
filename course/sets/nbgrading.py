"""What nbgrader runs of ours; ``course/nbgrader_config.py`` puts it in its place.

- :class:`Release` takes the solutions out, when a set is made for students.
- :class:`Restore` puts a submission's answers into the notebook that was handed out.
- :class:`Examine` runs the answers and writes points and feedback, in place of nbgrader's Execute.
- :class:`Grades` tells what nobody has marked yet from what has no points.
- :class:`Feedback` writes the page that a student reads.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import pass_context as contextfilter
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from traitlets import Unicode

from course.sets.chapters import chapters
from course.sets.formulas import marked_up, page
from course.sets.marks import Mark, Result, examine, points
from course.sets.notebook import (
    added_to,
    answer_id,
    marked_id,
    other_cells,
    own_cells,
    readable,
    restored,
    source,
    student_cells,
    text_id,
)
from course.sets.tasks import (
    COURSE,
    Part,
    ProblemSet,
    Settings,
    Task,
    read_sets,
    read_settings,
)

Done = tuple[NotebookNode, ResourcesDict]

UNCHANGED = "The cell is as it was handed out."
MISSING = (
    "The cell for this task is not in the notebook that you handed in: it was deleted, or what "
    "tells it from others was lost. Ask whoever marks it whether you may hand in the notebook that "
    "you were given, with your answers in its own cells."
)


class OfASet(NbGraderPreprocessor):
    """A step in which nbgrader treats a notebook of ours; others pass unchanged."""

    student = ""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Done:
        one = read_sets().get(resources["nbgrader"]["notebook"])
        self.student = resources["nbgrader"].get("student", "")
        return (self.treat(nb, one), resources) if one else (nb, resources)

    def treat(self, nb: NotebookNode, one: ProblemSet) -> NotebookNode:
        raise NotImplementedError


class Release(OfASet):
    """The notebook as it is handed out, with starters in place of solutions."""

    def treat(self, nb: NotebookNode, one: ProblemSet) -> NotebookNode:
        return source(one, read_settings(), solved=False)


class Restore(OfASet):
    """A submission as what was handed out with the student's answers in it."""

    def treat(self, nb: NotebookNode, one: ProblemSet) -> NotebookNode:
        return restored(source(one, read_settings(), solved=False), nb)


class Examine(OfASet):
    """Runs every task by itself, and writes points and feedback into the cell that is marked."""

    private = Unicode(str(COURSE.parent), help="A folder that students' programs cannot read").tag(
        config=True
    )

    def treat(self, nb: NotebookNode, one: ProblemSet) -> NotebookNode:
        settings = read_settings()
        cells = {cell.metadata.nbgrader.get("grade_id"): cell for cell in nb.cells if _named(cell)}
        if says := lost(one, nb):
            self.log.warning("%s of %s: %s", one.id, self.student, says)
        for task in one.tasks:
            if task.marked:
                answer, marked = cells[answer_id(task)], cells[marked_id(task)]
                given = task.drawn(settings.seed)
                as_was = answer.source.strip() == task.text("starter.py", given).strip()
                nothing = UNCHANGED if as_was else None
                if answer.metadata.get("missing"):  # an added cell may be there in its place
                    nothing = None if own_cells(task, nb) else MISSING
                result = examine(
                    task,
                    student_cells(task, nb),
                    given,
                    private=[COURSE, Path(self.private)],
                    others=other_cells(task, nb),
                )
                answer.outputs = printed(result)
                marked.outputs = [feedback(result, settings, nothing=nothing)]
                marked.execution_count = 1
        return nb


class Grades(GetGrades):
    """nbgrader's points, but no number for what a person has yet to mark, which it counts as 0."""

    def _get_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        super()._get_score(cell, resources)
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id,
            self.notebook_id,
            self.assignment_id,
            self.student_id,
        )
        if grade.auto_score is None and grade.manual_score is None:
            cell.metadata.nbgrader.score = math.nan


@contextfilter
def markdown2html(context: Any, source: str) -> str:
    """Text of a cell, in place of nbconvert's: on no page does a student's link run a script."""
    return page(source, context.get("cell", {}).get("attachments"))


class Feedback(HTMLExporter):
    """nbgrader's page without the script that it would fetch from elsewhere, to draw formulas.

    Whoever reads feedback tells nobody. Formulas are drawn here, and cells are named by their task.
    """

    @contextfilter
    def markdown2html(self, context: Any, source: str) -> str:
        return markdown2html(context, source)

    # nbconvert's base class promises a notebook, and every exporter of pages returns a text.
    def from_notebook_node(  # type: ignore[override]
        self, nb: NotebookNode, resources: Any = None, **kw: Any
    ) -> tuple[str, Any]:
        html, resources = super().from_notebook_node(nb, resources, **kw)
        html = re.sub(r'<script src="https?://[^"]*">\s*</script>', "", html)
        html = html.replace("Score: nan / ", "Not marked yet, of ")
        return named(html).replace("</head>", f"{BAR}</head>", 1), resources


# The bar above a cell grows with what stands in it; nbgrader's has one line's height.
BAR = "<style>div.nbgrader_cell .panel-heading { height: auto; display: flow-root; }</style>"
# What nbgrader calls a cell that it grades: in its table of contents, and above the cell.
LISTED = re.compile(r'(<a href="#([^"]+)">)(?:Test cell|Written response)(?=</a>)')
HEADED = re.compile(r"Grade cell: <code>([^<]+)</code>")


def named(html: str) -> str:
    """nbgrader's page, with a task in place of "Test cell"; its table of contents has the parts."""
    names = {cell: (task, parts) for cell, task, parts in _names()}
    html = LISTED.sub(lambda match: match[1] + ": ".join(names.get(match[2], (match[2],))), html)
    return HEADED.sub(lambda match: names.get(match[1], (match[1],))[0], html)


def _names() -> Iterator[tuple[str, str, str]]:
    """Each cell that is graded: its name, the task, and its parts that are graded there."""
    for one in read_sets().values():
        for number, task in enumerate(one.tasks, 1):
            for cell, some in ((marked_id(task), task.marked), (text_id(task), task.manual)):
                titles = "; ".join(part.title for part in some)
                yield cell, marked_up(f"Task {number}, {task.title}"), marked_up(titles)


def lost(one: ProblemSet, nb: NotebookNode) -> str:
    """What the marker is told of cells for answers that are missing; nothing if all are there."""
    missing = {cell.metadata.nbgrader.grade_id for cell in nb.cells if cell.metadata.get("missing")}
    tasks = {number: task for number, task in enumerate(one.tasks, 1) if _ids(task) & missing}
    if not tasks:
        return ""
    says = f"cells for answers are missing in {_tasks(tasks)}."
    placed = [number for number, task in tasks.items() if added_to(task, nb)]
    if placed:
        says += f" Added cells count in their place in {_tasks(placed)}: look at them."
    if len(placed) < len(tasks):
        says += " Ask for the notebook that was handed out, with the answers in its own cells."
    return says


def _ids(task: Task) -> set[str]:
    return {answer_id(task), text_id(task)}


def _tasks(numbers: Iterable[int]) -> str:
    """Such as "task 1, task 2"."""
    return ", ".join(f"task {number}" for number in numbers)


def _named(cell: NotebookNode) -> bool:
    return "grade_id" in (cell.metadata.get("nbgrader") or {})


def printed(result: Result) -> list[NotebookNode]:
    """What the student's cell printed, and how it failed."""
    said = readable(result.printed + (f"\n{result.problem.says}" if result.problem else ""))
    if not said.strip():
        return []
    return [nbformat.v4.new_output("stream", name="stdout", text=said.strip() + "\n")]


def feedback(result: Result, settings: Settings, *, nothing: str | None = None) -> NotebookNode:
    """The points as nbgrader reads them, and the sentences as the student does.

    ``nothing`` says why there is no answer, and stands in place of the sentences.
    """
    total = sum(part.points for part in result.task.marked)
    head = f"{result.points:g} of {total:g} points"
    if nothing and not result.points:
        lines = [f"<p>{nothing}</p>"]
    else:
        said: dict[str, str] = {}
        lines = [_line(result.task, part, mark, settings, said) for part, mark in result.parts()]
    html = readable("\n".join([f"<p><strong>{head}</strong></p>", *lines]))
    data = {"text/plain": f"{result.points:g}", "text/html": html}
    output: NotebookNode = nbformat.v4.new_output("execute_result", data, execution_count=1)
    return output


def _line(task: Task, part: Part, mark: Mark, settings: Settings, said: dict[str, str]) -> str:
    """A part: its points, what was computed instead, a question and a place to read.

    What has not the form that is asked for gets no question of the subject, unless its mistake has
    one of its own.

    Args:
        said: the sentences and questions of the parts before, each with its part's title. A
            question is not asked twice.
    """
    head = f"<p>{marked_up(part.title)}: {points(part, mark):g} of {part.points:g}."
    if mark.share >= 1:
        return f"{head} {marked_up(mark.says) or 'Right.'}</p>"
    if mark.says in said:
        return f"{head} The same as in “{marked_up(said[mark.says])}”.</p>"
    said[mark.says] = part.title
    asks = {mistake.name: mistake.ask for mistake in task.mistakes if mistake.ask}
    asks |= {name: m.ask for m in task.mistakes if m.ask for name in m.says}
    ask = asks.get(mark.name, "" if mark.form else part.ask)
    if not ask or ask in said:
        return f"{head} {marked_up(mark.says)}</p>"
    said[ask] = part.title
    more = f"{marked_up(ask)} {read_on(part.chapter, settings)}"
    return f"{head} {marked_up(mark.says)}<br>\n{more}</p>"


def read_on(chapter: int, settings: Settings) -> str:
    """Where in the book to read."""
    title, file = chapters()[chapter]
    name = f"Chapter {chapter}, {escape(title)}"
    if settings.address:
        name = f'<a href="{escape(settings.address)}notebooks/{file}.html">{name}</a>'
    return f"Read: {name}" + ("" if title.endswith("?") else ".")
