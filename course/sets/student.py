"""A student's cells in a process of their own, as marking.py sees them: functions to call."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from course.sets.values import pack, unpack
from pe_lab.diagnosis.reading import Problem

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 16 * 2**20  # bytes of a message
# A process that computes is ended by its seconds of processor, however busy the machine is. One
# that waits is ended when it has used less than this share of as many seconds of waiting.
IDLE = 0.01
PATIENCE = 20  # times its seconds, at the most, for all that it is asked together
# What its files may be together, looked at now and then.
COUNT, SIZE = 10_000, 200 * 2**20  # bytes
MOST_FILES = f"{COUNT:,}, or {SIZE >> 20} MiB"
LOOKING = 1.0  # seconds between two looks
PRINTED = 4000  # characters that are kept, and of a message
# The product of all numbers and sizes that a student's test may give a program; one with `limits`
# of its own keeps to those.
LARGEST_TABLE = 10**7
# Errors that are found before the first line of a cell runs.
UNREAD = ("SyntaxError", "IndentationError", "TabError")

# Of the marker's environment, what a student's process has, too.
KEPT = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
# In a process that has just one thread, nothing is locked when it forks.
ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class Call(Protocol):
    """What marking.py asks the student's cell."""

    printed: str
    cells: Iterable[str]

    def __call__(self, name: str, /, *args: object, **kwargs: object) -> Any:
        """What the function of this name returns, or a Problem."""

    def value(self, name: str) -> Any:
        """What this name stands for, or a Problem."""

    def function(self, name: str) -> Callable[..., Any]:
        """The student's function, as one that raises what the student's raised."""


@dataclass
class Student:
    """A student's process.

    Args:
        cells: what is run, in order.
        seconds: of processor for the cells and all calls together, and as many here for the
            programs that they call and for reading their messages.
        without: modules that are not there.
        private: folders that it may not read.
        others: cells that are not run, for what is told of a name that they define.
    """

    cells: Iterable[str]
    seconds: float = 20
    without: tuple[str, ...] = ()
    private: tuple[Path, ...] = ()
    others: tuple[str, ...] = ()
    printed: str = field(default="", init=False)
    problem: Problem | None = field(default=None, init=False)

    def __enter__(self) -> Student:
        self._ended: Problem | None = None
        self._waiting = 0.0  # seconds, before what it is waited for since
        self._since: float | None = None
        self._charges = 0.0  # seconds of processor that its messages, and what it calls, take here
        self._overdue = False
        self._full = False
        self.cells = [*self.cells]
        self._connection, self._pid = _child()
        self._closed = Event()
        self._folder = tempfile.TemporaryDirectory()
        Thread(target=self._watch, daemon=True).start()
        job = {
            "folder": self._folder.name,
            "cells": self.cells,
            "seconds": self.seconds,
            "without": [*self.without],
            "private": [str(folder) for folder in self.private],
            "others": [*self.others],
        }
        reply = self._exchange("your cell", job)
        if not isinstance(reply, Problem) and reply.get("problem") == ["time", ""]:
            reply = self._out_of_time("your cell")
        if isinstance(reply, Problem):
            self.problem = reply
        else:
            self.problem = self._started(reply)
        return self

    def _started(self, reply: dict[str, Any]) -> Problem | None:
        """What its cells printed, and how they failed; a cell may have sent anything instead."""
        try:
            self.printed = str(reply["printed"])[:PRINTED]
            if "problem" in reply:
                return Problem("raises", f"Your cell raised {str(reply['problem'][1])[:PRINTED]}.")
        except (KeyError, IndexError, TypeError) as error:
            return self._unreadable("your cell", error)
        return None

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._kill()
        self._connection.close()
        try:
            self._folder.cleanup()
        except (RecursionError, OSError):  # folders in folders, deeper than Python or a path goes
            subprocess.run(["rm", "-rf", "--", self._folder.name], check=False)

    def __call__(self, name: str, /, *args: object, **kwargs: object) -> Any:
        functions: list[Callable[..., object]] = []
        packed = {"args": pack(args, functions), "kwargs": pack(kwargs, functions)}
        return self._ask(name, called(name, args, kwargs), {"do": "call", **packed}, functions)

    def value(self, name: str) -> Any:
        return self._ask(name, f"`{name}`", {"do": "value"}, [])

    def function(self, name: str) -> Callable[..., Any]:
        return as_function(self, name)

    def _ask(
        self, name: str, words: str, message: dict[str, Any], functions: list[Callable[..., object]]
    ) -> Any:
        reply = self._exchange(words, {"name": name, **message}, functions)
        if isinstance(reply, Problem):
            return reply
        try:
            if "value" in reply:
                return unpack(reply["value"])
            kind, detail = (str(each)[:PRINTED] for each in reply["problem"])
            if kind == "time":
                return self._out_of_time(words)
            return tell(kind, detail, name, words, self.problem)
        except Exception as error:  # no program of ours sent that
            return self._unreadable(words, error)

    def _exchange(
        self,
        words: str,
        message: dict[str, Any],
        functions: list[Callable[..., object]] | None = None,
    ) -> dict[str, Any] | Problem:
        """Send a message and wait for its answer; meanwhile call functions that it asks for."""
        if self._ended:
            return self._ended
        try:
            self._send(message)
            while True:
                reply = self._received()
                if "ask" not in reply:
                    return dict(reply)
                with self._charged():
                    answer = self._called(reply, functions or [])
                if self._charges > self.seconds:
                    return self._end(
                        "time",
                        f"{words} asked programs that were handed to it for so much that they, and "
                        f"reading what was asked, took more than {self.seconds:g} s of processor.",
                    )
                self._send(answer)
        except (OSError, EOFError) as error:
            return self._lost(words, error)
        except (ValueError, TypeError, KeyError, RecursionError, MemoryError) as error:
            return self._unreadable(words, error)

    def _lost(self, words: str, error: OSError | EOFError) -> Problem:
        """How the connection ended."""
        if self._overdue:
            return self._end(
                "waits", f"{words} had not ended: it waited for something that never came."
            )
        if self._full:
            return self._end("files", f"{words} wrote more files than it may: {MOST_FILES}.")
        if not isinstance(error, EOFError | ConnectionError):
            return self._unreadable(words, error)
        return self._end(
            "ended",
            f"{words} ended the process: by exit, or by more time or memory than it may take.",
        )

    def _unreadable(self, words: str, error: Exception) -> Problem:
        says = f"{words} gave what cannot be read ({type(error).__name__}: {error})."
        return self._end("unreadable", says)

    def _send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message).encode()
        with self._watched():
            self._connection.send_bytes(text)

    def _received(self) -> dict[str, Any]:
        with self._watched():
            text = self._connection.recv_bytes(LARGEST)
        with self._charged():
            message: dict[str, Any] = json.loads(text)
        return message

    @contextmanager
    def _charged(self) -> Iterator[None]:
        since = time.process_time()
        try:
            yield
        finally:
            self._charges += time.process_time() - since

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """What the process may be waited for: a message, the rest of it, or that it reads one."""
        since = self._since = time.monotonic()
        try:
            yield
        finally:
            self._since = None  # first: the watch may look between the two
            self._waiting += time.monotonic() - since

    def _watch(self) -> None:
        """End the process if it is waited for too long. It may take long where others compute, too.

        All waiting for it counts together: one that sleeps in each call is ended, too. And so is
        one that fills the disk.
        """
        waited = used = 0.0
        while not self._closed.wait(min(LOOKING, self.seconds)):
            if _holds_too_much(self._folder.name):
                self._full = True
                self._kill()
                return
            since = self._since
            if since is None:
                continue
            waiting, processor = self._waiting + time.monotonic() - since, self._processor()
            if waiting - waited < self.seconds:
                continue
            idle = processor - used < IDLE * (waiting - waited)
            if idle or waiting >= PATIENCE * self.seconds:
                self._overdue = True
                self._kill()
                return
            waited, used = waiting, processor

    def _processor(self) -> float:
        """The seconds of processor that the process has used."""
        try:
            fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _out_of_time(self, words: str) -> Problem:
        return self._end("time", f"{words} had not ended after {self.seconds:g} s of processor.")

    def _called(
        self, reply: dict[str, Any], functions: list[Callable[..., object]]
    ) -> dict[str, Any]:
        try:
            args, kwargs = unpack(reply["args"]), unpack(reply["kwargs"])
            function = functions[int(reply["ask"])]
            if _is_large([args, kwargs]) and not hasattr(function, "limits"):
                raise ValueError(f"{called('program', args, kwargs)[1:-1]} is too large")
            return {"value": pack(function(*args, **kwargs))}
        except Exception as error:
            return {"error": f"{error}", "kinds": [kind.__name__ for kind in type(error).__mro__]}

    def _end(self, name: str, says: str) -> Problem:
        self._kill()
        self._ended = Problem(name, says[0].upper() + says[1:])
        return self._ended

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)


def _holds_too_much(folder: str) -> bool:
    """Whether a folder has more files, or larger ones, than a student's process may write."""
    count = size = 0
    for inside, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        for name in files:
            with suppress(OSError):  # taken away meanwhile
                size += 512 * os.lstat(os.path.join(inside, name)).st_blocks
        if count > COUNT or size > SIZE:
            return True
    return False


def _environment() -> dict[str, str]:
    """What Python needs; the rest may be secrets, such as a hub's token."""
    return {name: os.environ[name] for name in KEPT if name in os.environ}


class Server:
    """The process that forks students' processes; see :mod:`course.sets.server`."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise OSError("marking limits processes as Linux does: use Linux, a container or WSL")
        self._control, other = socket.socketpair()
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "course.sets.server", str(other.fileno())],
            pass_fds=[other.fileno()],
            env={**_environment(), "PYTHONPATH": path, **dict.fromkeys(ONE_THREAD, "1")},
        )
        other.close()
        atexit.register(self.close)

    def child(self) -> tuple[Connection, int]:
        """A new student's process: the connection to it, and its number."""
        here, there = socket.socketpair()
        with there:
            socket.send_fds(self._control, [b"1"], [there.fileno()])
        number = self._control.recv(8)
        if not number:
            raise OSError("the process that forks students' processes has ended")
        return Connection(here.detach()), int.from_bytes(number, "big")

    def close(self) -> None:
        self._control.close()
        self._process.wait()


def _child() -> tuple[Connection, int]:
    """A new process; from a new server, should somebody have ended the one there was."""
    try:
        return _server().child()
    except OSError:
        _server.cache_clear()
        return _server().child()


@cache
def _server() -> Server:
    return Server()


def as_function(call: Call, name: str) -> Callable[..., Any]:
    """The student's function as one of ours, for :func:`pe_lab.diagnosis.diagnose`."""

    def function(*args: object, **kwargs: object) -> Any:
        value = call(name, *args, **kwargs)
        if isinstance(value, Problem):
            raise StudentError(value)
        return value

    function.__name__ = name
    return function


def _is_large(value: object) -> bool:
    """Whether all numbers in it together ask for more than there may be."""
    room: float = LARGEST_TABLE
    for number in _numbers(value):
        room //= max(1, abs(number))  # and no product, which may have millions of digits
        if not room:
            return True
    return False


def _numbers(value: object) -> list[float]:
    """All numbers in a value, and of tensors and arrays the sizes."""
    if isinstance(value, int | float):
        return [value]
    if isinstance(value, Tensor | np.ndarray):
        return [*value.shape]
    if isinstance(value, dict):
        value = [*value.values()]
    return [n for each in value for n in _numbers(each)] if isinstance(value, list | tuple) else []


class StudentError(Exception):
    """What a student's function did instead of returning."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.says)
        self.problem = problem


def called(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    """A call in words: `encode(10, 6, base=100)`."""
    given = [*map(_short, args), *(f"{key}={_short(value)}" for key, value in kwargs.items())]
    return f"`{name}({', '.join(given)})`"


def _short(value: object) -> str:
    if callable(value):
        return "a function"
    text = repr(value)
    return text if len(text) < 40 else "…"


def tell(kind: str, detail: str, name: str, words: str, cell: Problem | None) -> Problem:
    """A problem in a sentence."""
    says = {
        "missing": f"{_stopped(cell) if cell else 'After your cell'} there is no `{name}`.",
        "not-a-function": f"`{name}` is no function.",
        "raises": f"{words} raised {detail}.",
        "not-data": f"{words} gave something that cannot be marked: {detail}.",
    }
    return Problem("raises" if kind == "missing" and cell else kind, says[kind])


def _stopped(cell: Problem) -> str:
    """How a cell failed, and so what of it did not run."""
    if cell.says.startswith(tuple(f"Your cell raised {kind}" for kind in UNREAD)):
        return f"{cell.says} Of a cell with a line that Python cannot read nothing runs:"
    return f"{cell.says} The cell stopped at that error, and what stands after it was not reached:"
