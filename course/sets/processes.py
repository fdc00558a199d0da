"""seccomp: a student's process starts no other, reaches into none and opens no socket.

The system itself refuses these calls, whoever makes them: other processes and programs; signals to
others, those that a file sends among them; their memory, their files and their limits; sockets. It
needs no rights, and Linux nearly always has it (``CONFIG_SECCOMP_FILTER``); numbers of calls differ
by machine, and two are known here: x86_64, and aarch64, whose numbers were read in the system's
tables and never tried. Elsewhere :func:`confine` does nothing, and says so.
https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from typing import NamedTuple

NO_NEW_RIGHTS, SECCOMP, FILTER = 38, 22, 2  # of prctl
OTHER_KIND = 0x40000000  # from here on, x86_64 has its calls once more
ALLOW, REFUSE = 0x7FFF0000, 0x50000  # with REFUSE goes the error
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
THREAD = 0x10000  # of clone's flags: it makes a thread, and no process
OWNER = (8, 15)  # of fcntl: who has the signals of a file; F_SETOWN, F_SETOWN_EX
OWNER_OF_SOCKET = (0x8901, 0x8902)  # of ioctl: FIOSETOWN, SIOCSPGRP

Step = tuple[int, int, int, int]  # what it does, steps to jump if so, and if not, its value
Test = tuple[int, int]  # what it does, its value


class Calls(NamedTuple):
    """The numbers of the system's calls on one kind of machine."""

    machine: int  # its name in a filter
    refused: tuple[int, ...]
    clone: int
    tgkill: int
    prlimit: int
    fcntl: int
    ioctl: int


# In both the same: pidfd_send_signal, pidfd_getfd; io_uring_setup, _enter and _register, which
# would do as it is told behind the filter's back.
ANYWHERE = (424, 438, 425, 426, 427)
CLONE3 = 435  # hides its flags from a filter; without it the C library calls clone

# Refused by machine: execve, execveat, ptrace, process_vm_readv, process_vm_writev, kill, tkill,
# rt_sigqueueinfo, rt_tgsigqueueinfo, socket, and where they are, fork and vfork.
MACHINES = {
    "x86_64": Calls(
        machine=0xC000003E,
        refused=(59, 322, 101, 310, 311, 62, 200, 129, 297, 41, 57, 58, *ANYWHERE),
        clone=56,
        tgkill=234,
        prlimit=302,
        fcntl=72,
        ioctl=16,
    ),
    "aarch64": Calls(
        machine=0xC00000B7,
        refused=(221, 281, 117, 270, 271, 129, 130, 138, 240, 198, *ANYWHERE),
        clone=220,
        tgkill=131,
        prlimit=261,
        fcntl=25,
        ioctl=29,
    ),
}


def confine() -> bool:
    """Refuse these calls to this process from now on; whether the system can."""
    if platform.machine() not in MACHINES:
        return False
    program = ctypes.create_string_buffer(_program(MACHINES[platform.machine()], os.getpid()))
    what = struct.pack("@HP", len(program) // 8, ctypes.addressof(program))
    system = ctypes.CDLL(None)
    done = system.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0) or system.prctl(SECCOMP, FILTER, what)
    return not done


def _program(calls: Calls, own: int) -> bytes:
    """The filter for the process of this number, a step in eight bytes."""
    refuse, none = REFUSE | errno.EPERM, REFUSE | errno.ENOSYS
    steps: list[Step] = [
        (LOAD, 0, 0, 4),  # the machine
        (EQUAL, 1, 0, calls.machine),
        (RETURN, 0, 0, refuse),
        (LOAD, 0, 0, 0),  # the number of the call
        *_if((AT_LEAST, OTHER_KIND), [(RETURN, 0, 0, refuse)]),
        *_if((EQUAL, CLONE3), [(RETURN, 0, 0, none)]),
    ]
    for call in calls.refused:
        steps += _if((EQUAL, call), [(RETURN, 0, 0, refuse)])
    allowed: list[tuple[int, int, list[Test]]] = [
        (calls.clone, 0, [(ANY_BIT, THREAD)]),
        (calls.tgkill, 0, [(EQUAL, own)]),
        (calls.prlimit, 0, [(EQUAL, own), (EQUAL, 0)]),  # 0 is oneself, too
    ]
    for call, argument, tests in allowed:
        steps += _by_argument(call, argument, *tests, so=ALLOW, otherwise=refuse)
    for call, kinds in ((calls.fcntl, OWNER), (calls.ioctl, OWNER_OF_SOCKET)):
        tests = [(EQUAL, kind) for kind in kinds]
        steps += _by_argument(call, 1, *tests, so=refuse, otherwise=ALLOW)
    steps += [(RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _if(test: Test, steps: list[Step]) -> list[Step]:
    """Steps that are taken if a test of what was loaded holds; they end with RETURN."""
    kind, value = test
    return [(kind, 0, len(steps), value), *steps]


def _by_argument(call: int, argument: int, *tests: Test, so: int, otherwise: int) -> list[Step]:
    """How a call ends whose argument passes one of the tests, and how it ends else."""
    steps: list[Step] = [(LOAD, 0, 0, 16 + 8 * argument)]
    for test in tests:
        steps += _if(test, [(RETURN, 0, 0, so)])
    return _if((EQUAL, call), [*steps, (RETURN, 0, 0, otherwise)])


def possible() -> bool:
    """Whether a process of this system can be confined, tried on one."""
    child = os.fork()
    if child == 0:
        os._exit(not confine())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
