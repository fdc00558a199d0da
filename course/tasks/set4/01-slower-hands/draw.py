"""A head of RoPE with eight pairs, a trained length, and a longer text."""

import itertools
import math
import random
from functools import cache

PAIRS = 8
# Not 10000, nor 100: with twice the exponent its hands are those of 10000.
BASES = [n * n for n in range(4, 100) if n != 10]
LENGTHS = (12, 16, 20, 24, 32, 40, 48, 64, 96, 128)
FACTORS = (2, 3, 4, 5)
MARGIN = 1.005  # of an angle from a whole turn: a calculator's digits decide nothing


def draw(rng: random.Random) -> dict[str, object]:
    base = rng.choice(sorted({base for base, _, _ in fit()}))
    _, trained, factor = rng.choice([each for each in fit() if each[0] == base])
    pairs = [i for i in (2, 3, 4) if angles_apart(base, i, factor)]
    return {
        "base": base,
        "trained": trained,
        "factor": factor,
        "length": trained * factor,
        "pair": rng.choice(pairs),
        "back": rng.choice([2, 3, 4, 5]),
    }


@cache
def fit() -> list[tuple[int, int, int]]:
    """All that can be asked for."""
    return [each for each in itertools.product(BASES, LENGTHS, FACTORS) if told_apart(*each)]


def told_apart(base: int, trained: int, factor: int) -> bool:
    """Whether a count of hands tells what was counted."""
    whole, half, radians = (gone(base, trained - 1, turn) for turn in (2 * math.pi, math.pi, 1))
    narrowly, amply, after = (
        gone(base, last, 2 * math.pi)
        for last in ((trained - 1) / MARGIN, (trained - 1) * MARGIN, trained)
    )
    longer = gone(base, trained * factor - 1, 2 * math.pi)
    others = {1, half, radians, longer, PAIRS - whole, PAIRS}
    return (
        narrowly == amply
        and whole not in others
        and len(others) == 6
        and after not in others
        and any(angles_apart(base, i, factor) for i in (2, 3, 4))
    )


def gone(base: int, last: float, turn: float) -> int:
    """How many hands have turned by this angle at the position."""
    return sum(last * base ** (-i / PAIRS) >= turn for i in range(PAIRS))


def angles_apart(base: int, pair: int, factor: int) -> bool:
    """Whether an angle tells what was done to the last position, and with which hand.

    Each by itself, within a tenth.
    """
    omega, of_10000 = base ** (-pair / PAIRS), 10000 ** (-pair / PAIRS)
    hands = [omega, 1 / omega, omega**0.5, omega**2, of_10000]
    done = sorted([omega, omega * factor, *(each / factor for each in hands)])
    return all(less * 1.1 < more for less, more in itertools.pairwise(done))
