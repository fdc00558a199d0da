"""The problem sets: their form, what marking makes of right and wrong cells, and the release."""

from __future__ import annotations

import pytest

from course.sets.marks import Result, examine
from course.sets.notebook import SETUP
from course.sets.tasks import Mistake, Task, read_sets, read_settings

SETS = read_sets()
TASKS = [task for one in SETS.values() for task in one.tasks]
MARKED = [task for task in TASKS if task.marked]
MISTAKES = [(task, mistake) for task in MARKED for mistake in task.mistakes]
SEED = read_settings().seed


def marked(task: Task, cell: str) -> Result:
    given = task.drawn(SEED)
    return examine(task, [SETUP, cell], given)


@pytest.mark.parametrize("task", MARKED, ids=lambda task: task.id)
def test_a_solution_gets_all_points_and_a_starter_none(task: Task) -> None:
    given = task.drawn(SEED)
    result = marked(task, task.text("solution.py", given))
    assert result.points == sum(part.points for part in task.marked), result
    assert marked(task, task.text("starter.py", given)).points == 0


@pytest.mark.parametrize(
    ("task", "mistake"), MISTAKES, ids=lambda each: getattr(each, "id", None) or each.name
)
def test_a_foreseen_mistake_gets_its_points_and_its_diagnosis(task: Task, mistake: Mistake) -> None:
    result = marked(task, task.cell(mistake, task.drawn(SEED)))
    assert result.points == mistake.points, result
    told = " ".join(mark.says for mark in result.marks)
    sentences = {words for words in mistake.says if " " in words}
    assert all(sentence in told for sentence in sentences), told
    assert result.names == {*mistake.says} - sentences or sentences == {*mistake.says}, result
