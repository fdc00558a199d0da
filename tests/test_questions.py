"""The bank of questions: each foreseen answer gets its own sentence, and the files are in order."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from toy_questions import CHOICE, FIGURE, NUMBER, ORDER

from pe_lab.diagnosis import diagnose_number
from pe_lab.diagnosis.questions import (
    ASKED,
    DECIMALS,
    FOLDER,
    WHOLE,
    Question,
    judge_typed,
    load,
    parse,
)

ROOT = Path(__file__).resolve().parent.parent
BANK = load()
NUMBERS = {name: question for name, question in BANK.items() if question.kind == "number"}
MORE = load(ROOT / "course" / "bank" / "questions")  # for learning platforms alone
REQUIRED = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
ASKING = [*REQUIRED, ROOT / "notebooks" / "clinic.ipynb"]

# Predictions of the chapters that no form can check: what is shuffled differs from run to run.
OPEN = {"06-two-bugs"}


def predictions() -> set[str]:
    """The ids of all ``{question}`` on the pages that hear an answer."""
    found = set()
    for path in ASKING:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                found |= {*re.findall(r"^`{3,}\{question\} (\S+)", "".join(cell["source"]), re.M)}
    return found


def places(question: Question, answer: Any) -> list[Any]:
    """What a reader may hand in: of a figure any of some places."""
    return list(answer) if question.kind == "figure" else [answer]


def printed(number: float) -> set[str]:
    """How a right answer might be written in a sentence."""
    texts = {f"{number:.{digits}f}" for digits in (2, 3, 4)}
    return texts | ({f"{number:.0f}"} if number == int(number) and abs(number) >= 10 else set())


# The bank


def test_there_are_enough_of_them() -> None:
    assert len(BANK) >= 60
    assert sum(len(question.wrong) for question in BANK.values()) >= 200
    kinds = Counter(question.kind for question in BANK.values())
    assert {*kinds} == {"number", "choice", "order", "figure"}
    assert kinds["figure"] >= 4
    for path in REQUIRED:
        assert [name for name in BANK if name.startswith(f"{path.stem[:2]}-")], path.stem


def test_every_prediction_of_such_a_page_has_a_question() -> None:
    asked = {question.predicts for question in BANK.values() if question.predicts}
    assert asked - predictions() == set(), "these predictions no longer stand in the chapters"
    assert predictions() - asked == OPEN, "these have no question, or are no longer without one"


def test_every_misconception_is_in_a_question() -> None:
    text = (ROOT / "book" / "misconceptions.md").read_text(encoding="utf-8")
    labels = {*re.findall(r"^\((read-[a-z-]+)\)=$", text, re.M)}
    assert len(labels) >= 16
    assert {question.refutes for question in BANK.values() if question.refutes} == labels


@pytest.mark.parametrize("question", [*BANK.values(), *MORE.values()], ids=[*BANK, *MORE])
def test_the_matrix_of_answers_and_sentences_is_diagonal(question: Question) -> None:
    """Every answer to a question gets its own sentence, and none of another."""
    for right in places(question, question.right):
        assert question.is_right(right)
        assert question.foreseen(right) is None
    sentences = [wrong.says for wrong in question.wrong]
    assert len({*sentences}) == len(sentences) >= 2
    for wrong in question.wrong:
        for answer in places(question, wrong.answer):
            assert not question.is_right(answer)
            assert question.foreseen(answer) is wrong
        assert wrong.says.endswith((".", "?"))
        if question.kind == "number":
            written = set(re.findall(r"-?\d[\d.]*\d", wrong.says))
            assert not written & printed(question.right), "the sentence gives the answer away"


@pytest.mark.parametrize("question", NUMBERS.values(), ids=NUMBERS)
def test_the_notebook_says_the_sentence_of_the_file(question: Question) -> None:
    right = diagnose_number(question.id, question.right)
    assert (right.ok, right.name) == (True, "right")
    for number, wrong in enumerate(question.wrong, 1):
        found = diagnose_number(question.id, wrong.answer)
        assert (found.ok, found.name, found.message) == (False, f"foreseen-{number}", wrong.says)


def test_an_answer_rounded_as_it_is_asked_for_is_right() -> None:
    for name, answer in {
        "02-row-1": 0.0464,
        "03-second-denominator": 21.54,
        "04-longest": 628.3,
        "05-same-offset": 1.0003,
        "05-decay-10": 0.68,
        "07-how-much": 0.03,
        "01-by-hand-weight": 0.571,
        "01-by-hand-output": 1.43,
        "02-second-of-10": 0.111,
        "02-twice-cosine": -0.71,
        "03-cosine-range": 0.00019,
        "07-gain": 0.58,
    }.items():
        assert diagnose_number(name, answer).ok, name


def test_who_is_to_round_is_told_to_how_many_digits() -> None:
    names = ("01-by-hand-weight", "01-by-hand-output", "02-second-of-10", "02-twice-cosine")
    for name in (*names, "03-cosine-range", "03-second-denominator"):
        question = BANK[name]
        digits = {"two": 2, "three": 3, "four": 4, "five": 5}
        for text in (question.text, question.alone):
            asked = re.search(r"to (\w+) decimals", text)
            assert asked, name
            assert question.is_right(round(question.right, digits[asked[1]])), name


STATED = re.compile(r"\bto (?:\w+ or )?\w+ decimals?\b|to the nearest|\bwithin\b")


def test_who_is_not_told_how_precise_to_be_may_give_two_digits() -> None:
    measured = [each for each in [*BANK.values(), *MORE.values()] if each.tolerance]
    assert len(measured) > 60
    for question in measured:
        for text in (question.text, question.alone or question.text):
            two_digits = float(f"{question.right:.2g}")
            assert STATED.search(text) or question.is_right(two_digits), question.id


def test_an_angle_is_not_taken_for_its_sine() -> None:
    for name, angle in {"02-row-1": 10000 ** (-2 / 6), "06-bank-entry": 0.5}.items():
        question = {**BANK, **MORE}[name]
        assert not question.is_right(angle), name
        digits = 4 if name in MORE else 5
        assert question.is_right(round(math.sin(angle), digits)), name
        assert any(abs(wrong.answer - angle) < 1e-9 for wrong in question.wrong), name


# What a student may hand in


@pytest.mark.parametrize(
    "x",
    [
        16,
        16.0,
        torch.tensor(16.0),
        torch.tensor([16]),
        np.float32(16),
        np.array(16.0),
        np.array([16]),
        torch.tensor([[16.0]], requires_grad=True),
        "16",
        "32/2",
    ],
)
def test_a_number_may_come_in_any_form(x: object) -> None:
    assert diagnose_number("05-length", x).ok


@pytest.mark.parametrize("x", ["ten", [16], torch.zeros(2), math.nan, math.inf, True, 16j])
def test_what_is_no_number_gets_a_sentence(x: object) -> None:
    found = diagnose_number("05-length", x)
    assert (found.ok, found.name) == (False, "not-a-number")
    assert "A number is asked for" in found.message


def test_of_what_is_no_number_the_reader_is_told_what_the_student_is() -> None:
    assert diagnose_number("04-longest", (1, 6)).message.endswith(
        "that is (1, 6) of type tuple. Python writes a decimal point, not a comma."
    )
    assert diagnose_number("05-most-like", (1, 6)).message.endswith("of type tuple.")
    assert diagnose_number("05-length", None).message == "There is no answer yet."


@pytest.mark.parametrize(
    ("x", "name", "says"),
    [(-16, "sign", "wrong sign"), (16.3, "near", "not near enough"), (3, "unknown", "is not it")],
)
def test_an_answer_that_nobody_foresaw_is_not_explained(x: float, name: str, says: str) -> None:
    found = diagnose_number("05-length", x)
    assert (found.ok, found.name) == (False, name)
    assert says in found.message
    assert repr(found) == f"Diagnosis(ok=False, name='{name}')"


def test_a_question_that_is_not_there_is_an_error_of_the_call(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="do you mean 05-length"):
        diagnose_number("05-lenght", 16)
    with pytest.raises(LookupError, match=r"there is no question .x.$"):
        diagnose_number("x", 16)
    with pytest.raises(ValueError, match="asks for a choice"):
        diagnose_number("04-look", 1)
    with pytest.raises(LookupError, match="there are no questions in"):
        diagnose_number("05-length", 16, folder=tmp_path)


# What the loader refuses


def test_the_four_kinds_are_read() -> None:
    assert (parse(NUMBER).right, parse(CHOICE).right, parse(ORDER).right) == (3, 0, (0, 1))
    assert parse(CHOICE).options == ("a", "b")
    figure = parse(FIGURE)
    assert (figure.right, figure.wrong[0].answer) == (((None, 0), (None, 1)), ((None, 5),))
    assert parse({**FIGURE, "pick": "row"}).right == ((0, None), (1, None))
    assert parse({**FIGURE, "pick": "cell", "right": "(4, 1)", "wrong": []}).right == ((4, 1),)
    assert parse({**NUMBER, "predicts": "09-p", "refutes": "read-x"}).predicts == "09-p"


def test_a_wrong_number_may_have_a_tolerance_of_its_own() -> None:
    wide = {**NUMBER, "tolerance": 1}
    narrow = parse({**wide, "wrong": [{**NUMBER["wrong"][0], "within": 0.1}]})
    assert narrow.is_right(4.0)
    assert narrow.foreseen(6.1) is narrow.wrong[0]
    assert narrow.foreseen(6.9) is None
    assert parse(wide).foreseen(6.9) is not None


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({**NUMBER, "wrong": [{"value": 3, "says": "No."}]}, "cannot be told apart"),
        ({**NUMBER, "wrong": [NUMBER["wrong"][0]] * 2}, "6.0 and 6.0 cannot be told apart"),
        ({**NUMBER, "tolerance": 2}, "cannot be told apart"),
        ({**NUMBER, "wrong": [{**NUMBER["wrong"][0], "within": 1}]}, "within must be 0 to 0.0"),
        ({**NUMBER, "wrong": [{**NUMBER["wrong"][0], "hint": 1}]}, "a wrong answer has no hint"),
        ({**NUMBER, "kind": "essay"}, "kind must be"),
        ({**NUMBER, "hint": "x"}, "a number has no hint"),
        ({**NUMBER, "right": "denominators(6)"}, "NameError"),
        ({**NUMBER, "right": "1 / 0"}, "ZeroDivisionError"),
        ({**NUMBER, "right": "inf"}, "is inf"),
        ({key: NUMBER[key] for key in NUMBER if key != "text"}, "text is missing"),
        ({**CHOICE, "choices": [{"text": "a", "when": "1"}] * 2}, "one choice must be true"),
        ({**CHOICE, "choices": [{"text": "a", "when": "0"}] * 2}, "one choice must be true"),
        (
            {**CHOICE, "choices": [{**each, "says": "x."} for each in CHOICE["choices"]]},
            "without a sentence",
        ),
        ({**ORDER, "wrong": [{"order": [1, 1], "says": "No."}]}, "no order of the lines"),
        ({**ORDER, "wrong": [{"order": [0, 1], "says": "No."}]}, "cannot be told apart"),
        ({**FIGURE, "wrong": [{"at": "[5, 1]", "says": "No."}]}, "cannot be told apart"),
        ({**FIGURE, "right": "6"}, "there is no column 6"),
        ({**FIGURE, "right": "-1"}, "there is no column -1"),
        ({**FIGURE, "pick": "pair"}, "pick must be"),
        ({**FIGURE, "table": "PE(10, 6)[0]"}, r"table must be (rows, columns)"),
    ],
)
def test_a_question_that_is_not_in_order_is_refused(raw: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match="question '09-") as error:
        parse(raw)
    assert says in str(error.value)


def test_a_file_holds_the_questions_of_its_chapter_once(tmp_path: Path) -> None:
    (tmp_path / "08_other.yml").write_text(yaml.safe_dump([NUMBER]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"does not belong in 08_other\.yml"):
        load(tmp_path)
    twice = tmp_path / "twice"
    twice.mkdir()
    (twice / "09_this.yml").write_text(yaml.safe_dump([NUMBER, NUMBER]), encoding="utf-8")
    with pytest.raises(ValueError, match="is there twice"):
        load(twice)


def test_there_is_a_file_for_each_page_that_asks() -> None:
    assert [path.stem for path in sorted(FOLDER.glob("*.yml"))] == [path.stem for path in ASKING]


# What is asked for comes of rounded numbers, or was measured.
ROUGH = {"07-gain", "07-john-my", "08-matrix-cosine", "10-together"}


def test_a_number_rounded_the_wrong_way_is_not_right_where_decimals_are_asked_for() -> None:
    looked_at = 0
    for question in [*BANK.values(), *MORE.values()]:
        if question.kind != "number" or question.right == int(question.right):
            continue
        asked = ASKED.search(question.text)
        if question.id in ROUGH or not (asked or WHOLE.search(question.text)):
            continue
        digits = DECIMALS.index(asked[1]) if asked else 0
        nearest = round(question.right, digits)
        assert question.is_right(nearest), question.id
        for other in (nearest - 10**-digits, nearest + 10**-digits):
            assert not question.is_right(other), (question.id, other)
        looked_at += 1
    assert looked_at > 30


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("10-defined", ["0.28", "0.25", "1/16", "0.06"]),
        ("02-formula-ratio", ["0.002154", "0.01", "0"]),
        ("07-how-much", ["0", "0.01", "1%"]),
        ("09-mask", ["1/32", "0.1", "0.02"]),
        ("04-turns", ["0"]),
        ("07-gain", ["0.02"]),
        ("10-together", ["1/4", "1/π"]),
        ("08-matrix-cosine", ["0", "0.07", "-0.03"]),
    ],
)
def test_what_is_near_a_mistake_is_not_that_mistake(name: str, answers: list[str]) -> None:
    for answer in answers:
        found = judge_typed(BANK[name], answer)
        assert found.name in {"near", "unknown"}, (answer, found.message)


def test_nothing_is_not_taken_for_a_mistake_that_is_not_nothing() -> None:
    """A tolerance as wide as what it is about takes in anything."""
    for question in [*BANK.values(), *MORE.values()]:
        for wrong in question.wrong if question.kind == "number" else ():
            assert abs(wrong.answer) < 1e-9 or wrong.within < abs(wrong.answer), question.id
