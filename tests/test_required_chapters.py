"""Every required chapter has the form of all, and takes the time it may."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml
from nbformat import NotebookNode, v4

from tools.chapters import NOTEBOOKS, chapters
from tools.form import faults, hidden_names
from tools.notebooks import WIDGET_VIEW
from tools.reading_time import efforts

MINUTES_A_CHAPTER = 25
FIRST_SEVEN = 7  # what needs no model that learns
MINUTES_OF_THE_FIRST = 165  # 2 h 45


def required() -> list[str]:
    """The chapters that the table of contents numbers."""
    contents = yaml.safe_load((NOTEBOOKS.parent / "_toc.yml").read_text(encoding="utf-8"))
    parts = [part for part in contents["parts"] if part.get("numbered")]
    return [Path(page["file"]).name for part in parts for page in part["chapters"]]


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_page_has_the_form_of_its_kind(path: Path) -> None:
    assert faults(path) == []


def test_every_required_chapter_is_held_to_the_form_of_a_chapter() -> None:
    """Which is that of pages whose names begin with a number."""
    assert {path.stem for path in chapters() if path.stem[0].isdigit()} == set(required())


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_page_can_be_typed_from_what_it_shows(path: Path) -> None:
    assert hidden_names(nbformat.read(path, as_version=4)) == []


def test_a_chapter_takes_no_longer_than_it_may() -> None:
    counted = efforts([NOTEBOOKS / f"{name}.ipynb" for name in required()])
    minutes = {Path(page).name: effort.printed_minutes for page, effort in counted.items()}
    assert {name: taken for name, taken in minutes.items() if taken > MINUTES_A_CHAPTER} == {}
    first = [minutes[name] for name in required()[:FIRST_SEVEN]]
    assert 0 < sum(first) < MINUTES_OF_THE_FIRST


# --- each fault is seen

OPENING = """# A chapter

Which row?

**You will be able to** see. \\
**You need** eyes.

```{time}
```"""
QUESTION = "```{question} 03-row\nWhich?\n```"
EXERCISE = """## Exercises

```{exercise} One
:label: ex-03-one
:class: write

Write it.
```

:::{hint}
:class: dropdown
Look.
:::

```{solution} ex-03-one
:class: dropdown
So.
```"""
DONE = "## What you can now do\n\n- See."
MORE = "## More\n\nMuch.\n\n**Next:** [chapter 4](04_row_of_clocks.ipynb)."


def chapter() -> NotebookNode:
    """The smallest chapter that has the form."""
    stream = v4.new_output("stream", text="1\n")
    view: dict[str, Any] = {WIDGET_VIEW: {"model_id": "model"}, "text/plain": "Toy()"}
    shown = v4.new_code_cell("toy", outputs=[v4.new_output("execute_result", view)])
    answer = v4.new_code_cell("print(1)", outputs=[stream])
    answer.metadata["tags"] = ["hide-output"]
    texts = [v4.new_markdown_cell(text) for text in (OPENING, QUESTION, DONE, EXERCISE, MORE)]
    return v4.new_notebook(cells=[*texts[:2], answer, shown, *texts[2:]])


def faults_of(folder: Path, notebook: NotebookNode) -> str:
    path = folder / "03_toys.ipynb"
    nbformat.write(notebook, path)
    return "\n".join(faults(path))


def test_a_chapter_in_the_form_has_no_fault(tmp_path: Path) -> None:
    assert faults_of(tmp_path, chapter()) == ""


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("**You need**", "You need", "no **You need**"),
        ("```{time}\n```", "", "no ```{time}"),
        ("**You will be able to** see. \\\n", "", "no **You will be able to**"),
        ("## Exercises", "## Tasks", "the last sections"),
        ("## What you can now do", "## What you have learned", "the last sections"),
        ("## More", "**More**", "the last sections"),
        ("**Next:** ", "Next: ", "the last line"),
        (":::{hint}\n:class: dropdown\nLook.\n:::", "", "exercise, solution"),
        ("ex-03-one\n:class: write", "ex-03-one", "asks to write"),
        (":label: ex-03-one", ":label: ex-04-one", "begin with ex-03-"),
        (":class: dropdown\nSo", "So", "solution ex-03-one: not folded"),
        (":class: dropdown\nLook", "Look", "hint : not folded"),
        (EXERCISE, "## Exercises", "no exercise"),
        (QUESTION, "**Predict.** Which?", "no {question}"),
    ],
)
def test_a_departure_in_the_text_is_seen(
    tmp_path: Path, before: str, after: str, fault: str
) -> None:
    notebook = chapter()
    for cell in notebook.cells:
        cell.source = cell.source.replace(before, after)
    assert fault in faults_of(tmp_path, notebook)


def test_a_departure_of_a_page_at_hand_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "toys.ipynb"

    def found(**changes: str) -> list[str]:
        notebook = chapter()
        notebook.cells[0].source = changes.get("opening", OPENING.replace("```{time}\n```", ""))
        notebook.cells[-1].source = changes.get("more", "")
        notebook.cells[-2].source = changes.get("exercise", EXERCISE)
        notebook.cells[2].metadata["tags"] = changes.get("tags", "hide-output").split()
        nbformat.write(notebook, path)
        return faults(path)

    assert found() == []
    assert found(opening="# Toys") == [
        "the first cell has no **You will be able to** ",
        "the first cell has no **You need** ",
    ]
    assert found(more="## More") == ["the last sections are not What you can now do, Exercises"]
    assert found(tags="") == ["question 03-row: no folded result or live figure follows it"]
    unfolded = EXERCISE.replace(":class: dropdown\nSo", "So")
    assert found(exercise=unfolded) == ["solution ex-03-one: not folded (:class: dropdown)"]


def test_a_departure_in_the_cells_is_seen(tmp_path: Path) -> None:
    notebook = chapter()
    answer, figure = notebook.cells[2:4]
    answer.metadata["tags"] = []
    figure.outputs = []
    answer.source = "x" * 80
    answer.outputs[0].text = "short\n" + "y" * 81
    found = faults_of(tmp_path, notebook)
    assert "no result is folded" in found
    assert "no live figure" in found
    assert "a line of 80 columns, code" in found
    assert "a line of 81 columns, printed" in found


def test_a_question_without_its_answer_below_is_seen(tmp_path: Path) -> None:
    fault = "question 03-row: no folded result or live figure follows it"

    def found(**changes: str) -> str:
        notebook = chapter()
        asked, answer = notebook.cells[1:3]
        asked.source = changes.get("asked", asked.source)
        answer.metadata["tags"] = changes.get("tags", "hide-output").split()
        if "between" in changes:
            notebook.cells.insert(2, v4.new_markdown_cell(changes["between"]))
        if "answer" in changes:
            del notebook.cells[2]
        return faults_of(tmp_path, notebook)

    assert fault in found(tags="")
    assert fault in found(asked=f"{QUESTION}\n\nThe first.")
    assert fault in found(asked=f"{QUESTION}\n\n{QUESTION.replace('03-row', '03-other')}")
    assert fault in found(between="The first.")
    # A cell that the page leaves out is no answer, and no obstacle either: the figure is next.
    assert found(asked=f"Text.\n\n{QUESTION}") == found() == ""
    assert fault not in found(tags="remove-cell")
    assert fault not in found(answer="left out")


def test_an_answer_that_stands_open_is_seen(tmp_path: Path) -> None:
    fault = "question 03-row: the sentences after its folded result are not folded"

    def found(after: str, place: int = 3) -> str:
        notebook = chapter()
        notebook.cells.insert(place, v4.new_markdown_cell(after))
        return faults_of(tmp_path, notebook)

    assert fault in found("The first.")
    assert found("```{answer}\nThe first.\n```\n\nThen.") == ""
    assert found("## Another matter") == ""
    assert found("Open, as the figure is.", place=4) == ""

    # So does what follows a live figure.
    def after_figure(*cells: NotebookNode) -> str:
        notebook = chapter()
        del notebook.cells[2]  # the figure answers alone
        notebook.cells[3:3] = cells
        return faults_of(tmp_path, notebook)

    open_text = v4.new_markdown_cell("Look at row 0.")
    folded_text = v4.new_markdown_cell("```{answer}\nRow 0.\n```")
    result = chapter().cells[2]
    fault = "question 03-row: the sentences after its live figure are not folded"
    assert fault in after_figure(open_text)
    assert fault not in after_figure(folded_text, open_text)
    assert "03-row" not in after_figure(result, folded_text)
    assert "after its folded result" in after_figure(result, open_text)
    result = v4.new_code_cell("print(1)", outputs=result.outputs)
    assert "what is printed after its live figure" in after_figure(result, folded_text)

    # An answer that needs no cell stands below its question.
    notebook = chapter()
    notebook.cells[1].source += "\n\n```{answer}\nThe first.\n```"
    notebook.cells[2].metadata["tags"] = []
    assert "question 03-row" not in faults_of(tmp_path, notebook)


def test_a_name_from_a_hidden_cell_is_seen(tmp_path: Path) -> None:
    notebook = chapter()
    hidden = v4.new_code_cell("import math\n\n\ndef area(r):\n    return math.pi * r**2")
    hidden.metadata["tags"] = ["remove-cell"]
    notebook.cells.insert(2, hidden)
    notebook.cells[3].source = "print(area(math.pi))"
    assert "defined in a hidden cell only: area, math" in faults_of(tmp_path, notebook)
    notebook.cells[3].source = "import math\narea = print\nprint(area(math.pi))"
    assert faults_of(tmp_path, notebook) == ""


def test_folded_code_without_a_name_is_seen(tmp_path: Path) -> None:
    notebook = chapter()
    notebook.cells[2].metadata["tags"] = ["hide-input", "hide-output"]
    assert "its code is folded and has no name" in faults_of(tmp_path, notebook)
    notebook.cells[2].metadata["mystnb"] = {"code_prompt_show": "Print one"}
    assert faults_of(tmp_path, notebook) == ""


def test_lines_of_79_columns_fit(tmp_path: Path) -> None:
    notebook = chapter()
    notebook.cells[2].source = "x" * 79
    notebook.cells[2].outputs[0].text = "y" * 79
    assert faults_of(tmp_path, notebook) == ""
