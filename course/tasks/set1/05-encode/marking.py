"""The function with its defaults, with other bases, and with other first positions."""

from collections.abc import Iterator

from course.sets.judging import Mark
from course.sets.student import Call
from course.sets.variants import Setting, mark_tables

USUAL = [Setting(300, 8), Setting(37, 14)]
BASES = [Setting(60, 8, base=100), Setting(25, 12, base=500_000)]
STARTS = [Setting(50, 8, start=7), Setting(20, 12, start=4000)]


def mark(call: Call, given: dict[str, object]) -> Iterator[Mark]:
    yield mark_tables("table", call, "encode", USUAL, passing=())
    yield mark_tables("base", call, "encode", BASES, passing=("base",))
    yield mark_tables("start", call, "encode", STARTS, passing=("start",))
