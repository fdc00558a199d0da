"""Diagnosis of tables that are not the book's own: another base, start, step or layout.

A task asks for a function of such arguments. It is called with several settings; a mistake is
named only if it gives every entry of every table (as in :mod:`pe_lab.diagnosis.matching`). Known
are the mistakes of :mod:`pe_lab.diagnosis.mistakes`, moved to the setting's base, start and layout,
and those of a function that leaves an argument out of account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from torch import Tensor

from course.sets.judging import first_wrong, right, unread, unreturned, wrong
from course.sets.marks import Mark
from course.sets.student import Call, called
from pe_core.checks import describe
from pe_lab.diagnosis.matching import Case
from pe_lab.diagnosis.mistakes import BY_NAME, MISTAKES
from pe_lab.diagnosis.reading import Problem, read, shape_problem
from pe_lab.diagnosis.recipe import BASE, Part, Recipe, pair, powers

LAYOUTS = ("interleaved", "halves")
IGNORED = {
    "base": "The base that is asked for changes nothing: the table is that of another one.",
    "start": "The first position that is asked for changes nothing: the rows begin elsewhere.",
    "step": "The step that is asked for changes nothing: the rows go on as if it were 1.",
    "layout": "The layout that is asked for changes nothing: the columns stand in another order.",
}


@dataclass(frozen=True)
class Setting:
    """What a table is asked for with."""

    length: int
    d_model: int
    base: float = BASE
    start: float = 0
    step: float = 1
    layout: str = "interleaved"

    def recipe(self, mistake: Part | None = None) -> Recipe:
        """The table of this setting, right or with one mistake in it."""
        slot = mistake.slot if mistake else ""
        made = {
            "positions": self._positions(mistake if slot == "positions" else None),
            "frequencies": self._frequencies(mistake if slot == "frequencies" else None),
            "layout": self._layout(mistake if slot == "layout" else None),
        }
        parts = [Part(slot, "asked", "", "", compute) for slot, compute in made.items()]
        if mistake and slot not in made:
            parts.append(mistake)
        return Recipe(tuple(parts))

    def _positions(self, mistake: Part | None) -> Callable[..., Any]:
        if not mistake:
            return lambda p, length: self.start + self.step * p
        compute = mistake.compute
        return lambda p, length: self.start + self.step * compute(p, length)

    def _frequencies(self, mistake: Part | None) -> Callable[..., Any]:
        if mistake:
            return mistake.frequencies(self.base)
        return lambda c, d, length: powers(2 * pair(c) / d, self.base)

    def _layout(self, mistake: Part | None) -> Callable[..., Any]:
        if mistake:
            compute: Callable[..., Any] = mistake.compute
            return compute
        if self.layout == "halves":
            return BY_NAME["halves"].compute
        return lambda p, c, length, d: (p, c)

    def table(self) -> Tensor:
        """The right table, in float64."""
        return self.recipe().table(self.length, self.d_model)


Candidate = tuple[str, str, Callable[[Setting], Recipe]]


def candidates(settings: Iterable[Setting]) -> Iterator[Candidate]:
    """Every known mistake: its name, its sentence, and its recipe for a setting."""
    settings = [*settings]
    usual = Setting(1, 2)
    for name, says in IGNORED.items():
        if len({getattr(setting, name) for setting in [*settings, usual]}) > 1:
            yield f"{name}-ignored", says, partial(_ignoring, name)
    usual_base = all(setting.base == BASE for setting in settings)
    for mistake in MISTAKES:
        says = mistake.says if usual_base else mistake.of_any_base or mistake.says
        yield mistake.name, says, partial(Setting.recipe, mistake=mistake)


def _ignoring(name: str, setting: Setting) -> Recipe:
    return replace(setting, **{name: getattr(Setting(1, 2), name)}).recipe()


def diagnose(
    part: str,
    values: Mapping[Setting, object],
    *,
    more: Iterable[Candidate] = (),
    call: Callable[[Setting], str] = lambda setting: "the table",
) -> Mark:
    """Judge tables.

    Args:
        part: of the task.
        values: what the student's function gave for each setting, or a Problem.
        more: mistakes of this task, before the known ones.
        call: how the function was called, in words.
    """
    cases: dict[Setting, Case] = {}
    for setting, value in values.items():
        case = _case(setting, value, call(setting))
        if isinstance(case, Problem):
            return unread(part, case)
        cases[setting] = case
    if all(case.matches(setting.recipe()) for setting, case in cases.items()):
        return right(part)
    for name, says, recipe in [*more, *candidates(values)]:
        if all(case.matches(recipe(setting)) for setting, case in cases.items()):
            return wrong(part, name, says)
    setting, case = next(
        (setting, case) for setting, case in cases.items() if not case.matches(setting.recipe())
    )
    where = first_wrong(case.values, setting.table())
    return wrong(part, "unknown", f"Not one of the known mistakes. In {call(setting)}: {where}")


def _case(setting: Setting, value: object, call: str) -> Case | Problem:
    if problem := unreturned(value, call):
        return problem
    if not hasattr(value, "__len__"):
        return Problem("not-a-table", f"{call} must be a table, and is {describe(value)}.")
    table = read(value, call)
    if isinstance(table, Problem):
        return table
    sizes = (setting.length, setting.d_model)
    return shape_problem(tuple(table.values.shape), sizes, call) or Case(table)


def mark_tables(
    part: str,
    call: Call,
    name: str,
    settings: Iterable[Setting],
    *,
    passing: tuple[str, ...],
    more: Iterable[Candidate] = (),
) -> Mark:
    """A part that asks for tables: call the student's function with every setting, and judge.

    Args:
        part: of the task.
        call: the student's cell.
        name: of the function.
        settings: what it is called with.
        passing: the arguments after length and d_model that it has, such as "base", by keyword.
        more: mistakes of this task.
    """

    def arguments(setting: Setting) -> dict[str, object]:
        return {key: getattr(setting, key) for key in passing}

    def words(setting: Setting) -> str:
        return called(name, (setting.length, setting.d_model), arguments(setting))

    values = {
        setting: call(name, setting.length, setting.d_model, **arguments(setting))
        for setting in settings
    }
    return diagnose(part, values, more=more, call=words)
