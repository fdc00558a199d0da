"""The first cell of a notebook: it finds the book's module, or fetches it."""

from __future__ import annotations

import tomllib
from pathlib import Path

FOLDER = "download"  # of the built book: the wheel and the notebooks, for whoever takes them along

PUBLISHED = """\
# The book's own module is fetched where it is not installed.
from importlib.util import find_spec

if not find_spec("pe_lab"):
    wheel = "{address}{folder}/{wheel}"
    %pip install --quiet "{name}[lab] @ {{wheel}}"
"""

FROM_DISK = """\
# The book's own module is installed from beside this notebook, if it is not installed yet.
from importlib.util import find_spec
from pathlib import Path

wheel = Path("{wheel}")
if not find_spec("pe_lab") and wheel.exists():
    %pip install --quiet "./{{wheel}}[lab]"
elif not find_spec("pe_lab"):
    print(f"Put {{wheel}} beside this notebook, and run this cell again.")
    print("In the book's folder it is under {folder}.")
"""

CHECKS = """
from pe_lab.diagnosis import check_answer
"""


def install_code(root: Path, address: str, *, checks: bool) -> str:
    """The cell's code.

    Args:
        root: the folder of the project.
        address: where the book is published, or "" if nobody knows.
        checks: whether the notebook checks answers.
    """
    code = (PUBLISHED if address else FROM_DISK).format(
        address=address, folder=FOLDER, wheel=wheel_name(root), name=project(root)["name"]
    )
    return (code + CHECKS if checks else code).strip()


def project(root: Path) -> dict[str, str]:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)["project"]
    return found


def wheel_name(root: Path) -> str:
    about = project(root)
    return f"{about['name']}-{about['version']}-py3-none-any.whl"
