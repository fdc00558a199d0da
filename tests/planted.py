"""Mistakes, each planted in a copy of a part of the project, and the tests that run on the copies.

The test that holds a mistake must fail with a failed assertion: an import that breaks or a shape
that does not fit would say nothing. And it must pass on the unchanged copy.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools.chapters import STEADY

ROOT = Path(__file__).resolve().parent.parent
# How the process is started that imports from the copies, so that it has nothing of this project.
PYTHON = "PLANTED_PYTHON"

# Stands in each copy. Its tests must stop at their first counterexample, because several would be
# reported as a group of exceptions.
CONFTEST = """\
from hypothesis import Phase, settings

settings.register_profile(
    "copy",
    derandomize=True,
    report_multiple_bugs=False,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("copy")
"""
INI = """\
[pytest]
pythonpath = . book/_ext tests
"""


@dataclass(frozen=True)
class Mutation:
    """A mistake: replacements of text in one file, and who must see it.

    ``test`` is an expression for pytest's ``-k``: a name, or a name and one of its parameters.
    """

    name: str
    file: str
    replacements: tuple[tuple[str, str], ...]
    tests: str
    test: str


@dataclass(frozen=True)
class Part:
    """What is copied to be tested."""

    copied: tuple[str, ...]


def mutate(text: str, replacements: tuple[tuple[str, str], ...]) -> str:
    """Return ``text`` with all replacements made at once, so that two can swap."""
    for old, _ in replacements:
        assert text.count(old) == 1, f"occurs {text.count(old)} times, must occur once: {old!r}"
    for number, (old, _) in enumerate(replacements):
        text = text.replace(old, f"<{number}>")
    for number, (_, new) in enumerate(replacements):
        text = text.replace(f"<{number}>", new)
    return text


def make_copy(part: Part, mutations: Sequence[Mutation], folder: Path) -> None:
    """Copy a part to ``folder``, with the tests that must see its mistakes."""
    tests = {f"tests/{each.tests}" for each in mutations}
    for name in (*part.copied, *sorted(tests)):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (folder / "node_modules").symlink_to(ROOT / "node_modules", target_is_directory=True)
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text(INI, encoding="utf-8")


@dataclass(frozen=True)
class Outcome:
    """How tests ended: pytest's exit code, those that passed, and what each that failed says."""

    code: int
    passed: list[str]
    failures: dict[str, str]
    output: str


def asked(mutation: Mutation, folder: Path) -> dict[str, Any]:
    """Say which file has the mistake, and which tests run then."""
    file = folder / mutation.file
    text = mutate(file.read_text(encoding="utf-8"), mutation.replacements)
    tests = [f"tests/{mutation.tests}", "-k", mutation.test]
    word = mutation.test.partition(" ")[0]
    name = word if word.startswith("test_") else ""  # any test
    return {"file": str(file), "text": text, "tests": tests, "name": name}


def run_all(
    parts: Mapping[Part, Sequence[Mutation]], folder: Path
) -> tuple[dict[Mutation, Outcome], dict[Part, Outcome]]:
    """Run the tests of all mistakes; and of each unchanged part, those that failed by a mistake."""
    wanted = []
    for number, (part, mutations) in enumerate(parts.items()):
        copy = folder / f"copy{number}"
        make_copy(part, mutations, copy)
        mistakes = [asked(each, copy) for each in mutations]
        wanted.append({"folder": str(copy), "mistakes": mistakes})
    answer = folder / "answer.json"
    python = shlex.split(os.environ.get(PYTHON, "")) or [sys.executable]
    run = subprocess.run(
        [*python, "-m", "run_planted", str(answer)],
        cwd=ROOT / "tests",
        env={**os.environ, **STEADY, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        input=json.dumps(wanted),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert answer.exists(), run.stdout
    planted, unchanged = {}, {}
    for (part, mutations), got in zip(parts.items(), json.loads(answer.read_text()), strict=True):
        unchanged[part] = Outcome(**got["unchanged"])
        outcomes = (Outcome(**each) for each in got["mistakes"])
        planted.update(zip(mutations, outcomes, strict=True))
    return planted, unchanged


def check_seen(outcome: Outcome) -> None:
    """The tests failed, and by what they assert."""
    assert outcome.code == pytest.ExitCode.TESTS_FAILED, outcome.output
    [failure] = outcome.failures.values()  # the first one, and then it stops
    assert failure.startswith(("assert ", "AssertionError")), outcome.output
