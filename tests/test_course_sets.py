"""The problem sets: their form, their numbers, and what marking makes of right and wrong cells."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from torch import Tensor

from course.objectives import load as load_objectives
from course.sets import judging
from course.sets.marks import Mark, Result, examine, judge
from course.sets.notebook import SETUP
from course.sets.student import as_function
from course.sets.tasks import (
    TASKS,
    Mistake,
    Task,
    TaskError,
    check_points,
    fill,
    read_sets,
    read_settings,
    read_task,
)
from pe_lab.diagnosis.reading import Problem

SETS = read_sets()
ALL = [task for one in SETS.values() for task in one.tasks]
MARKED = [task for task in ALL if task.marked]
MISTAKES = [(task, mistake) for task in MARKED for mistake in task.mistakes]
DRAWN = [task for task in MARKED if task.has("draw.py")]
SEED = read_settings().seed
# Their cells hold answers, and no program that is called while it is marked.
ANSWERS = ("hand", "figure", "order", "prove")


def marked(task: Task, cell: str) -> Result:
    return examine(task, [SETUP, cell], task.drawn(SEED))


# --- marking ---------------------------------------------------------------------------------


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
    given = task.drawn(SEED)
    cell = task.cell(mistake, given)
    if task.kind in ANSWERS:
        result = Result(task, judge(task, Here(SETUP, cell), given))
    else:
        result = marked(task, cell)
    assert result.points == mistake.points, result
    told = " ".join(mark.says for mark in result.marks)
    sentences = {words for words in mistake.says if " " in words}
    assert all(sentence in told for sentence in sentences), told
    assert result.names == {*mistake.says} - sentences or sentences == {*mistake.says}, result


class Here:
    """The cells of a task run in this process: quicker, for cells that are ours."""

    printed = ""

    def __init__(self, *cells: str) -> None:
        self.names: dict[str, Any] = {}
        for cell in cells:
            exec(cell, self.names)

    def __call__(self, name: str, /, *args: object, **kwargs: object) -> Any:
        try:
            return self.names[name](*args, **kwargs)
        except Exception as error:
            return Problem("raises", str(error))

    def value(self, name: str) -> Any:
        return self.names[name]

    def function(self, name: str) -> Callable[..., Any]:
        return as_function(self, name)


@pytest.mark.parametrize("task", DRAWN, ids=lambda task: task.id)
def test_other_seeds_draw_other_numbers_and_keep_mistakes_apart(task: Task) -> None:
    """Programs that are called are judged for one more seed, and experiments for the first alone:
    their numbers change what is asked for, and not which answers can be told apart.
    """
    quick = task.kind in ANSWERS
    drawn = [task.drawn(seed) for seed in range(50)]
    assert len({str(given) for given in drawn}) > 10
    assert drawn[1] == task.drawn(1)
    full = sum(part.points for part in task.marked)
    for given in drawn if quick else drawn[: task.kind != "experiment"]:
        result = Result(task, judge(task, Here(SETUP, task.text("solution.py", given)), given))
        assert result.points == full, (given, result)
        for mistake in task.mistakes if quick else ():
            result = Result(task, judge(task, Here(SETUP, task.cell(mistake, given)), given))
            assert result.points == mistake.points, (given, mistake.name, result)
            assert result.names == {*mistake.says}, (given, mistake.name, result)
            assert not shown(task, given) & {*re.findall(r"[\d.]+", said(result))}, result


COUNTED = [
    task for task in DRAWN if "number" in task.mark.__globals__ and task.kind != "experiment"
]


@pytest.mark.parametrize("task", COUNTED, ids=lambda task: task.id)
def test_no_foreseen_number_is_taken_for_another_or_for_the_right_one(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is the right one, in few digits, for a foreseen one that is near."""
    alike: set[tuple[object, ...]] = set()
    compared = 0

    def number(
        part: str,
        value: object,
        right_one: float,
        foreseen: Mapping[str, tuple[float, str]],
        **how: Any,
    ) -> Mark:
        nonlocal compared
        answers = {"right": right_one} | {name: answer for name, (answer, _) in foreseen.items()}
        for (one, a), (other, b) in combinations(answers.items(), 2):
            compared += 1
            if abs(a - b) <= how.get("tolerance", judging.TOLERANCE):
                alike.add((part, one, other))
        tolerance = how.get("tolerance", judging.TOLERANCE)
        few = {round(right_one, digits) for digits in range(4)}
        for each in few:
            name = judging.number(part, each, right_one, foreseen, **how).name
            meant = name in foreseen and abs(each - foreseen[name][0]) > tolerance / 10
            if meant and abs(each - right_one) <= min(10 * tolerance, abs(right_one) / 4):
                alike.add((part, each, name))
        return judging.number(part, value, right_one, foreseen, **how)

    monkeypatch.setitem(task.mark.__globals__, "number", number)
    for seed in range(100):
        given = task.drawn(seed)
        judge(task, Here(SETUP, task.text("solution.py", given)), given)
    assert compared > 100
    assert alike == set()


def test_a_number_of_the_statement_is_not_named_as_a_length_of_a_row() -> None:
    task = next(each for each in MARKED if each.id == "set2-05-distances")
    for seed in range(100):
        given = task.drawn(seed)
        for name in ("d_model", "factor", "base"):
            first = next(iter(judge(task, Same(given[name]), given)))
            assert first.name in ("unknown", "near"), (given, name, first)


def solved(name: str) -> Iterator[tuple[Task, dict[str, object], Here]]:
    """A task, the numbers that a seed draws for it, and its solution, for a hundred seeds."""
    task = next(each for each in MARKED if each.id == name)
    for seed in range(100):
        given = task.drawn(seed)
        yield task, given, Here(SETUP, task.text("solution.py", given))


def test_an_angle_is_asked_for_to_its_decimals() -> None:
    for task, given, call in solved("set4-01-slower-hands"):
        angle = call.names["angle"]
        for given_one, right in ((round(angle, 4), True), (1.009 * angle, False)):
            call.names["angle"] = given_one
            assert (judge(task, call, given)[1].name == "right") is right, (given, given_one)


def test_weights_of_few_digits_have_the_name_of_what_was_done_or_none() -> None:
    """ln 2 / √2 is 0.490, so powers of 2 come near what was divided by 2."""
    seen = set()
    for task, given, call in solved("set1-01-attention"):
        weights = (torch.tensor(given["products"]).double() / 2).softmax(0)
        for digits in (2, 3):
            call.names["b"] = [round(each, digits) for each in weights.tolist()]
            seen.add((digits, judge(task, call, given)[1].name))
    assert {name for digits, name in seen if digits == 3} == {"scaled-by-d"}
    assert {name for digits, name in seen if digits == 2} == {"scaled-by-d", "unknown"}


def test_the_chapter_s_2_for_a_power_of_e_is_right_whatever_is_drawn() -> None:
    """On right dot products and on wrong ones, from which the weights follow.

    From weights that are all the same follows no output.
    """
    ways = ("products", "exchanged", "before", "columns", "asking", "bare")
    for task, given, call in solved("set1-01-attention"):
        for way, digits in product(ways, (2, 3, 9)):
            powers = [2.0**each for each in given[way]]
            weights = [round(each / sum(powers), digits) for each in powers]
            output = torch.tensor(weights).double() @ torch.tensor(given["V"]).double()
            call.names["a"] = given[way]
            call.names["b"] = weights
            call.names["c"] = [round(each, digits) for each in output.tolist()]
            marks = judge(task, call, given)[1 : 2 if len({*weights}) == 1 else 3]
            assert {mark.name for mark in marks} <= {"right", "follows"}, (given, way, marks)


def test_a_row_in_few_digits_is_not_taken_for_a_mistake() -> None:
    seen = set()
    for task, given, call in solved("set3-01-torn-off"):
        moved = call.names["moved"]
        for digits in (1, 2):
            call.names["moved"] = [round(float(each), digits) for each in moved]
            seen |= {mark.name for mark in judge(task, call, given)[:2]}
    assert seen == {"right", "near", "unknown"}


def test_a_call_is_told_as_it_can_be_written() -> None:
    task = next(each for each in MARKED if each.id == "set3-03-turned-by-position")
    cell = "def turn(x, *more):\n    return 2 * x\n\n\ndef between(*asked):\n    return None"
    first = next(iter(judge(task, Here(SETUP, cell), {})))
    assert "In `turn(x, [0, 1, 2, 3, 4], 10000.0, 'interleaved')`: " in first.says


def test_one_position_too_many_is_charged_once() -> None:
    task = next(each for each in MARKED if each.id == "set4-01-slower-hands")
    seen = 0
    for seed in range(100):
        given = task.drawn(seed)
        cell = task.text("solution.py", given)
        cell = cell.replace(f"({given['trained']} - 1)", f"{given['trained']}")
        cell = cell.replace(f"({given['length']} - 1)", f"{given['length']}")
        marks = judge(task, Here(SETUP, cell), given)
        seen += [mark.name for mark in marks[:2]] == ["from-1", "from-1"]
        assert [mark.share for mark in marks].count(0) == 1, (given, marks)
    assert seen


def test_numbers_may_stand_in_lists_of_lists() -> None:
    for nested in (
        [[16, 800], [800, 64], [16, 64]],
        ((16, 800), [800, 64], (16, 64)),
        [torch.tensor([16, 800]), np.array([800, 64]), [16, 64]],
    ):
        assert judging.reals(nested) == [16, 800, 800, 64, 16, 64]
    assert judging.reals([[1, "2"]]) is None
    assert judging.reals([[1, None]]) is None
    task = next(each for each in MARKED if each.id == "set1-01-attention")
    given = task.drawn(SEED)
    call = Here(SETUP, task.text("solution.py", given))
    d = call.names["d"]
    call.names["d"] = [d[:2], d[2:4], d[4:]]
    assert judge(task, call, given)[3].name == "right"


class Same:
    """A cell in which every name stands for one value."""

    printed = ""
    cells = ()

    def __init__(self, value: object) -> None:
        self.answer = value

    def __call__(self, name: str, /, *args: object, **kwargs: object) -> Any:
        return self.answer

    def value(self, name: str) -> Any:
        return self.answer

    def function(self, name: str) -> Callable[..., Any]:
        return as_function(self, name)


EXTREME = (0, -1, 1e-320, 1e308, -1e308, float("nan"), 10**400)


@pytest.mark.parametrize("task", MARKED, ids=lambda task: task.id)
def test_no_answer_breaks_the_marking(task: Task) -> None:
    given = task.drawn(SEED)
    for number in EXTREME:
        for answer in (number, [number], [number] * 2, [number] * 3, [number] * 4, [number] * 6):
            names = {mark.name for mark in judge(task, Same(answer), given)}
            assert "marking-failed" not in names, answer
    for odd in ("", "abcdef", [], [None], {}, True, [[1, 2], [3, 4]], [..., 1]):
        names = {mark.name for mark in judge(task, Same(odd), given)}
        assert "marking-failed" not in names, odd


def shown(task: Task, given: dict[str, object]) -> set[str]:
    """The numbers of a right cell, as feedback would show them."""
    values = Here(SETUP, task.text("solution.py", given)).names.values()
    numbers = [each for each in values if type(each) is float]
    return {f"{number:{form}}" for number in numbers for form in (".3f", ".4f", "g")}


def said(result: Result) -> str:
    return " ".join(mark.says for mark in result.marks)


def test_the_guide_says_how_long_marking_by_hand_takes_by_its_own_rule() -> None:
    minutes: dict[str, float] = {}
    for task in ALL:
        if task.manual:
            rubric = task.text("rubric.md", task.drawn(SEED))
            rows = len(re.findall(r"^(?:\| [\d.]+ \||- [\d.]+ points?:)", rubric, re.MULTILINE))
            found = len(rubric.split()) / 200 + rows / 2
            minutes[task.folder.parent.name] = minutes.get(task.folder.parent.name, 0) + found
    page = (TASKS.parent / "guide" / "pages" / "adopt.md").read_text(encoding="utf-8")
    told = [f"{minutes[name]:.0f} {words}" for name, words in (
        ("set2", "minutes a student in set 2"), ("set3", "in set 3"), ("set4", "in set 4")
    )]  # fmt: skip
    assert all(words in page for words in told), told
    hours = sum(minutes.values()) * 120 / 60
    assert f"{hours:.0f} hours for all sets and 120 students" in page, hours
    assert sum(part.points for task in ALL for part in task.manual) == 9.5
    assert "9.5 points of the 100" in page


# --- what a student sees before it is marked ------------------------------------------------

Form = Callable[[np.ndarray[Any, Any]], object]
FORMS: dict[str, Form] = {
    "arrays": lambda array: array,
    "tensors": torch.as_tensor,
    "lists": lambda array: array.tolist(),
    "fractions": lambda array: array.tolist() if array.shape else Fraction(array.item()),
    "rows": lambda array: [*map(torch.as_tensor, array)] if array.shape else torch.tensor(array),
    "single entries": lambda array: array if array.shape else torch.as_tensor(array[None]),
}
WRITTEN: dict[str, Callable[[str], object]] = {"lists": list, "tensors": ", ".join}
CHECKED = [task for task in MARKED if task.has("visible.py") and task.kind != "test"]


def formed(value: object, form: str) -> object:
    """An answer in another form: numbers and tables, and letters in an order."""
    if isinstance(value, str):
        return WRITTEN.get(form, str.upper)(value)
    if callable(value):
        return lambda *args, **kwargs: formed(value(*args, **kwargs), form)
    if isinstance(value, list) and isinstance(value[0], Tensor):
        return [formed(each, form) for each in value]
    return FORMS[form](np.asarray(value))


def printed(check: str, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    """What the check cell says, with 0-d tensors as numbers."""
    capsys.readouterr()
    exec(check, {**names})
    return re.sub(r"tensor\(\[?(\w+)\]?\)", r"\1", capsys.readouterr().out)


@pytest.mark.parametrize("task", CHECKED, ids=lambda task: task.id)
def test_a_check_says_the_same_of_a_right_answer_in_every_form_that_is_marked_right(
    task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    given = task.drawn(SEED)
    check, call = task.text("visible.py", given), Here(SETUP, task.text("solution.py", given))
    starter = ast.parse(task.text("starter.py", given)).body
    asked = [
        each.targets[0].id
        for each in starter
        if isinstance(each, ast.Assign)
        and isinstance(each.targets[0], ast.Name)
        and "..." in ast.unparse(each.value)
    ] or [each.name for each in starter if isinstance(each, ast.FunctionDef)]
    names, full = call.names, sum(part.points for part in task.marked)
    plain = printed(check, names, capsys)
    right = set()
    for form in FORMS:
        call.names = names | {name: formed(names[name], form) for name in asked}
        if Result(task, judge(task, call, given)).points == full:
            right.add(form)
            assert printed(check, call.names, capsys) == plain, form
    assert right >= {"arrays", "tensors", "lists"}


COMMA = "Python writes a decimal point, not a comma."
BY_HAND = [
    task
    for task in CHECKED
    # one shows the numbers that are asked about, and not those that are answered
    if "number" in task.mark.__globals__ and task.id != "set2-02-read-a-column"
]
# What holds no number, not one, or one that no float holds.
ODD: tuple[object, ...] = (
    *(..., None, "4.7818", "−4.7818", "4,7818", (4, 7818), [4, 7818], [["7"], "7"], ["7"], {3, 5}),
    *(1j, 10**400, float("nan")),
    *(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]).to_sparse(), np.array([1.0, 2.0])),
)


@pytest.mark.parametrize("task", BY_HAND, ids=lambda task: task.id)
def test_a_check_says_of_what_is_no_number_what_the_marking_says(
    task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    given = task.drawn(SEED)
    check, call = task.text("visible.py", given), Here(SETUP, task.text("solution.py", given))
    names = [
        each for each in call.names if re.search(rf"\b{each}\b", task.text("starter.py", given))
    ]
    right = dict(call.names)
    numbers = [each for each in names if judging.real(right[each]) is not None]
    assert numbers
    for name in numbers:
        for odd in ODD:
            call.names = right | {name: odd}
            [says] = [each.says for each in judge(task, call, given) if each.form]
            lines = printed(check, call.names, capsys).splitlines()
            assert any(line.endswith(f": {says}") for line in lines), (name, odd, says, lines)


@pytest.mark.parametrize(
    ("name", "answer", "part", "odd", "says"),
    [
        ("set4-04-four-curves", "which", 0, ["A", ..., "C", "D"], "which: There is no answer yet."),
        ("set4-04-four-curves", "which", 0, ["A", "B", None, "D"], "There is no answer yet."),
        ("set4-04-four-curves", "which", 0, ["A", "B", "C", 4], "each once: False"),
        ("set4-04-four-curves", "which", 0, 4, "each once: False"),
        ("set4-04-four-curves", "which", 0, ["A", "B", "C", "D", 4], "each once: False"),
        ("set4-04-four-curves", "which", 0, [["A", "B"], ["C", "D"]], "each once: False"),
        ("set1-01-attention", "a", 0, [1, 2], "(a) has 2 of 3 numbers."),
        ("set1-01-attention", "a", 0, 5.0, "(a) has 1 of 3 numbers."),
        ("set1-01-attention", "b", 1, [], "(b) has 0 of 3 numbers."),
        ("set1-01-attention", "d", 3, [1, 2, 3, 4], "(d) has 4 of 6 numbers."),
        ("set2-05-distances", "a", 0, 1e200, "(a) is 99999"),
    ],
)
def test_a_check_says_what_is_missing_where_the_marking_refuses_it(
    name: str,
    answer: str,
    part: int,
    odd: object,
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = next(each for each in CHECKED if each.id == name)
    given = task.drawn(SEED)
    check, call = task.text("visible.py", given), Here(SETUP, task.text("solution.py", given))
    assert says not in printed(check, call.names, capsys)
    call.names[answer] = odd
    assert says in printed(check, call.names, capsys)
    assert [*judge(task, call, given)][part].share == 0


@pytest.mark.parametrize(
    ("name", "answer", "part", "odd", "comma"),
    [
        ("set1-01-attention", "c", 2, [3, 916, 3, 853], True),
        ("set1-01-attention", "c", 2, ["3,916", "3,853"], True),
        ("set1-01-attention", "a", 0, [[1, 2], [3, 4], [5, 6]], False),
        ("set1-01-attention", "a", 0, [1, 2, 3, 4, 5, 6], False),
        ("set1-01-attention", "a", 0, {3, 5, 7}, False),
        ("set1-01-attention", "a", 0, "3, 5, 7", False),
        ("set1-01-attention", "b", 1, {"a": 1, "b": 2}, False),
        ("set1-01-attention", "c", 2, torch.ones(2).to_sparse(), False),
        ("set1-01-attention", "d", 3, ["16,800", "800,64", "16,64"], False),
        ("set3-01-torn-off", "moved", 0, (3, 9) * 4, True),
        ("set3-01-torn-off", "moved", 0, ["3,9"] * 4, True),
        ("set3-01-torn-off", "moved", 0, (0.3, 0.9) * 4, False),
        ("set3-01-torn-off", "moved", 0, "3, 9, 3, 9", False),
        ("set3-01-torn-off", "moved", 0, torch.tensor(1.5), False),
        ("set3-01-torn-off", "moved", 0, (1, 2, 3, 10**400), False),
    ],
)
def test_a_check_names_decimal_commas_in_a_list_where_the_marking_does(
    name: str,
    answer: str,
    part: int,
    odd: object,
    comma: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = next(each for each in CHECKED if each.id == name)
    given = task.drawn(SEED)
    check, call = task.text("visible.py", given), Here(SETUP, task.text("solution.py", given))
    assert COMMA not in printed(check, call.names, capsys)
    call.names[answer] = odd
    assert (COMMA in printed(check, call.names, capsys)) is comma
    assert (COMMA in [*judge(task, call, given)][part].says) is comma


def test_a_check_reads_lists_of_lists_and_strings(capsys: pytest.CaptureFixture[str]) -> None:
    task = next(each for each in CHECKED if each.id == "set1-01-attention")
    given = task.drawn(SEED)
    check, call = task.text("visible.py", given), Here(SETUP, task.text("solution.py", given))
    plain, d = printed(check, call.names, capsys), call.names["d"]
    assert printed(check, call.names | {"d": [d[:2], d[2:4], d[4:]]}, capsys) == plain
    for odd in (..., None, "", "3.9", ["3.9", "3.8"], [[3, 9], [3, 8]], [1, [2, 3]]):
        assert COMMA not in printed(check, call.names | {"c": odd}, capsys), odd


# --- form ------------------------------------------------------------------------------------


def test_the_sets_are_as_they_were_promised() -> None:
    assert list(SETS) == ["set1", "set2", "set3", "set4"]
    assert len(ALL) >= 20
    for one in SETS.values():
        check_points(one)
        assert 120 <= one.minutes <= 180, one.id
        assert all(chapter in one.chapters for task in one.tasks for chapter in task.chapters)
    kinds = {task.kind for task in ALL}
    assert kinds >= {"hand", "write", "repair", "test", "figure", "prove", "experiment"}
    assert {name for task in ALL for name in task.objectives} <= load_objectives().keys()


def test_a_statement_says_that_an_order_is_right_or_not() -> None:
    for task in MARKED:
        if task.has("draw.py") and "lines" in task.drawn(SEED):
            says = " ".join(task.text("statement.md", task.drawn(SEED)).split())
            assert "An order that is right in part has no points." in says, task.id


@pytest.mark.parametrize("task", MARKED, ids=lambda task: task.id)
def test_enough_mistakes_are_foreseen(task: Task) -> None:
    fewest = 5 if task.kind in ("write", "repair", "test") else 3
    assert len(task.mistakes) >= fewest


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda raw: raw.update(points=7), "its parts must be worth 7 points"),
        (lambda raw: raw.pop("minutes"), "minutes is missing"),
        (lambda raw: raw.update(minute=3), "there is no minute here"),
        (lambda raw: raw.update(kind="guess"), "kind must be of hand, .*'guess'"),
        (lambda raw: raw.update(chapters=[]), "chapters must be a list, and not empty"),
        (lambda raw: raw["parts"][0].update(name="b"), "two parts have one name"),
        (lambda raw: raw["parts"][0].pop("ask"), "'a' has no question that leads on"),
        (lambda raw: raw["parts"][0].pop("title"), "a part: title is missing"),
        (lambda raw: raw["parts"][0].update(manual=True), r"rubric\.md is missing"),
        (lambda raw: raw["mistakes"][0].update(file="x.py"), "a change, a file or an answer"),
        (lambda raw: raw["mistakes"].append({"name": "x", "points": 0}), "a file or an answer"),
        (
            lambda raw: raw["mistakes"].append(
                {"name": "x", "points": 0, "answer": "a = 1", "of": "starter"}
            ),
            "has an `of` and no change",
        ),
        (lambda raw: raw["mistakes"][1].update(of="draw"), "changes either solution or starter"),
        (
            lambda raw: raw["mistakes"][1].update(of="starter"),
            "'base-ignored': 0 times in the cell, and not once: 'a = {{ base }} ",
        ),
        (
            lambda raw: raw["mistakes"][1].update(change=[{"replace": " / a", "by": ""}]),
            "2 times in the cell, and not once: ' / a'",
        ),
        (lambda raw: raw["mistakes"][1].update(change=[{"replace": "a"}]), "by is missing"),
        (
            lambda raw: raw["mistakes"].append({"name": "x", "points": 0, "file": "no.py"}),
            r"wrong/no\.py is missing",
        ),
    ],
)
def test_a_task_of_another_form_is_refused(
    change: Callable[[dict[str, Any]], object], says: str, tmp_path: Path
) -> None:
    folder = tmp_path / "set1" / "04-entries"
    shutil.copytree(TASKS / "set1" / "04-entries", folder)
    path = folder / "task.yml"
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(raw)
    path.write_text(yaml.safe_dump(raw), encoding="utf-8")
    with pytest.raises(TaskError, match=says):
        read_task(folder)


def test_a_wrong_cell_that_no_mistake_names_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set1" / "04-entries"
    shutil.copytree(TASKS / "set1" / "04-entries", folder)
    (folder / "wrong").mkdir(exist_ok=True)
    (folder / "wrong" / "idle.py").write_text("a = 1\n", encoding="utf-8")
    with pytest.raises(TaskError, match=r"no mistake names idle\.py"):
        read_task(folder)


def test_a_placeholder_without_a_value_is_refused() -> None:
    with pytest.raises(TaskError, match=r"here\.md: 'base' is undefined"):
        fill("the base {{ base }}", {"d_model": 6}, "here.md")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seed: one\naddress: ''\n", "seed must be an integer, got 'one'"),
        ("seed: 1\naddress: example.org\n", "must begin with https:// or http://"),
        ("seed: 1\naddress: https://a.example/index.html\n", "without a page or a space"),
        ("seed: 1\naddress: https://a.example/my book\n", "without a page or a space"),
        ("seed: 1\n", "address is missing"),
    ],
)
def test_settings_of_another_form_are_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TaskError, match=says):
        read_settings(path)


def test_an_address_comes_before_the_file_and_ends_in_a_slash(tmp_path: Path) -> None:
    path = tmp_path / "settings.yml"
    path.write_text("seed: 1\naddress: https://a.example/\n", encoding="utf-8")
    assert read_settings(path).address == "https://a.example/"
    assert read_settings(path, "https://b.example/book").address == "https://b.example/book/"
