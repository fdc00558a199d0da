"""Four numbers; the foreseen ones are one mistake each. Others may go on from the first."""

import math
from collections.abc import Iterator

from course.sets.judging import Mark, number, own
from course.sets.student import Call

SAYS = {
    "no-turn": "That takes a radian for a turn.",
    "doubled-exponent": "That has twice the exponent of this pair.",
    "pair-number-only": "That has half the exponent of this pair.",
    "pairs-from-1": "That counts the pairs from 1.",
    "speed": "That is the speed of the hand, in radians per position.",
    "turns-in-one": "That is the part of a turn that the hand makes in one position.",
    "base-ignored": "That is with the base 10000.",
}


def mark(call: Call, given: dict[str, int]) -> Iterator[Mark]:
    base, d, i, length = (given[name] for name in ("base", "d_model", "i", "length"))
    turn = 2 * math.pi
    waves = {
        "no-turn": base ** (2 * i / d),
        "doubled-exponent": turn * base ** (4 * i / d),
        "pair-number-only": turn * base ** (i / d),
        "pairs-from-1": turn * base ** (2 * (i - 1) / d),
        "base-ignored": turn * 10000 ** (2 * i / d),
    }
    wave = turn * base ** (2 * i / d)
    others = {"speed": turn / wave, "turns-in-one": 1 / wave}
    said = {name: (each, SAYS[name]) for name, each in (waves | others).items()}
    yield number("wavelength", call.value("a"), wave, said, tolerance=0.005)
    first = abs(own(call.value("a"), wave))
    said = {name: (length / each, SAYS[name]) for name, each in waves.items()}
    said["whole-turns"] = math.floor(length / first), "That counts whole turns alone."
    said["to-the-last"] = (length - 1) / first, f"That is to position {length - 1}."
    yield number(
        "turns", call.value("b"), length / wave, said, following=length / first, tolerance=0.005
    )
    pair = given["pair"]
    follows = next((n for n in range(d // 2) if first * base ** (2 * (n - i) / d) > length), None)
    firsts = {
        "no-turn": (given["no_turn_pair"], SAYS["no-turn"]),
        "one-too-early": (pair - 1, "That hand is still round once, and a little more."),
        "one-too-late": (pair + 1, "The hand before it makes less than one turn, too."),
        "column": (2 * pair, "That is the number of a column, not of a pair."),
    }
    yield number("first", call.value("c"), pair, firsts, following=follows, tolerance=0.001)
    longest = turn * base ** ((d - 2) / d)
    longer = {
        "as-they-say": (turn * base, "That is what somebody wrote. No pair has the exponent 1."),
        "last-column": (
            turn * base ** ((d - 1) / d),
            "That has the last column's number in the exponent, and not its pair's.",
        ),
        "base-ignored": (turn * 10000 ** ((d - 2) / d), SAYS["base-ignored"]),
        "no-turn": (base ** ((d - 2) / d), SAYS["no-turn"]),
    }
    yield number(
        "longest",
        call.value("d"),
        longest,
        longer,
        following=first * base ** ((d - 2 - 2 * i) / d),
        tolerance=longest / 1000,
    )
