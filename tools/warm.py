"""Processes that begin warm: forked from one that has imported what nearly all of them do.

torch, matplotlib and IPython take two to four seconds of processor to import, which is more than
most notebooks run. ``with warm_kernels():`` puts a kernel specification of Jupyter's own name
before the usual one, so that nbval, nbclient and JupyterLab use it and know nothing of it. A kernel
is as fresh as ever: nothing of this project is imported before the fork, and ``PYTHONPATH`` and the
working directory are its own. ``with forge(…)`` gives commands that begin other processes so. Where
there is no safe fork (anything but Linux) nothing changes.

Four processes of this file, which imports the standard library alone, and runs as a script:

- the forge, ``warm.py forge FOLDER BASE KINDS``, waits until somebody asks, imports what all kinds
  have in common, and forks a mould of each kind that is asked for;
- a mould imports the rest, then forks a process for each who asks;
- ``warm.py ADDRESS …``, which stands where a Python would and takes its arguments, asks for a
  process, hands on the signals that it gets, and lasts as long as the process does;
- the process.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

USUAL = "kernels/python3/kernel.json"
BASE = ("torch._dynamo",)  # torch imports _dynamo with the first step of an optimizer


class Kind(NamedTuple):
    """What processes of a kind begin with: modules, imported with variables set."""

    modules: Sequence[str]
    environment: dict[str, str]


# pyplot asks for its backend when it is imported, and a kernel's is this one.
BACKEND = "module://matplotlib_inline.backend_inline"
MODULES = ("ipykernel.kernelapp", "anywidget", "matplotlib.pyplot")
KERNEL = Kind(MODULES, {"MPLBACKEND": BACKEND})


def first_in(variable: str, folder: str) -> contextlib.AbstractContextManager[None]:
    """Let processes that start meanwhile look into a folder before the others of a variable."""
    return setting(variable, os.pathsep.join(filter(None, [folder, os.environ.get(variable)])))


@contextlib.contextmanager
def setting(variable: str, value: str) -> Iterator[None]:
    """Give a variable to the processes that start meanwhile."""
    before = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        os.environ.pop(variable)
        if before is not None:
            os.environ[variable] = before


@contextlib.contextmanager
def forge(base: Sequence[str] = BASE, **kinds: Kind) -> Iterator[dict[str, list[str]]]:
    """Give a command for each kind: as Python it takes a script, ``-m`` or ``-c``."""
    if sys.platform != "linux":
        yield {kind: [sys.executable] for kind in kinds}
        return
    environment = dict(os.environ)
    environment.pop("PYTHONPATH", None)  # each process has its own
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, __file__, "forge", folder, json.dumps(base), json.dumps(kinds)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C is for the tools
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()  # it listens
        try:
            yield {kind: [sys.executable, "-S", __file__, f"{folder}/{kind}"] for kind in kinds}
        finally:
            process.stdin.close()  # it ends


@contextlib.contextmanager
def kernels_by(python: list[str]) -> Iterator[None]:
    """Let the kernels that this process and its children start be processes of a command."""
    with tempfile.TemporaryDirectory() as name:
        specification = json.loads(Path(sys.prefix, "share/jupyter", USUAL).read_bytes())
        own = [*python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        specification["argv"] = own
        place = Path(name, USUAL)
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(specification), encoding="utf-8")
        with first_in("JUPYTER_PATH", name):
            yield


@contextlib.contextmanager
def warm_kernels() -> Iterator[None]:
    """Let the kernels that this process and its children start begin warm."""
    with forge(kernel=KERNEL) as pythons, kernels_by(pythons["kernel"]):
        yield


# --- the forge, its moulds, and what comes of them --------------------------------------------


def forge_moulds(folder: str, base: list[str], kinds: dict[str, Kind]) -> NoReturn:
    """Fork a mould of each kind when it is first asked for, until the standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes
    listeners = {}
    for name, kind in kinds.items():
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"{folder}/{name}")
        listener.listen(16)
        listeners[listener] = kind
    print("listening", flush=True)
    while sys.stdin not in (ready := select.select([*listeners, sys.stdin], [], [])[0]):
        import_all(base)
        gc.freeze()  # a process looks for no garbage in what it shares with the others
        for listener in [listener for listener in listeners if listener in ready]:
            kind = listeners.pop(listener)
            if os.fork() == 0:
                for other in listeners:
                    other.close()
                fork_for_each(listener, kind)
            listener.close()
    os._exit(0)  # to take torch down takes a while


def import_all(modules: Sequence[str]) -> None:
    for module in modules:
        importlib.import_module(module)


def own_path() -> list[str]:
    return list(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))


def fork_for_each(listener: socket.socket, kind: Kind) -> NoReturn:
    """Fork a process for each who asks, until the standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # what is imported may run something
    os.environ.update(kind.environment)
    sys.path[:0] = own_path()
    import_all(kind.modules)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
        asking, _ = listener.accept()
        with asking:
            if os.fork() == 0:
                listener.close()
                become(asking)
    os._exit(0)


def become(asking: socket.socket) -> NoReturn:
    """Run with the arguments, environment, folder and streams of who asks."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, *_ = socket.recv_fds(asking, 8, 3)
    with asking.makefile("rb") as wire:
        asked = json.loads(wire.read(int.from_bytes(size)))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[:0] = [asked["folder"], *own_path()]  # as python -m has it
    if numpy_random := sys.modules.get("numpy.random"):
        numpy_random.seed()  # or all processes would draw the same; Python's random does so itself
    threading.Thread(target=follow, args=[asking], daemon=True).start()
    code = run(asked["arguments"])
    asking.sendall(bytes([code & 255]))
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Do what ``python ARGUMENTS`` does, as far as it is asked here; its exit code."""
    try:
        match arguments:
            case ["-m", module, *rest]:
                run_module(module, rest)
            case ["-u", "-c", code]:  # how execnet starts a Python
                sys.argv = ["-c"]
                exec(code, {"__name__": "__main__"})
            case _:
                raise ValueError(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def run_module(module: str, arguments: list[str]) -> None:
    sys.argv = [module, *arguments]
    if module == "ipykernel_launcher":
        # The default of parent_handle was read from the environment when ipykernel was imported.
        sys.argv.append(f"--IPKernelApp.parent_handle={os.environ.get('JPY_PARENT_PID', 0)}")
    runpy.run_module(module, run_name="__main__", alter_sys=False)


def follow(asking: socket.socket) -> None:
    """Take the signals of the process that stands in for this one, and end with it."""
    main = threading.main_thread().ident
    assert main is not None
    while got := asking.recv(1):
        signal.pthread_kill(main, got[0])
    os.killpg(0, signal.SIGKILL)  # and what it has started


# --- what stands where a Python would ---------------------------------------------------------


def stand_in(address: str, arguments: list[str]) -> int:
    """Ask for a process, and last as long as it does; its exit code."""
    asked = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    request = json.dumps(asked).encode()
    with socket.socket(socket.AF_UNIX) as mould:
        mould.connect(address)
        signal.signal(signal.SIGINT, lambda number, _: mould.sendall(bytes([number])))
        socket.send_fds(mould, [len(request).to_bytes(8)], [0, 1, 2])
        mould.sendall(request)
        started_by = os.getppid()
        while os.getppid() == started_by:
            if select.select([mould], [], [], 1)[0]:
                return (mould.recv(1) or b"\1")[0]
    return 1


if __name__ == "__main__":
    if sys.argv[1] == "forge":
        del sys.path[0]  # the folder of this file
        folder, base, kinds = sys.argv[2:]
        asked_for = {name: Kind(*kind) for name, kind in json.loads(kinds).items()}
        forge_moulds(folder, json.loads(base), asked_for)
    else:
        sys.exit(stand_in(sys.argv[1], sys.argv[2:]))
