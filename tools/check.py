"""Everything that checks the project, one line per part at the end: ``python -m tools.check``.

Names of parts after it restrict it to those. A part that fails does not stop the others.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tools.notebooks import STEADY, chapters
from web.node import NODE

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
HTML = ROOT / "_build" / "html"
PATIENCE = 900  # seconds for one tool; the slowest needs about 200

SCRIPTS = (".js", ".mjs", ".ts")
CITATION_SCHEMA = "vendor.citation-file-format"  # comes with check-jsonschema

PYTEST = ("pytest", "-q", "-n", "2", "--dist", "loadscope")


def run(*command: str) -> bool:
    """Run a tool of this environment; its output goes where ours goes."""
    print("\n$", " ".join(command), flush=True)
    program = shutil.which(command[0], path=BIN)  # on Windows it ends in .exe
    if program is None:
        print(f"{command[0]} is not in {BIN}: install requirements.txt there")
        return False
    # In a session of its own, so that what it starts can be stopped with it.
    tool = subprocess.Popen([program, *command[1:]], cwd=ROOT, start_new_session=True)
    try:
        return tool.wait(timeout=PATIENCE) == 0
    except subprocess.TimeoutExpired:
        print(f"{command[0]} was stopped: it had not ended after {PATIENCE} s")
        return False
    finally:
        if tool.returncode is None:  # Ctrl+C does not reach another session either
            stop(tool)


def stop(tool: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started; on Windows the process alone."""
    if sys.platform == "win32":
        tool.kill()
    else:
        os.killpg(tool.pid, signal.SIGKILL)
    tool.wait()


def run_node(script: str, *arguments: str) -> bool:
    """Run a tool of node_modules with the environment's own Node."""
    return run(str(NODE), f"node_modules/{script}", *arguments)


def scripts() -> list[str]:
    """All JavaScript of the repository, and the types that stand beside it."""
    ours = (ROOT / name for name in ("book", "pe_lab", "tests", "web"))
    found = [path for folder in ours for path in folder.rglob("*") if path.suffix in SCRIPTS]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def lint() -> bool:
    papers = ["README.md", "CONTRIBUTING.md"]
    prose = [*papers, *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("book/*.md")))]
    return all(
        [
            run("ruff", "check", "."),
            run("ruff", "format", "--check", "--exclude", "*.ipynb", "."),
            run("mypy"),
            run("codespell", *prose, "pe_core", "pe_lab", "book/_ext", "tools", "web"),
            run("python", "-m", "tools.prose"),
            run("check-jsonschema", "--builtin-schema", CITATION_SCHEMA, "CITATION.cff"),
            run_node("typescript/bin/tsc", "--project", "."),
            run_node("prettier/bin/prettier.cjs", "--check", *scripts()),
        ]
    )


def unit() -> bool:
    return run(*PYTEST, "--ignore", "tests/browser")


def stored_outputs() -> bool:
    names = [str(path.relative_to(ROOT)) for path in chapters()]
    return run(*PYTEST, "--nbval", "--nbval-cell-timeout", "120", *names)


def build() -> bool:
    # A page that left the table of contents would stay there, and be checked.
    shutil.rmtree(HTML, ignore_errors=True)
    command = ("jupyter-book", "build", "--quiet", "-W", "-n", "--keep-going", ".")
    if not run(*command, "--all"):
        return False
    first = built_files()
    if not run(*command):
        return False
    second = built_files()
    changed = sorted(
        str(path) for path in first.keys() | second.keys() if first.get(path) != second.get(path)
    )
    if changed:
        print(f"A second build, with nothing to do, changed {', '.join(changed)}")
    return not changed


def built_files() -> dict[Path, str]:
    """The digest of every file of the built book."""
    return {
        path.relative_to(HTML): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in HTML.rglob("*")
        if path.is_file()
    }


def browser() -> bool:
    return run(*PYTEST, "tests/browser", "-rs")


PARTS: dict[str, Callable[[], bool]] = {
    "lint": lint,
    "unit": unit,
    "outputs": stored_outputs,
    "build": build,
    "browser": browser,
}


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(PARTS))
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
        return 2
    os.environ.update(STEADY)
    lines = []
    failed = 0
    for name in names or PARTS:
        start = time.monotonic()
        passed = PARTS[name]()
        failed += not passed
        seconds = time.monotonic() - start
        lines.append(f"{'passed' if passed else 'FAILED'}  {name:<8} {seconds:5.0f} s")
    print("", *lines, f"{len(lines) - failed} passed, {failed} failed", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
