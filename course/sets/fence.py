"""Landlock: what a student's process may do to files, kept by the system itself.

Linux has it from 5.13 on (``CONFIG_SECURITY_LANDLOCK``), and more of it with each version of its
interface; it needs no rights. Where it is missing, :func:`fence` does nothing, and says so.
https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

CREATE, ADD, RESTRICT = 444, 445, 446  # the system's calls, on every machine
VERSION = 1  # asks CREATE for the version
BENEATH = 1  # a rule for what is beneath a path
NO_NEW_RIGHTS = 38  # of prctl

WRITE_FILE, READ_FILE, READ_FOLDER, TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
READ = READ_FILE | READ_FOLDER
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # on files, by version: so many bits
TCP = 0b11  # bind and connect, from version 4 on
SCOPES = 0b11  # sockets with an abstract name, and signals, from version 6 on
WHOLE = 3  # the first version that keeps all that is written, TRUNCATE with it

SYSTEM = (
    *("/usr", "/lib", "/lib64", "/dev/urandom", "/sys/devices/system/cpu"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/mime.types", "/etc/os-release"),
)

_system = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Of Landlock here; 0 if there is none."""
    return max(0, int(_system.syscall(CREATE, None, ctypes.c_size_t(0), VERSION)))


def fence(own: Path, readable: Iterable[Path]) -> bool:
    """Let this process write in its own folder, read there and in a few others, and run nothing.

    Returns:
        whether the system can.
    """
    have = version()
    if not have:
        return False
    handled = (1 << RIGHTS.get(have, 16)) - 1
    rules = struct.pack("QQQ", handled, TCP if have >= 4 else 0, SCOPES if have >= 6 else 0)
    size = 24 if have >= 6 else 16 if have >= 4 else 8
    ruleset = _called(CREATE, rules, ctypes.c_size_t(size), 0)
    for path in {*map(Path, SYSTEM), *_python(), *readable}:
        _allow(ruleset, path, READ if path.is_dir() else READ_FILE)
    _allow(ruleset, Path(os.devnull), (READ_FILE | WRITE_FILE | TRUNCATE) & handled)
    _allow(ruleset, own, handled & ~1)  # all but to execute
    if _system.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    _called(RESTRICT, ruleset, 0)
    os.close(ruleset)
    return True


def _python() -> set[Path]:
    """Where Python and what is installed for it are."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    places = {Path(sysconfig.get_path(name)) for name in names}
    return places | {Path(sys.base_prefix) / "lib", Path(sys.prefix) / "share"}


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not every system has all of them
        return
    _called(ADD, ruleset, BENEATH, struct.pack("=Qi", rights, beneath), 0)
    os.close(beneath)


def _called(number: int, *args: object) -> int:
    done = int(_system.syscall(number, *args))
    if done < 0:
        raise OSError(ctypes.get_errno(), f"Landlock ({number})")
    return done
