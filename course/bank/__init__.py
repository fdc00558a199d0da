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


def build(into: Path) -> None:
    """Write the bank in all formats, in a folder that is emptied first."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    items = bank()
    (into / "moodle.xml").write_text(moodle(items), encoding="utf-8")
    (into / "moodle-before-4.4.xml").write_text(moodle(items, ordering=False), encoding="utf-8")
    (into / "questions.gift").write_text(gift(items), encoding="utf-8")
    package(items, into / "qti.zip")
    (into / "inventory").mkdir()
    papers.write(into / "inventory")
