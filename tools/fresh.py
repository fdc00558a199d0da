"""Run downloaded notebooks in fresh environments: ``python -m tools.fresh 3.13:2.6.0 3.13:2.15.0``.

For each Python and torch an environment is made that has these, Jupyter's kernel and nothing of the
book. A folder gets the wheel and some notebooks as a reader downloads them from a book that
is opened from disk: the first cell has to install the rest. ``3.11:lowest`` takes the oldest of
all that pyproject.toml allows. It takes gigabytes of downloads, and minutes; what was tried last
stands in the README.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from tools.chapters import NO_BOOK
from tools.readers import READERS, differences

DOWNLOAD = READERS.parent / "html" / "download"
NAMES = ("03_step_by_step", "06_shift-solutions", "08_learning")
JUPYTER = ("ipykernel", "nbclient")
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
for path in sys.argv[1:]:
    notebook = nbformat.read(path, 4)
    options = {"timeout": 600, "kernel_name": "python3", "coalesce_streams": True}
    NotebookClient(notebook, **options).execute()
    nbformat.write(notebook, path)
"""


def uv(*command: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", *command, "--quiet"], check=True)


def make(folder: Path, python: str, torch: str) -> Path:
    """An environment; its Python."""
    uv("venv", "--seed", "--python", python, str(folder))
    made = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if torch == "lowest":
        wheel = next(DOWNLOAD.glob("*.whl"))
        lowest = (
            "--resolution",
            "lowest-direct",
            f"{wheel}[lab]",
            "ipykernel>=6.29",
            "nbclient>=0.10",
        )
        uv("pip", "install", "--python", str(made), *lowest)
    else:
        uv("pip", "install", "--python", str(made), f"torch=={torch}", *JUPYTER)
    return made


def run(python: Path, folder: Path) -> list[str]:
    """Run the notebooks in a folder of their own; what they print otherwise than the book's."""
    for path in [*DOWNLOAD.glob("*.whl"), *(DOWNLOAD / f"{name}.ipynb" for name in NAMES)]:
        shutil.copy(path, folder)
    paths = [folder / f"{name}.ipynb" for name in NAMES]
    # Nothing of this environment may be found from there.
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    steady = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
    command = [str(python), "-c", EXECUTE, *map(str, paths)]
    subprocess.run(command, cwd=folder, env=bare | steady, check=True)
    lines = [line for path in paths for line in differences(path, nbformat.read(path, 4))]
    return [line for line in lines if "cell install:" not in line]  # there pip has its say


def main(wanted: list[str]) -> int:
    pairs = {each: each.partition(":")[::2] for each in wanted}
    if not pairs or not all(map(all, pairs.values())):
        got = ", ".join(wanted) or "nothing"
        print(f"Name a Python and its torch, as 3.13:2.6.0 or 3.11:lowest; got {got}")
        return 2
    if not list(DOWNLOAD.glob("*.whl")):
        print(NO_BOOK)
        return 1
    failed = 0
    for each, (python, torch) in pairs.items():
        with tempfile.TemporaryDirectory() as name:
            environment, folder = Path(name, "environment"), Path(name, "notebooks")
            folder.mkdir()
            try:
                found = run(make(environment, python, torch), folder)
                said = "OTHERWISE" if found else "as stored"
            except subprocess.CalledProcessError as error:
                found, said = [f"{error}"], "NOT RUN"
        print(f"{each}: {said}", *found, sep="\n  ", flush=True)
        failed += bool(found)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
