"""Judges four numbers about a head of RoPE that is to read longer texts."""

from __future__ import annotations

import math

from course.sets.judging import number
from course.sets.marks import Mark
from course.sets.student import Call

PAIRS = 8


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    base, factor, back = given["base"], given["factor"], given["back"]
    last, last_trained = given["length"] - 1, given["trained"] - 1
    omega = [base ** (-i / PAIRS) for i in range(PAIRS)]
    slow = omega[given["pair"]]
    went_round = sum(last_trained * w >= 2 * math.pi for w in omega)
    angle = last * slow / factor
    raised = base * factor ** (PAIRS / (PAIRS - 1))
    return [
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
                    sum(last_trained * w >= 1 for w in omega),
                    "That asks for one radian, not for a whole turn.",
                ),
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
            },
            tolerance=slow / factor / 3,
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
