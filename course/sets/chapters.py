"""The titles of the book's chapters and their files: from the notebooks, or from a copy of both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from course.sets.tasks import COURSE

NOTEBOOKS = COURSE.parent / "notebooks"
COPY = COURSE / "chapters.json"  # where the course is without the book

Chapter = tuple[str, str]


@cache
def chapters() -> Mapping[int, Chapter]:
    """Each chapter's title and file, by its number."""
    if COPY.exists():
        kept = json.loads(COPY.read_text(encoding="utf-8"))
        return {int(number): (title, file) for number, (title, file) in kept.items()}
    found = {}
    for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        found[int(path.stem.split("_")[0])] = (title(path), path.stem)
    return found


def title(notebook: Path) -> str:
    """The heading that a notebook begins with."""
    first = "".join(json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["source"])
    return first.split("\n", 1)[0].removeprefix("# ")
