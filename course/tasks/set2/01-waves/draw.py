"""A width, a base, a pair and a length for which the foreseen mistakes give other numbers."""

import math
import random
from itertools import pairwise


def draw(rng: random.Random) -> dict[str, object]:
    while True:
        d_model = rng.choice([12, 16, 20, 24])
        base = rng.choice([50, 100, 200, 500, 1000, 2000])
        # Not pair 2: half its exponent is the exponent of the pair before, two mistakes in one.
        i = rng.randint(3, d_model // 2 - 2)
        length = rng.choice([30, 40, 50, 60, 80, 120, 150])
        pair = _first(d_model, base, length, 2 * math.pi)
        no_turn = _first(d_model, base, length, 1)
        exponents = [2 * i / d_model, 4 * i / d_model, i / d_model, 2 * (i - 1) / d_model]
        waves = [2 * math.pi * base**exponent for exponent in exponents]
        waves += [base ** (2 * i / d_model), 2 * math.pi * 10000 ** (2 * i / d_model)]
        turns = [length / wave for wave in waves]
        turns += [(length - 1) / waves[0], length // waves[0]]
        waves += [2 * math.pi / waves[0], 1 / waves[0]]
        firsts = sorted({pair, no_turn, pair - 1, pair + 1, 2 * pair})
        if pair < 2 or no_turn >= d_model // 2 or len(firsts) < 5:
            continue
        ratios = [length / (2 * math.pi * base ** (2 * n / d_model)) for n in (pair - 1, pair)]
        if min(abs(ratio - 1) for ratio in ratios) < 0.04:
            continue
        if all(b - a > 0.015 for numbers in (waves, turns) for a, b in pairwise(sorted(numbers))):
            return {
                "d_model": d_model,
                "base": base,
                "i": i,
                "length": length,
                "pair": pair,
                "no_turn_pair": no_turn,
            }


def _first(d_model: int, base: float, length: int, unit: float) -> int:
    """The first pair with unit · base^(2i/d) > length; d/2 if there is none."""
    pairs = range(d_model // 2)
    return next((n for n in pairs if unit * base ** (2 * n / d_model) > length), d_model // 2)
