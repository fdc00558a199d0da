"""seccomp: a student's process starts no other, reaches into none and opens no socket.

The system itself refuses these calls, whoever makes them. It needs no rights, and Linux nearly
always has it (``CONFIG_SECCOMP_FILTER``); numbers of calls differ by machine, and two are known
here. Elsewhere :func:`confine` does nothing, and says so.
https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

NO_NEW_RIGHTS, SECCOMP, FILTER = 38, 22, 2  # of prctl
THREAD = 0x10000  # of clone: it makes a thread, and no process
OTHER_KIND = 0x40000000  # from here on, x86_64 has its calls once more
CLONE3 = 435  # hides its flags from a filter; without it the C library calls clone
ALLOW, REFUSE = 0x7FFF0000, 0x50000  # with REFUSE goes the error
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

# By machine: its name in a filter, clone, and what is refused: fork, vfork; execve, execveat,
# ptrace, process_vm_readv, process_vm_writev, kill, pidfd_send_signal, pidfd_getfd, socket.
MACHINES = {
    "x86_64": (0xC000003E, 56, (57, 58, 59, 322, 101, 310, 311, 62, 424, 438, 41)),
    "aarch64": (0xC00000B7, 220, (221, 281, 117, 270, 271, 129, 424, 438, 198)),
}


def confine() -> bool:
    """Refuse these calls to this process from now on; whether the system can."""
    if platform.machine() not in MACHINES:
        return False
    program = ctypes.create_string_buffer(_program(*MACHINES[platform.machine()]))
    what = struct.pack("@HP", len(program) // 8, ctypes.addressof(program))
    system = ctypes.CDLL(None)
    done = system.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0) or system.prctl(SECCOMP, FILTER, what)
    return not done


def _program(machine: int, clone: int, refused: tuple[int, ...]) -> bytes:
    """The filter, a step in eight bytes; each jumps over so many that follow, if so and if not."""
    more = len(refused)
    steps = [
        (LOAD, 0, 0, 4),  # the machine
        (EQUAL, 0, more + 7, machine),
        (LOAD, 0, 0, 0),  # the number of the call
        (AT_LEAST, more + 5, 0, OTHER_KIND),
        *((EQUAL, more + 4 - n, 0, number) for n, number in enumerate(refused)),
        (EQUAL, 5, 0, CLONE3),
        (EQUAL, 0, 2, clone),
        (LOAD, 0, 0, 16),  # its flags
        (ANY_BIT, 0, 1, THREAD),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE | errno.EPERM),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def possible() -> bool:
    """Whether a process of this system can be confined, tried on one."""
    child = os.fork()
    if child == 0:
        os._exit(not confine())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
