"""A lesson by the minute: its steps, checked to fill its time exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass

STEP = re.compile(r"- (?P<minutes>\d+): (?P<what>\S.*)", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """What happens from one minute to another."""

    begin: int
    end: int
    what: str


def read_plan(length: int, lines: list[str]) -> list[Step]:
    """The steps of a lesson from lines such as ``- 5: Ask …``; an indented line goes on.

    Raises:
        ValueError: a line is none of these, or the steps do not fill the lesson.
    """
    entries: list[str] = []
    for line in lines:
        if line.startswith("  ") and entries:
            entries[-1] += " " + line.strip()
        elif line.strip():
            entries.append(line)
    steps: list[Step] = []
    for entry in entries:
        match = STEP.fullmatch(entry)
        if not match or match["minutes"] == "0":
            raise ValueError(f"a step is '- minutes: what happens', got {entry!r}")
        begin = steps[-1].end if steps else 0
        steps.append(Step(begin, begin + int(match["minutes"]), match["what"]))
    filled = steps[-1].end if steps else 0
    if filled != length:
        raise ValueError(f"a lesson of {length} minutes: its steps take {filled}")
    return steps
