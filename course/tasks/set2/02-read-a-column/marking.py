"""Three readings; the wavelength within a tenth. Each may go on from the one before."""

import math
from collections.abc import Iterator

from course.sets.judging import Mark, number, own
from course.sets.student import Call
from pe_lab.diagnosis.answers import real


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
    follows = nearest_pair(abs(own(call.value("a"), wave)), given["d_model"])
    yield number("pair", call.value("b"), pair, pairs, following=follows)
    chosen = real(call.value("b"))
    chosen = pair if chosen is None else chosen
    other = 2 * chosen + 1 - column % 2
    says = "That is the other one of its pair"
    says += ", or columns were counted from 1." if other == column + 1 else "."
    columns = {
        "other-of-the-pair": (other, says),
        "pair-for-column": (pair, "That is the number of a pair."),
    }
    if other != column + 1:
        columns["counted-from-1"] = (column + 1, "That counts columns from 1.")
    yield number("column", call.value("c"), column, columns, following=2 * chosen + column % 2)


def nearest_pair(wave: float, d_model: float) -> int:
    """The pair whose wavelength is nearest, by its factor."""
    return round(d_model / 2 * math.log(wave / (2 * math.pi), 10000))
