"""What nbval does not see: it passes a notebook without outputs, and skips every image."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nbformat
import pytest
from forked import run_module
from nbformat import NotebookNode

import pe_lab.explorers
from tools.chapters import chapters
from tools.notebooks import (
    FINGERPRINT,
    STAND_IN,
    WIDGET_STATE,
    WIDGET_VIEW,
    code_cells,
    execute,
    fingerprints,
    normalise,
)

# Cells that nbval cannot compare by construction: (notebook, cell id): the reason.
NOT_COMPARED: dict[tuple[str, str], str] = {
    ("lab", "lab-05"): "interact draws into an Output widget, which nbval does not keep",
    ("lab", "lab-10"): "interact draws into an Output widget, which nbval does not keep",
    ("lab", "lab-15"): "interact draws into an Output widget, which nbval does not keep",
    ("lab", "lab-28"): "interactive_output draws into an Output widget as well",
    ("lab", "lab-42"): "interact draws into an Output widget, which nbval does not keep",
}

SWITCHES = {"nbval-ignore-output", "nbval-skip", "nbval-raises-exception", "raises-exception"}
SWITCH_COMMENTS = re.compile(r"#\s*(NBVAL_IGNORE_OUTPUT|NBVAL_SKIP|PYTEST_VALIDATE_IGNORE_OUTPUT)")
MACHINE_PATH = re.compile(r"/(home|Users|root|tmp|work|var/folders)/|[A-Z]:\\\\?Users")
IMAGES = {"image/png", "image/jpeg", "image/svg+xml"}


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def faults(name: str, notebook: NotebookNode) -> list[str]:
    """Everything that forbids this notebook to be stored, in words."""
    found = []
    expected = fingerprints(notebook)
    for number, (cell, fingerprint) in enumerate(
        zip(code_cells(notebook), expected, strict=True), start=1
    ):
        where = f"{name}, cell {cell.id}"
        if cell.execution_count is None:
            found.append(f"{where}: never executed")
        elif cell.execution_count != number:
            found.append(f"{where}: executed as number {cell.execution_count}, stands as {number}")
        if cell.metadata.get(FINGERPRINT) != fingerprint:
            found.append(f"{where}: its output is older than a change to the code")
        for output in cell.outputs:
            if output.output_type == "error" or output.get("name") == "stderr":
                found.append(f"{where}: stores an error or a warning")
        if switched_off(cell) and (name, cell.id) not in NOT_COMPARED:
            found.append(f"{where}: not compared by nbval, and not on the allow-list")
        if IMAGES & {kind for output in cell.outputs for kind in output.get("data", {})}:
            text = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            if len(text.split()) < 8:
                found.append(f"{where}: a figure without alternative text to learn from")
    if MACHINE_PATH.search(nbformat.writes(notebook)):
        found.append(f"{name}: a path of somebody's machine")
    return found


def switched_off(cell: NotebookNode) -> bool:
    tags = set(cell.metadata.get("tags", []))
    return bool(tags & SWITCHES or SWITCH_COMMENTS.search(cell.source))


@pytest.fixture(scope="module")
def sample() -> NotebookNode:
    """A small notebook as it is stored: two executed cells, the second with a figure."""
    notebook = nbformat.v4.new_notebook()
    stream = nbformat.v4.new_output("stream", text="2\n")
    image = nbformat.v4.new_output("display_data", data={"image/png": "", "text/plain": "<Figure>"})
    notebook.cells = [
        nbformat.v4.new_code_cell("print(1 + 1)", execution_count=1, outputs=[stream]),
        nbformat.v4.new_code_cell("figure", execution_count=2, outputs=[image]),
    ]
    notebook.cells[1].metadata["mystnb"] = {
        "image": {"alt": "A curve that falls from 3 to 1 over ten positions."}
    }
    normalise(notebook)
    return notebook


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_chapter_is_stored_with_outputs_that_can_be_believed(path: Path) -> None:
    assert faults(path.stem, read(path)) == []


def test_the_allow_list_names_cells_that_exist() -> None:
    cells = {(path.stem, cell.id) for path in chapters() for cell in code_cells(read(path))}
    assert set(NOT_COMPARED) <= cells
    assert all(len(reason.split()) >= 5 for reason in NOT_COMPARED.values())


def test_a_sound_notebook_has_no_fault(sample: NotebookNode) -> None:
    assert faults("sample", sample) == []


def damaged(sample: NotebookNode, damage: str) -> NotebookNode:
    notebook = copy.deepcopy(sample)
    first, second = notebook.cells
    if damage == "never executed":
        first.execution_count = None
        first.outputs = []
    elif damage == "executed as number":
        second.execution_count = 7
    elif damage == "older than a change":
        first.source = "print(1 + 1 )"
    elif damage == "an error or a warning":
        first.outputs[0].name = "stderr"
    elif damage == "not compared by nbval":
        first.metadata["tags"] = ["nbval-ignore-output"]
    elif damage == "without alternative text":
        second.metadata["mystnb"]["image"]["alt"] = "figure"
    elif damage == "somebody's machine":
        first.outputs[0].text = "/" + "home/reader/notebook.py\n"
    else:
        raise AssertionError(damage)
    return notebook


@pytest.mark.parametrize(
    "damage",
    [
        "never executed",
        "executed as number",
        "older than a change",
        "an error or a warning",
        "not compared by nbval",
        "without alternative text",
        "somebody's machine",
    ],
)
def test_each_fault_is_seen(sample: NotebookNode, damage: str) -> None:
    assert any(damage in fault for fault in faults("sample", damaged(sample, damage)))


def test_a_comment_that_switches_nbval_off_is_seen(sample: NotebookNode) -> None:
    notebook = copy.deepcopy(sample)
    notebook.cells[0].source = "# NBVAL_IGNORE_" + "OUTPUT\nprint(1 + 1)"
    assert any("not compared" in fault for fault in faults("sample", notebook))


def nbval(path: Path) -> subprocess.CompletedProcess[str]:
    # The project's pytest settings would be looked for above `path` and not found there.
    plugins = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    return run_module(["pytest", "-q", *plugins, "--nbval", str(path)], path.parent)


def change_one_digit(notebook: NotebookNode) -> str:
    """Change the last digit of the first printed number that has four decimals."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            found = re.search(r"\d\.\d{3}(\d)", text)
            if not found:
                continue
            digit = str((int(found[1]) + 1) % 10)
            changed = text[: found.start(1)] + digit + text[found.end(1) :]
            if "text" in output:
                output.text = changed
            else:
                output.data["text/plain"] = changed
            return f"{found[0]} to {found[0][:-1]}{digit}"
    raise AssertionError("no number with four decimals is stored")


def stored_explorers(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """What each live figure printed of itself, and the state that its page starts from."""
    notebook = read(path)
    state = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    return [
        (output.data["text/plain"], state[output.data[WIDGET_VIEW]["model_id"]]["state"])
        for cell in code_cells(notebook)
        for output in cell.outputs
        if re.match(r"\w+Explorer\(", output.get("data", {}).get("text/plain", ""))
    ]


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_stored_live_figure_is_the_one_that_its_cell_made(path: Path) -> None:
    """nbval does not compare the state that the built page starts from; this does."""
    for printed, stored in stored_explorers(path):
        explorer = eval(printed, vars(pe_lab.explorers))
        fresh = json.loads(json.dumps(explorer.get_state(), default=str))
        own = {"layout", "tooltip", "tabbable", "_esm", "_css"}
        names = sorted((fresh.keys() & stored.keys()) - own)
        assert {name: stored[name] for name in names} == {name: fresh[name] for name in names}
        assert set(explorer.settings) <= set(names)
        assert (stored["_esm"], stored["_css"]) == (STAND_IN, "")


@pytest.fixture
def lab_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the live figures in a copy of the lab, which kernels import."""
    copied = tmp_path / "copy" / "pe_lab"
    shutil.copytree(Path(pe_lab.__file__).parent, copied)
    paths = [str(copied.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return copied / "explorers"


def test_nbval_rejects_a_changed_digit_and_accepts_a_change_to_a_figures_code(
    lab_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    chapter = nbformat.v4.new_notebook()
    chapter.cells = [
        nbformat.v4.new_code_cell(
            "from pe_lab.explorers import ClockExplorer\n\nClockExplorer(d_model=6)", id="clock"
        ),
        nbformat.v4.new_code_cell('print(f"{2 / 3:.4f}")', id="digits"),
        nbformat.v4.new_code_cell("print(len(ClockExplorer._esm))", id="length"),
    ]

    def stored() -> tuple[str, str]:
        """The chapter's bytes without its last cell's output, which is the length of the code."""
        executed = copy.deepcopy(chapter)
        execute(executed, lab_copy)
        length = executed.cells.pop().outputs[0].text
        normalise(executed)
        return nbformat.writes(executed), length

    before, length = stored()
    with (lab_copy / "clock.js").open("a", encoding="utf-8") as module:
        module.write("// one more line\n")
    after, new_length = stored()
    assert int(new_length) == int(length) + len("// one more line\n")
    assert after == before
    assert json.dumps(STAND_IN) in after

    changed = nbformat.reads(before, as_version=4)
    change = change_one_digit(changed)
    notebook = lab_copy / "chapter.ipynb"
    nbformat.write(changed, notebook)
    judged = nbval(notebook)
    assert judged.returncode == 1, f"nbval accepted {change}"
    assert "1 failed, 1 passed" in judged.stdout, judged.stdout


def test_another_anywidget_keeps_its_code() -> None:
    models = {
        name: {"model_module": "anywidget", "state": {"_anywidget_id": name, "_esm": "// code"}}
        for name in ("pe_lab.explorers.clock.ClockExplorer", "pe_labels.Figure", "__main__.Toy")
    }
    notebook = nbformat.v4.new_notebook(metadata={"widgets": {WIDGET_STATE: {"state": models}}})
    notebook.cells = [
        nbformat.v4.new_code_cell(
            outputs=[
                nbformat.v4.new_output("display_data", {WIDGET_VIEW: {"model_id": name}})
                for name in models
            ]
        )
    ]
    normalise(notebook)
    kept = notebook.metadata["widgets"][WIDGET_STATE]["state"].values()
    assert [model["state"]["_esm"] for model in kept] == [STAND_IN, "// code", "// code"]


def test_live_figures_are_stored_in_chapters() -> None:
    assert sum(len(stored_explorers(path)) for path in chapters()) >= 5
