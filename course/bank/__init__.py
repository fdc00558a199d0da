"""The questions of the book and more, for a learning platform: ``python -m course bank``.

With it come the sheets of the concept inventory.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from course.bank.gift import gift
from course.bank.items import bank
from course.bank.moodle import moodle
from course.bank.qti import package
from course.inventory import papers
from course.sets.tasks import TaskError


def build(into: Path) -> None:
    """Write the bank in all formats, in a folder that is emptied first.

    Raises:
        TaskError: a class's answers to the inventory stand in the folder.
    """
    answers = into / "inventory" / "answers.csv"
    if answers.exists() and answers.read_bytes().strip().count(b"\n"):
        raise TaskError(f"{answers} holds answers: move it to where you keep them, and build again")
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    items = bank()
    (into / "moodle.xml").write_text(moodle(items), encoding="utf-8")
    (into / "moodle-before-4.4.xml").write_text(moodle(items, ordering=False), encoding="utf-8")
    (into / "questions.gift").write_text(gift(items), encoding="utf-8")
    package(items, into / "qti.zip")
    (into / "inventory").mkdir()
    papers.write(into / "inventory")
