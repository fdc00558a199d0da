"""The problem sets: ``dist/sets``, a course folder of nbgrader that stands by itself.

- :mod:`course.sets.tasks` reads ``course/tasks``,
  :mod:`~course.sets.notebook` makes notebooks of it.
- :mod:`~course.sets.marks` marks a student's cell: it runs in a process of its own
  (:mod:`~course.sets.student`, :mod:`~course.sets.server`, :mod:`~course.sets.values`), which the
  system fences (:mod:`~course.sets.fence`, :mod:`~course.sets.processes`), and the
  task's marking.py judges what it answers, with :mod:`~course.sets.judging` and
  :mod:`~course.sets.variants`.
- :mod:`~course.sets.nbgrading` is where nbgrader calls us.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from course.sets.chapters import COPY, chapters
from course.sets.tasks import COURSE, TaskError, check_points, read_sets, read_settings

OURS = ("source", "release", "course", "nbgrader_config.py")
PUBLIC_SEED = 2026  # of settings.yml, as it is published
COPIED = ("__init__.py", "sets", "tasks")


def build(into: Path, names: Collection[str] = ()) -> None:
    """Write the course folder: sources, releases by nbgrader, its settings, and what marks.

    Args:
        into: the folder.
        names: of the sets; all of them if there are none.

    Raises:
        TaskError: a task is not as it should be, or the folder holds submissions or their marks,
            which would change or be lost.
    """
    # What marks imports this package, for every notebook anew, and writes none.
    import nbformat

    from course.sets.notebook import source

    if any((into / "submitted").glob("*")) or has_marks(into / "gradebook.db"):
        raise TaskError(
            f"{into} holds submissions or their marks: a new build would mark by other numbers, "
            "and lose these. Move the whole folder to where you teach, and build again."
        )
    into.mkdir(parents=True, exist_ok=True)
    clear(into)
    copy_course(into)
    settings = read_settings(address=os.environ.get("BOOK_ADDRESS", ""))
    if settings.seed == PUBLIC_SEED:
        print(f"sets: seed {PUBLIC_SEED} is public, and so are its numbers: see settings.yml")
    chosen = [one for one in read_sets().values() if not names or one.id in names]
    for one in chosen:
        check_points(one)
        path = into / "source" / one.id / f"{one.id}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(source(one, settings, solved=True), path)
    release(into, [one.id for one in chosen])


def has_marks(gradebook: Path) -> bool:
    """Whether nbgrader has noted anything that a student handed in."""
    if not gradebook.exists():
        return False
    with closing(sqlite3.connect(gradebook)) as book:
        try:
            return bool(book.execute("SELECT count(*) FROM submitted_assignment").fetchone()[0])
        except sqlite3.Error:  # no gradebook that we know: better kept
            return True


def clear(into: Path) -> None:
    """Take away what an earlier build wrote, and what nbgrader noted of it."""
    for name in (*OURS, "gradebook.db"):
        path = into / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def copy_course(into: Path) -> None:
    """What marks goes along, so that the folder can be taken elsewhere and does not change."""
    copy = into / "course"
    copy.mkdir()
    for name in COPIED:
        path = COURSE / name
        if path.is_dir():
            shutil.copytree(path, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, copy / name)
    settings = read_settings(address=os.environ.get("BOOK_ADDRESS", ""))
    text = f'seed: {settings.seed}\naddress: "{settings.address}"\n'
    (copy / "settings.yml").write_text(text, encoding="utf-8")
    (copy / COPY.name).write_text(json.dumps(chapters()), encoding="utf-8")
    shutil.copy(COURSE / "nbgrader_config.py", into)


def release(folder: Path, names: list[str]) -> None:
    """Have nbgrader make the students' versions, with what was copied into the folder."""
    command = [sys.executable, "-m", "course.sets.release", *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TaskError(f"nbgrader could not make {', '.join(names)}:\n{done.stderr}")
