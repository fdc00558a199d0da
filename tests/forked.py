"""A Python process that begins with all that this one has imported."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import torch


def run_module(
    arguments: list[str], folder: Path, *, anew: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """What ``python -m ARGUMENTS`` does in a folder, in a fork of this process.

    Args:
        anew: packages that are imported anew, from the folder where it has them.
    """
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        child = os.fork()
        if child == 0:
            os.dup2(said.fileno(), 1)
            os.dup2(complained.fileno(), 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            os._exit(_run(arguments, folder, anew))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        complained.seek(0)
        return subprocess.CompletedProcess(arguments, code, said.read(), complained.read())


def _run(arguments: list[str], folder: Path, anew: tuple[str, ...]) -> int:
    signal.alarm(0)  # of pytest-timeout: it is for the process that waits
    torch.set_num_threads(1)  # the others were left behind
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] in anew]:
        del sys.modules[name]
    sys.argv = [arguments[0], *arguments[1:]]
    code = 0
    try:
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code
