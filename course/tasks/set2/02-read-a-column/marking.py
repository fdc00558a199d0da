"""Three readings; the wavelength within a tenth."""

from collections.abc import Iterator

from course.sets.judging import Mark, number, real, wrong
from course.sets.student import Call


def mark(call: Call, given: dict[str, float]) -> Iterator[Mark]:
    wave, pair, column = given["wave"], int(given["pair"]), int(given["column"])
    waves = {
        "half-a-wave": (wave / 2, "That is from a top to the next bottom."),
        "two-waves": (wave * 2, "Within that length the curve goes up and down twice."),
    }
    yield number("wavelength", call.value("a"), wave, waves, tolerance=0.1 * wave)
    pairs = {
        "next-pair": (pair + 1, "That pair's waves are longer than these."),
        "pair-before": (pair - 1, "That pair's waves are shorter than these."),
    }
    yield number("pair", call.value("b"), pair, pairs)
    own, answer = real(call.value("b")), real(call.value("c"))
    if own is not None and own != pair and answer in (2 * own, 2 * own + 1) and answer != column:
        says = f"That follows from your answer to (b): column {answer:g} is of pair {own:g}."
        yield wrong("column", "follows-from-b", says)
        return
    columns = {
        "other-of-the-pair": (2 * pair + 1 - column % 2, "That is the other one of its pair."),
        "counted-from-1": (column + 1, "That counts columns from 1."),
        "pair-for-column": (pair, "That is the number of a pair."),
    }
    yield number("column", call.value("c"), column, columns)
