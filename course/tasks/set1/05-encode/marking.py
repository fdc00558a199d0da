"""The function with its defaults, with other bases, and with other first positions."""

from collections.abc import Iterator

from course.sets.judging import Mark, same, wrong
from course.sets.student import Call
from course.sets.variants import Setting, candidates, mark_tables
from pe_lab.diagnosis.reading import Problem, read

USUAL = [Setting(300, 8), Setting(37, 14)]
BASES = [Setting(60, 8, base=100), Setting(25, 12, base=500_000)]
STARTS = [Setting(50, 8, start=7), Setting(20, 12, start=4000), Setting(20, 4, start=10_000)]
TOGETHER = [Setting(30, 12, base=100, start=7)]


def mark(call: Call, given: dict[str, object]) -> Iterator[Mark]:
    table = mark_tables("table", call, "encode", USUAL, passing=())
    yield table
    base = mark_tables("base", call, "encode", BASES, passing=("base",))
    yield base
    # Far from position 0 a mistake may look like another: what it is was seen near it.
    seen = [each for each in candidates(STARTS) if each[0] == table.name]
    start = mark_tables("start", call, "encode", STARTS, passing=("start",), more=seen)
    if base.share == start.share == 1:  # each alone
        start = mark_tables("start", call, "encode", TOGETHER, passing=("base", "start"))
    yield (start.name == "shape" and _ends_early(call)) or start


def _ends_early(call: Call) -> Mark | None:
    """Whether the rows end before position `length`, as those of arange(start, length) do."""
    setting = STARTS[0]
    length, d, start = setting.length, setting.d_model, int(setting.start)
    table = read(call("encode", length, d, start=start), "it")
    rows = setting.table()[: length - start]
    if isinstance(table, Problem) or table.values.shape != rows.shape:
        return None
    if not same(table.values, rows):
        return None
    says = "The rows begin at the position that is asked for, and end before position `length`, "
    return wrong("start", "ends-at-length", f"{says}so that there are fewer than `length`.")
