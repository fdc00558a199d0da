"""The objectives of the course, and what serves each of them.

``objectives.yml`` is a list. An objective has

    id: 3-entry           # the chapter's number, and a word or two
    level: apply          # one of LEVELS
    text: Compute any …   # one sentence, which begins with what the reader does

A question names what it serves by ``objectives: [3-entry]``, in the files of ``book/questions`` and
of ``course/bank/questions``; a task in its ``task.yml``; an exercise of a chapter in
``exercises.yml``, by its label; a concept of the inventory where it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pe_lab.yaml_file import read_yaml

ROOT = Path(__file__).resolve().parent.parent

# After Bloom's taxonomy as Anderson and Krathwohl revised it, from the least to the most.
LEVELS = ("remember", "understand", "apply", "analyse", "evaluate", "create")
CHAPTERS = range(1, 11)
FEWEST, MOST = 2, 4  # objectives a chapter

ID = re.compile(r"(\d+)-[a-z]+(-[a-z]+)*")
EXERCISE = re.compile(r"^```+\{exercise\} (?P<title>.*)\n:label: (?P<label>\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Objective:
    """What a reader can do after a chapter."""

    id: str
    chapter: int
    level: str
    text: str


@dataclass(frozen=True)
class Item:
    """What serves objectives: a question, an exercise or a task.

    Attributes:
        kind: "question", "bank" (a question of the bank alone), "concept", "exercise" or "task".
        id: the question's id, the exercise's label, or the task's folder.
        title: what it is about, where it has a title.
        objectives: the ids that it names.
    """

    kind: str
    id: str
    title: str
    objectives: tuple[str, ...]


def load(path: Path = ROOT / "course" / "objectives.yml") -> dict[str, Objective]:
    """The objectives by id, in the order of the file.

    Raises:
        ValueError: one is not of the form above, is there twice, or stands out of order; or a
            chapter has too few or too many.
    """
    objectives: dict[str, Objective] = {}
    for raw in read_yaml(path):
        objective = _parse(raw)
        if objective.id in objectives:
            raise ValueError(f"objective {objective.id!r} is there twice")
        objectives[objective.id] = objective
    chapters = [objective.chapter for objective in objectives.values()]
    if chapters != sorted(chapters):
        raise ValueError(f"{path.name}: the chapters are not in order: {chapters}")
    for chapter in CHAPTERS:
        if not FEWEST <= chapters.count(chapter) <= MOST:
            raise ValueError(
                f"chapter {chapter}: {FEWEST} to {MOST} objectives, got {chapters.count(chapter)}"
            )
    return objectives


def _parse(raw: Mapping[str, Any]) -> Objective:
    keys = {"id", "level", "text"}
    if not isinstance(raw, dict) or raw.keys() != keys:
        raise ValueError(f"an objective has {', '.join(sorted(keys))}, got {raw!r}")
    name, level, text = raw["id"], raw["level"], raw["text"]
    match = ID.fullmatch(str(name))
    if not match or int(match[1]) not in CHAPTERS:
        raise ValueError(f"objective {name!r}: its id is a chapter, 1 to 10, and a word or two")
    if level not in LEVELS:
        raise ValueError(f"objective {name!r}: level must be of {', '.join(LEVELS)}, got {level!r}")
    if not re.fullmatch(r"[A-Z].*\.", text):
        raise ValueError(f"objective {name!r}: its text is a sentence, got {text!r}")
    return Objective(name, int(match[1]), level, text)


def items(root: Path = ROOT) -> list[Item]:
    """All that must serve an objective: questions, concepts, exercises and tasks, in this order."""
    return [
        *_questions("question", root / "book" / "questions"),
        *_questions("bank", root / "course" / "bank" / "questions"),
        *_questions("concept", root / "course" / "inventory"),
        *_exercises(root),
        *_tasks(root),
    ]


def served(
    objectives: Mapping[str, Objective], found: list[Item]
) -> dict[str, dict[str, list[Item]]]:
    """What serves each objective: by its id and by the kind of item.

    Raises:
        ValueError: an item names no objective, or one that there is not; or an objective is
            served by nothing.
    """
    by_objective: dict[str, dict[str, list[Item]]] = {name: {} for name in objectives}
    for item in found:
        if not item.objectives:
            raise ValueError(f"{item.kind} {item.id!r} names no objective")
        for name in item.objectives:
            if name not in objectives:
                raise ValueError(f"{item.kind} {item.id!r}: there is no objective {name!r}")
            by_objective[name].setdefault(item.kind, []).append(item)
    if unserved := [name for name, serving in by_objective.items() if not serving]:
        raise ValueError(f"nothing serves {', '.join(unserved)}")
    return by_objective


def _named(raw: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(raw.get("objectives") or ())


def _questions(kind: str, folder: Path) -> Iterator[Item]:
    for path in sorted(folder.glob("*.yml")):
        for raw in read_yaml(path) or []:
            yield Item(kind, raw["id"], raw.get("title", ""), _named(raw))


def _exercises(root: Path) -> Iterator[Item]:
    """The exercises of the chapters' notebooks; what they serve stands in a file of its own.

    Raises:
        ValueError: that file has an exercise that no chapter has.
    """
    path = root / "course" / "exercises.yml"
    serving: dict[str, list[str]] = read_yaml(path)
    found = dict(_exercises_of_chapters(root / "notebooks"))
    if unknown := serving.keys() - found.keys():
        raise ValueError(f"{path.name}: no chapter has {', '.join(sorted(unknown))}")
    for label, title in found.items():
        yield Item("exercise", label, title, tuple(serving.get(label, ())))


def _exercises_of_chapters(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("[0-9]*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for match in EXERCISE.finditer("".join(cell["source"])):
                yield match["label"], match["title"]


def _tasks(root: Path) -> Iterator[Item]:
    for path in sorted((root / "course" / "tasks").glob("*/*/task.yml")):
        raw = read_yaml(path)
        name = f"{path.parent.parent.name}/{path.parent.name}"
        yield Item("task", name, raw.get("title", ""), _named(raw))
