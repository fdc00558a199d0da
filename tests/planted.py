"""Mistakes, each planted in a copy of a part of the project, and the tests that run on the copies.

The test that holds a mistake must fail with a failed assertion: an import that breaks or a shape
that does not fit would say nothing. All copies are tested in one other process, which imports
torch and Sphinx once: to import them takes longer than to run the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Stands beside each copy. Its tests must import that copy, and stop at their first counter-
# example, because several would be reported as a group of exceptions.
CONFTEST = """\
from importlib import import_module
from pathlib import Path

from hypothesis import Phase, settings

for name in {imported}:
    assert Path(import_module(name).__file__).is_relative_to(Path(__file__).parent), name
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
testpaths = tests
pythonpath = . book/_ext tests
addopts = -k '{test}'
"""

# Runs the tests of one folder after another, those that its pytest.ini names. Between them it
# forgets the copies, and what it got from elsewhere because a copy had none.
RUNNER = """\
import os
import sys

import pytest

OPTIONS = (
    *("-x", "-q", "--junitxml=report.xml", "--basetemp=made", "-p", "no:cacheprovider"),
    # To rewrite what is asserted takes longer than most tests, and so does to show their source.
    *("--assert=plain", "--tb=line"),
    *("-p", "no:logging"),  # listens before and after each test, and none asks
    # Collects garbage five times at the end.
    *("-p", "no:unraisableexception"),
)

path = sys.path[1:]
copies = tuple(folder + os.sep for folder in sys.argv[1:])
for folder in sys.argv[1:]:
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if file.startswith(copies) or os.path.exists(os.path.join(folder, name.partition(".")[0])):
            del sys.modules[name]
    os.chdir(folder)
    sys.path[:] = [folder, *path]
    code = pytest.main(list(OPTIONS))
    with open("exit_code", "w", encoding="utf-8") as file:
        file.write(str(int(code)))
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
    """What is copied to be tested, and the modules that the tests must import from the copy."""

    copied: tuple[str, ...]
    imported: tuple[str, ...]


def unchanged(mutations: list[Mutation]) -> list[Mutation]:
    """No mistake, once for each file of tests, and every test of it that must see one."""
    tests: dict[str, dict[str, None]] = {}
    for each in mutations:
        tests.setdefault(each.tests, {})[f"({each.test})"] = None
    return [Mutation("", "", (), file, " or ".join(names)) for file, names in tests.items()]


def mutate(text: str, replacements: tuple[tuple[str, str], ...]) -> str:
    """Return ``text`` with all replacements made at once, so that two can swap."""
    for old, _ in replacements:
        assert text.count(old) == 1, f"occurs {text.count(old)} times, must occur once: {old!r}"
    for number, (old, _) in enumerate(replacements):
        text = text.replace(old, f"<{number}>")
    for number, (_, new) in enumerate(replacements):
        text = text.replace(f"<{number}>", new)
    return text


def make_copy(part: Part, mutation: Mutation, folder: Path) -> None:
    """Make a mutated copy of a part in ``folder``, with the tests that must see it."""
    for name in (*part.copied, f"tests/{mutation.tests}"):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (folder / "node_modules").symlink_to(ROOT / "node_modules", target_is_directory=True)
    conftest = CONFTEST.format(imported=part.imported)
    (folder / "conftest.py").write_text(conftest, encoding="utf-8")
    (folder / "pytest.ini").write_text(INI.format(test=mutation.test), encoding="utf-8")
    if mutation.file:
        target = folder / mutation.file
        text = target.read_text(encoding="utf-8")
        target.write_text(mutate(text, mutation.replacements), encoding="utf-8")


@dataclass(frozen=True)
class Outcome:
    """How the tests of one copy ended: pytest's exit code, and what each failure says."""

    code: int
    failures: list[str]
    output: str


def run_all(folders: list[Path]) -> list[Outcome]:
    """Run the tests of all ``folders``."""
    run = subprocess.run(
        [sys.executable, "-c", RUNNER, *map(str, folders)],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return [read_outcome(folder, run.stdout) for folder in folders]


def read_outcome(folder: Path, output: str) -> Outcome:
    code = folder / "exit_code"
    assert code.exists(), output
    report = folder / "report.xml"  # pytest writes none if the copy cannot be imported
    failures = ET.parse(report).iter("failure") if report.exists() else ()
    messages = [failure.get("message", "") for failure in failures]
    return Outcome(int(code.read_text(encoding="utf-8")), messages, output)


def check_passed(outcome: Outcome) -> None:
    assert outcome.code == pytest.ExitCode.OK, outcome.output
    assert outcome.failures == []


def check_seen(outcome: Outcome) -> None:
    """The tests failed, and by what they assert."""
    assert outcome.code == pytest.ExitCode.TESTS_FAILED, outcome.output
    assert len(outcome.failures) == 1, outcome.output  # the first one, and then it stops
    assert outcome.failures[0].startswith(("assert ", "AssertionError")), outcome.output
