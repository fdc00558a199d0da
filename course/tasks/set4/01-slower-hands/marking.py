"""Judges four numbers about a head of RoPE that is to read longer texts."""

from __future__ import annotations

import math

from course.sets.judging import TOLERANCE, charged_once, number, wrong
from course.sets.marks import Mark
from course.sets.student import Call
from pe_lab.diagnosis.answers import real

PAIRS = 8
FROM_1 = "The first position is 0. That goes one position beyond the last."
# The base, if it is another one, and the power of 1 / base for each pair; and what is said to it.
HANDS = {
    "pair-number-only": (0, 1 / 16, "That is with half the exponent of each pair."),
    "doubled-exponent": (0, 1 / 4, "That is with twice the exponent of each pair."),
    "base-ignored": (10000, 1 / 8, "That is with the base 10000."),
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    base, factor, back = given["base"], given["factor"], given["back"]
    last, last_trained = given["length"] - 1, given["trained"] - 1
    omega = [base ** (-i / PAIRS) for i in range(PAIRS)]
    slow = omega[given["pair"]]
    went_round = gone(omega, last_trained)
    after = gone(omega, last_trained + 1)  # for most numbers the same
    angle = last * slow / factor
    raised = base * factor ** (PAIRS / (PAIRS - 1))
    marks = [
        number(
            "went round",
            call.value("went_round"),
            went_round,
            {
                "the-others": (
                    PAIRS - went_round,
                    "That is how many did not go round.",
                ),
                "all": (PAIRS, "That is all of them. What is the wavelength of the slowest?"),
                "radians": (
                    gone(omega, last_trained, 1),
                    "That asks for one radian, not for a whole turn.",
                ),
                "half-turns": (
                    gone(omega, last_trained, math.pi),
                    "That asks for half a turn, not for a whole one.",
                ),
                "longer-text": (gone(omega, last), "That counts with the positions to be read."),
                **({"from-1": (after, FROM_1)} if after != went_round else {}),
            },
            tolerance=0,
        ),
        number(
            "angle",
            call.value("angle"),
            angle,
            {
                "not-slowed": (last * slow, "That is the angle without interpolation."),
                "sped-up": (last * slow * factor, "That multiplies by the factor."),
                "from-1": (
                    (last + 1) * slow / factor,
                    "The first position is 0. That is the angle one position after the last.",
                ),
                "degrees": (math.degrees(angle), "That is in degrees."),
                "divided": (last / slow / factor, "That divides by the frequency."),
                "training": (
                    last_trained * slow / factor,
                    "That is at the last position of a text of the training.",
                ),
                "last-on-last": (
                    last_trained * slow,
                    "That is the angle at which the last position of a training text stood. The "
                    "last one of the longer text does not land quite there.",
                ),
            },
        ),
        number(
            "base",
            call.value("base"),
            raised,
            {
                "times-factor": (
                    base * factor,
                    "That multiplies the base by the factor. The exponent of the slowest pair is "
                    "not quite 1.",
                ),
                "exponent-upside-down": (
                    base * factor ** ((PAIRS - 1) / PAIRS),
                    "The exponent of the factor stands upside down.",
                ),
                "pairs-for-d": (
                    base * factor ** (PAIRS / (PAIRS - 2)),
                    "The exponent of the factor has the number of pairs where the columns belong.",
                ),
                "all-of-d": (
                    base * factor ** (2 * PAIRS),
                    "The exponent of the factor is d. That of the slowest pair is (d − 2)/d.",
                ),
                "divided": (
                    base / factor ** (PAIRS / (PAIRS - 1)),
                    "That base is smaller: it makes every hand faster.",
                ),
            },
            tolerance=raised / 100,
        ),
        number(
            "looks back",
            call.value("looks_back"),
            back * factor,
            {
                "divided": (
                    back / factor,
                    "That divides. The head looks for the angle that it learned; how many "
                    "positions make this angle now?",
                ),
                "as-trained": (back, "That is what it did before its hands were slowed."),
            },
            tolerance=0.01,
        ),
    ]
    return charged_once(by_hands(call, given, marks), ("from-1", *HANDS))


def by_hands(call: Call, given: dict[str, object], marks: list[Mark]) -> list[Mark]:
    """The marks, with the mistake in the hands where the angle has one: others come of it.

    The angle tells what it is; a count of hands may be that of several.
    """
    base, factor, pair = given["base"], given["factor"], given["pair"]
    last, last_trained = given["length"] - 1, given["trained"] - 1
    values = [real(call.value(name)) for name in ("went_round", "angle", "base")]
    if marks[1].name != "unknown":
        return marks
    for name, (other, power, says) in HANDS.items():
        own = other or base
        omega = [own ** (-power * i) for i in range(PAIRS)]
        raised = own * factor ** (1 / power / (PAIRS - 1))
        gives = gone(omega, last_trained), last * omega[pair] / factor, raised
        alike = [
            value is not None and abs(value - each) <= tolerance
            for value, each, tolerance in zip(
                values, gives, (0, TOLERANCE, raised / 100), strict=True
            )
        ]
        if alike[1]:
            found = zip(marks, [*alike, False], strict=True)
            return [
                wrong(mark.part, name, says) if same and mark.share < 1 else mark
                for mark, same in found
            ]
    return marks


def gone(omega: list[float], last: int, turn: float = 2 * math.pi) -> int:
    """How many hands have turned by this angle at the position."""
    return sum(last * w >= turn for w in omega)
