"""Whole submissions, right ones in many styles and broken ones, get what is theirs."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from course.sets.marks import Mark, Result, examine
from course.sets.nbgrading import UNCHANGED, Restore, feedback
from course.sets.notebook import student_cells
from course.sets.tasks import TASKS, read_settings, read_task
from course.submissions import HERE, Submission, submissions

SUBMISSIONS = [*submissions()]
# Of processor; a right answer to any task here takes a tenth of it. The system counts whole seconds
# and what the process has used already, so that a limit of 1 would be one of 2.
SECONDS = 0.9
SETTINGS = read_settings()


@pytest.mark.parametrize("one", SUBMISSIONS, ids=lambda one: one.name)
def test_a_submission_gets_its_points_and_its_feedback_task_by_task(one: Submission) -> None:
    """A program that breaks costs its own task and nothing else. One without an end is ended."""
    notebook = Restore().treat(one.notebook(SETTINGS), one.set)
    found, expected = {}, {}
    for task in one.set.tasks:
        if not task.marked:
            continue
        given = task.drawn(SETTINGS.seed)
        result = examine(replace(task, seconds=SECONDS), student_cells(task, notebook), given)
        unchanged = one.answer(task, given) == task.text("starter.py", given)
        html = feedback(result, SETTINGS, nothing=UNCHANGED if unchanged else None).data[
            "text/html"
        ]
        points, told = one.expected(task)
        expected[task.id] = (points, True)
        found[task.id] = (result.points, any(piece in html for piece in told) or html)
    assert found == expected


def test_a_part_points_to_the_part_that_has_the_same_and_no_question_is_asked_twice() -> None:
    task = read_task(TASKS / "set4" / "03-three-ways-to-slow")
    first, second, third, fourth = task.marked
    says = ["Entry 1.", "Entry 2.", "Entry 1.", "Its hands become faster."]
    names = ["unknown", "unknown", "unknown", "faster"]
    marks = (Mark(p.name, 0, n, s) for p, n, s in zip(task.marked, names, says, strict=True))
    html = feedback(Result(task, tuple(marks)), SETTINGS).data["text/html"]
    lines = unescape(html).split("<p>")[2:]
    assert first.ask in lines[0]
    assert "Entry 2." in lines[1]
    assert second.ask in lines[1]
    assert f"The same as in “{first.title}”." in lines[2]
    assert third.ask not in lines[2]
    assert fourth.ask in lines[3]

    equal = replace(task, parts=tuple(replace(part, ask="Why?") for part in task.parts))
    marks = (Mark(p.name, 0, n, s) for p, n, s in zip(task.marked, names, says, strict=True))
    html = feedback(Result(equal, tuple(marks)), SETTINGS).data["text/html"]
    assert html.count("Why?") == 1


def test_every_file_of_a_submission_is_read() -> None:
    names = {task.id for one in SUBMISSIONS for task in one.set.tasks}
    for path in HERE.glob("*/*/*"):
        assert path.name == "submission.yml" or path.stem in names, path


def test_right_submissions_have_six_styles() -> None:
    styles = {one.name: one.folder for one in SUBMISSIONS if one.folder.name.startswith("right-")}
    programs = {name: _program(folder) for name, folder in styles.items()}
    assert len(set(programs.values())) == len(programs) >= 6


def _program(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
