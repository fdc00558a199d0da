"""A student's cell in a process of its own: what it may do, what it costs, what comes back."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import math
import os
import platform
import resource
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import torch

from course.sets.cells import ELSEWHERE, SHARED
from course.sets.fence import WHOLE, fence, version
from course.sets.marks import MISSED, examine, judge
from course.sets.notebook import SETUP
from course.sets.processes import MACHINES, confine, possible
from course.sets.server import CHANGES, FILES, REFUSED, OutOfTime, limit, missing
from course.sets.student import ONE_THREAD, Student, _environment, as_function
from course.sets.tasks import COURSE, read_sets, read_task
from course.sets.trials import mark_test
from course.sets.values import NotData, pack, unpack
from pe_lab.diagnosis import diagnose
from pe_lab.diagnosis.reading import Problem

# Of processor. The system counts whole seconds and what a process has used already, so that a limit
# of 1 would be one of 2.
SHORT = 0.9
TASK = next(task for task in read_sets()["set1"].tasks if task.id == "set1-05-encode")


def asked(cell: str, name: str = "f", *args: object, **options: Any) -> Any:
    """What `name(*args)` returns after a cell."""
    with Student([SETUP, cell], **options) as student:
        return student(name, *args)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        -(10**30),
        0.1,
        math.inf,
        1 + 2j,
        "ä",
        ...,
        [1, (2.0, "x"), {"a": [None]}],
        torch.arange(6.0).reshape(2, 3),
        torch.tensor([1.5], dtype=torch.bfloat16),
        torch.tensor(3),
        np.array([[1, 2]], dtype=np.int8),
        np.array([], dtype=np.float32),
    ],
    ids=str,
)
def test_values_come_back_as_they_went(value: object) -> None:
    back = unpack(pack(value))
    assert type(back) is type(value)
    if isinstance(value, torch.Tensor | np.ndarray):
        assert back.dtype == value.dtype
        assert back.shape == value.shape
        assert bool((back == value).all())
    else:
        assert back == value


@pytest.mark.parametrize(
    "value",
    [Fraction(1, 4), Decimal("0.25"), np.longdouble(0.25), np.clongdouble(0.25), mpmath.mpf(0.25)],
)
def test_exact_numbers_arrive_as_numbers(value: object) -> None:
    assert unpack(pack([value])) == [0.25]
    assert unpack(pack(np.array([value], dtype=object))) == [0.25]


def test_a_sparse_tensor_arrives_whole() -> None:
    assert unpack(pack(torch.tensor([[0, 0.25]]).to_sparse())).tolist() == [[0, 0.25]]


@pytest.mark.parametrize(
    "value",
    [{1, 2}, object(), np.array([object()]), b"bytes", len, Fraction(10**400)],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_data_does_not_travel(value: object) -> None:
    with pytest.raises(NotData):
        pack(value)


def test_a_list_that_holds_itself_does_not_travel() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NotData, match="nested too deeply"):
        pack(endless)


CELLS = {
    "exit()": ("ended", "Your cell raised SystemExit"),
    "import os; os._exit(0)": ("ended", "ended the process"),
    "while True: pass": ("time", "had not ended after 0.9 s of processor"),
    "import time; time.sleep(100)": ("waits", "had not ended: it waited"),
    "while True:\n    try:\n        while True: pass\n    except Exception: pass": (
        "time",
        "of processor",
    ),
    "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass": (
        "ended",
        "time",
    ),
    "x = np.ones(10**11)": ("raises", "Unable to allocate"),
    "f = 3": ("not-a-function", "`f` is no function"),
    "1 +": ("raises", "SyntaxError: invalid syntax (line 1)"),
    "": ("missing", "there is no `f`"),
    "def f():\n    return 1 / 0": ("raises", "`f()` raised ZeroDivisionError: division by zero"),
    "def f():\n    return {1, 2}": ("not-data", "it is a set"),
    "import subprocess\ndef f():\n    subprocess.run(['ls'])": ("raises", "not allowed"),
    "import socket\ndef f():\n    socket.create_connection(('127.0.0.1', 9))": (
        "raises",
        "not allowed",
    ),
    "import os, signal\ndef f():\n    os.kill(os.getppid(), signal.SIGKILL)": (
        "raises",
        "not allowed",
    ),
    f"def f():\n    return open({str(COURSE / 'settings.yml')!r}).read()": (
        "raises",
        "is not there",
    ),
    f"import os\ndef f():\n    return os.listdir({str(COURSE)!r})": ("raises", "is not there"),
    "def f():\n    return open('/tmp/beside', 'w')": ("raises", "writing to '/tmp/beside'"),
    "import pe_core": ("raises", "pe_core is not there when this is marked"),
    "from course.sets.tasks import read_sets\ndef f():\n    return [*read_sets()]": (
        "raises",
        "is not there",
    ),
    "def f():\n    return input()": ("raises", "EOFError"),
    "import os\nf = lambda: os.open('x', os.O_RDONLY)": ("raises", "must begin with /"),
    "import os\nf = lambda: os.open('/tmp/beside', os.O_TRUNC)": ("raises", "writing to"),
    "import sys\nfor m in [m for m in sys.modules if m[:7] == 'pe_core']: del sys.modules[m]\n"
    "import pe_core": ("raises", "pe_core is not there when this is marked"),
    "import sys\nsys.meta_path.pop(0)\nimport pe_core": ("raises", "is not there"),
    "import multiprocessing.util as util\n"
    "f = lambda: util.spawnv_passfds(b'/bin/true', [b'true'], ())": ("raises", "_posixsubprocess"),
}


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("def f(): raise type('E' * 10**6, (Exception,), {})()", "raised EEE"),
        ("def f(): return type('E' * 10**6, (), {})()", "it is a EEE"),
        ("def f(): return 10**5000", "it is a number with too many digits"),
        ("class L(list):\n def __iter__(self): 1 / 0\ndef f(): return L()", "read (ZeroDivision"),
    ],
)
def test_what_is_told_of_a_value_is_short_and_blames_no_line(cell: str, says: str) -> None:
    told = asked(cell).says
    assert says in told
    assert len(told) < 1000


@pytest.mark.parametrize(
    "cell",
    [
        "i = 0\nwhile True:\n    open(f'{i}', 'wb').write(b'x' * 10**7)\n    i += 1",
        "i = 0\nwhile True:\n    open(f'{i}', 'wb').close()\n    i += 1",
    ],
    ids=["much", "many"],
)
def test_a_cell_that_fills_the_disk_is_ended(cell: str) -> None:
    with Student([cell], seconds=60) as student:
        folder = Path(student._folder.name)
        assert student.problem is not None
        assert student.problem.says.startswith("Your cell wrote more files than it may: 10,000, or")
    assert not folder.exists()


@pytest.mark.parametrize(("cell", "says"), CELLS.items(), ids=[*CELLS])
def test_what_a_cell_may_not_do_costs_it_alone(cell: str, says: tuple[str, str]) -> None:
    found = asked(cell, seconds=SHORT, without=("pe_core",), private=(COURSE,))
    assert isinstance(found, Problem), found
    assert says[1] in found.says, found
    if "SystemExit" not in says[1]:
        assert found.name == says[0], found
    assert asked("def f():\n    return 7") == 7  # the next one is as new


def test_what_an_error_left_undone_is_told_so() -> None:
    with Student(["a = 1\nx = 1 / 0\nb = 2"]) as student:
        assert student.value("a") == 1
        assert student.value("b").says == (
            "Your cell raised ZeroDivisionError: division by zero (line 2). The cell stopped at "
            "that error, and what stands after it was not reached: there is no `b`."
        )
    with Student(["a = 1\n  b = 2"]) as student:
        assert "nothing runs: there is no `a`." in student.value("a").says


FENCED = """
import os, ctypes, sqlite3, resource, posixpath, pathlib
def refused(do, *args, **options):
    try:
        do(*args, **options)
    except (PermissionError, AttributeError, TypeError) as error:
        return True
    return False
def f(secret, beside):
    root = os.open(os.getcwd(), os.O_RDONLY)
    open("mine", "w").close()
    posixpath.realpath = os.path.realpath = pathlib.Path.resolve = lambda path, **_: path
    pathlib.PurePath.is_relative_to = lambda *_: False
    return [name for name, done in {
        "open": refused(open, secret),
        "os.open": refused(os.open, secret[1:], os.O_RDONLY, dir_fd=root),
        "rename": refused(os.rename, "mine", beside),
        "link": refused(os.link, secret, "linked"),
        "symlink": refused(os.symlink, secret, "pointing"),
        "remove": refused(os.remove, "mine", dir_fd=root),
        "truncate": refused(os.truncate, beside, 0),
        "utime": refused(os.utime, beside, (0, 0)),
        "chown": refused(os.chown, beside, 0, 0),
        "chmod": refused(os.chmod, root, 0o777),
        "mkfifo": refused(lambda: os.mkfifo("pipe")),
        "ctypes": refused(ctypes.CDLL, None),
        "sqlite3": refused(sqlite3.connect, "a.db"),
        "setrlimit": refused(resource.setrlimit, resource.RLIMIT_CORE, (0, 0)),
        "from_file": refused(lambda: torch.from_file(secret, size=1)),
        "from_file of a storage": refused(lambda: torch.UntypedStorage.from_file(secret)),
    }.items() if not done]
"""


def test_what_the_hook_refuses_however_it_is_called() -> None:
    beside = Path("/tmp/beside")
    found = asked(FENCED, "f", str(COURSE / "settings.yml"), str(beside), private=(COURSE,))
    assert found == []
    assert not beside.exists()


@pytest.mark.skipif(not version(), reason="this system has no Landlock")
def test_the_system_keeps_files_even_where_no_hook_looks(tmp_path: Path) -> None:
    """`torch._C` reads files by itself, without an event."""
    path = tmp_path / "secret.pt"
    torch.save(torch.ones(1), path)
    cell = f"f = lambda: torch._C.PyTorchFileReader({str(path)!r})"
    assert "PytorchStreamReader" in asked(cell).says or "failed" in asked(cell).says
    assert "Permission denied" in asked("f = lambda: open('/etc/passwd').read()").says


OPENED = """
import gc, os, socket, threading, signal
for each in gc.get_objects():
    if type(each) is type(lambda: 0) and each.__qualname__ == "forbid.<locals>.look":
        names = dict(zip(each.__code__.co_freevars, each.__closure__))
        names["refused"].cell_contents = ("nothing",)
def f(do):
    try:
        if do == "fork" and os.fork() == 0:
            os._exit(0)
        if do == "exec":
            os.execv("/bin/true", ["true"])
        if do == "kill":
            os.kill(os.getpid(), 0)
        if do == "socket":
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    except PermissionError as error:
        return str(error)
def g():
    found = []
    thread = threading.Thread(target=lambda: found.append(7))
    thread.start()
    thread.join()
    return found
"""


@pytest.mark.skipif(not possible(), reason="this system has no seccomp")
@pytest.mark.parametrize("do", ["fork", "exec", "kill", "socket"])
def test_the_system_refuses_processes_even_where_the_hook_was_opened(do: str) -> None:
    found = asked(OPENED, "f", do)
    assert isinstance(found, str), found
    assert "not permitted" in found


def in_a_child(do: Callable[[], str]) -> str:
    """What this says in a process of its own; nothing if that is ended."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os.write(there, do().encode())
        os._exit(0)
    os.close(there)
    with open(here, encoding="utf-8") as said:
        text = said.read()
    os.waitpid(child, 0)
    return text


@pytest.mark.skipif(not version(), reason="this system has no Landlock")
def test_a_fenced_process_reads_and_writes_in_its_own_folder_alone(tmp_path: Path) -> None:
    own, beside = tmp_path / "own", tmp_path / "beside"
    own.mkdir()
    beside.write_text("secret", encoding="utf-8")

    def do() -> str:
        fence(own, [])
        (own / "mine").write_text("mine", encoding="utf-8")
        for read in (True, False):
            with suppress(PermissionError):
                return beside.read_text() if read else str(beside.write_text("changed"))
        return (own / "mine").read_text(encoding="utf-8")

    assert in_a_child(do) == "mine"


@pytest.mark.skipif(not possible(), reason="this system has no seccomp")
def test_a_confined_process_has_no_other() -> None:
    def do() -> str:
        confine()
        with suppress(PermissionError):
            return "forked" if os.fork() else os._exit(0)
        return "alone"

    assert in_a_child(do) == "alone"


def refused_by_number(number: int, *args: object) -> bool:
    """Whether the system refuses a call for want of rights."""
    system = ctypes.CDLL(None, use_errno=True)
    return system.syscall(number, *args) == -1 and ctypes.get_errno() == errno.EPERM


def owned(fd: int, by: int) -> bool:
    """Whether another may be named who has the signals of a file."""
    with suppress(PermissionError):
        fcntl.fcntl(fd, fcntl.F_SETOWN, by)
        return True
    with suppress(PermissionError):
        fcntl.ioctl(fd, 0x8901, by.to_bytes(4, sys.byteorder))  # FIOSETOWN
        return True
    return False


def limits_of(number: int) -> bool:
    with suppress(PermissionError):
        resource.prlimit(number, resource.RLIMIT_CORE)
        return True
    return False


@pytest.mark.skipif(not possible(), reason="this system has no seccomp")
def test_a_confined_process_reaches_no_other_by_any_call() -> None:
    """Each of these works on a process of the same user as long as nothing refuses it."""
    parent, calls = os.getpid(), MACHINES[platform.machine()]
    on_others = {
        "x86_64": {"tkill": 200, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297},
        "aarch64": {"tkill": 130, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240},
    }[platform.machine()]

    def reached() -> list[str]:
        nothing, ends = ctypes.c_void_p(None), socket.socketpair()
        none = ctypes.c_int(0)
        found = {
            "tkill": refused_by_number(on_others["tkill"], parent, none),
            "tgkill": refused_by_number(calls.tgkill, parent, parent, none),
            # EFAULT where it is not refused, for want of what is sent
            "rt_sigqueueinfo": refused_by_number(on_others["rt_sigqueueinfo"], parent, 0, nothing),
            "rt_tgsigqueueinfo": refused_by_number(
                on_others["rt_tgsigqueueinfo"], parent, parent, 0, nothing
            ),
            "io_uring": all(refused_by_number(n, 0, nothing) for n in (425, 426, 427)),
            "owner": not owned(ends[0].fileno(), parent),
            "limits": not limits_of(parent),
        }
        return sorted(name for name, refused in found.items() if not refused)

    def confined() -> str:
        confine()
        signal.raise_signal(0)  # to oneself, by tgkill
        mine = limits_of(0) and limits_of(os.getpid())
        fcntl.fcntl(0, fcntl.F_GETFD)
        return f"{reached()}, and its own limits: {mine}"

    assert {"tgkill", "rt_sigqueueinfo", "owner", "limits"} <= {*reached()}
    assert in_a_child(confined) == "[], and its own limits: True"


def test_a_process_without_time_left_is_told_so() -> None:
    def do() -> str:
        limit(0.01)
        with suppress(OutOfTime):
            os.kill(os.getpid(), signal.SIGXCPU)  # as the system does after the first of these
            return "not told"
        return "told after {} s, ended after {} s".format(*resource.getrlimit(resource.RLIMIT_CPU))

    assert in_a_child(do) == "told after 1 s, ended after 3 s"


def test_a_thread_is_no_process() -> None:
    assert asked(OPENED, "g") == [7]


def test_what_the_system_cannot_refuse_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.sets.server.version", lambda: 0)
    monkeypatch.setattr("course.sets.processes.platform.machine", lambda: "another")
    assert [each.split(":")[0] for each in missing()] == ["no Landlock here", "no seccomp here"]
    monkeypatch.setattr("course.sets.server.version", lambda: 2)
    assert missing()[0].startswith("an old Landlock here: ")
    monkeypatch.setattr("course.sets.server.version", lambda: 3)
    assert len(missing()) == 1
    monkeypatch.undo()
    assert len(missing()) == (version() < WHOLE) + (not possible())


def test_what_is_listed_as_refused_is_whole() -> None:
    """Events that are not tried here one by one, as they would do it where a hook is missing."""
    kinds = ("os.fork", "os.exec", "os.posix_spawn", "os.system", "pty.spawn", "socket.connect")
    assert all(event.startswith(REFUSED) for event in (*kinds, "os.killpg", "ctypes.dlsym"))
    assert {"os.remove", "os.rmdir", "os.mkdir", "os.rename", "os.link"} <= {*CHANGES}


def test_a_file_is_no_larger_than_it_may_be() -> None:
    cell = f"def f():\n    with open('large', 'wb') as file:\n        file.truncate({FILES} + 1)"
    assert "File too large" in asked(cell).says


def test_all_that_marks_is_read_before_the_first_cell() -> None:
    examine(TASK, ["x = 1"], {})
    assert all("mark" in vars(t) for one in read_sets().values() for t in one.tasks if t.marked)


def test_what_only_draws_or_writes_notebooks_is_not_imported_for_a_cell() -> None:
    slow = {"matplotlib", "nbformat"}
    assert asked(f"import sys\nf = lambda: sorted({slow} & set(sys.modules))") == []


def test_what_marks_is_read_once(tmp_path: Path) -> None:
    folder = tmp_path / "set1" / "a"
    shutil.copytree(TASK.folder, folder)
    task = read_task(folder)
    task.load()
    for path in folder.rglob("*.py"):
        path.write_text("raise SystemError")
    assert "SystemError" not in task.text("solution.py", task.drawn(1))
    assert task.mark.__name__ == "mark"


GOOD = {
    "def f():\n    open('mine.txt', 'w').write('7')\n    return int(open('mine.txt').read())": 7,
    "%matplotlib inline\n!ls\ndef f():\n    return 7": 7,
    "%%time\nf = lambda: 7": 7,
    "def f():\n    return 7\n\nraise ValueError('later')": 7,
    "def f():\n    print('x' * 10**6)\n    return 7": 7,
    "import os\nf = lambda: 7\nos.environ.clear()": 7,
    "torch.sin = None\nf = lambda: 7": 7,
    "display(torch.ones(2))\nf = lambda: 7": 7,
    "import asyncio\nawait asyncio.sleep(0.001)\nf = lambda: 7": 7,
    "%time f = lambda: 7\n%timeit -n1 -r 1 f()": 7,
    "y = %time 3 + 4\nf = lambda: y": 7,
    "%%capture out\n%matplotlib inline\nf = lambda: 7 if out.show() is None else 0": 7,
}


@pytest.mark.parametrize(("cell", "value"), GOOD.items(), ids=[*GOOD])
def test_what_a_cell_may_do(cell: str, value: int) -> None:
    assert asked(cell) == value


FORGED = """
import os, struct
def send(text):
    write(struct.pack("!i", len(text)) + text)
def write(some):
    for number in range(3, 100):
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                os.write(number, some)
        except OSError:
            pass
"""


@pytest.mark.parametrize(
    "text", ["{}", "[" * 10**5, '{"problem": 1}', "7", '{"printed": "", "problem": []}']
)
def test_a_reply_that_no_server_sent_ends_that_task_alone(text: str) -> None:
    with Student([f"{FORGED}\nsend({text!r}.encode())"]) as student:
        assert student.problem is not None
        assert isinstance(student("f"), Problem)


@pytest.mark.parametrize("text", ['{"value": {"list": 3}}', '{"problem": 1}', '{"value": {}}'])
def test_a_value_that_no_server_sent_is_a_problem(text: str) -> None:
    cell = f"{FORGED}\ndef f():\n    send({text!r}.encode())"
    assert asked(cell).name == "unreadable"


def test_sleeping_in_each_call_is_waiting_too() -> None:
    with Student(["import time\ndef f():\n    time.sleep(0.08)"], seconds=0.1) as student:
        assert "waits" in {getattr(student("f"), "name", None) for _ in range(40)}


HALF = "write(struct.pack('!i', 1000) + b'{')"
UNREAD = """
    thousand = {"number": "1000"}
    asks = {"ask": 0, "args": {"list": [thousand, thousand]}, "kwargs": {"dict": []}}
    send(json.dumps(asks).encode())
"""


@pytest.mark.parametrize("does", [HALF, UNREAD], ids=["half", "unread"])
def test_a_process_that_stops_within_a_message_is_ended(does: str) -> None:
    cell = f"import json, time\n{FORGED}\ndef f(program):\n    {does.strip()}\n"
    cell += "    time.sleep(10**6)"
    with Student([cell], seconds=0.2) as student:
        found = student("f", lambda rows, columns: torch.ones(rows, columns))
    assert found.name == "waits", found


def test_programs_of_the_marker_have_no_more_time_than_the_cell_and_a_size() -> None:
    def slow() -> int:
        since = time.process_time()
        while time.process_time() - since < 0.2:
            pass
        return 1

    cell = "def f(program):\n    while True:\n        program()"
    with Student([cell], seconds=SHORT) as student:
        found = student("f", slow)
    assert found.name == "time"
    assert "asked programs that were handed to it for so much" in found.says
    cell = "def f(program):\n    return program(torch.empty(2 * 10**7, 0))"
    assert "is too large" in asked(cell, "f", len).says
    task = next(task for task in read_sets()["set1"].tasks if task.id == "set1-02-blind")
    cell = "def blind(layer):\n    layer(torch.ones(12_000, 4, dtype=torch.float64))"
    said = examine(task, [SETUP, cell], {}).marks[0].says
    assert "layers take any length from 2 to 50, got (12000, 4)" in said


def test_which_programs_shift_is_not_told_by_counting() -> None:
    task = next(task for task in read_sets()["set3"].tasks if task.id.endswith("programs-shift"))
    cell = "n = 0\ndef accepts(program):\n    global n\n    n += 1\n    return n <= 4"
    result = examine(task, [SETUP, cell], {})
    assert (result.points, result.names) == (0, {"inconsistent"})


@pytest.mark.parametrize(
    "asks",
    ["program([10**4200] * 500)", "program(1e300, 1e300, 1e300)"],
)
def test_numbers_without_end_are_too_large_and_cost_nothing(asks: str) -> None:
    """Multiplied, they take seconds; what takes more than the cell's time is told as that."""
    cell = f"def f(program):\n    return {asks}"
    assert "is too large" in asked(cell, "f", len, seconds=2).says


def test_what_a_message_costs_the_marker_is_the_cell_s_own_time() -> None:
    cell = (
        f"import json\n{FORGED}\n"
        + """
def f(program):
    asks = {"ask": 0, "args": {"tuple": [{"list": []}] * 600_000}, "kwargs": {"dict": []}}
    text = json.dumps(asks).encode()
    while True:
        send(text)
"""
    )
    with Student([cell], seconds=SHORT) as student:
        found = student("f", lambda *_: 1)
    assert found.name == "time", found
    assert "reading what was asked" in found.says


def test_an_exception_without_words_is_told_by_its_name() -> None:
    cell = "class Mute(Exception):\n    def __str__(self):\n        raise SystemExit\n"
    cell += "def f():\n    raise Mute"
    assert "`f()` raised Mute (line 5)." in asked(cell).says


WAYS_ROUND = """
import sys
def f():
    ways = [lambda: __import__("pe_core"), lambda: __import__("__main__").pe_core]
    ways.append(lambda: sys._getframe(3).f_globals["pe_core"])
    for depth in range(12):
        ways.append(lambda depth=depth: sys._getframe(depth).f_globals["pe_core"])
    found = []
    for number, way in enumerate(ways):
        try:
            way()
            found.append(number)
        except Exception:
            pass
    return found
"""


def test_what_is_not_there_is_not_in_the_frames_around_a_cell() -> None:
    assert len(asked(WAYS_ROUND)) > 1
    assert asked(WAYS_ROUND, without=("pe_core", "pe_lab")) == []


WAYS_BY_CLASS = """
import gc
def f():
    gc.unfreeze()
    found = []
    def below(kind):
        for each in type.__subclasses__(kind):
            yield each
            yield from below(each)
    for each in {*below(torch.nn.Module)}:
        if each.__module__.startswith("pe_"):
            found += [str(name) for name in each.__init__.__globals__ if name != "__builtins__"]
    for each in gc.get_objects():
        if isinstance(each, type(gc)) and str(vars(each).get("__name__")).startswith("pe_"):
            found += [*vars(each)]
    return found[:5]
"""


def test_what_is_not_there_is_not_in_its_classes() -> None:
    assert asked(WAYS_BY_CLASS) != []
    assert asked(WAYS_BY_CLASS, without=("pe_core", "pe_lab")) == []


def test_a_class_of_a_cell_can_be_pickled_and_is_found_in_main() -> None:
    cell = "import pickle, __main__\nclass Clock:\n    hands = 3\n"
    cell += "f = lambda: pickle.loads(pickle.dumps(Clock())).hands + __main__.Clock.hands"
    assert asked(cell) == 6


def test_a_folder_in_a_folder_is_taken_away_however_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    with Student(["import os\nwhere = os.getcwd()"]) as student:
        where = Path(student.value("where"))
        monkeypatch.chdir(where)  # and back; made here, where no hook looks at each
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    assert not where.exists()


def test_a_test_that_draws_is_judged_by_its_worse_answers() -> None:
    """A bad program that is found every other time is not found; the rest is as it should be."""
    cell = "n = 0\ndef f(program):\n    global n\n    x = program()\n    n += x == 2\n"
    cell += "    return x == 1 or x == 2 and n % 2 == 1"
    good = {name: lambda *_: 1 for name in "ab"}
    bad = {"sometimes": (lambda *_: 2, "is 2"), "always": (lambda *_: 3, "is 3")}
    with Student([cell]) as student:
        marks = [*mark_test(("accepts", "rejects"), student, "f", good, bad)]
    assert [(mark.name, mark.share) for mark in marks] == [("right", 1), ("inconsistent", 0.5)]
    assert marks[1].says.startswith("It accepts 1 of 2 that it should reject. One of them is 2.")


def test_a_test_that_counts_its_calls_is_found_out() -> None:
    cell = "n = 0\ndef f(program):\n    global n\n    n += 1\n    return n <= 2"
    good = {name: lambda *_: 1 for name in "ab"}
    bad = {name: (lambda *_: 2, "is 2") for name in "cde"}
    with Student([cell]) as student:
        marks = [*mark_test(("accepts", "rejects"), student, "f", good, bad)]
    assert {mark.name for mark in marks} == {"inconsistent"}
    assert sum(mark.share for mark in marks) == 0
    assert all("give them a seed" in mark.says for mark in marks)
    cells = ["def f(program):\n    seen.append(program())\n    return seen[-1] < 3\nseen = []"]
    orders = []
    for more in ("# 1", "# 1", "# 2", "# 3"):
        with Student([*cells, more]) as student:
            some = {str(n): lambda n=n: n for n in range(3)}
            rest = {str(n): (lambda n=n: n, "") for n in range(3, 6)}
            assert {m.name for m in mark_test(("a", "b"), student, "f", some, rest)} == {"right"}
            orders.append(student.value("seen"))
    assert orders[0] == orders[1]
    assert orders[0][:6] != [*range(6)] or orders[2][:6] != [*range(6)]
    assert orders[0] != orders[2] or orders[0] != orders[3]


def test_a_server_that_was_ended_takes_its_processes_along_and_is_started_again() -> None:
    """It ends with the marker, too: nothing of a student's goes on computing then."""
    with Student(["import os\nserver = os.getppid()"]) as student:
        os.kill(student.value("server"), signal.SIGKILL)
        deadline = time.monotonic() + 30
        while _lives(student._pid):
            assert time.monotonic() < deadline, "it goes on"
            time.sleep(0.01)
    assert asked("def f():\n    return 7") == 7


def _lives(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "XZ"


def test_the_same_is_drawn_at_random_each_time() -> None:
    cell = "f = lambda: [float(torch.rand(1)), float(np.random.rand())]"
    assert asked(cell) == asked(cell)


def test_a_function_of_the_marker_stays_with_it() -> None:
    cell = "def f(program):\n    return program(2, 3).sum()"
    assert asked(cell, "f", lambda length, d_model: torch.ones(length, d_model)) == 6
    named = "def f(program):\n    return program(length=2, d_model=3).sum()"
    assert asked(named, "f", lambda length, d_model: torch.ones(length, d_model)) == 6
    says = asked(cell, "f", lambda length, d_model: 1 / 0).says
    assert "raised ZeroDivisionError: division by zero" in says
    caught = """def f(program):
    try:
        program()
    except RuntimeError as error:
        return str(error)"""
    rows, layer = torch.eye(4), torch.eye(4, dtype=torch.float64)
    assert "same dtype" in asked(caught, "f", lambda: rows @ layer)
    assert "raised RuntimeError: of torch's" in asked(cell, "f", refused).says
    assert "raised ValueError: of ours" in asked(cell, "f", refused_by_us).says
    with Student(["def f(program, *sizes):\n    return program(*sizes)"]) as student:
        for sizes in ((10**6, 10**6), (0, 10**9), (-(10**6), 10**6), (1e12, 8), ([10**9], 1)):
            assert "is too large" in student("f", lambda *_: 1, *sizes).says


def refused(*_: int) -> None:
    raise torch.OutOfMemoryError("of torch's")


def refused_by_us(*_: int) -> None:
    raise UnicodeError("of ours")


def test_the_book_s_own_diagnosis_asks_a_student_s_function() -> None:
    with Student(
        [SETUP, "def f(length, d_model):\n    return torch.zeros(length, d_model)"]
    ) as call:
        assert diagnose(as_function(call, "f")).name.startswith("all-zero")


def test_what_is_printed_is_kept_up_to_a_limit() -> None:
    with Student(["print('a' * 10**6)"]) as student:
        assert 1000 < len(student.printed) < 10_000


def test_a_folder_is_taken_away(tmp_path: Path) -> None:
    with Student(["import os\nwhere = os.getcwd()\nopen('x', 'w').write('x')"]) as student:
        where = Path(student.value("where"))
        assert (where / "x").exists()
    assert not where.exists()


def test_a_fault_of_the_marking_costs_no_other_task_and_is_told() -> None:
    class Broken:
        printed = ""

        def __call__(self, *_: object, **__: object) -> Any:
            raise RuntimeError("no answer")

    marks = judge(TASK, Broken(), {})  # type: ignore[arg-type]
    assert {mark.name for mark in marks} == {MISSED}
    assert "RuntimeError: no answer" in marks[0].says


def test_a_cell_that_hangs_in_one_call_keeps_what_it_had() -> None:
    cell = TASK.text("solution.py", {}) + (
        "\nright = encode\n"
        "def encode(length, d_model, base=10000.0, start=0):\n"
        "    while start: pass\n"
        "    return right(length, d_model, base)\n"
    )
    result = examine(replace(TASK, seconds=SHORT), [SETUP, cell], {})
    assert result.points == 4
    assert result.names == {"time"}


def test_the_marker_s_environment_is_kept_from_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "a-token")
    names = _environment()
    assert "JUPYTERHUB_API_TOKEN" not in names
    assert "PATH" in names


def test_a_cell_has_no_other_environment() -> None:
    names = _environment()
    assert set(asked("import os\nf = lambda: sorted(os.environ)")) <= {
        *names,
        *ONE_THREAD,
        "PYTHONPATH",
        "MPLCONFIGDIR",
    }


def test_a_figure_says_nothing_of_the_marker_s_machine() -> None:
    with Student(["import matplotlib.pyplot as plt\nfigure = str(plt.figure())"]) as student:
        assert student.value("figure").startswith("Figure(")
        assert student.printed == ""


DEFINES = {
    "def g(): pass": True,
    "class g: pass": True,
    "a, *g = 1, 2": True,
    "for g in ():\n    pass": True,
    "import g": True,
    "%matplotlib inline\nfrom os import path as g": True,
    "from math import *": False,
    "def h():\n    g = 1": False,
    "print(g)": False,
    "g = 1 +": False,
}


@pytest.mark.parametrize(("other", "defines"), DEFINES.items(), ids=[*DEFINES])
def test_a_name_of_a_cell_that_does_not_run_is_told_as_one(other: str, defines: bool) -> None:
    cell = "def f():\n    return g"
    for found in (asked(cell, others=("1 +", other)), asked(f"{cell}\nf()", "h", others=(other,))):
        assert "NameError: name 'g' is not defined (line 2)" in found.says
        assert (ELSEWHERE in found.says) == defines, found


def test_a_name_of_a_whole_module_is_told_too() -> None:
    assert ELSEWHERE in asked("f = lambda: sin(1)", others=("from math import *",)).says
    assert ELSEWHERE not in asked("def f():\n    g += 1\n    g = 1", others=("g = 1",)).says


def test_an_error_in_a_cell_for_every_task_ends_that_cell_alone() -> None:
    cells = [SETUP, f"{SHARED}a = 3\nimport nowhere\na = 4", f"{SHARED}exit()", "f = lambda: a"]
    with Student(cells) as student:
        assert student("f") == 3
        assert student.problem is None
        assert student.printed.splitlines() == [
            "Your cell before the first task raised ModuleNotFoundError: No module named 'nowhere' "
            "(line 2).",
            "Your cell before the first task raised SystemExit: None (line 1).",
        ]
