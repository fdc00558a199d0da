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
