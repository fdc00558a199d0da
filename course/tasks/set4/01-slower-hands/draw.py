"""A head of RoPE with eight pairs, a trained length, and a longer text."""

import itertools
import math
import random

PAIRS = 8
BASES = (16, 81, 256, 625, 6561, 10000)
LENGTHS = (12, 16, 20, 24, 32, 40, 48, 64, 96, 128)


def draw(rng: random.Random) -> dict[str, object]:
    base = rng.choice(BASES)
    trained = rng.choice([n for n in LENGTHS if told_apart(base, n)])
    factor = rng.choice([2, 3, 4, 5])
    pairs = [i for i in (2, 3, 4) if angles_apart(base ** (-i / PAIRS), factor)]
    return {
        "base": base,
        "trained": trained,
        "factor": factor,
        "length": trained * factor,
        "pair": rng.choice(pairs),
        "back": rng.choice([2, 3, 4, 5]),
    }


def told_apart(base: int, trained: int) -> bool:
    """Whether a count of hands tells what was counted."""
    turned = [(trained - 1) * base ** (-i / PAIRS) for i in range(PAIRS)]
    whole, radians = (sum(angle >= least for angle in turned) for least in (2 * math.pi, 1))
    return len({1, whole, radians, PAIRS - whole, PAIRS}) == 5


def angles_apart(omega: float, factor: int) -> bool:
    """Whether an angle tells what was done to the last position: each by itself, within a tenth."""
    done = sorted([omega, omega * factor, omega / factor, 1 / omega / factor])
    return all(less * 1.1 < more for less, more in itertools.pairwise(done))
