"""Runs the tests of copies, each mistake of a copy after the other: python -m run_planted ANSWER

The standard input says what to run (``planted.run_all``), the file ANSWER gets what came of it.
One process runs all, because to import torch and Sphinx takes longer than the tests. Between two
runs it forgets what it imported from a copy, and what it got from elsewhere for want of a copy.
"""

from __future__ import annotations

import compileall
import contextlib
import gc
import io
import json
import os
import sys
from importlib.util import cache_from_source
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

# Parts of pytest that no test here needs: each is set up for every run, and looked into for
# fixtures; logging listens before and after each test, and unraisableexception collects garbage.
UNUSED = (
    *("cacheprovider", "debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging"),
    *("pastebin", "setuponly", "setupplan", "stepwise", "threadexception", "unraisableexception"),
)
OPTIONS = (
    *("-x", "-q", "-s", "--basetemp=made"),
    # To rewrite what is asserted takes longer than most tests, and so does to show their source.
    *("--assert=plain", "--tb=line"),
    *(f"-pno:{name}" for name in UNUSED),
)


class Reports:
    """Which tests passed, and what those that failed say."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failures: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        if report.passed:
            self.passed.append(report.nodeid)
        elif report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.failures[report.nodeid] = crash.message if crash else str(report.longrepr)


class Named:
    """Collects what has a name: to make all tests of a file, each parameter, takes longer."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def pytest_pycollect_makeitem(self, name: str) -> list[pytest.Item] | None:
        wanted = not name.startswith("test") or any(each in name for each in self.names)
        return None if wanted else []


def run(tests: list[str], names: list[str]) -> dict[str, Any]:
    """Run tests, among those whose name contains one of the names."""
    reports, output = Reports(), io.StringIO()
    gc.freeze()  # what is imported already need not be looked through again and again
    with contextlib.redirect_stdout(output):
        code = pytest.main([*OPTIONS, *tests], plugins=[reports, Named(names)])
    return {"code": int(code), "output": output.getvalue(), **vars(reports)}


def write(file: Path, text: str) -> None:
    """Write a module, and let no bytecode of the same second and size be taken for it."""
    file.write_text(text, encoding="utf-8")
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def run_with(mistake: dict[str, Any]) -> dict[str, Any]:
    file = Path(mistake["file"])
    right = file.read_text(encoding="utf-8")
    write(file, mistake["text"])
    try:
        return run(mistake["tests"], [mistake["name"]])
    finally:
        write(file, right)


def own_names(folder: Path) -> set[str]:
    """What can be imported from a copy."""
    places = (folder, folder / "book/_ext", folder / "tests")
    found = (path for place in places if place.exists() for path in place.iterdir())
    return {path.stem for path in found if path.suffix in ("", ".py")}


def forget(folder: Path, own: set[str]) -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in own or inside(module, folder):
            del sys.modules[name]


def check_copied(folder: Path, own: set[str]) -> None:
    """What could come from the copy must not have come from elsewhere."""
    for name, module in sys.modules.items():
        if name.partition(".")[0] in own and getattr(module, "__file__", None):
            assert inside(module, folder), f"{name} is not from the copy"


def inside(module: ModuleType, folder: Path) -> bool:
    return (getattr(module, "__file__", None) or "").startswith(f"{folder}{os.sep}")


def run_part(part: dict[str, Any], path: list[str]) -> dict[str, Any]:
    """Run the tests of each mistake, then on the unchanged copy those that failed."""
    folder = Path(part["folder"])
    own = own_names(folder)
    compileall.compile_dir(folder, quiet=1)  # each module is imported again and again
    os.chdir(folder)
    sys.path[:] = [str(folder), *path]
    mistakes = []
    for mistake in part["mistakes"]:
        forget(folder, own)
        mistakes.append(run_with(mistake))
        check_copied(folder, own)
    forget(folder, own)
    failed = sorted({test for outcome in mistakes for test in outcome["failures"]})
    unchanged = run(failed, [test.partition("::")[2].partition("[")[0] for test in failed])
    forget(folder, own)  # or the next part would import more from the packages of this one
    return {"mistakes": mistakes, "unchanged": unchanged}


if __name__ == "__main__":
    gc.set_threshold(50_000)  # an import makes many objects, and hardly any garbage
    path = sys.path[1:]
    answer = [run_part(part, path) for part in json.load(sys.stdin)]
    Path(sys.argv[1]).write_text(json.dumps(answer), encoding="utf-8")
