"""The slides: a deck for each required chapter and each lesson, from the chapters themselves.

They are built by Sphinx (``book/_ext/slides``) from the documents that the pages are made from: if
the book has been built, nothing is read again.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from course.jupyter_book import ROOT, build_book

BUILDER = "slides"
BUILT = ROOT / "_build" / BUILDER


def build(into: Path) -> None:
    """Build the decks, and copy them into a folder, emptied before.

    Raises what ``build_book`` does.
    """
    shutil.rmtree(BUILT, ignore_errors=True)
    build_book("--builder", "custom", "--custom-builder", BUILDER)
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(BUILT, into)
