"""A forked process is as fresh as one that Python or Jupyter starts, and ends as one does."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from tools.warm import Kind, forge, kernels_by

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux alone")

Kernel = tuple[KernelManager, BlockingKernelClient]

ABOUT = """
import json, os, sys
had_imported = "numpy.random" in sys.modules
import numpy
print(json.dumps({
    "had imported": had_imported,
    "process": os.getpid(),
    "folder": os.getcwd(),
    "path": sys.path,
    "asked": os.environ["ASKED"],
    "drawn": numpy.random.random(),
}))
"""


def run(kernel: Kernel, code: str) -> tuple[str, str]:
    """What the code prints, and how it ended."""
    printed: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    reply = kernel[1].execute_interactive(code, timeout=60, output_hook=hear)
    return "".join(printed), reply["content"].get("ename", reply["content"]["status"])


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Kernel]]:
    """Two kernels of one forge, each in a folder and an environment of its own."""
    before = os.environ.get("JUPYTER_PATH")
    kernels = []
    kernel = Kind(("ipykernel.kernelapp",), {})
    with forge(["numpy.random"], kernel=kernel) as pythons, kernels_by(pythons["kernel"]):
        for name in ("one", "two"):
            folder = tmp_path_factory.mktemp(name)
            environment = {**os.environ, "ASKED": name, "PYTHONPATH": f"{folder}/own"}
            kernels.append(start_new_kernel(cwd=str(folder), env=environment))
        yield kernels
        for manager, client in kernels:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    assert os.environ.get("JUPYTER_PATH") == before


def test_each_is_forked_and_has_what_it_was_asked_with(two: list[Kernel]) -> None:
    one, other = (json.loads(run(kernel, ABOUT)[0]) for kernel in two)
    assert one["had imported"]
    assert other["had imported"]
    assert (one["asked"], other["asked"]) == ("one", "two")
    for each in (one, other):
        assert each["path"][0] == f"{each['folder']}/own"
        assert "" in each["path"]
        assert Path(each["folder"]).name.startswith(each["asked"])
    assert one["drawn"] != other["drawn"]


# In short sleeps: a signal that comes just before a sleep begins is looked at when that has ended.
SLEEPING = """
import time
print("begun", flush=True)
for _ in range(6000):
    time.sleep(0.01)
"""


def test_it_is_interrupted_and_goes_on(two: list[Kernel]) -> None:
    manager, client = two[0]
    # Else what is asked for just after an error may not be run.
    client.execute(SLEEPING, stop_on_error=False)
    while client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
        pass
    manager.interrupt_kernel()
    assert client.get_shell_msg(timeout=30)["content"]["ename"] == "KeyboardInterrupt"
    assert run(two[0], "print(1 + 1)") == ("2\n", "ok")


def test_it_ends_when_jupyter_ends_what_stands_for_it(two: list[Kernel]) -> None:
    manager, _ = two[1]
    process = json.loads(run(two[1], ABOUT)[0])["process"]
    manager.shutdown_kernel(now=True)
    deadline = time.monotonic() + 30
    while Path(f"/proc/{process}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{process}").exists()


def test_what_ends_the_kernel_ends_what_stands_for_it(two: list[Kernel]) -> None:
    manager, client = two[0]
    client.shutdown()
    deadline = time.monotonic() + 30
    while manager.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not manager.is_alive()


CODE = """
import atexit, json, os, sys
atexit.register(print, "ended")
print(json.dumps([sys.argv, "colorsys" in sys.modules, sys.stdin.read(), os.environ["ASKED"]]))
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def python() -> Iterator[list[str]]:
    with forge([], plain=Kind(("colorsys",), {})) as pythons:
        yield pythons["plain"]


def test_a_module_runs_with_what_it_was_asked_with_and_its_exit_code_is_handed_on(
    python: list[str], tmp_path: Path
) -> None:
    (tmp_path / "asked_for.py").write_text(CODE, encoding="utf-8")
    for code in (0, 3):
        ran = subprocess.run(
            [*python, "-m", "asked_for", str(code)],
            cwd=tmp_path,
            env={**os.environ, "ASKED": "now"},
            input="said",
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == code, ran.stderr
        about, end = ran.stdout.splitlines()
        assert json.loads(about) == [["asked_for", str(code)], True, "said", "now"]
        assert end == "ended"


def test_what_raises_fails_and_says_so(python: list[str]) -> None:
    ran = subprocess.run(
        [*python, "-u", "-c", "assert 1 == 2"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr.endswith("AssertionError\n")


# Starts a process that has its output too, and waits for it.
WAITING = """
import subprocess
with subprocess.Popen(["sleep", "600"]) as process:
    print("started", flush=True)
"""


def test_what_a_process_has_started_ends_with_what_stands_for_it(python: list[str]) -> None:
    command = [*python, "-u", "-c", WAITING]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as stands:
        assert stands.stdout is not None
        assert stands.stdout.readline() == b"started\n"
        stands.kill()
        ended, _, _ = select.select([stands.stdout], [], [], 30)  # when nobody has it any more
        assert ended
        assert stands.stdout.read() == b""
