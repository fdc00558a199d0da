"""A row of a table of four columns, moved, and a head that looks back in it."""

import math
import random

# base^(-1/2) of each base. A slower hand would add too little to a score to be missed.
FREQUENCIES = {16: 0.25, 25: 0.2, 100: 0.1}


def draw(rng: random.Random) -> dict[str, object]:
    base = rng.choice([*FREQUENCIES])
    omega = FREQUENCIES[base]
    # Every number of the row counts in the result.
    position = rng.choice([p for p in range(20, 90) if min(map(abs, row(p, omega))) > 0.2])
    between = rng.randrange(4, 13)
    return {
        "base": base,
        "omega": omega,
        "k": rng.choice([2, 4, 5, 7, 8]),
        "direction": rng.choice([1, -1]),
        "gain": rng.choice([3, 4, 5, 6]),
        "reach": math.floor(math.pi / omega),  # half a turn of the slow hand
        "between": between,
        "row": [f"{x:.4f}" for x in row(position, omega)],
        "other": [f"{x:.4f}" for x in row(position + between, omega)[2:]],
    }


def row(position: int, omega: float) -> list[float]:
    """The four numbers of a row."""
    return [wave(position * w) for w in (1, omega) for wave in (math.sin, math.cos)]
