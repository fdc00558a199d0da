"""All that the pages' tests look at, built from nothing: ``python -m tools.build``.

The book as ``make book`` builds it, once more with nothing left to do, the lecturer's guide and the
slides. All in one process: to import what builds takes as long as a build with nothing to do.
"""

from __future__ import annotations

import gc
import hashlib
import shutil
import sys

from course.__main__ import main as build_course
from course.jupyter_book import build_book
from tools.serve import BOOK


def built_files() -> dict[str, str]:
    """The digest of every file of the built book."""
    return {
        path.relative_to(BOOK).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in BOOK.rglob("*")
        if path.is_file()
    }


def main() -> int:
    gc.disable()  # to look for garbage takes a quarter of the time, and finds less than 400 MB
    # A page that left the table of contents would stay there, and be checked.
    shutil.rmtree(BOOK, ignore_errors=True)
    build_book("--all")
    first = built_files()
    build_book()
    second = built_files()
    changed = sorted(
        path for path in first.keys() | second.keys() if first.get(path) != second.get(path)
    )
    if changed:
        print(f"A second build, with nothing to do, changed {', '.join(changed)}")
    # The guide's links lead into the book, its minutes come from there; so do the slides.
    return build_course(["slides", "guide"]) or int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
