"""The process that a student's cells run in: ``python -m course.sets.server FD``, made by fork.

The server imports torch once. For every task of every submission it forks a child, which is given a
socket, runs the cells and answers calls until it is killed. The server itself never runs them.

What a child may do is limited: processor and memory, files (it writes to its own folder alone and
does not read the course's), no process, no network. That stops accidents and plain attempts. It is
no prison: whoever marks strangers' programs does it on a machine that holds nothing else.
"""

from __future__ import annotations

import json
import linecache
import math
import os
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy
import torch
from IPython.core.inputtransformer2 import TransformerManager

import pe_core  # noqa: F401
import pe_lab.diagnosis
import pe_lab.weights  # noqa: F401
from course.sets.values import NotData, pack, unpack

MEMORY = 3 * 2**30  # bytes, beside what torch has mapped already
FILES = 50 * 2**20  # bytes, of one
PRINTED = 4000  # characters that are kept
REFUSED = (
    "subprocess.",
    "socket.",
    "pty.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.kill",
)
CHANGES = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod"}
LOOKS = {"os.listdir", "os.scandir"}


def main(descriptor: int) -> None:
    """Fork a child for every socket that comes, and send back its number."""
    torch.set_num_threads(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    control = socket.socket(fileno=descriptor)
    while True:
        _, sockets, _, _ = socket.recv_fds(control, 1, 1)
        if not sockets:
            return
        child = os.fork()
        if child == 0:
            control.close()
            os.setsid()  # killed together with whatever it starts
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                answer(Connection(sockets[0]))
            finally:
                os._exit(0)
        os.close(sockets[0])
        control.send(child.to_bytes(8, "big"))


class OutOfTime(BaseException):
    """The processor time of a task is used up; no Exception, which a student's cell may catch."""


class Answers:
    """Runs a student's cells, and answers what is asked about what they made."""

    def __init__(self, ask: Callable[[int, tuple[Any, ...]], Any]) -> None:
        """``ask`` has one of the marker's functions called."""
        self.ask = ask
        self.names: dict[str, Any] = {"__name__": "__main__", "get_ipython": Magics}

    def run(self, cells: Iterable[str]) -> dict[str, Any]:
        """Run the cells; the first error ends it, and what was made before it stays."""
        for number, cell in enumerate(cells, 1):
            try:
                self.execute(cell, f"cell {number}")
            except OutOfTime:
                return {"problem": ["time", ""]}
            except BaseException as error:  # exit() is a SystemExit
                return {"problem": ["cell", _told(error)]}
        return {"value": None}

    def execute(self, cell: str, name: str) -> None:
        source = TransformerManager().transform_cell(cell)  # type: ignore[no-untyped-call]
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        Magics.names = self.names
        exec(compile(source, name, "exec"), self.names)

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message of the marker: a value, or a problem."""
        name = message["name"]
        if name not in self.names:
            return {"problem": ["missing", ""]}
        value = self.names[name]
        try:
            if message["do"] == "call":
                if not callable(value):
                    return {"problem": ["not-a-function", ""]}
                args, kwargs = (unpack(message[key], self.function) for key in ("args", "kwargs"))
                value = value(*args, **kwargs)
            return {"value": pack(value)}
        except NotData as error:
            return {"problem": ["not-data", str(error)]}
        except OutOfTime:
            return {"problem": ["time", ""]}
        except BaseException as error:
            return {"problem": ["raises", _told(error)]}

    def function(self, number: int) -> Callable[..., Any]:
        """A function of the marker's, whose program is not here."""

        def program(*args: Any) -> Any:
            return self.ask(number, args)

        return program


class Magics:
    """In place of IPython: lines with % and ! do nothing, and a cell with %% is run."""

    names: dict[str, Any]

    def run_line_magic(self, *_: object) -> None: ...

    def system(self, *_: object) -> None: ...

    def getoutput(self, *_: object) -> list[str]:
        return []

    def run_cell_magic(self, magic: str, line: str, cell: str) -> None:
        exec(compile(cell, f"cell %%{magic}", "exec"), self.names)


class Printed:
    """What is printed, as much of it as is kept."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += str(text)[: max(0, PRINTED - len(self.text))]
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False


def answer(connection: Connection) -> None:
    """Be a student's process: one message comes with the cells, and then calls."""
    job = _receive(connection)
    os.chdir(job["folder"])
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    printed = Printed()
    sys.stdout = sys.stderr = printed
    for name in job["without"]:
        hide(name)
    numpy.random.seed(0)  # noqa: NPY002 - students may use it
    torch.manual_seed(0)
    limit(job["seconds"])
    forbid([*map(Path, job["private"])], Path(job["folder"]))

    def ask(number: int, args: tuple[Any, ...]) -> Any:
        _send(connection, {"ask": number, "args": pack(args)})
        reply = _receive(connection)
        if "error" in reply:
            raise ValueError(reply["error"])
        return unpack(reply["value"])

    answers = Answers(ask)
    _send(connection, {**answers.run(job["cells"]), "printed": printed.text})
    while True:
        _send(connection, answers.answer(_receive(connection)))


def hide(module: str) -> None:
    """Let a module and all in it be none that can be imported."""
    for name in [module, *(each for each in sys.modules if each.startswith(f"{module}."))]:
        sys.modules[name] = None  # type: ignore[assignment]


def limit(seconds: float) -> None:
    """Set the limits that the system keeps."""
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    whole = math.ceil(used + seconds)
    signal.signal(signal.SIGXCPU, _out_of_time)
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))  # then it is killed


def _out_of_time(*_: object) -> None:
    raise OutOfTime


def forbid(private: list[Path], own: Path) -> None:
    """Refuse processes, the network, reading in private folders, and writing but in its own."""

    def look(event: str, args: tuple[Any, ...]) -> None:
        if event.startswith(REFUSED):
            raise PermissionError(f"{event} is not allowed while this is marked")
        if event == "open":
            path, mode, flags = args
            writes = (
                bool(flags & (os.O_WRONLY | os.O_RDWR)) if flags else set(mode or "") & set("wax+")
            )
            check(path, bool(writes))
        elif event in CHANGES:
            check(args[0], True)
        elif event in LOOKS:
            check(args[0], False)

    def check(path: Any, writes: bool) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        real = Path(os.path.realpath(os.fsdecode(path)))
        if writes and not real.is_relative_to(own) and real != Path(os.devnull):
            raise PermissionError(f"writing to {path!r} is not allowed while this is marked")
        if any(real.is_relative_to(folder) for folder in private):
            raise PermissionError(f"{path!r} is not there while this is marked")

    own = own.resolve()
    private = [folder.resolve() for folder in private]
    sys.addaudithook(look)


def _told(error: BaseException) -> str:
    """The error and its line, in one line of text."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith("cell ")
    ]
    if isinstance(error, SyntaxError):
        lines = [error.lineno]
    reason = str(error.msg if isinstance(error, SyntaxError) else error).strip().split("\n")[0]
    where = f" (line {lines[-1]})" if lines and lines[-1] else ""
    return f"{type(error).__name__}: {reason[:200]}".rstrip(": ") + where


def _send(connection: Connection, message: dict[str, Any]) -> None:
    connection.send_bytes(json.dumps(message).encode())


def _receive(connection: Connection) -> dict[str, Any]:
    try:
        message: dict[str, Any] = json.loads(connection.recv_bytes())
    except EOFError:
        os._exit(0)
    return message


if __name__ == "__main__":
    main(int(sys.argv[1]))
