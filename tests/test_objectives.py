"""What a course's objectives are, and that something serves each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from course.objectives import Item, Objective, items, load, served

GOOD = [
    {"id": f"{chapter}-{word}", "level": "apply", "text": "Compute it."}
    for chapter in range(1, 11)
    for word in ("one", "other")
]


def write(path: Path, raw: list[dict[str, Any]]) -> Path:
    path.write_text(yaml.safe_dump(raw), encoding="utf-8")
    return path


def test_every_objective_is_served_and_every_item_serves_one() -> None:
    found = items()
    by_objective = served(load(), found)
    kinds = {item.kind for item in found}
    assert kinds == {"question", "bank", "concept", "exercise", "task"}
    # A question of the book serves each, or an exercise where it asks for a program.
    assert all({"question", "exercise"} & serving.keys() for serving in by_objective.values())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda raw: raw[3].update(id="eleven-x"), "its id is a chapter"),
        (lambda raw: raw[3].update(id="11-x"), "its id is a chapter"),
        (lambda raw: raw[3].update(level="know"), "level must be of remember, .*got 'know'"),
        (lambda raw: raw[3].update(text="compute it"), "its text is a sentence"),
        (lambda raw: raw[3].pop("text"), "an objective has id, level, text"),
        (lambda raw: raw.append(raw[-1]), "'10-other' is there twice"),
        (lambda raw: raw.pop(), "chapter 10: 2 to 4 objectives, got 1"),
        (lambda raw: raw.reverse(), "not in order"),
    ],
)
def test_a_list_of_objectives_that_is_none_is_refused(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], Any], says: str
) -> None:
    raw = [dict(each) for each in GOOD]
    assert len(load(write(tmp_path / "good.yml", raw))) == 20
    change(raw)
    with pytest.raises(ValueError, match=says):
        load(write(tmp_path / "bad.yml", raw))


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ((), "question '1-q' names no objective"),
        (("1-one", "1-onne"), "question '1-q': there is no objective '1-onne'"),
        (("1-other",), "nothing serves 1-one"),
    ],
)
def test_what_does_not_fit_together_is_refused(names: tuple[str, ...], says: str) -> None:
    objectives = {name: Objective(name, 1, "apply", "Compute it.") for name in ("1-one", "1-other")}
    both = Item("question", "1-q", "", ("1-one", "1-other"))
    assert served(objectives, [both]) == {name: {"question": [both]} for name in objectives}
    with pytest.raises(ValueError, match=says):
        served(objectives, [Item("question", "1-q", "", names)])


def test_all_kinds_of_items_are_found(tmp_path: Path) -> None:
    for folder in (
        "book/questions",
        "course/bank/questions",
        "course/inventory",
        "course/tasks/set1/01-x",
        "notebooks",
    ):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "notebooks" / "01_x.ipynb").write_text(
        '{"cells": [{"source": ["```{exercise} By hand\\n", ":label: ex-01-x\\n"]}]}'
    )
    write(tmp_path / "book/questions/01_x.yml", [{"id": "01-q", "objectives": ["1-one"]}])
    write(tmp_path / "course/bank/questions/01_x.yml", [{"id": "01-b"}])
    concept = {"id": "order", "title": "An order", "objectives": ["1-one"]}
    write(tmp_path / "course/inventory/concepts.yml", [concept])
    (tmp_path / "course/tasks/set1/01-x/task.yml").write_text("{title: T, objectives: [1-one]}")
    exercises = tmp_path / "course" / "exercises.yml"
    exercises.write_text("ex-01-x: [1-other]")
    assert items(tmp_path) == [
        Item("question", "01-q", "", ("1-one",)),
        Item("bank", "01-b", "", ()),
        Item("concept", "order", "An order", ("1-one",)),
        Item("exercise", "ex-01-x", "By hand", ("1-other",)),
        Item("task", "set1/01-x", "T", ("1-one",)),
    ]
    exercises.write_text("ex-01-y: [1-other]")
    with pytest.raises(ValueError, match="no chapter has ex-01-y"):
        items(tmp_path)
