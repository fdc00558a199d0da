"""``make test`` stops a tool that does not end, and all that the tool has started."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tools import check

# Starts a process that writes a file ten times a second, for a minute, and waits for it.
PARENT = """
import subprocess, sys
child = "import sys, time\\nfor _ in range(600): open(sys.argv[1], 'w').write('x'); time.sleep(0.1)"
subprocess.run([sys.executable, "-c", child, sys.argv[1]])
"""


def test_what_a_stopped_tool_has_started_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    sign = tmp_path / "sign"
    monkeypatch.setattr(check, "PATIENCE", 6)
    assert not check.run("python", "-c", PARENT, str(sign))
    assert "python was stopped: it had not ended after 6 s" in capfd.readouterr().out
    sign.unlink()  # it was written: the child had begun
    time.sleep(0.5)
    assert not sign.exists()


def test_a_tool_that_ends_says_whether_it_passed() -> None:
    assert check.run("python", "-c", "pass")
    assert not check.run("python", "-c", "raise SystemExit(3)")
    assert not check.run("no-such-tool")
