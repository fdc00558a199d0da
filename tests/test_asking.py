"""``book/_ext/asking``: forms in the page, and the page's judgement compared with Python's."""

from __future__ import annotations

import json
import math
import re
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import toy_book as toy
import yaml
from bs4 import BeautifulSoup
from front_end import call

sys.path.insert(0, str(toy.EXTENSIONS))
import asking
from asking.forms import judged
from test_questions import BANK, CHOICE, FIGURE, NUMBER, ORDER, places

from pe_lab import figures
from pe_lab.diagnosis import diagnose_number
from pe_lab.diagnosis.questions import SENTENCES, Question, judge
from pe_lab.explorers.module import join

JUDGING = join(asking.HERE, "judging.js", {"SENTENCES": SENTENCES})


def handed_in(question: Question) -> list[Any]:
    """Answers to a question: right, foreseen, and others of every sort."""
    known = [question.right, *(wrong.answer for wrong in question.wrong)]
    answers = [each for answer in known for each in places(question, answer)]
    if question.kind == "number":
        right = question.right
        near = [right * 1.03 + 2.5 * question.tolerance, right - 0.6 * abs(right)]
        odd = [-right, *near, 0.03125, -0.09375, 12345.678, -98765.4321, 123456789, -1e-9, 2.0**70]
        return [*answers, *odd]
    if question.kind == "order":
        return [*answers, *list(permutations(range(len(question.options))))[:40:7]]
    if question.kind == "figure" and question.table is not None:
        rows, columns = question.table.shape
        cells = [(row, column) for row in range(rows) for column in range(columns)]
        only = {"row": 0, "column": 1}.get(question.pick)
        keep = lambda cell: tuple(  # noqa: E731
            None if only is not None and at != only else each for at, each in enumerate(cell)
        )
        return [*answers, *map(keep, cells)]
    return answers


def test_the_page_says_what_the_notebook_says() -> None:
    """Every question with every sort of answer, in one process; numbers are typed as texts."""
    calls, expected = [], []
    for question in BANK.values():
        asked = {**judged(question), "says": [wrong.says for wrong in question.wrong]}
        for answer in handed_in(question):
            calls.append([asked, repr(answer) if question.kind == "number" else answer])
            found = judge(question, answer)
            expected.append((found.name, found.message))
        if question.kind == "number":
            for text in ("", "seven", "1/0", "3 m", "x" * 60):
                calls.append([asked, text])
                found = diagnose_number(question.id, text)
                expected.append((found.name, found.message))
    said = [
        (each["name"], each.get("html") or each["text"]) for each in call(JUDGING, "judge", calls)
    ]
    assert said == expected
    assert {name for name, _ in said} >= {"right", "foreseen-1", "sign", "near", "unknown"}
    assert len(said) > 1500


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0,5", [0.5]),
        (" 1e-4 ", [1e-4]),
        ("\N{MINUS SIGN}3", [-3]),
        ("-.25", [-0.25]),
        ("+2.", [2]),
        ("1/3", [1 / 3]),
        ("\N{MINUS SIGN}1,5 / 2", [-0.75]),
        ("31 %", [0.31]),
        ("62,832", [62832, 62.832]),
        ("0,464", [0.464]),
        ("1,234,567.5", [1234567.5]),
        ("1E3", [1000]),
    ],
)
def test_a_number_may_be_written_in_many_ways(text: str, numbers: list[float]) -> None:
    (found,) = call(JUDGING, "readings", [[text]])
    assert found == pytest.approx(numbers, rel=1e-15)


def test_what_is_no_number_is_not_read_as_one() -> None:
    texts = [
        "",
        "-",
        "1 2 x",
        "1/2/3",
        "1/0",
        "e5",
        "0x10",
        "Infinity",
        "NaN",
        "1..2",
        "1,2,3",
        "%",
    ]
    assert call(JUDGING, "readings", [[text] for text in texts]) == [[] for _ in texts]


def test_a_comma_is_read_so_that_the_answer_is_right() -> None:
    asked = {"kind": "number", "tolerance": 0.5, "wrong": [], "praise": "Right.", "pick": ""}
    calls = [[{**asked, "right": right}, "1,458"] for right in (1458, 1.458, 9e9)]
    said = [(each["name"], each["text"]) for each in call(JUDGING, "judge", calls)]
    assert said[:2] == [("right", "Right.")] * 2
    assert said[2] == ("unknown", "1,458 is not it, and no mistake that is known.")


# What the build makes

SETTINGS = {
    "extensions": ["myst_nb", "sphinx_exercise", "live_figures", "asking"],
    "myst_enable_extensions": ["dollarmath"],
    "asking_folder": "questions",
}
SECOND = {**NUMBER, "id": "09-n", "text": "How $x$?", "predicts": "09-p", "brief": "Which $y_1$?"}
FOLDED = toy.view("model", "toy")
FOLDED.metadata["tags"] = ["hide-output"]
ASKED = "```{question} 09-p\nWhat?\n```"
CHECKED = "## Exercises\n\n```{check}\n```"


def build(folder: Path, bank: list[dict[str, Any]], *texts: str) -> tuple[Path, str]:
    """A chapter with a folded live figure after its first text; the output, the warnings."""
    questions = folder / "source" / "questions"
    questions.mkdir(parents=True)
    (questions / "09_toys.yml").write_text(yaml.safe_dump(bank), encoding="utf-8")
    models = {"model": toy.anywidget("export default {}", value=1)}
    cells = [toy.words(text) for text in texts]
    page = toy.notebook(models, *cells[:1], FOLDED, *cells[1:])
    pages = {"09_toys": page, "far": "# Far\n\n```{progress}\n```\n"}
    output, warnings = toy.build(folder, pages, **SETTINGS)
    return output, "\n".join(warnings)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bank = [SECOND, NUMBER, CHOICE, ORDER, FIGURE]
    output, warnings = build(tmp_path_factory.mktemp("asking"), bank, ASKED, CHECKED)
    assert warnings == ""
    return output


@pytest.fixture(scope="module")
def page(built: Path) -> BeautifulSoup:
    return BeautifulSoup((built / "09_toys.html").read_text(encoding="utf-8"), "html.parser")


def test_a_prediction_has_its_questions_in_its_box_and_the_others_stand_together(
    page: BeautifulSoup,
) -> None:
    first, rest = page.select("div.question")
    assert [each["id"] for each in first.select("form")] == ["ask-09-n"]
    assert [each["id"] for each in rest.select("form")] == [
        *("ask-09-x", "ask-09-y", "ask-09-z", "ask-09-w")
    ]
    assert "Which" in first.get_text()
    assert "How" not in first.get_text(), "the brief text stands beside the prediction"
    assert {each["method"] for each in page.select("form.ask")} == {"dialog"}
    numbers = [each.select_one(".ask-text strong").get_text() for each in page.select("form.ask")]
    assert numbers == ["1. ", "2. ", "3. ", "4. ", "5. "]


def test_every_field_has_a_name(page: BeautifulSoup) -> None:
    number, choice, order, figure = (
        page.select_one(f"#ask-09-{name}") for name in ("x", "y", "z", "w")
    )
    assert number.label["for"] == number.input["id"]
    assert choice.fieldset.legend.get_text() == "3. Which?"
    assert [each.input["value"] for each in choice.select("li > label")] == ["0", "1"]
    assert page.find(id=order.ol["aria-labelledby"]).get_text() == "4. Order."
    assert [each["data-line"] for each in order.select("li")] == ["1", "0"], "not in order"
    assert figure.table["role"] == "grid"
    assert figure.table["aria-label"] == "Table: choose a column"
    assert len(figure.select("td[style]")) == 60
    for form in (number, choice, order, figure):
        assert [each.get_text() for each in form.select(".ask-do button")] == ["Check", "Show me"]
        assert form.output.get_text() == ""


def test_the_cells_of_a_picture_have_the_colours_of_the_figures() -> None:
    style = (asking.HERE / "static" / "asking.css").read_text(encoding="utf-8")
    cell = style.partition(".ask td[style]")[2].partition("}")[0]
    assert re.findall(r"#\w{6}", cell) == [figures.PLUS, figures.MINUS, figures.ZERO]


def test_the_answers_are_folded_at_the_end_of_the_page(page: BeautifulSoup) -> None:
    (answers,) = page.select("details.answers")
    assert "open" not in answers.attrs
    assert [each.get_text() for each in answers.select("li")] == [
        *("3", "3", "a", "b, a", "Column 0 or Column 1")
    ]
    section = answers.find_parent("section")
    assert section.select("h1")
    assert answers.find_next_sibling() is None


def test_what_is_folded_says_that_an_answer_may_come_first(page: BeautifulSoup) -> None:
    (fold,) = page.select("[data-after]")
    assert fold["data-after"] == "q-09-p"
    assert fold.summary.get_text() == "ShowHide the result without answering"


def test_the_sentences_are_apart_from_the_forms(page: BeautifulSoup) -> None:
    (late,) = page.select("[data-late]")
    assert late["data-late"] == "asking/09_toys.js"
    stored = json.loads(late.script.string)
    assert list(stored) == ["09-n", "09-x", "09-y", "09-z", "09-w"]
    assert stored["09-n"]["praise"] == "Right: 3."
    assert [each.get_text() for each in late.select('[data-ask="09-x"]')] == [
        "One for each column."
    ]
    late.extract()
    assert "One for each column" not in page.get_text()


def test_the_page_of_progress_links_to_every_question(built: Path) -> None:
    page = BeautifulSoup((built / "far.html").read_text(encoding="utf-8"), "html.parser")
    links = page.select("a[data-ask]")
    assert [each["href"] for each in links] == [
        f"09_toys.html#ask-09-{name}" for name in ("n", "x", "y", "z", "w")
    ]
    counts = {each["data-count"]: each.get_text() for each in page.select("td[data-count]")}
    assert counts == {"right": "0", "tried": "0", "shown": "0", "open": "5"}


@pytest.mark.parametrize(
    ("bank", "texts", "error"),
    [
        ([SECOND, NUMBER], [ASKED], "question 09-x stands nowhere on its page"),
        ([SECOND, NUMBER], ["Text.", CHECKED], "question 09-n stands nowhere on its page"),
        ([SECOND], [ASKED, CHECKED], "check: no question of 09 is without a prediction"),
    ],
)
def test_a_question_without_a_place_is_an_error(
    tmp_path: Path, bank: list[dict[str, Any]], texts: list[str], error: str
) -> None:
    assert f"ERROR: {error}" in build(tmp_path, bank, *texts)[1]


def test_without_a_bank_a_prediction_is_a_box_and_nothing_else(tmp_path: Path) -> None:
    output, warnings = toy.build(
        tmp_path, {"09_toys": f"# Toys\n\n{ASKED}\n"}, **{**SETTINGS, "asking_folder": ""}
    )
    assert warnings == []
    page = (output / "09_toys.html").read_text(encoding="utf-8")
    assert "What?" in page
    assert "form" not in page.partition("<body")[2].partition("sidebar")[0]
    assert not (output / "_static" / asking.SCRIPT).exists()


def test_the_right_answer_is_told_in_as_many_digits_as_are_asked_for() -> None:
    told = {name: BANK[name].right_in_words() for name in ("03-second-denominator", "04-longest")}
    assert told == {"03-second-denominator": "21.54", "04-longest": "628.3"}
    for question in BANK.values():
        if question.kind == "number" and question.right != int(question.right):
            words = question.right_in_words().replace(",", "").replace("\N{MINUS SIGN}", "-")
            assert question.is_right(float(words)), question.id
            assert math.isfinite(float(words))
