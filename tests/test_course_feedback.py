"""What a student reads: sentences with formulas, and a question that fits the mistake."""

from __future__ import annotations

import base64
import re
from html import unescape
from urllib.parse import quote

import pytest
import torch
from bs4 import BeautifulSoup

from course.sets.chapters import chapters
from course.sets.formulas import formula, marked_up, page
from course.sets.judging import charged_once, number, numbers, right, unread, wrong
from course.sets.marks import Mark, Result, examine
from course.sets.nbgrading import feedback, read_on
from course.sets.notebook import SETUP
from course.sets.tasks import TASKS, Settings, read_sets, read_task
from pe_lab.diagnosis.reading import Problem

TASK = read_task(TASKS / "set1" / "03-hands")
FORMULAS = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)


def told(*marks: Mark) -> list[str]:
    """What a student reads of each part of set 1's hands."""
    output = feedback(Result(TASK, marks), Settings(1, ""))
    return unescape(output.data["text/html"]).split("<p>")[2:]


def test_every_formula_of_the_sets_is_drawn() -> None:
    found = 0
    for one in read_sets().values():
        for task in one.tasks:
            given = task.drawn(1)
            texts = [
                task.text(name, given) for name in ("statement.md", "rubric.md") if task.has(name)
            ]
            for block, inline in FORMULAS.findall("\n".join(texts)):
                assert formula(block or inline, block=bool(block)).startswith("<math"), (
                    block or inline
                )
                found += 1
    assert found > 100


def test_what_a_student_wrote_stays_text() -> None:
    assert marked_up("`<script>` & <b>") == "<code>&lt;script&gt;</code> &amp; &lt;b&gt;"
    assert "<b>" not in formula(r"a < b \text{<b>}")
    assert marked_up(r"it raised $\frac$") == r"it raised <code>$\frac$</code>"
    assert "<mi>x</mi>" in page("a **word**, and $x$")
    assert "<strong>word</strong>" in page("a **word**, and $x$")
    assert page("`$x$`").strip() == "<p><code>$x$</code></p>"


def encode_uri(name: str) -> str:
    """As JavaScript's encodeURI leaves it."""
    return quote(name, safe=";,/?:@&=+$-_.!~*'()#")


DOT = base64.b64encode(b"a picture").decode()


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "&#106;avascript:alert(1)",
        "javascript&colon;alert(1)",
        "<\x01javascript:alert(1)>",
        "<java\tscript:alert(1)>",
        "vbscript:x",
        "file:///etc/passwd",
        "data:text/html;base64,PHNjcmlwdD4=",
    ],
)
def test_a_link_of_a_student_leads_to_a_page_or_is_text(address: str) -> None:
    for text in (f"[proof]({address})", f"[proof]: {address}\n\n[proof]", f"![proof]({address})"):
        made = BeautifulSoup(page(text), "html.parser")
        assert not made.find_all(["a", "img"]), text
        assert "proof" in made.text


@pytest.mark.parametrize("address", ["https://arxiv.org/abs/1706.03762", "mailto:a@b.c", "#top"])
def test_a_link_to_a_page_is_one(address: str) -> None:
    link = BeautifulSoup(page(f"[here]({address})"), "html.parser").a
    assert link is not None
    assert link["href"] == address


def test_a_picture_is_in_the_notebook_or_is_text() -> None:
    pictures = {"p.png": {"image/png": DOT}, "bad": {"text/html": DOT}}
    for name in ("it's.png", "foto, 1.png", "a & b.png", "shot(1).png", "ä.png"):
        at = f"attachment:{encode_uri(name)}", f"attachment:{quote(name)}", f"<attachment:{name}>"
        for address in at:
            made = page(f"![p]({address})", {name: {"image/jpg": DOT}})
            assert f"data:image/jpg;base64,{DOT}" in made, address
    shown = BeautifulSoup(page("![mine](attachment:p.png)", pictures), "html.parser").img
    assert shown is not None
    assert (shown["src"], shown["alt"]) == (f"data:image/png;base64,{DOT}", "mine")
    for other in ("attachment:bad", "attachment:none", "https://tracker.example/x.png", "x.png"):
        made = page(f"![mine]({other})", pictures)
        assert "<img" not in made
        assert "[picture: mine]" in made
    assert "mermaid" not in page("```mermaid\ngraph TD\n```")


@pytest.mark.parametrize("name", ["nothing", "shape", "raises"])
def test_what_has_not_the_form_gets_no_question_of_the_subject(name: str) -> None:
    speeds, code = TASK.marked
    lines = told(unread("speeds", Problem(name, "No table.")), wrong("code", "unknown", "Other."))
    assert "No table." in lines[0]
    assert speeds.ask not in lines[0]
    assert "Read:" not in lines[0]
    assert code.ask in lines[1]


def test_a_mistake_of_form_may_have_a_question_of_its_own() -> None:
    task = read_task(TASKS / "set3" / "04-three-repairs")
    marks = tuple(unread(part.name, Problem("shape", "No.")) for part in task.marked)
    html = feedback(Result(task, marks), Settings(1, "")).data["text/html"]
    assert html.count("Which shape has x") == 1


def test_what_follows_from_an_own_answer_has_its_points() -> None:
    assert number("b", 4.0, 2.0, following=4.0).share == 1
    assert number("b", 4.0, 2.0, following=5.0).share == 0
    assert number("b", 2.0, 2.0, following=5.0).name == "right"
    assert numbers("b", [1, 2], [3, 4], following=[1, 2]).name == "follows"
    assert numbers("b", [1, ...], [3, 4], following=[1, 2]).form


def test_what_follows_is_told_so() -> None:
    lines = told(wrong("speeds", "unknown", "No."), number("code", 4.0, 2.0, following=4.0))
    assert "2 of 2. Right, given your own answer before it." in lines[1]


def test_a_slip_is_charged_in_the_first_part_that_has_it() -> None:
    slip, other = wrong("a", "degrees", "In degrees."), wrong("c", "unknown", "No.")
    marks = [slip, wrong("b", "degrees", "In degrees."), other, right("d")]
    found = charged_once(marks, ["degrees"])
    assert [mark.share for mark in found] == [0, 1, 0, 1]
    assert [mark.share for mark in charged_once(marks, [])] == [0, 0, 0, 1]


NOTHING_FOLLOWS = {
    "no hand turns": "def speeds(first, last, hands):\n    return [0.0] * hands",
    "all hands are one": "def speeds(first, last, hands):\n    return [1.0] * hands",
}


@pytest.mark.parametrize("speeds", NOTHING_FOLLOWS.values(), ids=[*NOTHING_FOLLOWS])
def test_of_speeds_of_nothing_follows_no_table(speeds: str) -> None:
    table = "def code(length, first, last, hands):\n    w = speeds(first, last, hands)\n"
    table += (
        "    return [[f(p * x) for x in w for f in (math.sin, math.cos)] for p in range(length)]"
    )
    result = examine(TASK, [SETUP, speeds, table], TASK.drawn(1))
    assert (result.points, result.names) == (0, {"unknown"})


def test_two_mistakes_are_told_apart_and_each_gets_its_question() -> None:
    task = read_task(TASKS / "set1" / "01-attention")
    cell = "a = [8, 4, 6]\nb = [0.5, 0.25, 0.25]\nc = d = []"
    result = examine(task, [SETUP, cell], task.drawn(1))
    html = feedback(result, Settings(1, "")).data["text/html"]
    products, weights = unescape(html).split("<p>")[2:4]
    asks = [part.ask.partition("$")[0] for part in task.marked[:2]]
    assert "The first is 8, in place 0" in products
    assert asks[0] in products
    assert "The first is 0.5, in place 0" in weights
    assert asks[1] in weights


def test_of_another_base_nothing_is_said_in_numbers_of_10000() -> None:
    task = read_task(TASKS / "set1" / "05-encode")
    given = task.drawn(1)
    cell = task.text("solution.py", given).replace(
        "p / base ** (even / d_model)", "p * torch.exp(-even / d_model * math.log10(base))"
    )
    table, base, _ = examine(task, [SETUP, cell], given).marks
    assert "as if the base were 54.6" in table.says
    assert "54.6" not in base.says
    assert base.says.endswith("log10 stands for the natural logarithm.")


def test_a_title_that_asks_gets_no_second_stop() -> None:
    asking = next(n for n, (title, _) in chapters().items() if title.endswith("?"))
    assert read_on(asking, Settings(1, "")).endswith("?")
    assert read_on(asking, Settings(1, "https://a.example/")).endswith("?</a>")
    assert read_on(6, Settings(1, "")).endswith("rotation.")


def test_of_equal_products_and_weights_follow_none() -> None:
    task = read_task(TASKS / "set1" / "01-attention")
    given = task.drawn(1)
    values = torch.tensor(given["X"]).double() @ torch.tensor(given["W_V"]).double()
    count = len(values)
    cell = f"a = [0] * {count}\nb = [1 / {count}] * {count}\nc = {values.mean(0).tolist()}\nd = []"
    result = examine(task, [SETUP, cell], given)
    assert result.points == 0
    assert not [mark for mark in result.marks if mark.name == "follows"]


def read_of(part: str, answer: str) -> str:
    """What a student reads of a part of set 1's first task, or of its entries."""
    task = read_task(TASKS / "set1" / ("04-entries" if part == "a" else "01-attention"))
    given = task.drawn(1)
    cell = f"{task.text('solution.py', given)}\n{answer}"
    html = feedback(examine(task, [SETUP, cell], given), Settings(1, "")).data["text/html"]
    return unescape(html)


@pytest.mark.parametrize(
    ("part", "answer", "says"),
    [
        ("a", "a = round(a, 1)", "is near, but not near enough. More digits are asked for."),
        (
            "a",
            "a = 1.003 * a",
            "is near, but not near enough. More digits are needed on the way to it.",
        ),
        ("c", "c = [int(10 * each) / 10 for each in c]", " are near, but not near enough. "),
    ],
)
def test_of_what_is_near_more_digits_are_asked_for_and_nothing_else(
    part: str, answer: str, says: str
) -> None:
    html = read_of(part, answer)
    assert says in html
    assert "More digits are" in html
    assert "?" not in html
    assert "Read:" not in html


def test_a_rounded_number_is_near_and_another_is_not() -> None:
    assert number("a", 4.8, 4.782).name == "near"
    assert number("a", 4.8, 4.782).form  # and so is asked nothing about the subject
    assert number("a", 4.7, 4.782).name == "near"  # cut off
    assert number("a", 0.1, 0.13).name == "unknown"
    assert number("a", 15, 12, tolerance=0.4).name == "unknown"
    assert number("a", 201, 200, tolerance=0).name == "unknown"  # nothing to round
    assert number("a", 9, 8, tolerance=0.1).name == "unknown"
    assert number("b", 3.1, 2.0, following=3.14).name == "near"
    assert numbers("c", [3.9, 3.8], [3.916, 3.853], tolerance=0.01).name == "near"
    assert numbers("c", [3.916, 3.9], [3.916, 3.853], tolerance=0.01).name == "near"
    assert numbers("c", [3.9, 2.8], [3.916, 3.853], tolerance=0.01).name == "unknown"
    says = numbers("c", [3.916, 3.9], [3.916, 3.853], tolerance=0.01).says
    assert says.startswith("1 of 2 is near, but not near enough. The first is 3.9, in place 1,")


def test_the_right_one_in_few_digits_is_not_taken_for_a_mistake_that_is_near() -> None:
    foreseen = {"one-pair": (0.5008, "One pair.")}
    assert number("share", 0.5, 0.48702, foreseen, tolerance=0.003).name == "near"
    assert number("share", 0.501, 0.48702, foreseen, tolerance=0.003).name == "one-pair"
    assert number("share", 0.5, 0.48702, {"half": (0.5001, "")}, tolerance=0.003).name == "half"
    assert number("share", 0.5, 2.0, foreseen, following=0.48702, tolerance=0.003).name == "near"
    both = {"other": ([0.5008, 0.3], "Other.")}
    assert numbers("b", [0.5, 0.301], [0.48702, 0.3], both, tolerance=0.003).name == "near"
    assert numbers("b", [0.5, 0.3], [0.48702, 0.4], both, tolerance=0.003).name == "other"


def test_no_distance_follows_from_a_product_that_is_larger_than_the_square() -> None:
    task = read_task(TASKS / "set2" / "05-distances")
    given = task.drawn(1)
    cell = task.text("solution.py", given)
    for b, c, name in (
        ("a * a + 1", "0", "unknown"),
        ("a * a", "0.001", "unknown"),
        ("a * a - 2", "2", "follows"),
    ):
        found = examine(task, [SETUP, f"{cell}\nb = {b}\nc = {c}"], given).marks[2]
        assert found.name == name, (b, c)


def test_what_is_still_to_be_written_is_no_answer_however_deep_it_stands() -> None:
    for given in ([[..., ...], [..., ...]], (1, [2, None]), [[[...]]]):
        found = numbers("d", given, [1, 2, 3, 4], tolerance=0)
        assert (found.name, found.says) == ("no-answer", "There is no answer yet."), given
    assert number("a", [[...]], 1.0).name == "no-answer"
    sparse = torch.ones(2).to_sparse()
    assert numbers("d", [sparse, sparse], [1, 2, 3, 4]).name == "not-numbers"


COMMA = "Python writes a decimal point, not a comma."


def test_a_decimal_comma_is_named() -> None:
    for given in ((4, 7818), (-4, 7818), "3,24", " -3,24 ", "−4,78", "+4,78", ",5"):
        assert number("a", given, 4.7818).says.endswith(COMMA), given
        assert number("a", given, 4.7818).form
    for given in ((4.5, 2), (1, 2, 3), "3.24", "abc", "1,2,3", [4, 7818], {}):
        assert COMMA not in number("a", given, 4.7818).says, given
    quoted = "A string is not a number: leave its quotes out"
    for given in ("3.24", "-4.78", "+4.78", ".5", "4.", "1e-3", "2.E+5", " 12 "):
        assert number("a", given, 3.24).says.endswith(f"{quoted}."), given
    for given in ("−4.78", "1e−3"):  # Python knows no such sign
        says = number("a", given, 3.24).says
        assert says.endswith(f"{quoted}, and write its minus sign as -."), given
    for given in ("", ".", "e5", "1e", "x", "--3", "٣", "٣,٤"):
        assert number("a", given, 3.24).says.endswith("of type str."), given
    assert COMMA not in number("rows", (3, 4), 7, tolerance=0).says  # what is asked for is whole
    assert COMMA in number("rows", (3, 4), 7, tolerance=0.1).says
    for listed in ([3, 916, 3, 853], ["3,916", "3,853"], [(3, 916), (3, 853)]):
        assert numbers("c", listed, [3.916, 3.853]).says.endswith(COMMA), listed
    for listed in ([3, 916, 3], [1.5, 2, 3, 4], [[3, 916], [3, 853]], []):
        assert COMMA not in numbers("c", listed, [3.916, 3.853]).says, listed
    for listed in ([1, 2, 3, 4], [[1, 2], [3, 4]], ["1,2", "3,4"], ((1, 2), (3, 4))):
        for tolerance in (0, 0.001):  # what is asked for is whole
            says = numbers("d", listed, [1.0, 2.0], tolerance=tolerance).says
            assert COMMA not in says, listed


def test_a_decimal_comma_is_named_in_a_row_and_where_python_cannot_read_it() -> None:
    task = read_task(TASKS / "set3" / "01-torn-off")
    given = task.drawn(1)
    torn = examine(task, [SETUP, "moved = (-1, 966, 1, 7, 2, 28, 1, 5)"], given)
    assert torn.marks[0].says.endswith(COMMA)
    for listed in ("[0,966, 0,007, 0,028]", "[1,\n 0,08, 2]"):
        read = examine(task, [SETUP, f"moved = {listed}"], given)
        assert read.problem
        assert "leading zeros" in read.problem.says
        assert COMMA.removesuffix(".") in read.problem.says
    for other in ("moved = 007", "moved = [1, 2", "moved = [1, 007]"):
        read = examine(task, [SETUP, other], given)
        assert read.problem
        assert COMMA.removesuffix(".") not in read.problem.says


def test_a_rounded_pair_is_near() -> None:
    task = read_task(TASKS / "set3" / "01-torn-off")
    given = task.drawn(1)
    cell = task.text("solution.py", given) + "\nmoved = [round(each, 2) for each in moved]"
    result = examine(task, [SETUP, cell], given)
    assert {mark.name for mark in result.marks[:2]} <= {"near", "right"}
    assert "near" in result.names


def test_a_test_of_short_texts_is_asked_about_lengths() -> None:
    task = read_task(TASKS / "set1" / "02-blind")
    given = task.drawn(1)
    result = examine(task, [SETUP, task.text("wrong/short_texts_alone.py", given)], given)
    html = unescape(feedback(result, Settings(1, "")).data["text/html"])
    assert "Which lengths does your test try" in html
    assert "How many orders" not in html
