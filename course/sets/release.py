"""Have nbgrader make what students get: ``python -m course.sets.release set1 set2`` in its folder.

One process for all sets, because each would load torch and nbgrader anew.
"""

from __future__ import annotations

import os
import sys

from nbgrader.apps import NbGraderAPI
from traitlets.config.loader import PyFileConfigLoader


def main(names: list[str]) -> int:
    """Make the releases of these sets in the working directory; 1 if one fails."""
    config = PyFileConfigLoader("nbgrader_config.py", path=os.getcwd()).load_config()
    api = NbGraderAPI(config=config)
    for name in names:
        done = api.generate_assignment(name, force=True)
        if not done["success"]:
            print(done.get("error", ""), done.get("log", ""), sep="\n", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
