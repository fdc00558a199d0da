"""A column with some waves in view, as numbers that a figure is drawn of."""

import math
import random


def draw(rng: random.Random) -> dict[str, object]:
    length = 100
    # Of each of these waves two tops are in view.
    d_model, pair = rng.choice([(12, 1), (14, 1), (16, 1), (16, 2), (18, 2), (20, 2)])
    column = 2 * pair + rng.randrange(2)
    omega = 10000 ** (-2 * pair / d_model)
    wave = math.sin if column % 2 == 0 else math.cos
    values = [round(wave(p * omega), 2) for p in range(length)]
    return {
        "d_model": d_model,
        "length": length,
        "pair": pair,
        "column": column,
        "wave": round(2 * math.pi / omega, 3),
        "values": values,
    }
