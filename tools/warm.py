"""Kernels that begin warm: forked from one process that has imported what nearly all of them do.

torch, matplotlib and IPython take two to four seconds of processor to import, which is more than
most notebooks run. ``with warm_kernels():`` puts a kernel specification of Jupyter's own name
before the usual one, so that nbval, nbclient and JupyterLab use it and know nothing of it. A kernel
is as fresh as ever: nothing of this project is imported before the fork, and ``PYTHONPATH`` and the
working directory are its own. Where there is no safe fork (anything but Linux) nothing changes.

Three processes of this file, which imports the standard library alone, and runs as a script:

- the forge, ``warm.py forge ADDRESS MODULE …``, imports the modules when it is first asked, then
  forks a kernel for each who asks;
- ``warm.py ADDRESS -f CONNECTION_FILE``, which Jupyter starts in the place of a kernel, asks for
  one, hands on the signals that it gets, and lasts as long as the kernel does;
- the kernel.
"""

from __future__ import annotations

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
from collections.abc import Iterator
from pathlib import Path

USUAL = "kernels/python3/kernel.json"
# pyplot asks for its backend when it is imported, and a kernel's is this one. torch imports
# _dynamo with the first step of an optimizer.
BACKEND = "module://matplotlib_inline.backend_inline"
MODULES = ("ipykernel.kernelapp", "anywidget", "matplotlib.pyplot", "torch._dynamo")


@contextlib.contextmanager
def first_in(variable: str, folder: str) -> Iterator[None]:
    """Let processes that start meanwhile look into a folder before the others of a variable."""
    before = os.environ.get(variable)
    os.environ[variable] = os.pathsep.join(filter(None, [folder, before]))
    try:
        yield
    finally:
        os.environ.pop(variable)
        if before is not None:
            os.environ[variable] = before


@contextlib.contextmanager
def warm_kernels(*modules: str) -> Iterator[None]:
    """Let the kernels that this process and its children start begin with ``modules`` imported."""
    if sys.platform != "linux":
        yield
        return
    with tempfile.TemporaryDirectory() as name:
        address = Path(name, "forge")
        specification = json.loads(Path(sys.prefix, "share/jupyter", USUAL).read_bytes())
        own = [sys.executable, "-S", __file__, str(address), "-f", "{connection_file}"]
        specification["argv"] = own
        place = Path(name, USUAL)
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(specification), encoding="utf-8")
        command = [sys.executable, __file__, "forge", str(address), *(modules or MODULES)]
        environment = {**os.environ, "MPLBACKEND": BACKEND}
        environment.pop("PYTHONPATH", None)  # each kernel has its own
        with subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C is for the tools
        ) as forge:
            assert forge.stdin is not None
            assert forge.stdout is not None
            forge.stdout.readline()  # it listens
            try:
                with first_in("JUPYTER_PATH", name):
                    yield
            finally:
                forge.stdin.close()  # it ends


# --- the forge, and the kernel that comes of it -----------------------------------------------


def forge_kernels(address: str, modules: list[str]) -> None:
    """Fork a kernel for each who asks at ``address``, until the standard input ends."""
    del sys.path[0]  # the folder of this file
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the kernels
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(16)
        print("listening", flush=True)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            asking, _ = listener.accept()
            with asking:
                for module in modules:
                    importlib.import_module(module)
                gc.freeze()  # a kernel looks for no garbage in what it shares with the others
                if os.fork() == 0:
                    listener.close()
                    become_kernel(asking)


def become_kernel(asking: socket.socket) -> None:
    """Run a kernel with the arguments, environment, folder and streams of who asks."""
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
    own = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:0] = [asked["folder"], *own]  # as python -m has it
    # The default of parent_handle was read from the environment when ipykernel was imported.
    parent = f"--IPKernelApp.parent_handle={os.environ.get('JPY_PARENT_PID', 0)}"
    sys.argv = ["ipykernel_launcher", *asked["arguments"], parent]
    if numpy_random := sys.modules.get("numpy.random"):
        numpy_random.seed()  # or all kernels would draw the same; Python's random does so itself
    threading.Thread(target=follow, args=[asking], daemon=True).start()
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=False)
    os._exit(0)


def follow(asking: socket.socket) -> None:
    """Take the signals of the process that stands in for this one, and end with it."""
    main = threading.main_thread().ident
    assert main is not None
    while got := asking.recv(1):
        signal.pthread_kill(main, got[0])
    os._exit(1)


# --- what Jupyter starts ----------------------------------------------------------------------


def stand_in(address: str, arguments: list[str]) -> None:
    """Ask for a kernel, and last as long as it does."""
    asked = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    request = json.dumps(asked).encode()
    with socket.socket(socket.AF_UNIX) as forge:
        forge.connect(address)
        signal.signal(signal.SIGINT, lambda number, _: forge.sendall(bytes([number])))
        socket.send_fds(forge, [len(request).to_bytes(8)], [0, 1, 2])
        forge.sendall(request)
        started_by = os.getppid()
        while os.getppid() == started_by and not select.select([forge], [], [], 1)[0]:
            pass  # neither the kernel has ended nor who wanted it


if __name__ == "__main__":
    if sys.argv[1] == "forge":
        forge_kernels(sys.argv[2], sys.argv[3:])
    else:
        stand_in(sys.argv[1], sys.argv[2:])
