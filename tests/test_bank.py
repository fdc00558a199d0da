"""The bank of questions for learning platforms, each of its files read back and compared."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path

import pytest
from read_bank import Read, plain, read_gift, read_moodle, read_qti, words

from course import bank
from course.bank import items
from course.bank.gift import quoted
from course.bank.outside import handed_in
from course.bank.words import html, mathml
from course.sets.tasks import TaskError
from pe_lab.diagnosis.questions import FOLDER, SENTENCES, Question, judge, load

BOOK, MORE = load(FOLDER), load(items.MORE)
QUESTIONS = {**BOOK, **MORE}
NEAR = "That is near, and not near enough."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "bank"
    bank.build(folder)
    return folder


def praise(question: Question) -> str:
    """What is said to the right answer."""
    right = f"Right: {question.right_in_words()}." if question.kind == "number" else "Right."
    return f"{right} {question.why}".strip()


def seen_with(number: float, tolerance: float) -> float:
    """How far a printed number may be from what is computed: a twentieth of its tolerance."""
    return max(tolerance / 20, 1e-9 * abs(number)) * (1 + 1e-9)


def expected_answers(question: Question) -> list[tuple[object, float | None, bool, str]]:
    """What a platform must know of a question: from the bank, not from what writes the files."""
    wrong = [(each.answer, each.says) for each in question.wrong]
    if question.kind == "number":
        tolerance = question.tolerance
        sign = [(-question.right, tolerance, False, SENTENCES["sign"].format(answer="That"))]
        return [
            (question.right, tolerance, True, praise(question)),
            *((each.answer, each.within, False, each.says) for each in question.wrong),
            *(sign if question.right and not question.foreseen(-question.right) else []),
            *([(question.right, question.near, False, NEAR)] if question.near else []),
            ("*", None, False, "That is not it, and not one of the known mistakes."),
        ]
    if question.kind == "choice":
        by_number = {question.right: praise(question), **dict(wrong)}
        return [
            (plain(option), None, number == question.right, by_number[number])
            for number, option in enumerate(question.options)
        ]
    assert question.kind == "figure"
    names = {"row": "Row {0}", "column": "Column {1}", "cell": "Row {0}, column {1}"}
    name = names[question.pick]
    return [
        (name.format(*min(places)), None, places is question.right, says)
        for places, says in [(question.right, praise(question)), *wrong]
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
            assert allowed is not None
            within = seen_with(question.right, min(allowed, question.tolerance))
            assert float(answer) == pytest.approx(value, rel=1e-9, abs=within)
            assert tolerance == pytest.approx(allowed, rel=1e-9, abs=within)
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


def check_categories(read: dict[str, Read]) -> None:
    """What students have been asked in the book is apart from what they have not."""
    for name, one in read.items():
        assert one.category.startswith("$course$/top/Positional encoding/")
        assert one.category.endswith("/asked in the book" if name in BOOK else "/new")
    place = "$course$/top/Positional encoding/03 Step by step"
    assert read["03-order"].category == f"{place}/asked in the book"
    assert read["03-bank-entry"].category == f"{place}/new"


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


def test_the_right_answer_to_all_but_numbers_has_its_reason() -> None:
    for question in QUESTIONS.values():
        assert bool(question.why) == (question.kind != "number"), question.id
        assert question.why not in {wrong.says for wrong in question.wrong} - {""}


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
    check_categories(read)


def test_a_platform_judges_typed_numbers_as_the_page_does(made: Path) -> None:
    """All that may be typed near the right answer, in as many decimals as are asked for."""
    read = read_moodle(made / "moodle.xml")
    names = []
    for question in (each for each in QUESTIONS.values() if each.kind == "number"):
        decimals = math.ceil(-math.log10(question.tolerance)) if question.tolerance else 0
        for step in range(-60, 61):
            typed = f"{question.right + step * 10**-decimals:.{max(decimals, 0)}f}"
            if on_a_border(question, float(typed)):
                continue
            verdict = judge(question, float(typed))
            said = {"right": praise(question)} | {
                name: SENTENCES[name].format(answer="That") for name in ("sign", "near", "unknown")
            }
            says = said.get(verdict.name, verdict.message)
            assert said_of(typed, read[question.id]) == plain(says), (question.id, typed)
            names.append(verdict.name)
    assert {*names} >= {"right", "foreseen-1", "sign", "near", "unknown"}
    assert len(names) > 10_000


def on_a_border(question: Question, number: float) -> bool:
    """Whether the digits that are not printed decide about a number."""
    right, tolerance = question.right, question.tolerance
    borders = [(each.answer, each.within, each.within) for each in question.wrong]
    borders += [(right, tolerance, tolerance), (-right, tolerance, tolerance)]
    return any(
        abs(abs(number - answer) - apart) <= seen_with(right, printed_with)
        for answer, apart, printed_with in [
            *(border for border in borders if border[1]),
            (right, question.near, tolerance),
        ]
    )


def said_of(typed: str, read: Read) -> str:
    """As a platform does it: the first answer counts that is near enough."""
    for answer, tolerance, _, says in read.answers:
        if tolerance is None:
            return says
        if abs(Decimal(typed) - Decimal(answer)) <= Decimal(str(tolerance)):
            return says
    raise AssertionError(typed)


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


def test_the_right_order_gets_its_reason(made: Path) -> None:
    for name in ("moodle", "moodle-before-4.4"):
        for one in ET.parse(made / f"{name}.xml").getroot().iterfind("question[@type]"):
            question = QUESTIONS.get(one.findtext("name/text") or "")
            said = words(one.findtext("correctfeedback/text") or "")
            if question:
                assert said == (plain(praise(question)) if question.kind == "order" else "")


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
    check_categories(read)


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
            says = plain(praise(question))
            assert read[name].answers == [(" | ".join(lines), None, True, says), *wrong]
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
    sheet = tmp_path / "inventory" / "answers.csv"  # nobody has answered yet
    sheet.parent.mkdir()
    sheet.write_bytes((made / "inventory" / "answers.csv").read_bytes())
    bank.build(tmp_path)
    for path in made.rglob("*.*"):
        assert (tmp_path / path.relative_to(made)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_build_leaves_the_answers_of_a_class(tmp_path: Path, end: str) -> None:
    sheet = tmp_path / "inventory" / "answers.csv"
    sheet.parent.mkdir()
    sheet.write_bytes(f"person,form,when,1\r\nx7,A,before,a{end}".encode())
    with pytest.raises(TaskError, match=r"answers\.csv holds answers"):
        bank.build(tmp_path)
    assert sheet.read_bytes().startswith(b"person,form,when,1\r\nx7")


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
    ("number", "tolerance", "text"),
    [
        (0.6000000048, 0.005, "0.6"),
        (4 / 7, 0.0005, "0.57143"),
        (6e-17, 0.006, "0"),
        (-6e-17, 0.006, "0"),
        (54410.14, 60, "54410"),
        (-1.5, 0.001, "-1.5"),
    ],
)
def test_a_number_has_the_decimals_that_its_tolerance_can_see(
    number: float, tolerance: float, text: str
) -> None:
    assert items.digits(number, tolerance) == text


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


def test_what_a_player_is_given_is_judged_by_one_answer() -> None:
    """The first that is within its tolerance: also for a number that is near, but not right."""
    near = 0
    for item in items.bank():
        if item.kind != "number":
            continue
        for given, (points, name) in handed_in(item):
            told = next(
                number
                for number, each in enumerate(item.answers, 1)
                if each.text == items.ANY
                or abs(float(given) - float(each.text)) <= float(each.tolerance)
            )
            assert (f"answer-{told}", int(item.answers[told - 1].right)) == (name, points), item.id
            near += given not in [each.text for each in item.answers]
    assert near > 100
