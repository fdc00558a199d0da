"""A width, a base, a factor and two positions for which the foreseen mistakes differ."""

import math
import random
from itertools import pairwise


def draw(rng: random.Random) -> dict[str, object]:
    while True:
        # Of 4 columns, half of them is their root; 8 have cosines that (d) takes too long with.
        # With a factor of 2 or 3 other mistakes give its number: 2 * d / 2 is d, 9 * 2 / d is 3.
        d, base, factor = 6, rng.choice([20, 50, 100, 400]), rng.choice([4, 5, 7])
        k = rng.choice([2, 3, 4, 5])
        p = rng.randint(10, 60)
        s, s_position = _s(k, d, base), _s(p + k, d, base)
        lengths = [
            factor * math.sqrt(d / 2),
            factor * math.sqrt(d),
            factor**2 * d / 2,
            factor * d / 2,
            math.sqrt(d / 2),
        ]
        products = [factor**2 * s, factor * s, factor**2 * s_position, s, 2 * s / d]
        products += [factor**2 * s * 2 / d, *(factor**2 * each for each in _others(k, d, base))]
        distances = [
            factor * math.sqrt(d - 2 * s),
            math.sqrt(factor * (d - 2 * s)),
            factor * math.sqrt(2 * d - 2 * s),
            factor**2 * (d - 2 * s),
            factor * math.sqrt(d - s),
            factor * math.sqrt(d / 2 - s),
            factor * math.sqrt(d - 2 * s_position),
            factor * math.sqrt(d + 2 * s),
            math.sqrt(d - 2 * s),
        ]
        rises = _rises(rng, d, base)
        if rises is None or min(abs(s), abs(s_position)) <= 0.2:
            continue
        if all(map(_apart, (lengths, products, distances))):
            return {
                "d_model": d,
                "base": base,
                "factor": factor,
                "p": p,
                "q": p + k,
                "s": s,
                "s_position": s_position,
                "others": _others(k, d, base),
                **rises,
            }


def _rises(rng: random.Random, d_model: int, base: float) -> dict[str, int] | None:
    """Six offsets, and of them: the largest rise to the next, the largest fall, the largest of all.

    None if they are not told apart, or by too little.
    """
    least = rng.randint(6, 20)
    s = {k: _s(k, d_model, base) for k in range(least, least + 7)}
    steps = {k: s[k + 1] - s[k] for k in range(least, least + 6)}
    second, largest = sorted(steps.values())[-2:]
    found = {
        "rise": max(steps, key=steps.__getitem__),
        "fall": min(steps, key=steps.__getitem__),
        "top": max(steps, key=s.__getitem__),
    }
    if largest < 0.3 or largest - second < 0.05 or len({*found.values(), found["rise"] + 1}) < 4:
        return None
    return {"least": least, **found}


def _others(k: int, d_model: int, base: float) -> list[float]:
    """The sum with angles in degrees, with half the exponents, and without pair 0."""
    omega = [base ** (-2 * i / d_model) for i in range(d_model // 2)]
    return [
        sum(math.cos(math.radians(k * each)) for each in omega),
        sum(math.cos(k * each**0.5) for each in omega),
        _s(k, d_model, base) - math.cos(k) + math.cos(k / base),
    ]


def _s(k: int, d_model: int, base: float) -> float:
    return sum(math.cos(k * base ** (-2 * i / d_model)) for i in range(d_model // 2))


def _apart(numbers: list[float]) -> bool:
    return all(b - a > 0.05 for a, b in pairwise(sorted(numbers)))
