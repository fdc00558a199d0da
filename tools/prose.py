"""codespell over the prose of the notebooks: their Markdown cells, not their outputs.

python -m tools.prose
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from tools.notebooks import NOTEBOOKS, chapters

SETTINGS = NOTEBOOKS.parent / "pyproject.toml"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for path in chapters():
            notebook = nbformat.read(path, as_version=4)
            prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
            Path(folder, f"{path.stem}.md").write_text("\n\n".join(prose), encoding="utf-8")
        command = [sys.executable, "-m", "codespell_lib", "--toml", str(SETTINGS), "."]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    print(done.stdout, end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
