"""Reads the problem sets: ``course/tasks/``, a folder a set, and in it a folder a task.

``sets.yml`` lists the sets, each with its id, its title and its chapters. The folder of a task has

    task.yml       what :func:`read_task` reads, see below
    statement.md   what is asked, in Markdown
    draw.py        def draw(rng: random.Random) -> dict[str, object]: its numbers; if it has any
    starter.py     what stands in the student's cell at first
    solution.py    a right cell
    visible.py     a cell that helps the student and gives nothing away; if there is one
    marking.py     def mark(call, given) -> list of Marks, see :mod:`course.sets.marks`
    wrong/*.py     cells that are wrong in another way than by a change to the solution
    rubric.md      how the parts are marked that a person marks; with such parts alone there is no
                   starter, solution, visible or marking

In all of them but draw.py, marking.py and rubric.md, ``{{ name }}`` stands for what ``draw`` gives.
task.yml has

    title: Another base      # short
    kind: write              # one of KINDS
    chapters: [3]
    objectives: [3-build]    # ids of course/objectives.yml
    minutes: 20
    points: 5                # the sum of its parts'
    seconds: 20              # of processor that its cell and all calls may take; 20 if left out
    without: [pe_core]       # modules that are not there when it is marked; none if left out
    parts:                   # points are given for each by itself
      - name: table          # marking.py names it so
        points: 3
        title: The table for any base   # as the student reads it
        ask: Which number …?  # the question that leads on, after a wrong answer
        chapter: 3           # where to read; the first of the task's if left out
        visible: true        # whether visible.py looks at it; no if left out
      - name: proof
        points: 2
        title: The proof
        manual: true         # marked by a person, with rubric.md
    mistakes:                # foreseen; each a cell, and what marking makes of it
      - name: base-ignored
        change:              # the solution with these texts replaced, each of which it has once;
          - replace: base ** (even / d_model)       # "of: starter" changes the starter instead.
            by: 10000 ** (even / d_model)           # Or "file: formula.py", a cell in wrong/;
        points: 2            # or the cell itself: "answer: x = 1"
        says: base-ignored   # the diagnosis, by name, or a sentence of the feedback, or a list of
                             # them; its own name if left out
        ask: …               # in place of the part's
"""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, TemplateError

from pe_lab.yaml_file import read_yaml

COURSE = Path(__file__).resolve().parent.parent
TASKS = COURSE / "tasks"

KINDS = ("hand", "write", "repair", "test", "figure", "order", "prove", "experiment")
POINTS = 25  # of a set
SECONDS = 20

KEYS = {"title", "kind", "chapters", "objectives", "minutes", "points", "parts"}
OPTIONAL = {"seconds", "without", "mistakes"}
PART = ({"name", "points", "title"}, {"ask", "chapter", "visible", "manual"})
MISTAKE = ({"name", "points"}, {"change", "of", "file", "answer", "says", "ask"})
CHANGED = ("solution", "starter")


class TaskError(ValueError):
    """What a lecturer has set or built is not of the form that is needed."""


@dataclass(frozen=True)
class Part:
    """What gets points by itself."""

    name: str
    points: float
    title: str
    ask: str = ""
    chapter: int = 0
    visible: bool = False
    manual: bool = False


@dataclass(frozen=True)
class Mistake:
    """A foreseen mistake: a student's cell, what it is worth, and what is said to it.

    Attributes:
        change: what is replaced, and by what, in the cell that ``of`` names.
    """

    name: str
    points: float
    change: tuple[tuple[str, str], ...] = ()
    of: str = ""
    file: str = ""
    answer: str = ""
    says: tuple[str, ...] = ()
    ask: str = ""


@dataclass(frozen=True)
class Task:
    """A task as its folder has it."""

    folder: Path
    title: str
    kind: str
    chapters: tuple[int, ...]
    objectives: tuple[str, ...]
    minutes: int
    points: float
    parts: tuple[Part, ...]
    mistakes: tuple[Mistake, ...] = ()
    seconds: float = SECONDS
    without: tuple[str, ...] = ()
    _texts: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def id(self) -> str:
        """Such as "set1-02-other-base"."""
        return f"{self.folder.parent.name}-{self.folder.name}"

    @property
    def marked(self) -> tuple[Part, ...]:
        """The parts that the computer marks."""
        return tuple(part for part in self.parts if not part.manual)

    @property
    def manual(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.manual)

    @cached_property
    def mark(self) -> Callable[..., Iterable[Any]]:
        function: Callable[..., Iterable[Any]] = _load(self.folder / "marking.py").mark
        return function

    @cached_property
    def _draw(self) -> Callable[..., dict[str, object]]:
        path = self.folder / "draw.py"
        if not path.exists():
            return lambda rng: {}
        function: Callable[..., dict[str, object]] = _load(path).draw
        return function

    def load(self) -> None:
        """Read all that marking uses of the folder: what is written into it later does nothing."""
        _ = [self._draw, *([self.mark] if self.marked else [])]
        for path in self.folder.iterdir():
            if path.suffix in (".py", ".md"):
                self._text(path.name)

    def drawn(self, seed: int) -> dict[str, object]:
        """The numbers of this task that belong to a seed."""
        return self._draw(random.Random(f"{seed} {self.id}"))

    def has(self, name: str) -> bool:
        return (self.folder / name).exists()

    def text(self, name: str, given: Mapping[str, object]) -> str:
        """A file of the folder with its numbers in place."""
        return fill(self._text(name), given, f"{self.id}/{name}")

    def _text(self, name: str) -> str:
        if name not in self._texts:
            self._texts[name] = (self.folder / name).read_text(encoding="utf-8")
        return self._texts[name]

    def cell(self, mistake: Mistake, given: Mapping[str, object]) -> str:
        """A student's cell with a foreseen mistake in it."""
        if mistake.of:
            where = f"{self.id}: {mistake.name}"
            return fill(changed(self._text(f"{mistake.of}.py"), mistake.change), given, where)
        if mistake.file:
            return self.text(f"wrong/{mistake.file}", given)
        return fill(mistake.answer, given, f"{self.id}: {mistake.name}")


@dataclass(frozen=True)
class ProblemSet:
    """Some tasks that are handed out together."""

    id: str
    title: str
    chapters: tuple[int, ...]
    tasks: tuple[Task, ...]

    @property
    def minutes(self) -> int:
        return sum(task.minutes for task in self.tasks)


@dataclass(frozen=True)
class Settings:
    """What the lecturer chose."""

    seed: int
    address: str


def read_settings(path: Path = COURSE / "settings.yml", address: str = "") -> Settings:
    """The lecturer's settings; ``address`` comes before the file's."""
    raw = _mapping(path, {"seed", "address"}, set())
    seed, address = raw["seed"], address or raw["address"] or ""
    if not isinstance(seed, int):
        raise TaskError(f"{path.name}: seed must be an integer, got {seed!r}")
    if address and not address.startswith(("https://", "http://")):
        raise TaskError(
            f"{path.name}: address must begin with https:// or http://, got {address!r}"
        )
    if re.search(r"\s|\.html?/?$|[?#]", address):
        raise TaskError(
            f"{path.name}: address must be that of the book's folder, without a page or a space, "
            f"got {address!r}"
        )
    return Settings(seed, f"{address.rstrip('/')}/" if address else "")


def read_sets(folder: Path = TASKS) -> dict[str, ProblemSet]:
    """All sets that have tasks, by id.

    Raises:
        TaskError: one is not of the form that this module describes.
    """
    return dict(_read_sets(folder))


@cache
def load_all() -> None:
    """Read what marks, of all tasks, before the first student's process could change it."""
    for one in read_sets().values():
        for task in one.tasks:
            task.load()


@cache
def _read_sets(folder: Path) -> dict[str, ProblemSet]:
    sets = {}
    for raw in read_yaml(folder / "sets.yml"):
        folders = sorted(path.parent for path in folder.glob(f"{raw['id']}/*/task.yml"))
        tasks = tuple(read_task(path) for path in folders)
        if tasks:
            sets[raw["id"]] = ProblemSet(raw["id"], raw["title"], tuple(raw["chapters"]), tasks)
    return sets


def check_points(one: ProblemSet) -> None:
    """Refuse a set whose tasks are not worth 25 points together."""
    points = {task.id: task.points for task in one.tasks}
    if sum(points.values()) != POINTS:
        raise TaskError(f"{one.id}: {POINTS} points are to be had, got {points}")


def read_task(folder: Path) -> Task:
    """The task of a folder.

    Raises:
        TaskError: a key is missing or unknown, points do not add up, a file is missing.
    """
    raw = _mapping(folder / "task.yml", KEYS, OPTIONAL)
    name = f"{folder.parent.name}/{folder.name}"
    if raw["kind"] not in KINDS:
        raise TaskError(f"{name}: kind must be of {', '.join(KINDS)}, got {raw['kind']!r}")
    for key in ("chapters", "objectives", "parts"):
        if not isinstance(raw[key], list) or not raw[key]:
            raise TaskError(f"{name}: {key} must be a list, and not empty, got {raw[key]!r}")
    task = Task(
        folder=folder,
        title=raw["title"],
        kind=raw["kind"],
        chapters=tuple(raw["chapters"]),
        objectives=tuple(raw["objectives"]),
        minutes=raw["minutes"],
        points=raw["points"],
        parts=tuple(_part(name, each, raw["chapters"][0]) for each in raw["parts"]),
        mistakes=tuple(_mistake(name, each) for each in raw.get("mistakes", [])),
        seconds=raw.get("seconds", SECONDS),
        without=tuple(raw.get("without", [])),
    )
    _check(name, task)
    return task


def _part(task: str, raw: Any, chapter: int) -> Part:
    _keys(f"{task}: a part", raw, *PART)
    part = Part(**{"chapter": chapter, **raw})
    if not (part.ask or part.manual):
        raise TaskError(f"{task}: part {part.name!r} has no question that leads on (ask)")
    return part


def _mistake(task: str, raw: Any) -> Mistake:
    _keys(f"{task}: a mistake", raw, *MISTAKE)
    name, says = raw["name"], raw.get("says", raw["name"])
    if len({"change", "file", "answer"} & raw.keys()) != 1:
        raise TaskError(f"{task}: mistake {name!r} has either a change, a file or an answer")
    more: dict[str, Any] = {"says": tuple(says) if isinstance(says, list) else (says,)}
    if "change" in raw:
        for each in raw["change"]:
            _keys(f"{task}: a change of {name!r}", each, {"replace", "by"}, set())
        more["change"] = tuple((each["replace"], each["by"]) for each in raw["change"])
        more["of"] = raw.get("of", CHANGED[0])
        if more["of"] not in CHANGED:
            raise TaskError(f"{task}: mistake {name!r} changes either {' or '.join(CHANGED)}")
    elif "of" in raw:
        raise TaskError(f"{task}: mistake {name!r} has an `of` and no change")
    return Mistake(**{**raw, **more})


def _check(name: str, task: Task) -> None:
    points = {part.name: part.points for part in task.parts}
    if len(points) < len(task.parts):
        raise TaskError(f"{name}: two parts have one name")
    if sum(points.values()) != task.points:
        raise TaskError(f"{name}: its parts must be worth {task.points} points, got {points}")
    needed = ["statement.md"]
    needed += ["starter.py", "solution.py", "marking.py"] if task.marked else []
    needed += ["rubric.md"] if task.manual else []
    needed += [f"wrong/{mistake.file}" for mistake in task.mistakes if mistake.file]
    if missing := [file for file in needed if not task.has(file)]:
        raise TaskError(f"{name}: {', '.join(missing)} is missing")
    for mistake in task.mistakes:
        if mistake.of:
            try:
                changed((task.folder / f"{mistake.of}.py").read_text("utf-8"), mistake.change)
            except TaskError as error:
                raise TaskError(f"{name}: mistake {mistake.name!r}: {error}") from error
    known = {mistake.file for mistake in task.mistakes}
    if idle := sorted(
        path.name for path in task.folder.glob("wrong/*.py") if path.name not in known
    ):
        raise TaskError(f"{name}: no mistake names {', '.join(idle)}")


def changed(text: str, change: Iterable[tuple[str, str]]) -> str:
    """A cell with some of its texts replaced.

    Raises:
        TaskError: one of them is not there just once.
    """
    for old, new in change:
        if text.count(old) != 1:
            raise TaskError(f"{text.count(old)} times in the cell, and not once: {old!r}")
        text = text.replace(old, new)
    return text


def fill(text: str, given: Mapping[str, object], where: str) -> str:
    """A text with its placeholders filled.

    Raises:
        TaskError: one has no value.
    """
    try:
        return _template(text).render(given)
    except TemplateError as error:
        raise TaskError(f"{where}: {error}") from error


@cache
def _template(text: str) -> Template:
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(text)


def _mapping(path: Path, needed: set[str], optional: set[str]) -> dict[str, Any]:
    where = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    raw = read_yaml(path)
    _keys(where, raw, needed, optional)
    found: dict[str, Any] = raw
    return found


def _keys(where: str, raw: Any, needed: set[str], optional: set[str]) -> None:
    if not isinstance(raw, dict):
        raise TaskError(f"{where} must be a mapping, got {raw!r}")
    if missing := sorted(needed - raw.keys()):
        raise TaskError(f"{where}: {', '.join(missing)} is missing")
    if unknown := sorted(raw.keys() - needed - optional):
        raise TaskError(f"{where}: there is no {', '.join(unknown)} here")


def _load(path: Path) -> ModuleType:
    """A module from a folder whose name is no Python name."""
    spec = importlib.util.spec_from_file_location(f"{path.stem} of {path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
