"""The wheel of the book's modules, with the same bytes on every build.

It is made from a copy of just what goes in: a folder that has been built in before would lend it
files that are no more.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.errors import ExtensionError

from .install import wheel_name

PARTS = ("pe_core", "pe_lab", "book/questions")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "LICENSE-text")
EPOCH = "315532800"  # 1980-01-01, the first day that a zip file can tell
MADE_FROM = "made-from.sha256"


def make_wheel(root: Path, folder: Path) -> Path:
    """The wheel in ``folder``, made anew if what it is made from has changed."""
    wheel, note = folder / wheel_name(root), folder / MADE_FROM
    digest = fingerprint(root)
    if not wheel.exists() or not note.exists() or note.read_text() != digest:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        build(root, folder)
        note.write_text(digest)
    return wheel


def sources(root: Path) -> list[Path]:
    """Every file that goes into the wheel, or says how it is made."""
    found = [
        path
        for part in PARTS
        for path in (root / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    ]
    return sorted([*found, *(root / name for name in FILES)])


def fingerprint(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()


def build(root: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for path in sources(root):
            to = copy / path.relative_to(root)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
            to.chmod(0o644)
        pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index")
        made = subprocess.run(
            [*pip, "--no-build-isolation", "--wheel-dir", str(folder), str(copy)],
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
            capture_output=True,
            text=True,
        )
    if made.returncode:
        raise ExtensionError(f"pip makes no wheel of the book's modules:\n{made.stderr}")
