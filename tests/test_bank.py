"""The bank of questions for learning platforms, each of its files read back and compared."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from read_bank import Read, plain, read_gift, read_moodle, read_qti, words

from course import bank
from course.bank import items
from course.bank.gift import quoted
from course.bank.words import html, mathml
from pe_lab.diagnosis.questions import FOLDER, SENTENCES, Question, load

BOOK, MORE = load(FOLDER), load(items.MORE)
QUESTIONS = {**BOOK, **MORE}
NEAR = "That is near, and not near enough."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "bank"
    bank.build(folder)
    return folder


def near(question: Question) -> float:
    return max(0.05 * abs(question.right), 3 * question.tolerance)


def expected_answers(question: Question) -> list[tuple[object, float | None, bool, str]]:
    """What a platform must know of a question: from the bank, not from what writes the files."""
    wrong = [(each.answer, each.says) for each in question.wrong]
    if question.kind == "number":
        tolerance = question.tolerance
        sign = [(-question.right, tolerance, False, SENTENCES["sign"].format(answer="That"))]
        return [
            (question.right, tolerance, True, "Right."),
            *((answer, tolerance, False, says) for answer, says in wrong),
            *(sign if question.right and not question.foreseen(-question.right) else []),
            *([(question.right, near(question), False, NEAR)] if near(question) else []),
            ("*", None, False, "That is not it, and not one of the known mistakes."),
        ]
    if question.kind == "choice":
        by_number = {question.right: "Right.", **dict(wrong)}
        return [
            (plain(option), None, number == question.right, by_number[number])
            for number, option in enumerate(question.options)
        ]
    assert question.kind == "figure"
    names = {"row": "Row {0}", "column": "Column {1}", "cell": "Row {0}, column {1}"}
    name = names[question.pick]
    return [
        (name.format(*min(places)), None, says == "Right.", says)
        for places, says in [(question.right, "Right."), *wrong]
    ]


def check_answers(question: Question, read: Read) -> None:
    """The same answers, tolerances, points and sentences; of a number in the order that counts."""
    expected = expected_answers(question)
    found = read.answers
    if question.kind in ("choice", "figure"):
        expected, found = sorted(expected, key=str), sorted(found, key=str)
    assert len(found) == len(expected)
    for (answer, tolerance, right, says), (value, allowed, is_right, said) in zip(
        found, expected, strict=True
    ):
        assert (right, says) == (is_right, plain(said))
        if isinstance(value, float):
            assert float(answer) == pytest.approx(value, rel=1e-9)
            assert tolerance == pytest.approx(allowed, rel=1e-9)
        else:
            assert (answer, tolerance) == (value, None)


def check_text(question: Question, read: Read) -> None:
    assert read.text.startswith(plain(question.alone))
    assert read.text[len(plain(question.alone)) :] in ("", " Choose one of the places.")
    assert bool(read.pictures) == (question.kind == "figure")
    for data, alternative in read.pictures:
        assert data.startswith(b"\x89PNG")
        assert question.table is not None
        rows, columns = question.table.shape
        assert f"{rows} rows and {columns} columns" in alternative
        assert f"Row {rows - 1}: " in alternative
    tags = [*question.objectives, *([question.refutes] if question.refutes else [])]
    assert list(read.tags) == tags
    assert tags


# The questions


def test_there_are_forty_more_than_in_the_book() -> None:
    assert len(MORE) >= 40
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"{len(MORE)} more for Moodle" in readme
    assert not BOOK.keys() & MORE.keys()
    assert {question.kind for question in MORE.values()} == {"number", "choice", "order", "figure"}
    for number in range(1, 11):
        assert sum(name.startswith(f"{number:02}-") for name in MORE) >= 4
    assert not any(question.predicts for question in MORE.values())


def test_a_question_can_be_asked_alone() -> None:
    """Away from its chapter nothing stands before it."""
    for question in QUESTIONS.values():
        assert not re.match(
            r"(And|Then|Now|It|They|By how many radians does its)\b", question.alone
        )


# The files


def test_moodle_gets_all_that_the_bank_has(made: Path) -> None:
    read = read_moodle(made / "moodle.xml")
    assert list(read) == [each.id for each in items.bank()]
    assert read.keys() == QUESTIONS.keys()
    kinds = {
        "number": "numerical",
        "choice": "multichoice",
        "figure": "multichoice",
        "order": "ordering",
    }
    for name, question in QUESTIONS.items():
        check_text(question, read[name])
        assert read[name].kind == kinds[question.kind]
        if question.kind == "order":
            lines = [answer for answer, *_ in read[name].answers]
            assert lines == [plain(line) for line in question.options]
            for wrong in question.wrong:
                order = ", ".join(str(line + 1) for line in wrong.answer)
                assert f"If your order was {order}, by the numbers" in read[name].remarks
                assert plain(wrong.says) in read[name].remarks
        else:
            check_answers(question, read[name])
    assert read["03-order"].category == "$course$/top/Positional encoding/03 Step by step"


def test_a_moodle_without_orders_gets_matches(made: Path) -> None:
    new, old = (read_moodle(made / f"{name}.xml") for name in ("moodle", "moodle-before-4.4"))
    for name, question in QUESTIONS.items():
        if question.kind == "order":
            assert old[name].kind == "matching"
            lines = [(answer, place) for answer, place, *_ in old[name].answers]
            expected = [(plain(line), place) for place, line in enumerate(question.options, 1)]
            assert lines == expected
            assert old[name].remarks == new[name].remarks
        else:
            assert old[name] == new[name]


def test_orders_of_moodle_stand_in_the_places_of_their_fractions(made: Path) -> None:
    for question in ET.parse(made / "moodle.xml").getroot().iterfind("question[@type='ordering']"):
        fractions = [float(answer.get("fraction") or 0) for answer in question.iterfind("answer")]
        assert fractions == [*range(1, len(fractions) + 1)]


def test_gift_gets_all_that_the_bank_has(made: Path) -> None:
    read = read_gift(made / "questions.gift")
    assert read.keys() == QUESTIONS.keys()
    for name, question in QUESTIONS.items():
        check_text(question, read[name])
        if question.kind == "order":
            lines = [(answer, place) for answer, place, *_ in read[name].answers]
            assert lines == [(plain(line), at) for at, line in enumerate(question.options, 1)]
            assert all(plain(wrong.says) in read[name].remarks for wrong in question.wrong)
        else:
            check_answers(question, read[name])
    assert read["03-order"].category == "$course$/top/Positional encoding/03 Step by step"


def test_qti_gets_all_that_the_bank_has(made: Path) -> None:
    read = read_qti(made / "qti.zip")
    assert read.keys() == QUESTIONS.keys()
    for name, question in QUESTIONS.items():
        check_text(question, read[name])
        if question.kind == "order":
            lines = [plain(line) for line in question.options]
            wrong = [
                (" | ".join(lines[line] for line in each.answer), None, False, plain(each.says))
                for each in question.wrong
            ]
            assert read[name].answers == [(" | ".join(lines), None, True, "Right."), *wrong]
        else:
            check_answers(question, read[name])


def test_the_right_choice_stands_anywhere(made: Path) -> None:
    read = read_gift(made / "questions.gift").values()
    four = [[each[2] for each in one.answers] for one in read if one.kind == "MC"]
    four = [rights for rights in four if len(rights) == 4]
    shares = [sum(rights[place] for rights in four) / len(four) for place in range(4)]
    assert len(four) > 20
    assert max(shares) < 0.4


def test_every_build_writes_the_same(made: Path, tmp_path: Path) -> None:
    bank.build(tmp_path / "again")
    for path in made.rglob("*.*"):
        assert (tmp_path / "again" / path.relative_to(made)).read_bytes() == path.read_bytes()


# Words and numbers


@pytest.mark.parametrize(
    ("markdown", "moodle", "read"),
    [
        ("How *many* `a<b`?", "How <em>many</em> <code>a&lt;b</code>?", "How many a<b?"),
        (r"Is $\omega_i < 1$?", r"Is \(\omega_i &lt; 1\)?", r"Is $\omega_i < 1$?"),
        ("A & B cost 5 $ each", "A &amp; B cost 5 $ each", "A & B cost 5 $ each"),
        ("<b>no tag</b>", "&lt;b&gt;no tag&lt;/b&gt;", "<b>no tag</b>"),
    ],
)
def test_words_become_html_with_the_formulas_of_moodle(
    markdown: str, moodle: str, read: str
) -> None:
    assert html(markdown) == moodle
    assert words(html(markdown)) == read


def test_a_formula_becomes_mathml_with_its_latex() -> None:
    tex = r"\sqrt d < 3"
    math = ET.fromstring(mathml([tex])[tex])
    assert math.tag == "{http://www.w3.org/1998/Math/MathML}math"
    assert math.findtext(".//{*}annotation") == tex
    assert [each.text for each in math.iterfind(".//{*}mi")] == ["d"]
    with pytest.raises(RuntimeError, match="KaTeX parse error"):
        mathml([r"\sqrt{"])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3.0, "3"),
        (0.0, "0"),
        (1 / 3, "0.3333333333"),
        (-0.5, "-0.5"),
        (2e-5, "0.00002"),
        (4.294967296e10, "42949672960"),
        (62831.85307179586, "62831.85307"),
    ],
)
def test_a_number_is_written_without_an_exponent(number: float, text: str) -> None:
    assert items.digits(number) == text


def test_gift_quotes_what_means_something_in_it() -> None:
    assert quoted("\\(\\nu = 1\\)") == "\\\\(\\\\nu \\= 1\\\\)", r"\n would be a new line"
    assert quoted("a: {b} ~ #\nc") == r"a\: \{b\} \~ \# c"
