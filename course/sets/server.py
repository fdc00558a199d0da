"""The process that a student's cells run in: ``python -m course.sets.server FD``, made by fork.

The server imports torch once. For every task of every submission it forks a child, which is given a
socket, runs the cells and answers calls until it is killed. The server itself never runs them.

What a child may do is limited twice. A hook of Python's refuses what it sees: processes, the
network, ctypes, reading what is private, changing what is not in its own folder. A cell that looks
long enough gets past it. Where Linux has Landlock (:mod:`~course.sets.fence`), the system refuses,
too, and no cell gets past that: files are written in its own folder alone, and read there and where
Python and the system's libraries are. Where it has seccomp (:mod:`~course.sets.processes`), it
refuses other processes, programs, signals to others, their memory and limits, and sockets. What is
missing is told when the marking begins. Not refused by the system: owner, mode and times of files
that the marker owns, looking whether a file exists, taking the processor from others
(``sched_setaffinity`` and its like), and many files: the marker ends a process that has written too
many, or too much, which it looks at once a second.
It is no prison: whoever marks strangers' programs does it on a machine that holds nothing else.
"""

from __future__ import annotations

import ast
import asyncio
import ctypes
import gc
import inspect
import json
import linecache
import math
import os
import posix
import re
import resource
import signal
import socket
import subprocess
import sys
import traceback
import types
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy.random  # numpy itself brings it when it is first used, in every child
import torch
import torch._dynamo  # the first step of an optimizer brings it, in every child that trains
from IPython.core.inputtransformer2 import TransformerManager

import pe_core
import pe_lab.diagnosis
import pe_lab.weights  # noqa: F401 - loaded once, for all processes that are forked
from course.sets.cells import SHARED, comma, elsewhere
from course.sets.fence import WHOLE, fence, version
from course.sets.processes import confine, possible
from course.sets.values import NAME, NotData, pack, unpack

MEMORY = 3 * 2**30  # bytes, beside what torch has mapped already
BESIDE = Path(pe_core.__file__).resolve().parents[1]  # the repository, in an editable install
TIMED = ("time", "timeit", "prun")
FILES = 50 * 2**20  # bytes, of one
PRINTED = 4000  # characters that are kept
LINKS = 40  # that a path may lead through
# As what an error in a program of the marker's comes here: each is made of a text.
RAISED = {
    kind.__name__: kind
    for kind in (
        ArithmeticError,
        AssertionError,
        AttributeError,
        IndexError,
        LookupError,
        NotImplementedError,
        OverflowError,
        RuntimeError,
        TypeError,
        ZeroDivisionError,
    )
}
PARENT_DIED = 1  # of prctl: the signal that a process has when the server ends
REFUSED = (
    "subprocess.",
    "socket.",
    "pty.",
    "ctypes.",
    "sqlite3.",
    "resource.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.kill",
    "signal.pthread_kill",
    "sys.addaudithook",
)
# By event: how many paths it begins with, and where it has the numbers of folders, -1 for none.
CHANGES: dict[str, tuple[int, tuple[int, ...]]] = {
    "os.remove": (1, (1,)),
    "os.rmdir": (1, (1,)),
    "os.mkdir": (1, (2,)),
    "os.rename": (2, (2, 3)),
    "os.link": (2, (2, 3)),
    "os.symlink": (2, (2,)),
    "os.chmod": (1, (2,)),
    "os.chown": (1, (3,)),
    "os.lchown": (1, ()),
    "os.chflags": (1, ()),
    "os.utime": (1, (3,)),
    "os.truncate": (1, ()),
    "os.setxattr": (1, ()),
    "os.removexattr": (1, ()),
    "shutil.chown": (1, ()),
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_TRUNC | os.O_CREAT | os.O_APPEND
LOOKS = {"os.listdir", "os.scandir"}


def main(descriptor: int) -> None:
    """Fork a child for every socket that comes, and send back its number."""
    torch.set_num_threads(1)
    os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)  # torch._dynamo sets it; it names the marker
    for each in missing():
        print(f"marking: {each}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    control = socket.socket(fileno=descriptor)
    gc.freeze()  # a child looks for no garbage in what it shares with the others
    while True:
        _, sockets, _, _ = socket.recv_fds(control, 1, 1)
        if not sockets:
            return
        child = os.fork()
        if child == 0:
            control.close()
            os.setsid()  # killed together with whatever it starts
            ctypes.CDLL(None).prctl(PARENT_DIED, signal.SIGKILL, 0, 0, 0)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                answer(Connection(sockets[0]))
            finally:
                os._exit(0)
        os.close(sockets[0])
        control.send(child.to_bytes(8, "big"))


def missing() -> list[str]:
    """What this system cannot refuse to a student's process, so that a hook of Python's must."""
    found = []
    if not version():
        found.append("no Landlock here: a cell that gets past the hook can read and write files")
    elif version() < WHOLE:
        found.append("an old Landlock here: a cell that gets past the hook can empty files")
    if not possible():
        found.append("no seccomp here: a cell that gets past the hook can start processes")
    return found


class OutOfTime(BaseException):
    """The processor time of a task is used up; no Exception, which a student's cell may catch."""


class Answers:
    """Runs a student's cells, and answers what is asked about what they made."""

    def __init__(
        self,
        ask: Callable[[int, tuple[Any, ...], dict[str, Any]], Any],
        others: Iterable[str] = (),
    ) -> None:
        """``ask`` has a function of the marker's called; ``others`` are cells that do not run."""
        self.ask = ask
        self.others = [*others]
        self.loop = asyncio.new_event_loop()  # for `await`, as notebooks have it
        main = types.ModuleType("__main__")  # what `import __main__` and pickle find
        sys.modules["__main__"] = main
        self.names: dict[str, Any] = main.__dict__
        self.names |= {
            "get_ipython": lambda: Magics(self.execute, self.names),
            "display": lambda *objects, **_: print(*objects, sep="\n"),
        }

    def run(self, cells: Iterable[str]) -> dict[str, Any]:
        """Run the cells; the first error ends it, and what was made before it stays.

        One in a cell that runs for every task ends that cell alone: it would cost all of them.
        """
        for number, cell in enumerate(cells, 1):
            try:
                self.execute(cell.removeprefix(SHARED), f"cell {number}")
            except OutOfTime:
                return {"problem": ["time", ""]}
            except BaseException as error:  # exit() is a SystemExit
                if not cell.startswith(SHARED):
                    return {"problem": ["cell", self.told(error)]}
                with suppress(Exception):  # a cell may have put anything in the place of stdout
                    print(f"Your cell before the first task raised {self.told(error)}.")
        return {"value": None}

    def told(self, error: BaseException) -> str:
        return _told(error) + comma(error) + elsewhere(error, self.others)

    def execute(self, cell: str, name: str) -> None:
        source = TransformerManager().transform_cell(cell)
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        done = eval(compile(source, name, "exec", flags, dont_inherit=True), self.names)
        if inspect.iscoroutine(done):
            self.loop.run_until_complete(done)

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
        except OutOfTime:
            return {"problem": ["time", ""]}
        except BaseException as error:
            return {"problem": ["raises", self.told(error)]}
        try:
            return {"value": pack(value)}
        except NotData as error:
            return {"problem": ["not-data", str(error)]}
        except OutOfTime:
            return {"problem": ["time", ""]}
        except BaseException as error:  # of what the cell has made
            return {"problem": ["not-data", f"it cannot be read ({_told(error)})"]}

    def function(self, number: int) -> Callable[..., Any]:
        """A function of the marker's, whose program is not here."""

        def program(*args: Any, **kwargs: Any) -> Any:
            return self.ask(number, args, kwargs)

        return program


class Magics:
    """In place of IPython: what % and %% time is run, as is a cell with %%; ! does nothing."""

    def __init__(self, execute: Callable[[str, str], None], names: dict[str, Any]) -> None:
        self.execute = execute
        self.names = names

    def run_line_magic(self, magic: str, line: str, *_: object) -> Any:
        """`%time x = f()` is a statement, and `y = %time f()` a value."""
        if magic not in TIMED:
            return None
        statement = re.sub(r"^(-[a-zA-Z]\s*\d*\s+)*", "", line)
        try:
            return eval(compile(statement, "cell %time", "eval", dont_inherit=True), self.names)
        except SyntaxError:
            return self.execute(statement, "cell %time")

    def system(self, *_: object) -> None: ...

    def getoutput(self, *_: object) -> list[str]:
        return []

    def run_cell_magic(self, magic: str, line: str, cell: str) -> None:
        if magic == "capture" and (name := line.split("-")[0].strip()):
            self.names[name] = Captured()
        self.execute(cell, f"cell %%{magic}")


class Captured:
    """In place of what %%capture keeps, which is printed here."""

    stdout = stderr = ""
    outputs: tuple[object, ...] = ()

    def show(self) -> None: ...

    __call__ = show


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
    # Else it is in the marker's home, which may not be written to, and a warning would name it.
    os.environ["MPLCONFIGDIR"] = f"{job['folder']}/.matplotlib"
    # Open as long as the process lives.
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    printed = Printed()
    sys.stdout = sys.stderr = printed
    packages = {name: [Path(sys.modules[name].__path__[0])] for name in ("pe_core", "pe_lab")}
    for name in job["without"]:
        hide(name)
        globals().pop(name, None)  # where a frame would lead to it
    numpy.random.seed(0)  # noqa: NPY002 - students may use it
    torch.manual_seed(0)

    def ask(number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        _send(connection, {"ask": number, "args": pack(args), "kwargs": pack(kwargs)})
        reply = _receive(connection)
        if "error" in reply:
            kind = next((RAISED[name] for name in reply["kinds"] if name in RAISED), ValueError)
            raise kind(reply["error"])
        return unpack(reply["value"])

    answers = Answers(ask, job["others"])
    limit(job["seconds"])
    own, private = Path(job["folder"]), [*map(Path, job["private"])]
    private += [BESIDE / "course", BESIDE / "dist"]
    private += [folder for name in job["without"] for folder in packages.get(name, [])]
    there = [name for name in packages if name not in job["without"]]
    fence(own, [folder for name in there for folder in packages[name]])
    confine()
    forbid(private, own)

    _send(connection, {**answers.run(job["cells"]), "printed": printed.text})
    while True:
        _send(connection, answers.answer(_receive(connection)))


class Hidden:
    """A finder that refuses modules, first of all that are asked."""

    names: set[str] = set()  # noqa: RUF012 - of the whole process

    def find_spec(self, name: str, *_: object) -> None:
        if any(name == each or name.startswith(f"{each}.") for each in self.names):
            says = f"{name} is not there when this is marked (see the statement)"
            raise ModuleNotFoundError(says, name=name)


def hide(module: str) -> None:
    """Let a module and all in it be none that can be imported, or used by what was made of it.

    A class of it is still among the subclasses of torch's; its functions find nothing any more.
    """
    for name in [*sys.modules]:
        if name == module or name.startswith(f"{module}."):
            vars(sys.modules.pop(name)).clear()
    Hidden.names.add(module)
    if not any(isinstance(finder, Hidden) for finder in sys.meta_path):
        sys.meta_path.insert(0, Hidden())


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
    """Refuse processes, the network, reading in private folders, and writing but in its own.

    What it uses is bound here, or cannot be changed: a cell may replace any function of a module.
    """
    without_event()
    refused, ours = REFUSED, str(own.resolve())
    hidden = tuple(str(folder.resolve()) for folder in private)
    changes, looks, writing, nowhere = CHANGES, LOOKS, WRITING, os.devnull
    readlink, getcwd, fspath = os.readlink, os.getcwd, os.fspath
    kinds, error, failed, kind_of = (str, bytes, os.PathLike), PermissionError, OSError, isinstance
    number, text, many = int, str, any

    def look(event: str, args: tuple[Any, ...]) -> None:
        if event.startswith(refused):
            raise error(f"{event} is not allowed while this is marked")
        if event == "open":
            path, mode, flags = args
            check(path, bool(flags & writing) or many(sign in (mode or "") for sign in "wax+"))
            if mode is None and kind_of(path, kinds) and not absolute(path):  # may have a dir_fd
                raise error(f"{path!r} must begin with / in os.open while this is marked")
        elif event in changes:
            paths, folders = changes[event]
            for place in folders:
                if args[place] != -1:
                    raise error(f"{event} with dir_fd is not allowed while this is marked")
            for path in args[:paths]:
                if kind_of(path, number):
                    raise error(f"{event} of a number is not allowed while this is marked")
                check(path, True)
        elif event in looks:
            check(args[0], False)

    def absolute(path: Any) -> bool:
        path = fspath(path)
        return path[:1] in ("/", b"/")

    def check(path: Any, writes: bool) -> None:
        if not kind_of(path, kinds):
            return
        real = resolved(fspath(path))
        if writes and not within(real, ours) and real != nowhere:
            raise error(f"writing to {path!r} is not allowed while this is marked")
        if many(within(real, folder) for folder in hidden):
            raise error(f"{path!r} is not there while this is marked")

    def within(real: str, folder: str) -> bool:
        return real == folder or real.startswith(f"{folder}/")

    def resolved(path: Any) -> str:
        """As os.path.realpath, which a cell could replace."""
        name = path if kind_of(path, text) else path.decode("utf-8", "surrogateescape")
        left = text.split(name, "/")
        if left[0]:
            left = [*getcwd().split("/"), *left]
        real, links = "", 0
        while left:
            part = left.pop(0)
            if part in ("", "."):
                continue
            if part == "..":
                real = real.rpartition("/")[0]
                continue
            try:
                target = readlink(f"{real}/{part}")
            except failed:
                real = f"{real}/{part}"
                continue
            links += 1
            if links > LINKS:
                raise error(f"{path!r} leads through too many links")
            real = "" if target.startswith("/") else real
            left = [*target.split("/"), *left]
        return real or "/"

    sys.addaudithook(look)


def without_event() -> None:
    """Take away what would do it without an event that a hook could see."""
    for name in ("mkfifo", "mknod"):
        for module in (os, posix):
            if hasattr(module, name):
                delattr(module, name)
    subprocess._fork_exec = None  # type: ignore[attr-defined]
    hide("_posixsubprocess")
    torch.from_file = opened_first(torch.from_file)
    storage = torch.UntypedStorage
    storage.from_file = opened_first(storage.from_file)  # type: ignore[method-assign]


def opened_first(function: Callable[..., Any]) -> Any:
    """A function of torch that maps a file without an event, after Python has opened that file."""
    opens = open

    def opened(filename: Any, shared: Any = False, *args: Any, **kwargs: Any) -> Any:
        opens(filename, "r+b" if shared else "rb").close()
        return function(filename, shared, *args, **kwargs)

    return staticmethod(opened)


def _told(error: BaseException) -> str:
    """The error and its line, in one line of text."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith("cell ")
    ]
    if isinstance(error, SyntaxError):
        lines = [error.lineno]
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException:  # of whoever wrote its class
        text = ""
    reason = text.strip().split("\n")[0]
    where = f" (line {lines[-1]})" if lines and lines[-1] else ""
    return f"{type(error).__name__[:NAME]}: {reason[:200]}".rstrip(": ") + where


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
