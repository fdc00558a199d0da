"""The prose of the book: its spelling, and that what "one reads" names where.

codespell reads the Markdown cells of the notebooks, not their outputs; the pages it reads by
itself. A paragraph of either that reports what others say has a citation.

python -m tools.prose
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat

from tools.chapters import NOTEBOOKS, chapters

ROOT = NOTEBOOKS.parent
SETTINGS = ROOT / "pyproject.toml"

REPORTED = re.compile(
    r"\b(one (often )?reads that|you (will|may) (also )?read|"
    r"(is|are) (often|sometimes|usually) (said|given|held|told|claimed)|"
    r"(many|most|some|other) (texts|tutorials|people|authors|courses) (say|write|claim)|"
    r"course notes)\b",
    re.IGNORECASE,
)
CITED = re.compile(r"\{cite(:\w+)?\}`([^`]+)`")


def prose() -> Iterator[tuple[Path, str]]:
    """Every page and every notebook, with the text that its author wrote."""
    for path in chapters():
        cells = nbformat.read(path, as_version=4).cells
        text = [cell.source for cell in cells if cell.cell_type == "markdown"]
        yield path, "\n\n".join(text)
    for path in sorted([*ROOT.glob("book/*.md"), *ROOT.glob("course/guide/pages/*.md")]):
        yield path, path.read_text(encoding="utf-8")


def unsourced(text: str) -> list[str]:
    """The paragraphs that report what others say and do not name one who does."""
    paragraphs = re.split(r"\n\s*\n", text)
    return [part for part in paragraphs if REPORTED.search(part) and not CITED.search(part)]


def misspelt() -> str:
    """What codespell finds in the notebooks."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in prose():
            if path.suffix == ".ipynb":
                Path(folder, f"{path.stem}.md").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "codespell_lib", "--toml", str(SETTINGS), "."]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


def main() -> int:
    found = misspelt()
    for path, text in prose():
        for part in unsourced(text):
            found += f"{path.name}: reported, without a source: {part}\n"
    print(found, end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
