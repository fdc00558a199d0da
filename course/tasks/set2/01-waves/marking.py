"""Four numbers; the foreseen ones are one mistake each. Others may go on from the first."""

import math
from collections.abc import Callable, Iterator

from course.sets.judging import Mark, charged_once, nearest, number, own
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

TURN = 2 * math.pi
# Of a base, a width and a pair: the wavelength, with one mistake in it.
WAVES: dict[str, Callable[[float, float, int], float]] = {
    "no-turn": lambda base, d, i: base ** (2 * i / d),
    "doubled-exponent": lambda base, d, i: TURN * base ** (4 * i / d),
    "pair-number-only": lambda base, d, i: TURN * base ** (i / d),
    "pairs-from-1": lambda base, d, i: TURN * base ** (2 * (i - 1) / d),
    "base-ignored": lambda base, d, i: TURN * 10000 ** (2 * i / d),
}


def mark(call: Call, given: dict[str, int]) -> list[Mark]:
    """A mistake in a wavelength is charged once: the other parts have waves, too."""
    return charged_once(_each(call, given), WAVES)


def _each(call: Call, given: dict[str, int]) -> Iterator[Mark]:
    base, d, i, length = (given[name] for name in ("base", "d_model", "i", "length"))
    waves = {name: made(base, d, i) for name, made in WAVES.items()}
    wave = TURN * base ** (2 * i / d)
    others = {"speed": TURN / wave, "turns-in-one": 1 / wave}
    said = {name: (each, SAYS[name]) for name, each in (waves | others).items()}
    wavelength = number("wavelength", call.value("a"), wave, said, tolerance=0.005)
    yield wavelength
    first = abs(own(call.value("a"), wave))
    # The waves of all pairs: by their ratios from one's own, or with the mistake that it has.
    ratios = [first * base ** (2 * (n - i) / d) for n in range(d // 2)]
    made = WAVES.get(wavelength.name)
    ways = [ratios, *([[made(base, d, n) for n in range(d // 2)]] if made else [])]
    said = {name: (length / each, SAYS[name]) for name, each in waves.items()}
    said["whole-turns"] = math.floor(length / first), "That counts whole turns alone."
    said["to-the-last"] = (length - 1) / first, f"That is to position {length - 1}."
    yield number(
        "turns", call.value("b"), length / wave, said, following=length / first, tolerance=0.005
    )
    pair = given["pair"]
    found = [next((n for n, each in enumerate(way) if each > length), None) for way in ways]
    follows = nearest(call.value("c"), [n for n in found if n is not None])
    firsts = {
        "no-turn": (given["no_turn_pair"], SAYS["no-turn"]),
        "one-too-early": (pair - 1, "That hand is still round once, and a little more."),
        "one-too-late": (pair + 1, "The hand before it makes less than one turn, too."),
        "column": (2 * pair, "That is the number of a column, not of a pair."),
    }
    yield number("first", call.value("c"), pair, firsts, following=follows, tolerance=0.001)
    last = d // 2 - 1
    longest = TURN * base ** (2 * last / d)
    longer = {name: (made(base, d, last), SAYS[name]) for name, made in WAVES.items()}
    longer["as-they-say"] = (
        TURN * base,
        "That is what somebody wrote. No pair has the exponent 1.",
    )
    longer["last-column"] = (
        TURN * base ** ((d - 1) / d),
        "That has the last column's number in the exponent, and not its pair's.",
    )
    yield number(
        "longest",
        call.value("d"),
        longest,
        longer,
        following=nearest(call.value("d"), [way[last] for way in ways]),
        tolerance=longest / 1000,
    )
