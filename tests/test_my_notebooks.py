"""The reader's folder: what nobody has changed is renewed, what somebody has changed is kept."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tools.lab import GIVEN, SETTINGS, renew

NAME = "06_shift.ipynb"


class Book:
    """A folder of readers' notebooks, and the reader's own."""

    def __init__(self, folder: Path) -> None:
        self.source, self.mine = folder / "readers", folder / "mine"
        self.source.mkdir()

    def publish(self, source: str, name: str = NAME) -> list[str]:
        """Make a notebook with one cell, and give the reader what there is."""
        (self.source / name).write_text(stored(source))
        return renew(self.source, self.mine)

    def has(self) -> dict[str, str]:
        """The reader's notebooks: the source of the first cell of each."""
        return {
            path.name: nbformat.read(path, 4).cells[0].source
            for path in sorted(self.mine.glob("*.ipynb"))
        }

    def work(self, source: str, name: str = NAME) -> None:
        """What the reader writes, as JupyterLab stores it."""
        (self.mine / name).write_text(stored(source, outputs=True))


def stored(source: str, *, outputs: bool = False) -> str:
    cell = nbformat.v4.new_code_cell(source, id="one")
    if outputs:
        cell.outputs = [nbformat.v4.new_output("stream", text="said\n")]
    return str(nbformat.writes(nbformat.v4.new_notebook(cells=[cell])))


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def test_a_reader_gets_all_and_then_what_has_changed(book: Book) -> None:
    assert book.publish("first") == [f"{NAME}: new"]
    assert book.publish("first") == []
    assert book.publish("second") == [f"{NAME}: renewed"]
    assert book.publish("other", "07_head.ipynb") == ["07_head.ipynb: new"]
    assert book.has() == {NAME: "second", "07_head.ipynb": "other"}


def test_work_is_never_touched_and_the_new_one_is_put_beside(book: Book) -> None:
    book.publish("first")
    book.work("mine")
    before = (book.mine / NAME).read_bytes()
    assert book.publish("first") == []
    assert book.publish("second") == [
        f"{NAME}: yours, which stays as it is; the book's new one is 06_shift-new.ipynb"
    ]
    assert book.publish("second") == []
    assert book.has() == {NAME: "mine", "06_shift-new.ipynb": "second"}
    assert book.publish("third") != []
    assert book.has() == {NAME: "mine", "06_shift-new.ipynb": "third"}
    assert (book.mine / NAME).read_bytes() == before


def test_work_in_the_new_one_is_kept_as_well(book: Book) -> None:
    book.publish("first")
    book.work("mine")
    book.publish("second")
    book.work("mine too", "06_shift-new.ipynb")
    book.publish("third")
    book.publish("fourth")
    assert book.has() == {
        NAME: "mine",
        "06_shift-new.ipynb": "mine too",
        "06_shift-new-2.ipynb": "fourth",
    }


def test_a_cell_that_has_run_is_work(book: Book) -> None:
    book.publish("first")
    book.work("first")
    assert "yours" in book.publish("second")[0]


def test_to_look_into_a_notebook_is_no_work(book: Book) -> None:
    """JupyterLab stores the kernel's version, and the source as it likes."""
    book.publish("first\nline")
    notebook: dict[str, Any] = json.loads((book.mine / NAME).read_text())
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.13.0"}
    notebook["cells"][0]["source"] = "first\nline"
    notebook["cells"][0]["metadata"]["scrolled"] = True
    (book.mine / NAME).write_text(json.dumps(notebook))
    assert book.publish("second") == [f"{NAME}: renewed"]


def test_what_was_deleted_comes_back_and_what_was_taken_from_the_book_stays(book: Book) -> None:
    book.publish("first")
    book.publish("other", "07_head.ipynb")
    (book.mine / NAME).unlink()
    (book.source / "07_head.ipynb").unlink()
    assert renew(book.source, book.mine) == [f"{NAME}: new"]
    assert book.has() == {NAME: "first", "07_head.ipynb": "other"}


@pytest.mark.parametrize("note", [None, "", "[]", "{"])
def test_without_the_note_everything_counts_as_changed(book: Book, note: str | None) -> None:
    book.publish("first")
    (book.mine / GIVEN).unlink()
    if note is not None:
        (book.mine / GIVEN).write_text(note)
    assert "yours" in book.publish("second")[0]
    assert book.has() == {NAME: "first", "06_shift-new.ipynb": "second"}


def test_what_is_no_notebook_any_more_is_kept(book: Book) -> None:
    book.publish("first")
    (book.mine / NAME).write_text("not a notebook")
    assert "yours" in book.publish("second")[0]
    assert (book.mine / NAME).read_text() == "not a notebook"
    assert not list(book.mine.glob("*.unfinished"))


def test_the_lecturer_s_tools_are_out_of_readers_sight() -> None:
    """What is switched off by its name is installed under it, and nbgrader's is among it."""
    config = json.loads((SETTINGS / "page_config.json").read_text(encoding="utf-8"))
    off = set(config["disabledExtensions"])
    installed = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    assert "@jupyter/nbgrader" in off
    assert all((installed / name / "package.json").exists() for name in off)
