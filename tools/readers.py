"""Execute the readers' notebooks and compare what they print with what the chapters store.

``python -m tools.readers`` runs those of ``_build/readers``; names after it restrict it to some.
They have the chapters' cells but for those that the pages hide, so that a name which such a cell
defines would be missed here; ``tests/test_readers.py`` looks for these without running anything.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from tools.chapters import NO_BOOK, NOTEBOOKS
from tools.notebooks import code_cells, execute
from tools.warm import warm_kernels

READERS = NOTEBOOKS.parent / "_build" / "readers"
COMPARED = ("text/plain", "text/html", "text/markdown")
SHOWN_ALIKE = ("image/png", "image/svg+xml", "application/vnd.jupyter.widget-view+json")
SAID = {"check_answer(": "Put your answer in the place of the dots"}


def run(path: Path) -> NotebookNode:
    """The notebook after every cell has run, in a folder of its own. Raises where one fails."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as name:
        shutil.copy(path, name)
        execute(notebook, Path(name))
    return notebook


def differences(path: Path, ran: NotebookNode) -> list[str]:
    """The cells that print something else than the chapter stores, or than they should."""
    stored = NOTEBOOKS / path.name.replace("-solutions", "")
    cells = code_cells(nbformat.read(stored, as_version=4)) if stored.exists() else []
    expected = {cell.id: texts(cell) for cell in cells if "nbval-ignore-output" not in tags(cell)}
    ignored = {cell.id for cell in cells} - expected.keys()
    found = []
    for cell in code_cells(ran):
        said = next((words for call, words in SAID.items() if call in cell.source), "")
        if cell.id in ignored or (said and cell.id != "install"):
            wrong = said and not all(line.startswith(said) for line in texts(cell))
        else:
            wrong = texts(cell) != expected.get(cell.id, [])
        if wrong:
            found.append(f"{path.name}, cell {cell.id}: {texts(cell)}, not {expected.get(cell.id)}")
    return found


def texts(cell: NotebookNode) -> list[str]:
    """What a cell prints and shows as text; of a figure, nothing."""
    lines: list[str] = []
    for output in cell.outputs:
        data: dict[str, Any] = output.get("data", {})
        if "text" in output:
            lines += output.text.splitlines()
        elif not any(kind in data for kind in SHOWN_ALIKE):
            lines += [data[kind] for kind in COMPARED if kind in data]
    return lines


def tags(cell: NotebookNode) -> list[str]:
    found: list[str] = cell.metadata.get("tags", [])
    return found


def main(names: list[str]) -> int:
    there = {path.stem: path for path in sorted(READERS.glob("*.ipynb"))}
    if not there:
        print(NO_BOOK)
        return 1
    wanted = [Path(name).stem for name in names] or list(there)
    if unknown := [name for name in wanted if name not in there]:
        print(f"no such notebook: {', '.join(unknown)}; there are: {', '.join(there)}")
        return 2
    paths = [there[name] for name in wanted]
    failed = 0
    for path in paths:
        try:
            found = differences(path, run(path))
        except Exception as error:
            found = [f"{path.name}: {error}"]
        print(f"{path.name}: {'as stored' if not found else 'OTHERWISE'}", *found, sep="\n  ")
        failed += bool(found)
    return failed


if __name__ == "__main__":
    with warm_kernels():
        status = main(sys.argv[1:])
    sys.exit(status)
