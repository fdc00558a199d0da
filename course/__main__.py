"""Everything that a lecturer hands out, marks, shows and imports: ``python -m course``.

Writes into ``dist/``, a folder for each part. Names of parts after it restrict it to those.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from course.sets.tasks import TaskError

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"

# A part is a package of this folder, and has a function `build(into: Path) -> None`, whose
# argument is its own folder of `dist/`, emptied by it.
PARTS: tuple[str, ...] = ("guide", "slides", "sets", "bank")


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(PARTS))
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
        return 2
    failed = 0
    for name in names or PARTS:
        try:
            importlib.import_module(f"course.{name}").build(DIST / name)
        except TaskError as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = 1
        else:
            print(f"{name}: {(DIST / name).relative_to(ROOT)}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
