"""The lecturer's guide refuses what does not hold: minutes, numbers, links, settings."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from docutils import nodes
from docutils.utils import new_document
from live_figures.figures import live_figure

from course.__main__ import PARTS, ROOT
from course.guide import make
from course.guide.book import Book, built_book
from course.guide.plans import Step, read_plan
from course.guide.writing import asked, claimed, objectives_map, tasks_table, workload
from course.objectives import Item, Objective
from course.sets.tasks import Part, Task, TaskError
from pe_lab.diagnosis import questions

TASK = Task(
    Path("set1/01-x"), "By hand", "hand", (3,), ("3-entry",), 20, 2.5, (Part("a", 2.5, "A"),)
)


def test_a_plan_is_told_by_the_minute() -> None:
    lines = ["- 5: Ask $x$,", "  and wait.", "", "- 45: Prove it."]
    assert read_plan(50, lines) == [Step(0, 5, "Ask $x$, and wait."), Step(5, 50, "Prove it.")]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["- 5: Ask.", "- 44: Prove it."], "a lesson of 50 minutes: its steps take 49"),
        ([], "its steps take 0"),
        (["- 0: Ask.", "- 50: Prove it."], "got '- 0: Ask.'"),
        (["- Ask.", "- 50: Prove it."], "got '- Ask.'"),
        (["and wait", "- 50: Prove it."], "got 'and wait'"),
    ],
)
def test_a_plan_that_does_not_fill_its_lesson_is_refused(lines: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_plan(50, lines)


PAGES = Path(__file__).resolve().parent.parent / "course" / "guide" / "pages"
PLAN = re.compile(r"^```\{plan\} (\d+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", sorted(PAGES.glob("[0-9]*.md")), ids=lambda page: page.stem)
def test_the_plans_of_a_chapter_begin_with_a_question(page: Path) -> None:
    plans = {int(length): steps for length, steps in PLAN.findall(page.read_text("utf-8"))}
    assert list(plans) == [50, 90]
    for length, steps in plans.items():
        assert re.search(r"\?(\s|\"|$)", read_plan(length, steps.splitlines())[0].what)


@pytest.mark.parametrize("shown", ["0.87", "−0.6536", "1,458"])
def test_a_number_that_is_so_is_written(shown: str) -> None:
    values = {"0.87": "exp(-0.135)", "−0.6536": "cos(4)", "1,458": "1458.4"}
    assert claimed(f"{shown} = {values[shown]}") == shown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0.88 = exp(-0.135)", r"exp\(-0.135\) is 0.8737, not 0.88"),
        ("0.6536 = cos(4)", "not 0.6536"),
        ("1 = nothing(4)", "'nothing\\(4\\)' failed"),
        ("about 1", "could not convert"),
    ],
)
def test_a_number_that_is_not_so_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        claimed(text)


def test_questions_come_with_what_is_answered() -> None:
    bank = questions.load()
    number = asked(bank["03-denominators"], "Count them.", 2)
    assert "**Right.** 3." in number
    assert "**Reply.** Count them." in number
    assert number.count("\n- “") == 2
    choice = asked(bank["04-look"], "Look.", 1)
    assert choice.count("\n- “") == 2, "all that may be chosen"
    assert "**Right.** On the left." in choice
    assert "**Right.** In the five fastest." in asked(bank["08-pairs"], "Ask.", 1)
    order = asked(bank["03-order"], "Sort.", 1)
    assert order.count(" → ") >= len(bank["03-order"].options) - 1
    assert "row 0." in asked(bank["03-row-zero-where"], "Look.", 1).lower()


def test_minutes_and_points_are_summed() -> None:
    lines = tasks_table({"Need": [TASK, TASK], "Table": []}).splitlines()
    assert lines[2] == "| Need | By hand | 20 | 2.5 |"
    assert lines[-1] == "|  | together | 40 | 5 |"
    assert "No task" in tasks_table({"Need": []})
    assert workload([("a", 75), ("b", 15)]).endswith("| **together** | **90** (1.5 hours) |")


def test_the_map_has_what_serves_an_objective() -> None:
    objective = Objective("1-x", 1, "apply", "Compute it.")
    item = Item("task", "set1/01-x", "By hand", ("1-x",))
    text = objectives_map({"1-x": objective}, {"1-x": {"task": [item]}})
    assert "## Chapter 1" in text
    assert "**1-x** (apply): Compute it." in text
    assert "- tasks: By hand (`set1/01-x`)" in text


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A built book of one page, with one live figure."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "notebooks").mkdir()
    page = '<h2 id="exercises">E</h2><figure id="live-turn"></figure>'
    (folder / "notebooks" / "06_shift.html").write_text(page)
    document = new_document("06_shift")
    traits = {"offset": 4, "schedule": "paper"}
    document += live_figure(name="turn", traits=traits, widget="toy.Toy", model="m")
    document += nodes.paragraph()
    document.settings = document.reporter = None  # as Sphinx stores it
    (folder / "notebooks" / "06_shift.doctree").write_bytes(pickle.dumps(document))
    return Book(folder, folder, "../book/")


@pytest.mark.parametrize(
    "place", ["", "#exercises", "#live-turn", "#live-turn?offset=-10&schedule=a+b"]
)
def test_a_link_leads_into_the_book(book: Book, place: str) -> None:
    assert book.address(f"book:06_shift{place}") == f"../book/notebooks/06_shift.html{place}"


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("book:07_head", "the book has no page '07_head'"),
        ("book:06_shift#exercise", "notebooks/06_shift has no place 'exercise'"),
        ("book:06_shift#live-turm?offset=1", "has no place 'live-turm'"),
        ("book:06_shift#exercises?offset=1", "no live figure of this page is named 'exercises'"),
        ("book:06_shift#live-turn?ofset=1", "turn has no trait 'ofset'"),
        ("book:06_shift#live-turn?offset=x", "offset cannot be 'x'"),
    ],
)
def test_a_link_to_what_the_book_has_not_is_refused(book: Book, uri: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        book.address(uri)


MISTAKES = """\
# Six

```{plan} 50
- 49: Too short.
```

```{ask} 06-nothing
Reply.
```

[no figure](book:06_shift#live-none?offset=1)
{number}`1 = 2`
{fact}`lectures`

```{workload}
- nonsense
```

```{workload}
- set five: set set5
```
"""


def test_the_front_page_leads_to_what_make_course_makes_beside_it() -> None:
    page = (ROOT / "course" / "guide" / "pages" / "index.md").read_text(encoding="utf-8")
    led = re.findall(r'href="\.\./(\w+)/', page)
    assert sorted([*led, "guide"]) == sorted(PARTS)
    for name in led:
        assert f"`dist/{name}`</a>" in page


def test_without_a_book_there_is_no_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A TaskError is told in a line, and the other parts are built."""
    monkeypatch.setattr("course.guide.book.ROOT", tmp_path)
    with pytest.raises(TaskError, match=r"the book is not built: .*; make book"):
        built_book(tmp_path)


def test_a_guide_with_mistakes_is_not_built(book: Book, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "_toc.yml").write_text("format: jb-book\nroot: 06_shift\n")
    (pages / "06_shift.md").write_text(MISTAKES)
    with pytest.raises(RuntimeError) as raised:
        make(pages, tmp_path / "work", tmp_path / "out", book, builder="dummy")
    for mistake in (
        "a lesson of 50 minutes: its steps take 49",
        "there is no question '06-nothing'",
        "has no place 'live-none'",
        "2 is 2.00, not 1",
        "fact: questions, objectives, tasks, points, version; not 'lectures'",
        "'- what: minutes', got '- nonsense'",
        "there is no set 'set5'",
    ):
        assert mistake in str(raised.value)
