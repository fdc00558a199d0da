"""``make test`` notices what fails, and stops a tool that does not end with all it has started."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tools import check

# Starts a process that writes a file ten times a second, for a minute, and waits for it.
PARENT = """
import subprocess, sys
child = "import sys, time\\nfor _ in range(600): open(sys.argv[1], 'w').write('x'); time.sleep(0.1)"
subprocess.run([sys.executable, "-c", child, sys.argv[1]])
"""


def stays_away(sign: Path) -> bool:
    """Whether nobody writes the file any more; on a busy machine a last write may still end."""
    for _ in range(4):
        time.sleep(0.5)
        if not sign.exists():
            return True
        sign.unlink()
    return False


def test_what_a_stopped_tool_has_started_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    sign = tmp_path / "sign"
    for patience in (1, 2, 4, 8):
        monkeypatch.setattr(check, "PATIENCE", patience)
        assert not asyncio.run(check.run("python", "-c", PARENT, str(sign)))
        stopped = f"python was stopped: it had not ended after {patience} s"
        assert stopped in capfd.readouterr().out
        if sign.exists():  # the child had begun
            break
    sign.unlink()
    assert stays_away(sign)


# Checks one part, which is the tool in the first argument.
CHECK = """
import sys
from tools import check
check.PARTS["unit"] = lambda: check.run("python", "-c", *sys.argv[1:])
check.main(["unit"])
"""


def test_the_tools_are_stopped_when_the_check_is_told_to_end(tmp_path: Path) -> None:
    sign = tmp_path / "sign"
    checking = subprocess.Popen([sys.executable, "-c", CHECK, PARENT, str(sign)], cwd=check.ROOT)
    while not sign.exists() and checking.poll() is None:
        time.sleep(0.05)
    checking.terminate()
    assert checking.wait(60) not in (0, 1)  # neither passed nor failed
    sign.unlink()
    assert stays_away(sign)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has these classes of processes")
def test_what_the_tools_start_is_not_interrupted_by_what_wakes() -> None:
    # This test, in the check, is itself such a process.
    anew = "import os\nos.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))\n"
    tool = "import os; assert os.sched_getscheduler(0) == os.SCHED_BATCH"
    checked = subprocess.run(
        [sys.executable, "-c", f"{anew}{CHECK}", tool],
        cwd=check.ROOT,
        capture_output=True,
        text=True,
    )
    assert "1 passed, 0 failed" in checked.stdout


def test_a_tool_that_ends_says_whether_it_passed(capfd: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(check.run("python", "-c", "print('well')"))
    assert capfd.readouterr().out == "\n$ python -c print('well') \nwell\n"
    assert not asyncio.run(check.run("python", "-c", "raise SystemExit(3)"))
    assert not asyncio.run(check.run("no-such-tool"))


def test_of_tools_that_run_at_the_same_time_each_must_pass() -> None:
    async def together(*codes: int) -> bool:
        tools = (check.run("python", "-c", f"raise SystemExit({code})") for code in codes)
        return await check.run_all(*tools)

    assert asyncio.run(together(0, 0, 0))
    assert not asyncio.run(together(0, 0, 3))


def test_each_part_has_a_line_and_one_that_fails_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = []

    def part(name: str) -> Callable[[], Awaitable[bool]]:
        async def pretended() -> bool:
            if name == "build":
                await asyncio.sleep(0.01)
            ran.append(name)
            return name != "lint"

        return pretended

    for name in check.PARTS:
        monkeypatch.setitem(check.PARTS, name, part(name))
    assert check.main([]) == 1
    assert ran == ["lint", "outputs", "build", "unit", "browser"]
    lines = capfd.readouterr().out.splitlines()[1:]
    passed = [["passed", name] for name in ("unit", "outputs", "build", "browser")]
    assert [line.split()[:2] for line in lines[:-1]] == [["FAILED", "lint"], *passed]
    assert lines[-1].startswith("4 passed, 1 failed")
    ran.clear()
    assert check.main(["browser", "unit"]) == 0
    assert ran == ["unit", "browser"]


def test_a_module_is_left_out_of_the_processes_that_start_meanwhile() -> None:
    command = [sys.executable, "-c", "import colorsys"]
    with check.left_out("colorsys"):
        left_out = subprocess.run(command, capture_output=True, text=True, check=False)
    assert left_out.stderr.endswith("ImportError: colorsys\n")
    subprocess.run(command, check=True)
