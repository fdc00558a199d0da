"""Jupyter Book's own command, in this process: to import it takes as long as to build again."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from jupyter_book.cli.main import main

from course import external_toc

ROOT = Path(__file__).resolve().parent.parent
STRICT = ("--quiet", "-W", "-n", "--keep-going")


def build_book(*options: str) -> None:
    """Build the book as ``make book`` does.

    Raises:
        SystemExit: a page has a mistake, or several; each was a warning.
        RuntimeError: the build broke off.
    """
    with contextlib.chdir(ROOT), quiet():
        main(["build", *STRICT, *options, "."], standalone_mode=False)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without what the command says of its own."""
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        contextlib.redirect_stdout(nowhere),
        external_toc.spared(),
    ):
        yield
