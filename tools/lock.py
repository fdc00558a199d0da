"""Write constraints.txt, the exact version of everything that requirements.txt draws in.

    python -m tools.lock [--newest]

What is pinned there stays as long as requirements.txt allows; with ``--newest`` all else is the
newest. uv makes it, for every platform and Python 3.11 to 3.13. torch's CUDA packages are left out:
which of them a machine needs, if any, follows from the build of torch that it installs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "constraints.txt"
HEADER = "# Made by `make lock` (uv pip compile); change requirements.txt instead.\n"
CUDA = re.compile(r"^(nvidia-|cuda-|triton\b|torch\b)")
COMPILE = ("pip", "compile", "--universal", "--python-version", "3.11", "--no-annotate")


def direct_requirements() -> str:
    """requirements.txt without the project itself and without the constraints."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("-")) + "\n"


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--newest"]):
        print(f"There is --newest and nothing else, got {' '.join(arguments)}")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "requirements.in"
        source.write_text(direct_requirements(), encoding="utf-8")
        made = Path(folder) / LOCK.name
        if not arguments and LOCK.exists():
            shutil.copy(LOCK, made)  # uv keeps the versions of the file that it writes
        command = [sys.executable, "-m", "uv", *COMPILE, "--no-header", "--quiet", str(source)]
        command += ["--output-file", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return done.returncode
        lines = made.read_text(encoding="utf-8").splitlines()
    pinned = [line for line in lines if not CUDA.match(line)]
    LOCK.write_text(HEADER + "\n".join(pinned) + "\n", encoding="utf-8", newline="\n")
    print(f"{LOCK.name}: {len(pinned)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
