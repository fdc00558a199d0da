"""Which of the trained models, and how many of its hands are left to turn."""

import random


def draw(rng: random.Random) -> dict[str, object]:
    return {
        "model": rng.choice(["sinusoid", "sinusoid, one head"]),
        "count": rng.choice([3, 4, 5]),
        "seed": rng.randrange(10, 100),
    }
