"""What the README says is so: its commands are the Makefile's, and its example runs."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

import pe_core

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[0].split()
PLAIN = dict(
    re.findall(r"^\| `make (\w+)` \| (.*) \|$", README.split("## Without make")[1], re.MULTILINE)
)


def recipe(target: str) -> str:
    """The commands of one target as they are typed in an activated environment."""
    (lines,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    plain = {"$(PY)": "python", "$(BENCH)/bin/": "", "$(BIN)/": "", "$(BOOK)": "_build/html"}
    for variable, value in plain.items():
        lines = lines.replace(variable, value)
    return lines.replace(" --quiet", "")


def test_every_target_has_a_plain_command_and_a_line_of_help() -> None:
    assert set(PLAIN) == set(TARGETS) - {"help"}
    helped = re.findall(r'@echo "make (\w+) ', MAKEFILE)
    assert set(helped) == set(TARGETS) - {"help"}


@pytest.mark.parametrize("target", sorted(set(PLAIN) - {"clean"}))
def test_the_plain_command_is_the_one_that_make_runs(target: str) -> None:
    command = re.findall(r"`([^`]+)`", PLAIN[target])[-1]
    assert f"\t{command}\n" in recipe(target)


def test_what_clean_deletes_is_named() -> None:
    named = re.findall(r"`([^`]+)`", PLAIN["clean"])
    variables = dict(re.findall(r"^(\w+) +:= (\S+)$", MAKEFILE, re.MULTILINE))
    removing = recipe("clean").partition("\trm ")[2]
    deleted = re.sub(r"\$\((\w+)\)", lambda name: variables[name[1]], removing).split()
    assert set(named) <= set(deleted)
    assert {variables["VENV"], variables["BENCH"]} <= set(named)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(
    ("submitted", "marks", "refused"),
    [(False, "0", False), (True, "0", True), (False, "1", True), (False, "no table", True)],
)
def test_clean_keeps_what_students_handed_in(
    submitted: bool, marks: str, refused: bool, tmp_path: Path
) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    sets = tmp_path / "dist" / "sets"
    (sets / "submitted").mkdir(parents=True)
    if submitted:
        (sets / "submitted" / "ada").mkdir()
    with closing(sqlite3.connect(sets / "gradebook.db")) as book, book:
        name = "other" if marks == "no table" else "submitted_assignment"
        book.execute(f"CREATE TABLE {name} (id)")
        if marks == "1":
            book.execute(f"INSERT INTO {name} VALUES (1)")
    command = ["make", f"PYTHON={sys.executable}", "clean"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) is refused, done
    assert sets.exists() is refused
    assert ("Move the whole folder to where you teach" in done.stderr) is refused


@pytest.mark.parametrize("package", ["torch", "uv"])
def test_the_versions_are_the_pinned_ones(package: str) -> None:
    pinned = re.search(
        rf"^{package}==(\S+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE
    )
    assert pinned is not None
    assert set(re.findall(rf"\b{package}==([\w.]+)", README)) == {pinned[1]}


def test_the_example_runs_and_gives_what_its_comments_say() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    made: dict[str, Any] = {}
    torch.manual_seed(0)
    exec(example, made)
    assert torch.equal(made["table"], pe_core.sinusoidal_table(10, 6))
    assert made["window"].shape == (4, 6)
    kept = made["y"] != 0
    assert torch.allclose(made["y"][kept], ((made["x"] + made["table"]) / 0.9)[kept])
    assert 0.5 < kept.double().mean() < 1
    for p in range(7):
        assert torch.allclose(made["M"] @ made["table"][p], made["table"][p + 3], atol=1e-6)
