"""Open the readers' notebooks in JupyterLab, in a folder that is the reader's own: ``make lab``.

``python -m tools.lab`` builds them, brings ``my-notebooks/`` up to date and starts JupyterLab
there; what stands after it goes to JupyterLab. A copy that nobody has changed is renewed when the
book has changed. One that somebody has changed is never touched: the new one is put beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from tools.readers import READERS

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "my-notebooks"
SETTINGS = ROOT / "tools" / "jupyterlab"  # JupyterLab asks nobody about news
GIVEN = ".given.json"  # by name, the digest of what the book gave last
BUILD = ("--quiet", "-W", "-n", "--keep-going", "--builder", "custom", "--custom-builder")


def renew(source: Path, folder: Path) -> list[str]:
    """Give ``folder`` the notebooks of ``source``; a line for each that came or was put beside."""
    folder.mkdir(parents=True, exist_ok=True)
    given = read_given(folder)
    lines = [
        line
        for path in sorted(source.glob("*.ipynb"))
        for line in give(path.name, path.read_bytes(), folder, given)
    ]
    write(folder / GIVEN, json.dumps(given, indent=1, sort_keys=True).encode() + b"\n")
    return lines


def give(name: str, content: bytes, folder: Path, given: dict[str, str]) -> Iterator[str]:
    """Give one notebook, and note that it was given."""
    place, new = folder / name, digest(content)
    last, given[name] = given.get(name), new
    if not place.exists():
        write(place, content)
        yield f"{name}: new"
    elif (present := digest(place.read_bytes())) == new or last == new:
        return  # it is this one, or the reader's own version of this one
    elif present == last:
        write(place, content)
        yield f"{name}: renewed"
    else:
        beside = name_beside(name, content, folder, given)
        write(folder / beside, content)
        given[beside] = new
        yield f"{name}: yours, which stays as it is; the book's new one is {beside}"


def name_beside(name: str, content: bytes, folder: Path, given: dict[str, str]) -> str:
    """``06_shift-new.ipynb``; if the reader has changed that too, ``06_shift-new-2.ipynb``, …"""
    stem = name.removesuffix(".ipynb")
    for number in count(1):
        beside = f"{stem}-new{f'-{number}' if number > 1 else ''}.ipynb"
        place = folder / beside
        if not place.exists():
            return beside
        if digest(place.read_bytes()) in (given.get(beside), digest(content)):
            return beside
    raise AssertionError("numbers do not end")


def read_given(folder: Path) -> dict[str, str]:
    """What was given; nothing if the note is lost: then every other copy counts as changed."""
    try:
        found = json.loads((folder / GIVEN).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        found = {}
    return found if isinstance(found, dict) else {}


def write(path: Path, content: bytes) -> None:
    """Write all of it or nothing."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(content)
    os.replace(unfinished, path)


def digest(content: bytes) -> str:
    """Of what a reader can have worked on; what JupyterLab adds when it looks in is left out."""
    try:
        cells = json.loads(content)["cells"]
        work = [
            [each["cell_type"], "".join(each["source"]), each.get("outputs", [])] for each in cells
        ]
        content = json.dumps(work, sort_keys=True).encode()
    except (ValueError, KeyError, TypeError):
        pass  # it is no notebook any more: all of it counts
    return hashlib.sha256(content).hexdigest()


def build() -> None:
    """Build the readers' notebooks; only pages that have changed are read again."""
    book = Path(sys.executable).with_name("jupyter-book")
    made = subprocess.run(
        [str(book), "build", *BUILD, "readers", str(ROOT)], capture_output=True, text=True
    )
    if made.returncode:
        sys.exit(f"{made.stdout}{made.stderr}")


def main(arguments: list[str]) -> None:
    from jupyterlab.labapp import LabApp

    build()
    print(*renew(READERS, FOLDER), sep="\n")
    own = [
        f"--ServerApp.root_dir={FOLDER}",
        f"--LabApp.app_settings_dir={SETTINGS}",
        "--LabApp.default_url=/lab/tree/intro.ipynb",
    ]
    LabApp.launch_instance(argv=[*own, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
