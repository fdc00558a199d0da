"""Imports go one way: tools -> book/_ext -> web, and pe_lab -> pe_core -> torch."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXTENSIONS = {path.name for path in (ROOT / "book" / "_ext").iterdir() if path.is_dir()}
DRAWING = {"matplotlib", "ipywidgets", "anywidget", "IPython"}

NEVER = {
    "pe_core": {"pe_lab", "web", "tools", "numpy", *DRAWING, *EXTENSIONS},
    "pe_lab": {"web", "tools", *EXTENSIONS},
    "web": {"tools", "sphinx", "docutils", "pe_core", "pe_lab", *EXTENSIONS},
    "book/_ext": {"tools"},
}


def imported(path: Path) -> Iterator[str]:
    """The packages that a file imports from outside its own folder."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("folder", NEVER)
def test_nothing_is_imported_against_the_arrows(folder: str) -> None:
    files = list((ROOT / folder).rglob("*.py"))
    assert files
    against = {(path.name, name) for path in files for name in imported(path)}
    assert not {(file, name) for file, name in against if name in NEVER[folder]}


def test_the_lab_asks_for_all_that_it_imports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    files = (ROOT / "pe_lab").rglob("*.py")
    found = {name for path in files for name in imported(path)} - sys.stdlib_module_names
    modules = {"pillow": "PIL", "pyyaml": "yaml"}
    names = (each.partition(">")[0] for each in asked)
    named = {modules.get(name, name) for name in names}
    assert found - {"pe_core", "pe_lab"} == named
