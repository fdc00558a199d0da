"""The slides: a deck for each required chapter and each lesson, from the chapters themselves.

They are built by Sphinx (``book/_ext/slides``) from the documents that the pages are made from: if
the book has been built, nothing is read again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from course.__main__ import ROOT

BUILDER = "slides"
BUILT = ROOT / "_build" / BUILDER


def build(into: Path) -> None:
    """Build the decks, and copy them into a folder, emptied before."""
    book = Path(sys.executable).with_name("jupyter-book")
    strict = ("--quiet", "-W", "-n", "--keep-going")
    shutil.rmtree(BUILT, ignore_errors=True)
    done = subprocess.run(
        [str(book), "build", *strict, "--builder", "custom", "--custom-builder", BUILDER, "."],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the slides could not be built:\n{done.stdout}")
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(BUILT, into)
