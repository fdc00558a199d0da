"""``book/_ext/chapters``: questions, what is folded, and the minutes that a page takes."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chapters
import pytest
from chapters.counting import Effort
from chapters.questions import Questions
from chapters.reading_time import end_line_before, reading_time, table
from docutils import nodes
from nbformat import NotebookNode, v4
from sphinx.errors import ExtensionError
from toy_book import anywidget, build, notebook, png, view, words

SETTINGS = {
    "extensions": ["myst_nb", "sphinx_exercise", "sphinx_proof", "live_figures", "chapters"],
    "myst_heading_anchors": 2,
    "myst_enable_extensions": ["dollarmath", "colon_fence"],
}


def code(source: str, *tags: str, printed: str = "", picture: bool = False) -> NotebookNode:
    cell = v4.new_code_cell(source, execution_count=1)
    cell.metadata["tags"] = list(tags)
    if printed:
        cell.outputs.append(v4.new_output("stream", text=printed))
    if picture:
        data = {"image/png": png(), "text/plain": "<Figure>"}
        cell.outputs.append(v4.new_output("display_data", data))
        cell.metadata["mystnb"] = {"image": {"alt": "a grey picture"}}
    return cell


def question(name: str, text: str = "Which row?") -> str:
    return f"```{{question}} {name}\n{text}\n```\n"


def html(folder: Path, *cells: NotebookNode | str, name: str = "03_toys") -> str:
    """The page that the cells make, built without a warning."""
    made = [words(cell) if isinstance(cell, str) else cell for cell in cells]
    output, warnings = build(folder, {name: notebook({}, *made)}, **SETTINGS)
    assert warnings == []
    return (output / f"{name}.html").read_text(encoding="utf-8")


def warnings_of(folder: Path, pages: dict[str, NotebookNode | str]) -> str:
    return "\n".join(build(folder, pages, "dummy", **SETTINGS)[1])


# --- questions


def test_a_question_is_a_group_with_a_name_and_an_anchor(tmp_path: Path) -> None:
    text = question("03-row-zero", "Which row needs **no** calculator?")
    page = html(tmp_path, text + "\n[see above](#q-03-row-zero)")
    opening = re.search(r'<div[^>]*class="question"[^>]*>', page)
    assert opening
    for attribute in ('id="q-03-row-zero"', 'role="group"'):
        assert attribute in opening[0]
    labelled = re.search(r'aria-labelledby="([^"]+)"', opening[0])
    assert labelled
    assert re.search(f'<p[^>]* id="{labelled[1]}">Predict</p>', page)
    assert "<strong>no</strong>" in page
    assert 'href="#q-03-row-zero"' in page


@pytest.mark.parametrize(
    ("page", "name"), [("03_toys", "03-a"), ("four_ways", "four-ways-a"), ("lab", "lab-a-2")]
)
def test_a_question_is_named_after_its_page(tmp_path: Path, page: str, name: str) -> None:
    assert f'id="q-{name}"' in html(tmp_path, question(name), name=page)


@pytest.mark.parametrize("name", ["03", "03-", "03-Row", "03-row_zero", "04-row", "3-row", "row"])
def test_a_malformed_id_of_a_question_is_an_error(tmp_path: Path, name: str) -> None:
    pages = {"03_toys": "# Toys\n\n" + question(name)}
    assert re.search(f"03_toys.md.*ERROR: question '{name}'.*03-row", warnings_of(tmp_path, pages))


def test_two_questions_of_one_id_are_an_error(tmp_path: Path) -> None:
    pages = {
        "03_a": "# A\n\n" + question("03-row") + "\n" + question("03-other"),
        "03_b": "# B\n\n" + question("03-row"),
    }
    found = warnings_of(tmp_path, pages)
    assert re.search("03_b.md.*ERROR: question '03-row': 03_a has a question of this id", found)
    assert "03-other" not in found
    # The id is free again when its page has given it up.
    pages["03_a"] = "# A\n\nNothing is asked."
    pages["03_b"] += "\nMore."
    assert warnings_of(tmp_path, pages) == ""


def test_two_questions_of_one_id_are_an_error_when_two_processes_read_them() -> None:
    """Each process reads some of the pages, and knows the questions of the others as they were."""
    ours, theirs = (Questions(SimpleNamespace(domaindata={})) for _ in range(2))  # type: ignore[arg-type]
    ours.pages.update({"03-row": "03_a", "04-old": "04_a"})
    theirs.pages.update({"03-sum": "03_b", "04-old": "04_a"})
    ours.merge_domaindata(["03_b"], theirs.data)
    assert ours.pages == {"03-row": "03_a", "03-sum": "03_b", "04-old": "04_a"}
    theirs.pages["03-row"] = "03_c"
    with pytest.raises(ExtensionError, match="question '03-row': 03_a and 03_c both have"):
        ours.merge_domaindata(["03_c"], theirs.data)


def test_a_question_asks_something(tmp_path: Path) -> None:
    pages = {"03_a": "# A\n\n```{question} 03-row\n```\n"}
    assert "ERROR: Content block expected" in warnings_of(tmp_path, pages)


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "inf", "some", ""])
def test_the_minutes_of_a_question_are_a_positive_number(tmp_path: Path, minutes: str) -> None:
    asked = question("03-row").replace("\n", f"\n:minutes: {minutes}\n", 1)
    assert "minutes" in warnings_of(tmp_path, {"03_toys": f"# Toys\n\n{asked}"})


# --- answers

ANSWER = "```{answer}\nRow *zero*.\n```\n\nOpen."


def test_an_answer_is_folded_with_the_result_before_it(tmp_path: Path) -> None:
    cells = [code("x = 1", "hide-output", printed="one\n"), code("y", "remove-cell"), ANSWER]
    page = html(tmp_path, question("03-row"), *cells)
    (fold,) = details(page)
    inside, after = page.split(fold)[1].split("</details>")
    assert -1 < inside.find(">one\n") < inside.find("<p>Row <em>zero</em>.</p>")
    assert "Open." not in inside
    assert "Open." in after


@pytest.mark.parametrize(
    "before",
    ["Text.", "## A section", code("x = 1", printed="one\n"), code("y = 2", "hide-input")],
    ids=["text", "heading", "open", "code"],
)
def test_an_answer_to_nothing_folded_is_folded_by_itself(
    tmp_path: Path, before: NotebookNode | str
) -> None:
    page = html(tmp_path, before, ANSWER)
    fold = details(page)[-1]
    assert plain(fold) == "ShowHide the answer"
    inside, after = page.split(fold)[1].split("</details>")
    assert plain(inside) == "Row zero."
    assert "Open." in after
    assert "one\n" not in inside


def test_an_answer_says_something(tmp_path: Path) -> None:
    found = warnings_of(tmp_path, {"03_a": "# A\n\n```{answer}\n```\n"})
    assert "ERROR: Content block expected" in found


# --- what is folded


def details(page: str) -> list[str]:
    return re.findall(r"<details.*?</summary>", page, flags=re.DOTALL)


def plain(tags: str) -> str:
    return re.sub(r"<[^>]*>", "", tags).strip()


def test_the_result_of_a_prediction_is_folded_and_its_code_is_not(tmp_path: Path) -> None:
    page = html(tmp_path, code("x = 1", "hide-output", printed="one\n"))
    (fold,) = details(page)
    assert plain(fold) == "ShowHide the result"
    assert " open" not in fold.partition(">")[0]
    before, after = page.split(fold)
    assert "highlight-python" in before
    assert ">one\n" in after.split("</details>")[0]
    assert "cell_output" not in fold


def test_folded_code_says_what_it_does(tmp_path: Path) -> None:
    cell = code("x = 1", "hide-input", printed="one\n")
    cell.metadata["mystnb"] = {"code_prompt_show": "Draw ten rows"}
    page = html(tmp_path, cell)
    (fold,) = details(page)
    assert plain(fold) == "Code Draw ten rows"
    inside, after = page.split(fold)[1].split("</details>")
    assert "highlight-python" in inside
    assert ">one\n" in after


def test_a_cell_with_both_has_two_folds_and_a_hidden_one_has_one(tmp_path: Path) -> None:
    both = code("x = 1", "hide-input", "hide-output", printed="one\n")
    page = html(tmp_path, both, code("y = 2", "hide-cell", printed="two\n"))
    assert [plain(fold) for fold in details(page)] == [
        "ShowHide the code",
        "ShowHide the result",
        "ShowHide the cell",
    ]


EXERCISE = """
```{exercise} One entry
:label: ex-03-entry

Work out row 5.
```

:::{hint}
:class: dropdown
A cosine.
:::

```{solution-start} ex-03-entry
:label: sol-03-entry
:class: dropdown
```

It is
"""
SOLUTION_END = "so.\n\n```{solution-end}\n```\n"


def test_hints_and_solutions_are_folded(tmp_path: Path) -> None:
    page = html(tmp_path, EXERCISE, code("z = 3", printed="three\n"), SOLUTION_END)
    hint, solution = details(page)
    assert plain(hint) == "Hint"
    assert plain(solution) == "Solution to Exercise 1 (One entry)"
    assert "<a " not in solution
    assert "dropdown" not in page
    inside = page.split(solution)[1].split("</details>")[0]
    assert 'id="sol-03-entry"' in inside
    assert ">three\n" in inside
    assert "<p>so.</p>" in inside


def test_the_word_proof_is_a_heading(tmp_path: Path) -> None:
    page = html(tmp_path, "```{prf:proof}\nProof. of it is *here*.\n```\n", "Proof. Not this.")
    assert page.count("proof-heading") == 1
    assert re.search(
        r'<strong class="proof-heading">Proof\.</strong> Proof\. of it is <em>here</em>', page
    )
    assert "<p>Proof. Not this.</p>" in page


def test_no_two_boxes_have_an_id_and_a_heading_keeps_its_own(tmp_path: Path) -> None:
    proof = "```{prf:proof}\nBy it.\n```\n"
    boxes = [
        f"```{{{kind}-{name}\nSo.\n```\n"
        for name in "ab"
        for kind in (
            "exercise}\n:label: ex-03",
            "prf:lemma}\n:label: lemma",
            f"solution}} ex-03-{name}\n:label: sol-03",
        )
    ]
    page = html(tmp_path, *boxes, proof, proof, "## Proof\n\nA section.")
    ids = re.findall(r'<(?:div|section)[^>]* id="([^"]+)"', page)
    assert {name: count for name, count in Counter(ids).items() if count > 1} == {}
    kept = {"ex-03-a", "ex-03-b", "lemma-a", "lemma-b", "sol-03-a", "sol-03-b", "proof"}
    assert kept <= {*ids}


# --- minutes

TABLE = "| a | b |\n|---|---|\n| 1 | 2 3 |\n"
TOY = {"toy": anywidget("export default {}")}

# What stands on a page, and its words, lines of code, questions and figures.
COUNTED: dict[str, tuple[list[NotebookNode | str], tuple[int, int, int, int]]] = {
    "prose": (["Four words *stand* here."], (4, 0, 0, 0)),
    "dashes": (["one – two · three"], (3, 0, 0, 0)),
    "heading": (["## Two words\n\nand two"], (4, 0, 0, 0)),
    "list": (["- one\n- two `x y`\n"], (4, 0, 0, 0)),
    "table": ([TABLE], (5, 0, 0, 0)),
    "symbol": (["for $p$ here"], (3, 0, 0, 0)),
    "equation": (["for $a \\le p = 4$ here"], (5, 0, 0, 0)),
    "formula": (["is\n\n$$\na &= 1 \\\\[4pt]\nb &= 2\n$$\n\nso"], (22, 0, 0, 0)),
    "question": ([question("question-a", "Which row?")], (2, 0, 1, 0)),
    "hard": ([question("hard-a").replace("\n", "\n:minutes: 3\n", 1)], (2, 0, 1, 0)),
    "answer": ([code("x", "hide-output"), ANSWER], (3, 1, 0, 0)),
    "theorem": (["```{prf:theorem} Two words\none $x$\n```\n"], (12, 0, 0, 0)),
    "proof": (["```{prf:proof}\none\n\n$$\nx\n$$\n```\n\nafter"], (37, 0, 0, 0)),
    "code": ([code("x = 1\n\n# why\ny = 2", printed="not read\n")], (0, 3, 0, 0)),
    "listing": (["```python\nx = 1\n```\n"], (0, 1, 0, 0)),
    "figure": ([code("draw()", picture=True)], (0, 1, 0, 1)),
    "live": ([view("toy", "toy")], (0, 1, 0, 1)),
    "captioned": ([view("toy", "toy", caption="Two words.")], (2, 1, 0, 1)),
    "folded_result": ([code("draw()", "hide-output", picture=True)], (0, 1, 0, 1)),
    "folded_code": ([code("draw()", "hide-input", picture=True)], (0, 0, 0, 1)),
    "folded_both": ([code("x", "hide-input", "hide-output", picture=True)], (0, 0, 0, 1)),
    "hidden": ([code("draw()", "hide-cell", picture=True)], (0, 0, 0, 0)),
    "removed": ([code("draw()", "remove-cell", picture=True)], (0, 0, 0, 0)),
    "exercise": ([EXERCISE + SOLUTION_END], (0, 0, 0, 0)),
    "exercises": (["## Exercises\n\nText.", code("x = 1"), "## After\n\nthem"], (2, 0, 0, 0)),
    "more": (["## More\n\n### Deep\n\n$x$", code("x = 1", picture=True)], (0, 0, 0, 0)),
    "time": (["You need\\\n\n```{time}\n```\n"], (2, 0, 0, 0)),
}


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the extension counts on a page of each kind; the title's word is taken off."""
    folder = tmp_path_factory.mktemp("counted")
    pages = {
        name: notebook(TOY, *[words(cell) if isinstance(cell, str) else cell for cell in cells])
        for name, (cells, _) in COUNTED.items()
    }
    assert warnings_of(folder, pages) == ""
    env = pickle.loads((folder / "doctrees" / "environment.pickle").read_bytes())
    return {
        name: (found.words - 1, found.code_lines, found.questions, found.figures)
        for name, found in ((name, env.metadata[name]["efforts"][""]) for name in COUNTED)
    }


@pytest.mark.parametrize("name", COUNTED)
def test_what_counts(counted: dict[str, Any], name: str) -> None:
    assert counted[name] == COUNTED[name][1]


def test_minutes() -> None:
    assert Effort().minutes == 0
    assert Effort(words=200).minutes == 1
    assert Effort(code_lines=12).minutes == 1
    assert Effort(questions=10).minutes == pytest.approx(7)
    assert Effort(figures=2).minutes == 3
    effort = Effort(words=100, code_lines=6, questions=5, figures=1)
    assert effort.minutes == pytest.approx(6)
    assert effort.printed_minutes == 6
    assert (effort + Effort(words=1)).printed_minutes == 7


def test_a_hard_question_takes_the_minutes_that_it_says(tmp_path: Path) -> None:
    asked = question("03-row", "").replace("\n", "\n:minutes: 3.5\nWhich?\n", 1)
    assert ":minutes:" not in html(tmp_path, asked)
    env = pickle.loads((tmp_path / "doctrees" / "environment.pickle").read_bytes())
    effort = env.metadata["03_toys"]["efforts"][""]
    assert effort.minutes == pytest.approx(3.5 + effort.words / 200)
    assert (effort + effort).minutes == pytest.approx(2 * effort.minutes)


def test_the_columns_of_the_printed_table_stand_apart_and_under_their_heads() -> None:
    efforts = [Effort(words=9, figures=2), Effort(words=14000, code_lines=1200, questions=140)]
    head, *rows = table(["short", "a_longer_name"], efforts)
    assert head.split() == ["minutes", "words", "code", "questions", "figures"]
    ends = [match.end() for match in re.finditer(r"\S+", head)][1:]
    begin = head.index("minutes")
    for row, words_of_row in zip(rows, ("9", "14000", "14009"), strict=True):
        assert row[begin - 1] == " "
        name, minutes, *numbers = re.split(r" {2,}", row[:begin] + row[begin:].lstrip())
        assert re.fullmatch(r"\d+ \(\d+\.\d\)", minutes), name
        assert numbers[0] == words_of_row
        found = [match.end() for match in re.finditer(r"\S+", row)][-4:]
        assert found == ends


def test_the_time_may_stand_first() -> None:
    """No line stands before it, and the last of what follows keeps its backslash."""
    place, after = reading_time(), nodes.paragraph("", "", nodes.Text("ends in \\"))
    section = nodes.section("", place, after)
    end_line_before(place)
    assert section[1].astext() == "ends in \\"


def test_the_page_says_its_minutes(tmp_path: Path) -> None:
    cells = ["**You need** time. \\\n```{time}\n```\n", *[question(f"03-{n}") for n in range(10)]]
    page = html(tmp_path, *cells)
    # 24 words and ten questions: 7.12 minutes
    assert "<strong>Time</strong> 8 minutes, exercises apart." in page
    assert "time.</p>" in page
    more = html(tmp_path, *cells, "## More\n\nAnd more.")
    assert "<strong>Time</strong> 8 minutes, exercises and More apart." in more


# --- lessons

LONG = "\n".join(question(f"03-{number}") for number in range(10))  # 7.1 minutes
CHAPTER = f"# Three\n\n## The half\n\n{LONG}\n## Rest\n\n{LONG.replace('03-', '03-b-')}"


def lesson_page(length: str, entries: str) -> dict[str, NotebookNode | str]:
    text = f"# Lessons\n\n```{{lesson}} {length}\n{entries}\n```\n"
    return {"03_toys": CHAPTER, "04_toys": "# Four\n\nShort.\n", "lessons": text}


def test_the_minutes_of_a_lesson_add_up(tmp_path: Path) -> None:
    entries = "- [Three](03_toys.md), aloud\n- [Half of it](03_toys.md#the-half)\n- [](04_toys.md)"
    output, warnings = build(tmp_path, lesson_page("24", entries), **SETTINGS)
    assert warnings == []
    page = plain((output / "lessons.html").read_text(encoding="utf-8"))
    assert "A lesson of 24 minutes, 24 of them counted:" in page
    assert "Three, aloud (15 min)" in page
    assert "Half of it (8 min)" in page
    assert "Four (1 min)" in page


@pytest.mark.parametrize(
    ("length", "entries", "error"),
    [
        ("14", "- [Three](03_toys.md)", "lesson of 14 minutes: its chapters take 15"),
        ("hour", "- [Three](03_toys.md)", "lesson: minutes, not 'hour'"),
        ("60", "- Three", "lesson: no link to a chapter in 'Three'"),
        ("60", "[Three](03_toys.md)", "lesson: its body is a list of links to chapters"),
        ("60", "- [Three](03_toys.md#none)", "no page or section to count: 03_toys#none"),
    ],
)
def test_a_lesson_that_cannot_be_held_is_an_error(
    tmp_path: Path, length: str, entries: str, error: str
) -> None:
    assert f"ERROR: {error}" in warnings_of(tmp_path, lesson_page(length, entries))


def test_minutes_stand_in_a_line(tmp_path: Path) -> None:
    pages: dict[str, NotebookNode | str] = {
        "03_toys": CHAPTER,
        "04_toys": "# Four\n\nShort.\n",
        "there": "# There\n\nIt is {minutes}`03_toys.md` and {minutes}`03_toys.md#the-half` of "
        "{minutes}`required`.\n",
        "index": "# Contents\n\n```{toctree}\n:numbered:\n03_toys\n04_toys\n```\n\n"
        "```{toctree}\nthere\n```\n",
    }
    output, warnings = build(tmp_path, pages, **SETTINGS)
    assert warnings == []
    assert "It is 15 and 8 of 16." in plain((output / "there.html").read_text(encoding="utf-8"))
    # A page that names another's minutes is written anew when they change.
    pages["04_toys"] = CHAPTER.replace("03-", "04-")
    pages["03_toys"] = "# Three\n\n## The half\n\nShort.\n"
    output, warnings = build(tmp_path, pages, **SETTINGS)
    assert warnings == []
    assert "It is 1 and 1 of 16." in plain((output / "there.html").read_text(encoding="utf-8"))


def test_the_build_prints_what_the_numbered_pages_take(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pages: dict[str, NotebookNode | str] = {
        "03_toys": CHAPTER,
        "04_toys": "# Four\n\nShort.\n",
        "index": "# Contents\n\n```{toctree}\n:numbered:\n03_toys\n```\n\n"
        "```{toctree}\n04_toys\n```\n",
    }
    assert warnings_of(tmp_path, pages) == ""
    printed = capfd.readouterr().out
    assert re.search(r"^03_toys +15 \(14\.2\) +44 +0 +20 +0$", printed, flags=re.MULTILINE)
    assert re.search(r"^together +15 ", printed, flags=re.MULTILINE)
    assert "04_toys" not in printed


# --- a second build


def test_a_change_to_what_makes_the_pages_reaches_the_next_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(any(folder.iterdir()) for folder in chapters.MAKERS)
    code = tmp_path / "extensions" / "one.js"
    code.parent.mkdir()
    code.write_text("// first\n")
    monkeypatch.setattr(chapters, "MAKERS", [code.parent])

    def read() -> int:
        """When the page was read last."""
        build(tmp_path / "book", {"toys": "# Toys\n"}, **SETTINGS)
        return (tmp_path / "book/doctrees/toys.doctree").stat().st_mtime_ns

    first = read()
    assert read() == first, "with nothing to do"
    code.write_text("// second\n")
    second = read()
    assert second > first
    (code.parent / "__pycache__").mkdir()
    (code.parent / "__pycache__/one.pyc").touch()
    assert read() == second
