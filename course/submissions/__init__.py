"""Submissions that try the marking; README.md has their form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from course.sets.notebook import answer_id, source
from course.sets.tasks import ProblemSet, Settings, Task, read_sets
from pe_lab.yaml_file import read_yaml

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Submission:
    """What a student hands in, and what it gets.

    Attributes:
        folder: where it stands: the set's name, and its own.
    """

    folder: Path

    @property
    def name(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def set(self) -> ProblemSet:
        return read_sets()[self.folder.parent.name]

    @cached_property
    def about(self) -> Mapping[str, Any]:
        about: Mapping[str, Any] = read_yaml(self.folder / "submission.yml")
        return about

    def answer(self, task: Task, given: Mapping[str, object]) -> str:
        """What stands in the student's cell of a task."""
        path = self.folder / f"{task.id}.py"
        if path.exists():
            return path.read_text(encoding="utf-8")
        return task.text(f"{self.about['rest']}.py", given)

    def notebook(self, settings: Settings) -> NotebookNode:
        """The notebook as it is handed in."""
        notebook = source(self.set, settings, solved=False)
        cells = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells}
        for task in self.set.tasks:
            if task.marked:
                given = task.drawn(settings.seed)
                cells[answer_id(task)].source = self.answer(task, given)
        for edit in self.about.get("edits", []):
            cell = cells[edit["cell"]]
            if edit.get("delete"):
                notebook.cells.remove(cell)
            else:
                cell.source = edit["source"]
        return notebook

    def expected(self, task: Task) -> tuple[float, list[str]]:
        """The points of a task, and pieces of its feedback, one of which must be there."""
        if task.id in self.about["expected"]:
            found = self.about["expected"][task.id]
            says = found["says"]
            return found["points"], says if isinstance(says, list) else [says]
        if self.about["rest"] == "starter":
            return 0, ["as it was handed out"]
        return sum(part.points for part in task.marked), ["Right."]


def submissions() -> Iterator[Submission]:
    """All of them, by their names."""
    for path in sorted(HERE.glob("*/*/submission.yml")):
        yield Submission(path.parent)
