"""A width, a base, and places whose entries tell the foreseen mistakes apart."""

import math
import random
from itertools import pairwise


def draw(rng: random.Random) -> dict[str, object]:
    while True:
        d_model = rng.choice([8, 10, 12])
        base = rng.choice([50, 100, 400, 500, 1000, 2000])
        column = rng.randrange(2, d_model - 2, 2)
        position, row, start = rng.randint(3, 9), rng.randint(2, 6), rng.randint(4, 20)
        later = row + start
        power = base ** (column / d_model)
        used = [column, 2 * column, column / 2, column + 1]
        powers = [base ** (n / d_model) for n in used] + [10000 ** (column / d_model)]
        used = [column, 2 * (column + 1), column / 2, column + 1, column + 2]
        beside = [base ** (n / d_model) for n in used] + [10000 ** (column / d_model)]
        b = [math.sin(position / each) for each in powers] + [
            math.sin(position * power),
            math.sin(math.radians(position / power)),
            math.sin((position + 1) / power),
            math.sin((position - 1) / power),
            math.cos(position / power),
        ]
        c = [math.cos(later / each) for each in beside] + [
            math.cos(later * power),
            math.cos(math.radians(later / power)),
            math.cos((later + 1) / power),
            math.cos((later - 1) / power),
            math.sin(later / power),
            math.cos(row / power),
        ]
        sentence, length = rng.choice([1, 2]), rng.choice([24, 30, 36])
        added = [position, sentence, sentence * length + position]
        word = rng.choice([-1.5, -0.75, 0.25, 1.25, 2.5])
        entry = math.sin(position / power)
        d = [*(word + math.sin(p / power) for p in added), entry, word * entry]
        if all(_apart(numbers) for numbers in (powers, b, c, d)):
            return {
                "d_model": d_model,
                "base": base,
                "column": column,
                "position": position,
                "row": row,
                "start": start,
                "later": later,
                "sentence": sentence,
                "length": length,
                "word": word,
            }


def _apart(numbers: list[float]) -> bool:
    """Whether each number, and its negative, is far from all others."""
    signed = [*numbers, *(-number for number in numbers)]
    ordered = sorted(signed)
    return all(b - a > 0.01 for a, b in pairwise(ordered))
