"""The gain of a class: ``python -m course.inventory answers.csv``."""

from __future__ import annotations

import sys
from pathlib import Path

from course.inventory.concepts import load
from course.inventory.gain import read
from course.inventory.report import report


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m course.inventory answers.csv", file=sys.stderr)
        return 2
    concepts = load()
    try:
        text = Path(arguments[0]).read_text(encoding="utf-8-sig")
        sheets, complaints = read(text.splitlines(), concepts)
    except UnicodeDecodeError:
        print(f"{arguments[0]}: it must be saved as UTF-8", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    for complaint in complaints:
        print(f"{arguments[0]}, {complaint}: left out", file=sys.stderr)
    if not sheets:
        print(f"{arguments[0]}: no row can be used", file=sys.stderr)
        return 2
    print(*report(sheets, concepts), sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
