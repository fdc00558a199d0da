"""Everything that checks the project, one line per part at the end: ``python -m tools.check``.

Names of parts after it restrict it to those. A part that fails does not stop the others. Some run
at the same time, so what a tool says is printed when it has ended, in one piece.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NoReturn

from tools.chapters import STEADY, chapters
from tools.warm import KERNEL, Kind, first_in, forge, kernels_by, setting
from web.node import NODE

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PATIENCE = 900  # seconds for one tool; the slowest needs about 100
AT_A_TIME = 2  # tools that use one core

SCRIPTS = (".js", ".mjs", ".ts")
# These come with check-jsonschema.
CITATION_SCHEMA, WORKFLOW_SCHEMA = "vendor.citation-file-format", "vendor.github-workflows"

PYTEST = ("pytest", "-q", "--dist", "loadscope", "-n")

# How pytest's workers are started (by tests/conftest.py), the build, and planted mistakes.
WORKERS, BUILDER, PLANTED = "XDIST_PYTHON", "BUILD_PYTHON", "PLANTED_PYTHON"


async def run(*command: str, started_by: str | None = None) -> bool:
    """Run a tool of this environment, and print what it says when it has ended.

    Args:
        started_by: a command line for the command's first word.
    """
    program = shutil.which(command[0], path=BIN)  # on Windows it ends in .exe
    if program is None:
        say(command, f"{command[0]} is not in {BIN}: install requirements.txt there\n")
        return False
    with tempfile.TemporaryFile() as output:
        # In a session of its own, so that what it starts can be stopped with it.
        tool = await asyncio.create_subprocess_exec(
            *(shlex.split(started_by) if started_by else [program]),
            *command[1:],
            cwd=ROOT,
            start_new_session=True,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        too_long = ""
        try:
            async with asyncio.timeout(PATIENCE):
                await tool.wait()
        except TimeoutError:
            too_long = f"{command[0]} was stopped: it had not ended after {PATIENCE} s\n"
        finally:
            if tool.returncode is None:  # Ctrl+C does not reach another session either
                await stop(tool)
            output.seek(0)
            say(command, output.read().decode(errors="replace") + too_long)
    return tool.returncode == 0


async def stop(tool: Process) -> None:
    """End a process and all that it has started; on Windows the process alone."""
    if sys.platform == "win32":
        tool.kill()
    else:
        os.killpg(tool.pid, signal.SIGKILL)
    await tool.wait()


def say(command: tuple[str, ...], words: str) -> None:
    print("\n$", " ".join(command), f"\n{words}", end="", flush=True)


async def run_node(script: str, *arguments: str) -> bool:
    """Run a tool of node_modules with the environment's own Node."""
    return await run(str(NODE), f"node_modules/{script}", *arguments)


async def run_all(*tools: Awaitable[bool]) -> bool:
    """Run tools, some at a time; whether all of them pass."""
    free = asyncio.Semaphore(AT_A_TIME)

    async def run_when_free(tool: Awaitable[bool]) -> bool:
        async with free:
            return await tool

    return all(await asyncio.gather(*map(run_when_free, tools)))


def scripts() -> list[str]:
    """All JavaScript of the repository, and the types that stand beside it."""
    ours = (ROOT / name for name in ("book", "course", "pe_lab", "tests", "web"))
    found = [path for folder in ours for path in folder.rglob("*") if path.suffix in SCRIPTS]
    return sorted(str(path.relative_to(ROOT)) for path in found)


async def lint() -> bool:
    papers = ["README.md", "CONTRIBUTING.md"]
    workflows = [str(path.relative_to(ROOT)) for path in ROOT.glob(".github/workflows/*.yml")]
    prose = [*papers, *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("book/*.md")))]
    return await run_all(  # the slowest first
        run("mypy"),
        run_node("prettier/bin/prettier.cjs", "--check", *scripts()),
        run_node("typescript/bin/tsc", "--project", "."),
        run("codespell", *prose, "pe_core", "pe_lab", "book/_ext", "course", "tools", "web"),
        run("check-jsonschema", "--builtin-schema", CITATION_SCHEMA, "CITATION.cff"),
        run("check-jsonschema", "--builtin-schema", WORKFLOW_SCHEMA, *workflows),
        run("python", "-m", "tools.prose"),
        run("ruff", "check", "."),
        run("ruff", "format", "--check", "."),
    )


async def unit() -> bool:
    return await run(*PYTEST, "2", "--ignore", "tests/browser")


async def stored_outputs() -> bool:
    names = [str(path.relative_to(ROOT)) for path in chapters()]
    nbval = ("-p", "nbval.plugin", "--nbval", "--nbval-cell-timeout", "120")
    # In one process: nearly all of the work is done in kernels.
    return await run(*PYTEST, "0", *nbval, *names)


async def build() -> bool:
    return await run("python", "-m", "tools.build", started_by=os.environ.get(BUILDER))


async def browser() -> bool:
    # Each has a browser beside it, and on two cores a third would make nothing sooner.
    return await run(*PYTEST, "2", "tests/browser", "-rs")


PARTS: dict[str, Callable[[], Awaitable[bool]]] = {
    "lint": lint,
    "unit": unit,
    "outputs": stored_outputs,
    "build": build,
    "browser": browser,
}
OF_PAGES = ("unit", "browser")  # look at what is built; the others begin at once


async def timed(name: str) -> tuple[bool, str]:
    """Run a part; whether it passed, and the line that says so."""
    start = time.monotonic()
    passed = await PARTS[name]()
    seconds = time.monotonic() - start
    return passed, f"{'passed' if passed else 'FAILED'}  {name:<8} {seconds:5.0f} s"


async def run_parts(names: list[str]) -> dict[str, tuple[bool, str]]:
    """Run parts beside one another: where one waits, for a browser say, others use the cores."""
    wanted = [name for name in PARTS if name in names]
    built = asyncio.Event()

    async def run_in_turn(name: str) -> tuple[bool, str]:
        if name in OF_PAGES and "build" in wanted:
            await built.wait()
        try:
            return await timed(name)
        finally:
            if name == "build":
                built.set()

    return dict(zip(wanted, await asyncio.gather(*map(run_in_turn, wanted)), strict=True))


@contextlib.contextmanager
def left_out(module: str) -> Iterator[None]:
    """Let processes that start meanwhile do as if a module were not installed."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{module}.py").write_text("raise ImportError(__name__)", encoding="utf-8")
        with first_in("PYTHONPATH", folder):
            yield


@contextlib.contextmanager
def begun_warm() -> Iterator[None]:
    """Let kernels, pytest's workers and the build begin with what they import (see tools/warm)."""
    with first_in("PYTHONPATH", str(ROOT)):
        # All workers need the same tests, which take several times as long to import as to
        # count again.
        worker = Kind(("tools.collected",), {"PYTHONPATH": os.environ["PYTHONPATH"]})
    with (
        forge(kernel=KERNEL, worker=worker, plain=Kind((), {})) as pythons,
        kernels_by(pythons["kernel"]),
        setting(WORKERS, shlex.join(pythons["worker"])),
        setting(BUILDER, shlex.join(pythons["plain"])),
        setting(PLANTED, shlex.join(pythons["plain"])),
    ):
        yield


def uninterrupted() -> None:
    """Let processes from here on use their slices to the end, where the system can say so.

    There are several to a core, and they wake one another all the time. If each that wakes
    interrupts another at once, all together take a fifth more of the processor.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # some sandboxes refuse it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def end(*_: object) -> NoReturn:
    """End as Ctrl+C does, so that the tools, which are in other sessions, are stopped."""
    # `timeout` sends its signal twice, to its child and to the child's group.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(PARTS))
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
        return 2
    os.environ.update(STEADY)
    uninterrupted()
    start = time.monotonic()
    before = signal.signal(signal.SIGTERM, end)
    try:
        # jsonschema imports this where it is, for addresses in other alphabets, which no schema
        # here has; its grammars take a second, and most processes of the tests read a notebook.
        with left_out("rfc3987_syntax"), begun_warm():
            results = asyncio.run(run_parts(names or list(PARTS)))
    finally:
        signal.signal(signal.SIGTERM, before)
    lines = [line for name in PARTS if name in results for _, line in [results[name]]]
    failed = sum(not passed for passed, _ in results.values())
    seconds = time.monotonic() - start
    total = f"{len(lines) - failed} passed, {failed} failed, in {seconds:.0f} s"
    print("", *lines, total, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
