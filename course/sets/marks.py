"""From a student's cell to points and sentences: runs it, asks the task's marking.py, adds up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from course.sets.student import Call, Student
from course.sets.tasks import COURSE, Part, Task, load_all
from pe_lab.diagnosis.reading import Problem

MISSED = "marking-failed"


@dataclass(frozen=True)
class Mark:
    """What marking.py makes of one part.

    Attributes:
        part: its name in task.yml.
        share: of its points, 0 to 1.
        name: "right", or a diagnosis by its name.
        says: what was computed instead; never what is right, and never a right number.
        form: whether it is the form that is wrong, or digits that are missing, so that nothing is
            known of what was understood.
    """

    part: str
    share: float
    name: str
    says: str = ""
    form: bool = False


@dataclass(frozen=True)
class Result:
    """What a task got.

    Attributes:
        marks: one for each part that the computer marks, in their order.
        points: the sum.
        printed: what the cell printed.
        problem: what went wrong while the cell ran, if anything.
    """

    task: Task
    marks: tuple[Mark, ...]
    printed: str = ""
    problem: Problem | None = None

    @property
    def points(self) -> float:
        return round(sum(points(part, mark) for part, mark in self.parts()), 2)

    @property
    def names(self) -> set[str]:
        """The diagnoses of the parts that are not wholly right."""
        return {mark.name for mark in self.marks if mark.share < 1}

    def parts(self) -> Iterable[tuple[Part, Mark]]:
        return zip(self.task.marked, self.marks, strict=True)


def points(part: Part, mark: Mark) -> float:
    """The points of a part, to a quarter."""
    return round(4 * part.points * mark.share) / 4


def examine(
    task: Task,
    cells: Iterable[str],
    given: Mapping[str, object],
    *,
    private: Iterable[Path] = (COURSE,),
    others: Iterable[str] = (),
) -> Result:
    """Run a student's cells and mark them.

    Args:
        task: the task.
        cells: the set's own first cell, and then the student's cells for this task.
        given: the numbers of the task.
        private: folders that the student's program may not read.
        others: the notebook's other cells, which are not run.
    """
    load_all()
    task.load()
    process = Student(cells, task.seconds, task.without, tuple(private), tuple(others))
    with process as student:
        marks = judge(task, student, given)
        return Result(task, marks, student.printed, student.problem)


def judge(task: Task, call: Call, given: Mapping[str, object]) -> tuple[Mark, ...]:
    """Ask marking.py. A fault of its own costs nobody else anything, and is told to the marker."""
    found: dict[str, Mark] = {}
    try:
        for mark in task.mark(call, given):
            found[mark.part] = mark
    except Exception as error:
        says = f"This could not be marked ({type(error).__name__}: {error}). Please tell us."
        missed = {part.name: Mark(part.name, 0, MISSED, says, form=True) for part in task.marked}
        found = {**missed, **found}
    if wrong := found.keys() ^ {part.name for part in task.marked}:
        raise ValueError(f"{task.id}: marking.py and task.yml differ in the parts {sorted(wrong)}")
    return tuple(found[part.name] for part in task.marked)
