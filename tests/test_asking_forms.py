"""``book/_ext/asking``: the forms that the build puts into a page, and the answers below them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import toy_book as toy
import yaml
from bs4 import BeautifulSoup
from toy_questions import CHOICE, FIGURE, NUMBER, ORDER

sys.path.insert(0, str(toy.EXTENSIONS))
import asking

from pe_lab import figures

SETTINGS = {
    "extensions": ["myst_nb", "sphinx_exercise", "live_figures", "asking"],
    "myst_enable_extensions": ["dollarmath"],
    "asking_folder": "questions",
}
SECOND = {
    **NUMBER,
    "id": "09-n",
    "text": "How $x$?",
    "predicts": "09-p",
    "brief": 'Which "word" is $y_1$?',
}
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
    assert "Which “word” is" in first.get_text(), "quotation marks are those of the prose"
    assert "How" not in first.get_text(), "the brief text stands beside the prediction"
    assert {each["method"] for each in page.select("form.ask")} == {"dialog"}
    numbers = [each.select_one(".ask-text strong").get_text() for each in page.select("form.ask")]
    assert numbers == ["1. ", "2. ", "3. ", "4. ", "5. "]


def test_every_field_has_a_name(page: BeautifulSoup) -> None:
    number, choice, order, figure = (
        page.select_one(f"#ask-09-{name}") for name in ("x", "y", "z", "w")
    )
    assert number.label["for"] == number.input["id"]
    assert number.input["aria-labelledby"] == number.label["id"]
    assert choice.fieldset.legend.get_text() == "3. Which?"
    assert choice.fieldset["aria-labelledby"] == choice.fieldset.legend["id"]
    labels = choice.select("li > label")
    assert [each.input["aria-labelledby"] for each in labels] == [each["id"] for each in labels]
    assert [each.input["value"] for each in choice.select("li > label")] == ["0", "1"]
    assert page.find(id=order.ol["aria-labelledby"]).get_text() == "4. Order."
    assert [each["data-line"] for each in order.select("li")] == ["1", "0"], "not in order"
    assert figure.table["role"] == "grid"
    assert figure.table["aria-label"] == "Table: choose a column"
    assert len(figure.select("tbody td")) == 60
    for form in (number, choice, order, figure):
        assert [each.get_text() for each in form.select(".ask-do button")] == ["Check", "Show me"]
        assert form.output.get_text() == ""


def test_the_cells_of_a_picture_have_the_colours_of_the_figures() -> None:
    style = (asking.HERE / "static" / "asking.css").read_text(encoding="utf-8")
    cell = style.partition(".ask tbody td")[2].partition("}")[0]
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
