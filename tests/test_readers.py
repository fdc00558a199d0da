"""Readers' notebooks: how a page becomes one, and that those of this book are in order.

What is said of this book is asked of ``_build/readers``, which ``make book`` writes.
"""

from __future__ import annotations

import ast
import base64
import builtins
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
import pytest
from docutils import nodes
from forked import run_module
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode
from readers import wheel
from readers.install import FOLDER, install_code, wheel_name
from readers.markdown import Markdown, escaped
from sphinx.errors import ExtensionError
from toy_book import anywidget, build, notebook, view, words
from toy_book import write as write_page

from pe_lab.diagnosis import check_answer
from pe_lab.diagnosis.asking import LETTERS, UNANSWERED, diagnose_answer
from pe_lab.diagnosis.questions import load, shuffled
from tools import fresh
from tools import readers as running
from tools.readers import differences, run

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "_build" / "readers"
SOURCES = sorted((ROOT / "notebooks").glob("*.ipynb"))
RUN = "05_near_and_far"  # what all of them print, python -m tools.readers compares
STEMS = [path.stem for path in SOURCES]


# Node by node


@pytest.fixture
def markdown() -> Markdown:
    return Markdown(
        link=lambda node: node.get("refuri", ""),
        picture=lambda node: f"attachment:{node['uri']}",
        number=lambda kind, node: "6.1",
    )


def text(*children: nodes.Node) -> nodes.paragraph:
    return nodes.paragraph("", "", *children)


def line(*words: str) -> nodes.paragraph:
    return text(*map(nodes.Text, words))


def maths(tex: str, sign: str = "") -> nodes.math:
    return nodes.math("", tex, **({"sign": sign} if sign else {}))


def set_off(tex: str) -> nodes.math_block:
    return nodes.math_block("", tex)


def of_kind(name: str, *children: nodes.Node, **attributes: Any) -> nodes.Element:
    """A node as another extension defines it."""
    return type(name, (nodes.General, nodes.Element), {})("", *children, **attributes)


WORDS = [
    (nodes.emphasis("", "so"), "*so*"),
    (nodes.strong("", "so"), "**so**"),
    (nodes.strong("", "1. "), "**1.** "),
    (nodes.literal("", "a_b * c"), "`a_b * c`"),
    (nodes.literal("", "a `b`"), "`` a `b` ``"),
    (maths("x_1\n+ y", "."), "$x_1 + y$."),
    (nodes.reference("", "there", refuri="x.ipynb"), "[there](x.ipynb)"),
    (nodes.reference("", "nowhere", refuri=""), "nowhere"),
    (nodes.inline("", "so", classes=["minutes"]), "so"),
    (nodes.raw("", "<br />\n", format="html"), "<br>\n"),
    (nodes.raw("", "\\\\\n", format="latex"), ""),
    (nodes.Text("2 * 3 < 7, a_b, _c, $5, <pad>"), r"2 \* 3 \< 7, a_b, \_c, \$5, \<pad>"),
    (nodes.Text("[a](b)\nand on"), r"[a\](b) and on"),
]


@pytest.mark.parametrize(("node", "expected"), WORDS, ids=[each[1] for each in WORDS])
def test_what_stands_in_a_line(markdown: Markdown, node: nodes.Node, expected: str) -> None:
    assert markdown.word(node) == expected


def test_links_in_a_row_are_told_apart(markdown: Markdown) -> None:
    one, two = (nodes.reference("", name, refuri=f"{name}.ipynb") for name in ("one", "two"))
    assert markdown.block(text(one, nodes.Text(" "), two)) == "[one](one.ipynb) · [two](two.ipynb)"
    one, two = one.deepcopy(), two.deepcopy()
    assert (
        markdown.block(text(one, nodes.Text(" and "), two))
        == "[one](one.ipynb) and [two](two.ipynb)"
    )


def test_a_paragraph_never_begins_as_something_else(markdown: Markdown) -> None:
    for beginning, expected in {"3. of": r"3\. of", "- so": r"\- so", "# 1": r"\# 1"}.items():
        assert markdown.block(line(beginning)) == expected
    assert markdown.block(line("3.5 of")) == "3.5 of"


def test_a_formula_is_set_off_and_on_one_line_where_lines_begin_with_signs(
    markdown: Markdown,
) -> None:
    formula = set_off("\\begin{aligned}\na &= b \\\\\n\n&= c\n\\end{aligned}")
    free = "$$\n\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}\n$$"
    flat = r"$$ \begin{aligned} a &= b \\ &= c \end{aligned} $$"
    assert markdown.block(formula) == free
    assert markdown.block(nodes.block_quote("", line("So"), formula)) == f"> So\n>\n> {flat}"
    items = nodes.bullet_list("", nodes.list_item("", line("So"), formula))
    assert markdown.block(items) == f"- So\n\n  {flat}"
    assert markdown.block(formula) == free  # and outside of them again as before


def test_lists_and_definitions(markdown: Markdown) -> None:
    short = [nodes.list_item("", line(name)) for name in ("one", "two")]
    assert markdown.block(nodes.bullet_list("", *short)) == "- one\n- two"
    counted = nodes.enumerated_list("", *(each.deepcopy() for each in short), start=3)
    assert markdown.block(counted) == "3. one\n4. two"
    inner = nodes.bullet_list("", nodes.list_item("", line("in it")))
    outer = nodes.bullet_list("", nodes.list_item("", line("one"), inner))
    assert markdown.block(outer) == "- one\n\n  - in it"
    item = nodes.definition_list_item(
        "", nodes.term("", "hand"), nodes.definition("", line("A pair."))
    )
    assert markdown.block(nodes.definition_list("", item)) == "**hand**: A pair."


def table(*rows: list[nodes.Node], head: bool = True) -> nodes.table:
    def row(entries: list[nodes.Node]) -> nodes.row:
        right = {"classes": ["text-right"]}
        return nodes.row("", *(nodes.entry("", text(each), **right) for each in entries))

    made = [row(each) for each in rows]
    parts = [nodes.thead("", made[0]), nodes.tbody("", *made[1:])] if head else made
    return nodes.table("", nodes.tgroup("", *parts))


def test_a_table_keeps_bars_in_its_cells(markdown: Markdown) -> None:
    rows = [nodes.Text("a")], [nodes.literal("", "x | y")], [maths(r"|x| \|y\|")]
    cells_ = "| a |\n|--:|\n| `x \\| y` |\n| $\\vert x\\vert  \\Vert y\\Vert $ |"
    assert markdown.block(table(*rows)) == cells_
    assert markdown.block(table([nodes.Text("a")], head=False)) == "|   |\n|--:|\n| a |"


def test_boxes_theorems_and_what_is_folded(markdown: Markdown) -> None:
    assert markdown.block(nodes.important("", line("So."))) == "> **Important**\n>\n> So."
    hint = nodes.hint("", line("Look."), classes=["dropdown"])
    assert markdown.block(hint) == (
        "<details>\n<summary><b>Hint</b></summary>\n\nLook.\n\n</details>"
    )
    answer = markdown.block(of_kind("answer", line("Three.")))
    assert answer == "<details>\n<summary><b>Show the answer</b></summary>\n\nThree.\n\n</details>"
    contents = nodes.section("", line("For every"), set_off("d"))
    title = nodes.title("", " (It is linear)")
    theorem = of_kind("theorem_node", title, contents, realtype="theorem", countertype="theorem")
    assert markdown.block(theorem) == (
        "> **Theorem 6.1** (It is linear)\n>\n> For every\n>\n> $$ d $$"
    )
    proof = nodes.admonition("", line("Proof. Take one pair."), classes=["proof", "proof"])
    assert markdown.block(of_kind("proof_node", proof)) == "> **Proof.** Take one pair."
    box = nodes.admonition("", nodes.title("", "Mind"), line("So."))
    assert markdown.block(box) == "> **Mind**\n>\n> So."


def test_pictures_captions_code_and_references(markdown: Markdown) -> None:
    image = nodes.image(uri="front.svg", alt="a [small] picture")
    figure = nodes.figure("", image, nodes.caption("", "Clocks."))
    assert markdown.block(figure) == (
        "![a \\[small\\] picture](attachment:front.svg)\n\n*Fig. 6.1:* Clocks."
    )
    assert markdown.block(nodes.literal_block("", "make lab", language="bash")) == (
        "```bash\nmake lab\n```"
    )
    entry = nodes.citation("", nodes.label("", "Den19"), line("Timo Denk."))
    entry += [nodes.label("", "Den19"), line("Timo Denk.")]  # as a second builder leaves it
    assert markdown.block(entry) == "- Timo Denk."


@pytest.mark.parametrize("kind", ["block", "word"])
def test_a_node_that_nobody_thought_of_is_an_error(markdown: Markdown, kind: str) -> None:
    with pytest.raises(ExtensionError, match=rf"no {kind} of a readers' notebook.*<video>"):
        getattr(markdown, kind)(of_kind("video", nodes.Text("moving")))
    with pytest.raises(ExtensionError, match="line breaks alone"):
        markdown.word(nodes.raw("", "<b>so</b>", format="html"))


def test_escaping_changes_nothing_that_is_plain() -> None:
    for plain in ("d_model, 2 + 3 = 5 (so)", "“I read that …”", "#1 and -2", "[0, 1]"):
        assert escaped(plain) == plain


# A page

PAGE = """\
# Shifts

Before, {prf:ref}`thm-x` and {ref}`ex-x`.

## The theorem

```{prf:theorem} It is linear
:label: thm-x
For every $d$.
```

```{question} 01-guess
How many, or which?
```
"""
AFTER = """\
```{answer}
Two.
```

[Set it](live:toy?value=3), and see [the other page](other.md#there).

## Exercises

```{exercise} Write
:label: ex-x
:class: write
Write it.
```

```{hint}
:class: dropdown
Try.
```

```{solution-start} ex-x
:class: dropdown
```
Here it is:
"""
QUESTIONS = """\
- id: 01-n
  kind: number
  predicts: 01-guess
  text: How many?
  right: 2
  tolerance: 0
  wrong: [{value: 1, says: No.}]
- id: 01-c
  kind: choice
  predicts: 01-guess
  text: Which of $a$ and $b$?
  choices: [{text: $a$, when: 1 > 0}, {text: $b$, when: 1 < 0, says: No.}]
"""
EXTENSIONS = [
    "myst_nb",
    "sphinx_proof",
    "sphinx_exercise",
    "live_figures",
    "chapters",
    "asking",
    "readers",
]


def code(name: str, source: str, *tags: str) -> NotebookNode:
    cell = nbformat.v4.new_code_cell(source, id=name, execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", text="said\n")]
    if tags:
        cell.metadata["tags"] = list(tags)
    return cell


def make_page(folder: Path, address: str = "") -> dict[str, NotebookNode]:
    """A page with one of everything, and another; their notebooks by name."""
    toy = view("m", name="toy", alt="a toy")
    toy.source, toy.id = "toy = Toy()\ntoy", "toy"
    figure = code("fig", "draw()")
    figure.metadata["mystnb"] = {"image": {"alt": "a curve"}}
    page = notebook(
        {"m": anywidget("export default {}", value=1)},
        words(PAGE),
        code("first", "x = 1", "hide-output"),
        code("hidden", "assert x == 1", "remove-cell"),
        toy,
        words(AFTER),
        code("solved", "y = x"),
        words("And so.\n\n```{solution-end}\n```\n"),
        code("folded", "z = 2", "hide-input"),
        figure,
    )
    page.cells[0].source = PAGE.partition("\n")[0]
    page.nbformat_minor = 5
    questions = folder / "source" / "questions"
    questions.mkdir(parents=True, exist_ok=True)
    write_page(questions / "01.yml", QUESTIONS)
    write_page(folder / "source" / "pyproject.toml", '[project]\nname = "toys"\nversion = "1.0"\n')
    output, warnings = build(
        folder,
        {"01_page": page, "other": "# Other\n\n## There\n\nSo.\n"},
        "readers",
        extensions=EXTENSIONS,
        asking_folder="questions",
        numfig=True,
        myst_enable_extensions=["dollarmath"],
        myst_heading_anchors=2,
        html_baseurl=address,
    )
    assert warnings == []
    return {path.name: nbformat.read(path, 4) for path in output.glob("*.ipynb")}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, NotebookNode]:
    return make_page(tmp_path_factory.mktemp("toys"))


def shown(notebook: NotebookNode) -> list[tuple[str, str]]:
    return [(cell.id, cell.source) for cell in notebook.cells]


def test_a_page_becomes_its_cells(made: dict[str, NotebookNode]) -> None:
    names = ["01_page-solutions.ipynb", "01_page.ipynb", "index.ipynb", "other.ipynb"]
    assert sorted(made) == names
    page = shown(made["01_page.ipynb"])
    assert [name for name, _ in page] == [
        *("shifts", "install", "id1", "the-theorem", "q-01-guess", "q-01-guess-check", "first"),
        *("toy", "q-01-guess-2", "q-01-guess-3", "q-01-guess-settings"),
        *("exercises", "ex-x", "ex-x-yours"),
        *("folded", "fig", "ex-x-2"),
    ]
    texts = dict(page)
    assert texts["id1"].endswith(
        "[Theorem 1](#The-theorem) and [Exercise 1](#Exercise-1-%28Write%29)."
    )
    assert "> **Theorem 1** (It is linear)\n>\n> For every $d$." in texts["the-theorem"]
    assert texts["q-01-guess"] == (
        "> **Predict**\n>\n> How many, or which?\n\n**1.** How many? *A number.*\n\n"
        "**2.** Which of $a$ and $b$? *A letter.*\n\n- **a** $a$\n- **b** $b$"
    )
    assert texts["q-01-guess-check"].splitlines()[1:] == [
        'check_answer("01-n", ...)',
        'check_answer("01-c", ...)',
    ]
    assert texts["q-01-guess-2"].startswith("<details>\n<summary><b>Show the answer</b></summary>")
    assert texts["q-01-guess-3"].endswith("Set it, and see [the other page](other.ipynb#There).")
    assert texts["q-01-guess-settings"].splitlines()[1:] == ["# toy.value = 3  # Set it"]
    assert texts["exercises"].endswith("in [a notebook of their own](01_page-solutions.ipynb).")
    assert texts["ex-x"].endswith("<summary><b>Hint</b></summary>\n\nTry.\n\n</details>")
    assert "a curve" in texts["ex-x-2"]
    assert "Here it is" not in str(page)


def test_solutions_have_the_cells_before_them(made: dict[str, NotebookNode]) -> None:
    solutions = made["01_page-solutions.ipynb"]
    names = [name for name, _ in shown(solutions)]
    assert names == [
        *("solutions", "install", "chapter", "first", "toy", "01_page-solution-2"),
        *("solved", "01_page-solution-2-2"),
    ]
    texts = dict(shown(solutions))
    assert (
        texts["solutions"]
        == "# Solutions to Shifts\n\nThe exercises are in [Shifts](01_page.ipynb)."
    )
    assert texts[names[5]] == "## Exercise 1 (Write)\n\n> Write it.\n\nHere it is:"
    assert texts[names[7]] == "And so."
    assert solutions.cells[2].metadata == {"jp-MarkdownHeadingCollapsed": True}


def test_code_cells_keep_what_notebooks_know(made: dict[str, NotebookNode]) -> None:
    found = {cell.id: cell for cell in made["01_page.ipynb"].cells}
    assert found["first"].metadata == {"tags": ["hide-output"]}
    assert found["folded"].metadata == {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
    assert found["fig"].metadata == {"alt": "a curve"}
    for cell in made["01_page.ipynb"].cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


def test_links_lead_into_a_book_whose_address_is_known(tmp_path: Path) -> None:
    made = make_page(tmp_path, "https://book.example/")
    (text,) = (cell.source for cell in made["01_page.ipynb"].cells if cell.id == "q-01-guess-3")
    assert "[the other page](https://book.example/other.html#there)" in text
    (text,) = (cell.source for cell in made["01_page.ipynb"].cells if cell.id == "install")
    (exercises,) = (each.source for each in made["01_page.ipynb"].cells if each.id == "exercises")
    assert "(https://book.example/download/01_page-solutions.ipynb)" in exercises
    assert 'wheel = "https://book.example/download/toys-1.0-py3-none-any.whl"' in text


# The first cell


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of pip by code that runs as in a notebook."""
    asked_for: list[str] = []

    class Shell:
        def run_line_magic(self, name: str, line: str) -> None:
            assert name == "pip"
            asked_for.append(line)

    monkeypatch.setattr(builtins, "get_ipython", Shell, raising=False)
    return asked_for


def run_cell(code: str) -> None:
    exec(TransformerManager().transform_cell(code), {})


@pytest.mark.parametrize("address", ["", "https://book.example/"])
def test_the_first_cell_is_silent_where_the_module_is(
    shell: list[str], capsys: pytest.CaptureFixture[str], address: str
) -> None:
    run_cell(install_code(ROOT, address, checks=True))
    assert (shell, capsys.readouterr().out) == ([], "")


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("", "./{wheel}[lab]"),
        ("https://book.example/", "pe_core[lab] @ {wheel}"),
    ],
)
def test_the_first_cell_fetches_what_is_not_there(
    shell: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    address: str,
    wanted: str,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)
    code = install_code(ROOT, address, checks=False)
    if not address:
        run_cell(code)
        assert shell == []
        assert f"Put {wheel_name(ROOT)} beside this notebook" in capsys.readouterr().out
        Path(wheel_name(ROOT)).touch()
    run_cell(code)
    assert shell == [f'install --quiet "{wanted}"']  # IPython fills in the braces
    assert capsys.readouterr().out == ""


# Answers


def test_an_answer_is_checked_by_its_kind(capsys: pytest.CaptureFixture[str]) -> None:
    check_answer("03-broadcast")
    assert capsys.readouterr().out == f"{UNANSWERED}\n"
    check_answer("03-denominators", " ")
    assert capsys.readouterr().out == f"{UNANSWERED}\n"
    for answer, says in {
        "b": "Right.",
        " B ": "Right.",
        "c": "Broadcasting stretches axes of size 1. It cuts nothing off.",
        "d": "One of the letters a to c is asked for; that is 'd'.",
        2: "One of the letters a to c is asked for; that is 2 of type int.",
    }.items():
        check_answer("03-broadcast", answer)
        assert capsys.readouterr().out == f"{says}\n", answer
    assert diagnose_answer("03-denominators", 3).ok
    assert not diagnose_answer("03-denominators", 6).ok
    with pytest.raises(LookupError, match="there is no question"):
        check_answer("03-nothing", 1)


def test_lines_are_put_in_order_by_their_letters() -> None:
    asked = load()["03-order"]
    shown = shuffled(asked)
    assert sorted(shown) == list(range(6))
    assert shown != list(range(6))

    def letters(order: tuple[int, ...]) -> str:
        return ", ".join(LETTERS[shown.index(n)] for n in order)

    assert diagnose_answer("03-order", letters(asked.right)).message == "Right."
    for wrong in asked.wrong:
        assert diagnose_answer("03-order", letters(wrong.answer)).message == wrong.says
    assert diagnose_answer("03-order", letters((5, 4, 3, 2, 1, 0))).name == "unknown"
    for nonsense in ("abc", "aabbcc", 3, "abcdeg"):
        assert diagnose_answer("03-order", nonsense).name == "not-an-order"


def test_a_place_in_a_table_is_answered_by_its_numbers() -> None:
    asked = load()["03-where-sine"]
    assert diagnose_answer(asked.id, (3, 2)).message == "Right."
    assert diagnose_answer(asked.id, [3, 3]).message == asked.foreseen((3, 3)).says
    assert diagnose_answer(asked.id, (9, 5)).message.startswith("Row 9, column 5 is not it")
    assert diagnose_answer("03-row-zero-where", 0).ok
    for nonsense in ("b", (10, 0), (0,), 3, 0.5, (0, 1, 2)):
        assert diagnose_answer(asked.id, nonsense).name == "not-a-place", nonsense
    assert diagnose_answer(asked.id, "(3, 2)").ok
    assert diagnose_answer("03-row-zero-where", " 0 ").ok
    for nonsense in (None, True, "row 0", "0.5", "0, 1", "-1", 10):
        said = diagnose_answer("03-row-zero-where", nonsense)
        assert said.name == "not-a-place", nonsense
        assert said.message.startswith("A row of the table, 0 to 9, is asked for; that is ")
    said = diagnose_answer(asked.id, (None, 2))
    assert said.message.startswith("A pair (row, column) of the table, (0, 0) to (9, 5), is asked")


def test_letters_may_stand_in_a_list_and_between_signs() -> None:
    order = load()["03-order"]
    letters = order.right_in_words().split(", ")
    for right in (letters, tuple(letters), " → ".join(letters), f"({'>'.join(letters)})."):
        assert diagnose_answer("03-order", right).ok, right
    for one in ("b)", "(B)", "b.", ["b"]):
        assert diagnose_answer("01-places", one).name == "foreseen-2", one
    for nonsense in ("a or b", "option b", 1, [1], [], None):
        assert diagnose_answer("01-places", nonsense).name == "not-a-letter", nonsense


# The notebooks of this book


def pages() -> dict[str, NotebookNode]:
    assert BUILT.is_dir(), "there are no readers' notebooks: make book"
    return {path.name: nbformat.read(path, 4) for path in sorted(BUILT.glob("*.ipynb"))}


@pytest.fixture(scope="module")
def built() -> dict[str, NotebookNode]:
    return pages()


RAW = [
    r"^\s*>?\s*[`:]{3,}\{",  # a directive
    r"\{[\w:]+\}`",  # a role
    r"^\([\w-]+\)=$",  # a target
    r"\(live:",
    r"^:\w+:",  # an option
    r"<(problematic|pending_xref|system_message)",
]


def raw_parts(text: str) -> list[str]:
    """What stands in a Markdown text as only MyST understands it."""
    code = re.compile(r"^```\w*\n.*?^```$|(?<!\})`[^`\n]+`", re.MULTILINE | re.DOTALL)
    left = code.sub(lambda found: found[0] if found[0].startswith("```{") else "", text)
    return [found[0] for each in RAW for found in re.finditer(each, left, re.MULTILINE)]


@pytest.mark.parametrize(
    "planted",
    [
        "```{note}\nSo.\n```",
        ":::{important}\nSo.\n:::",
        "> ```{prf:theorem} It\n> ```",
        "as in {cite}`vaswani2017attention`",
        "by {prf:ref}`thm-x`",
        "(more-04)=\n## More",
        "[set it](live:toy?value=3)",
        ":label: thm-x",
    ],
)
def test_raw_myst_would_be_seen(planted: str) -> None:
    assert raw_parts(f"Before.\n\n{planted}\n\nAfter.") != []


def test_nothing_is_left_that_only_myst_understands(built: dict[str, NotebookNode]) -> None:
    for name, made in built.items():
        nbformat.validate(made)
        for cell in made.cells:
            if cell.cell_type == "markdown":
                assert raw_parts(cell.source) == [], f"{name}, cell {cell.id}"


def test_every_page_has_one(built: dict[str, NotebookNode]) -> None:
    assert {f"{stem}.ipynb" for stem in STEMS} <= set(built)
    assert {"notation.ipynb", "misconceptions.ipynb", "references.ipynb"} <= set(built)


@pytest.mark.parametrize("stem", STEMS)
def test_the_code_is_the_chapters_own(built: dict[str, NotebookNode], stem: str) -> None:
    """In order, each cell in the chapter or with the solutions, but for those that pages hide."""
    stored = nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", 4)
    visible = {
        cell.id: cell.source
        for cell in stored.cells
        if cell.cell_type == "code" and "remove-cell" not in cell.metadata.get("tags", [])
    }
    in_chapter = own_code(built[f"{stem}.ipynb"], visible)
    with_solutions = own_code(built.get(f"{stem}-solutions.ipynb"), visible)
    assert in_chapter.keys() | with_solutions.keys() == visible.keys()
    for found in (in_chapter, with_solutions):
        assert found == {name: text for name, text in visible.items() if name in found}
        assert [*found] == [name for name in visible if name in found]


def own_code(notebook: NotebookNode | None, visible: dict[str, str]) -> dict[str, str]:
    """The code cells of a readers' notebook, but for those that were made for it."""
    cells = notebook.cells if notebook else []
    found = {cell.id: cell.source for cell in cells if cell.cell_type == "code"}
    added = {
        name for name in found if re.search(r"^install$|-(check|settings|yours)(-\d+)?$", name)
    }
    for cell in cells:
        assert cell.get("outputs", []) == []
    return {name: text for name, text in found.items() if name not in added}


def test_links_lead_somewhere(built: dict[str, NotebookNode]) -> None:
    headings = {
        name: {
            unquote(heading).replace(" ", "-")
            for cell in notebook.cells
            if cell.cell_type == "markdown"
            for heading in re.findall(r"^#+ (.*)$", cell.source, re.MULTILINE)
        }
        for name, notebook in built.items()
    }
    followed = 0
    for name, made in built.items():
        for cell in made.cells:
            if cell.cell_type == "code":
                continue
            for address in re.findall(r"\]\(([^)\s]+)\)", cell.source):
                file, _, fragment = address.partition("#")
                where = f"{name}, cell {cell.id}: {address}"
                if address.startswith("data:"):
                    kind, _, data = address.removeprefix("data:").partition(";base64,")
                    assert kind == "image/svg+xml", where
                    assert b"</svg>" in base64.b64decode(data, validate=True)[-20:], where
                elif not address.startswith(("http://", "https://")):
                    assert (file or name) in built, where
                    assert not fragment or unquote(fragment) in headings[file or name], where
                    followed += 1
    assert followed > 100


def test_every_prediction_can_be_checked(built: dict[str, NotebookNode]) -> None:
    bank = load()
    asked_for = [
        name
        for notebook in built.values()
        for cell in notebook.cells
        for name in re.findall(r'^check_answer\("([\w-]+)", \.\.\.\)$', cell.source, re.MULTILINE)
    ]
    predicting = {name for name, question in bank.items() if question.predicts}
    assert len(asked_for) == len({*asked_for})
    assert predicting <= {*asked_for} <= bank.keys()


COMPOUND = (ast.For, ast.While, ast.With, ast.If, ast.Try)


def names_of_others(kept: list[str], cells_: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The names that cells of ``kept`` use, and that a cell which is not kept bound last.

    ``cells_``: the id and the code of every cell, in order.
    """
    bound: dict[str, str] = {}  # by which cell, last
    found = []
    for name, source in cells_:
        for statement in ast.parse(source).body:
            if name in kept:
                used = loaded(statement) & bound.keys()
                if isinstance(statement, COMPOUND):
                    used -= binds(statement)  # in a loop: bound before it is used, we take it
                found += [(name, each) for each in sorted(used) if bound[each] not in kept]
            new = binds(statement)
            if isinstance(statement, ast.Import | ast.ImportFrom):
                new -= {each for each in new if bound.get(each) in kept}  # the same once more
            bound |= dict.fromkeys(new, name)
    return found


def loaded(statement: ast.stmt) -> set[str]:
    """The names that a statement takes from outside; those of its functions' own left out."""
    inner = {
        each
        for node in ast.walk(statement)
        if isinstance(node, ast.FunctionDef | ast.Lambda)
        for each in [*(a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)), *local(node)]
    }
    targets = {
        each.id
        for node in ast.walk(statement)
        if isinstance(node, ast.comprehension | ast.For)
        for each in ast.walk(node.target)
        if isinstance(each, ast.Name)
    }
    used = {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return used - inner - targets


def local(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    body = node.body if isinstance(node.body, list) else [node.body]
    return {name for each in body for name in binds(each)}


def binds(statement: ast.AST) -> set[str]:
    """The names that a statement binds where it stands."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    found = {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return found


def test_a_name_of_a_hidden_cell_would_be_seen() -> None:
    cells_ = [("1", "x = 1"), ("2", "import math\ny = 2"), ("3", "print(math.pi, x)")]
    assert names_of_others(["1", "3"], cells_) == [("3", "math")]
    rebound = [("1", "x = 1"), ("2", "x = 2"), ("3", "def f(y):\n    return x + y")]
    assert names_of_others(["1", "3"], rebound) == [("3", "x")]
    assert names_of_others(["1", "3"], [*rebound[:2], ("3", "x = 3\nprint(x)")]) == []
    assert names_of_others(["1", "2", "3"], rebound) == []


@pytest.mark.parametrize("name", [f"{stem}{end}" for stem in STEMS for end in ("", "-solutions")])
def test_no_cell_needs_one_that_is_left_out(built: dict[str, NotebookNode], name: str) -> None:
    if f"{name}.ipynb" not in built:
        assert name.endswith("-solutions")
        return
    stored = nbformat.read(ROOT / "notebooks" / f"{name.removesuffix('-solutions')}.ipynb", 4)
    code_ = [(cell.id, cell.source) for cell in stored.cells if cell.cell_type == "code"]
    kept = own_code(built[f"{name}.ipynb"], {})
    assert names_of_others([*kept], code_) == []


def test_one_that_has_run_prints_what_its_chapter_stores() -> None:
    path = BUILT / f"{RUN}.ipynb"
    assert differences(path, run(path)) == []


# The commands


def test_where_nothing_is_built_nothing_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "READERS", tmp_path / "readers")
    monkeypatch.setattr(fresh, "DOWNLOAD", tmp_path / "download")
    for main, names in ((running.main, []), (fresh.main, ["3.11:lowest"])):
        assert main(names) == 1
        assert capsys.readouterr().out == "There is no built book yet: make book\n"


def test_a_notebook_that_is_not_there_is_not_called_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.ipynb").touch()
    monkeypatch.setattr(running, "READERS", tmp_path)
    assert running.main(["one", "other.ipynb"]) == 2
    assert capsys.readouterr().out == "no such notebook: other; there are: one\n"


@pytest.mark.parametrize("wanted", [[], ["3.13"], ["3.13:"], ["3.13:2.6.0", ":2.6.0"]])
def test_a_fresh_environment_has_a_python_and_a_torch(
    wanted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fresh.main(wanted) == 2
    got = ", ".join(wanted) or "nothing"
    assert f"as 3.13:2.6.0 or 3.11:lowest; got {got}\n" in capsys.readouterr().out


def test_cells_that_print_otherwise_are_a_failure_and_what_did_not_run_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.whl").touch()
    monkeypatch.setattr(fresh, "DOWNLOAD", tmp_path)
    monkeypatch.setattr(fresh, "run", lambda python, folder: ["a cell"] * (python.name == "2.6.0"))

    def make(folder: Path, python: str, torch: str) -> Path:
        if torch == "0.0":
            raise subprocess.CalledProcessError(1, "uv")
        return Path(torch)

    monkeypatch.setattr(fresh, "make", make)
    assert fresh.main(["3.13:2.15.0"]) == 0
    assert fresh.main(["3.13:2.15.0", "3.13:2.6.0", "3.13:0.0"]) == 2
    assert capsys.readouterr().out.splitlines()[1:] == [
        "3.13:2.15.0: as stored",
        "3.13:2.6.0: OTHERWISE",
        "  a cell",
        "3.13:0.0: NOT RUN",
        "  Command 'uv' returned non-zero exit status 1.",
    ]


# The wheel


def test_a_folder_of_another_name_is_another_wheel(tmp_path: Path) -> None:
    for name in ("pe_lab/one/a.py", *wheel.FILES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    before = wheel.fingerprint(tmp_path)
    moved = tmp_path.rename(tmp_path.with_name("moved"))
    assert wheel.fingerprint(moved) == before
    (moved / "pe_lab" / "one").rename(moved / "pe_lab" / "two")
    assert wheel.fingerprint(moved) != before


def test_the_wheel_has_all_files_and_the_same_bytes_wherever_it_is_made(tmp_path: Path) -> None:
    made = ROOT / "_build" / "html" / FOLDER / wheel_name(ROOT)
    clone = tmp_path / "clone"
    for path in wheel.sources(ROOT):
        to = clone / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(path.read_bytes())
        to.chmod(0o600)
    again = wheel.make_wheel(clone, tmp_path / "made")
    assert made.read_bytes() == again.read_bytes()

    with zipfile.ZipFile(made) as opened:
        names = set(opened.namelist())
    for folder, part in (("pe_core", ""), ("pe_lab", ""), ("book/questions", "pe_lab/questions")):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".js", ".css", ".safetensors", ".json", ".yml", ".typed"}:
                relative = path.relative_to(ROOT / folder).as_posix()
                assert f"{part or folder}/{relative}" in names, path
    assert not [name for name in names if name.startswith(("tests", "tools", "book"))]


def test_the_archive_of_the_sources_has_all_that_the_wheel_has(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    for path in (*wheel.sources(ROOT), ROOT / "MANIFEST.in"):
        to = clone / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(path.read_bytes())
    subprocess.run([sys.executable, "setup.py", "--quiet", "sdist"], cwd=clone, check=True)
    (made,) = (clone / "dist").iterdir()
    with tarfile.open(made) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    with zipfile.ZipFile(ROOT / "_build" / "html" / FOLDER / wheel_name(ROOT)) as opened_wheel:
        wanted = [name for name in opened_wheel.namelist() if ".dist-info/" not in name]
    assert {name.replace("pe_lab/questions", "book/questions") for name in wanted} <= names


def test_what_is_installed_knows_the_questions(tmp_path: Path) -> None:
    with zipfile.ZipFile(ROOT / "_build" / "html" / FOLDER / wheel_name(ROOT)) as opened:
        opened.extractall(tmp_path)
    ask = "import pe_lab; from pe_lab.diagnosis import check_answer as c; print(pe_lab.__file__)"
    (tmp_path / "ask_it.py").write_text(f"{ask}; c('03-denominators', 6)", encoding="utf-8")
    asked = run_module(["ask_it"], tmp_path, anew=("pe_core", "pe_lab"))
    assert asked.returncode == 0, asked.stderr
    sentence = load()["03-denominators"].foreseen(6)
    assert sentence is not None
    assert asked.stdout == f"{tmp_path}/pe_lab/__init__.py\n{sentence.says}\n"
