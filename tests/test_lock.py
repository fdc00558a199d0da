"""The versions of all that is installed, which ``make lock`` pins."""

import subprocess
from pathlib import Path

import pytest

from tools import lock


class Uv:
    """Stands in for uv, which asks the network: writes what it is told, and notes what it found."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pinned: Path, code: int = 0) -> None:
        self.found, self.asked, self.code = "", "", code
        self.command: list[str] = []
        pinned.write_text("idna==3.7\n", encoding="utf-8")
        monkeypatch.setattr(lock, "LOCK", pinned)
        monkeypatch.setattr("tools.lock.subprocess.run", self.run)

    def run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        self.command = command
        self.asked = next(Path(each) for each in command if each.endswith(".in")).read_text("utf-8")
        made = Path(command[command.index("--output-file") + 1])
        self.found = made.read_text(encoding="utf-8") if made.exists() else ""
        drawn_in = (
            "idna==3.8",
            "cuda-bindings==1",
            "nvidia-nccl-cu12==2.1",
            "torch==2.9.0",
            "torchfix==1",
            "triton==3",
        )
        made.write_text("\n".join(drawn_in), encoding="utf-8")
        return subprocess.CompletedProcess(command, self.code, "", "no such version")


@pytest.mark.parametrize(("arguments", "found"), [([], "idna==3.7\n"), (["--newest"], "")])
def test_a_lock_keeps_versions_unless_the_newest_are_asked_for_and_leaves_out_a_machine_s_own(
    arguments: list[str], found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = tmp_path / "constraints.txt"
    uv = Uv(monkeypatch, pinned)
    assert lock.main(arguments) == 0
    assert uv.found == found  # uv keeps the versions of the file that it writes
    assert pinned.read_text(encoding="utf-8") == f"{lock.HEADER}idna==3.8\ntorchfix==1\n"


@pytest.mark.parametrize(("arguments", "code"), [([], 1), (["--new"], 0), (["--newest", "x"], 0)])
def test_a_lock_that_cannot_be_made_leaves_the_old_one(
    arguments: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = tmp_path / "constraints.txt"
    Uv(monkeypatch, pinned, code)
    assert lock.main(arguments) == (code or 2)
    assert pinned.read_text(encoding="utf-8") == "idna==3.7\n"


def test_a_lock_is_for_every_platform_and_the_oldest_python_and_of_others_work_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements.txt").write_text("-c constraints.txt\n-e .[lab]\nidna>=3\n", "utf-8")
    monkeypatch.setattr(lock, "ROOT", tmp_path)
    uv = Uv(monkeypatch, tmp_path / "constraints.txt")
    assert lock.main([]) == 0
    assert "--universal" in uv.command
    assert uv.command[uv.command.index("--python-version") + 1] == "3.11"
    assert uv.asked.split() == ["idna>=3"]
