"""Four scores against the offset from query to key: RoPE, T5's bias, Shaw's vectors, ALiBi."""

import random

import torch

from pe_core import frequencies
from pe_lab.encodings import bucket

FURTHEST = 48  # offset to either side
CHAPTERS = 16  # where chapter 9 clips Shaw's vectors; here it is elsewhere, and not beside
NAMES = ("RoPE", "T5", "Shaw", "ALiBi")


def draw(rng: random.Random) -> dict[str, object]:
    # -24 would be 24 dots from the left edge.
    aim = rng.choice([n for n in range(-30, 31) if abs(n) > 6 and n != -FURTHEST // 2])
    buckets, max_distance = rng.choice([(32, 64), (32, 128), (24, 64), (24, 96)])
    clip = rng.choice([n for n in range(9, 21) if abs(n - CHAPTERS) > 1])
    inside = stairs(buckets, max_distance)
    distance = rng.choice([n for n in range(9, 36) if tells(inside, n)])
    curves = {
        "RoPE": pointing(aim),
        "T5": stepped(rng, buckets, max_distance),
        "Shaw": clipped(rng, clip),
        "ALiBi": [99 - 2 * abs(offset) for offset in offsets()],
    }
    order = rng.sample(NAMES, 4)
    place = rng.randint(5, 24)
    return {
        "place": place,
        "share": f"{1 / (place + 1):.4f}",
        "furthest": FURTHEST,
        "curves": {
            letter: [numbers(curves[name][n : n + 20]) for n in range(0, 2 * FURTHEST + 1, 20)]
            for letter, name in zip("ABCD", order, strict=True)
        },
        "which": "".join("ABCD"[order.index(name)] for name in NAMES),
        "aim": aim,
        "distance": distance,
        "together": inside.count(inside[distance]),
        "next_together": next_count(inside, distance),
        "clip": clip,
    }


def offsets() -> range:
    return range(-FURTHEST, FURTHEST + 1)


def stairs(buckets: int, max_distance: int) -> list[int]:
    """The bucket of the distances 0 to 199, back."""
    side = bucket(-torch.arange(200), buckets=buckets, max_distance=max_distance)
    return [int(each) for each in side]


def next_count(inside: list[int], distance: int) -> int:
    """How many distances share the bucket after that of this one."""
    first = next(n for n in range(distance, 200) if inside[n] != inside[distance])
    return inside.count(inside[first])


def tells(inside: list[int], distance: int) -> bool:
    """Whether the count of a stair tells what was counted: this one, the next, or both sides."""
    together = inside.count(inside[distance])
    if not 3 <= together <= 12:
        return False
    return next_count(inside, distance) not in (together, together - 1, 2 * together)


def pointing(aim: int) -> list[int]:
    """The score of a head of RoPE, 64 columns, that was made to look at one offset."""
    omega = frequencies(64)
    scores = [float((omega * (offset - aim)).cos().mean()) for offset in offsets()]
    return [round(99 * (score + 0.2) / 1.2) for score in scores]


def stepped(rng: random.Random, buckets: int, max_distance: int) -> list[int]:
    """A number of its own for each bucket, far from those of its neighbours."""
    numbers = apart(rng, buckets)
    which = bucket(torch.tensor([*offsets()]), buckets=buckets, max_distance=max_distance)
    return [numbers[int(each)] for each in which]


def clipped(rng: random.Random, clip: int) -> list[int]:
    """A number for each offset up to the distance where they are clipped."""
    numbers = apart(rng, 2 * clip + 1)
    return [numbers[min(max(offset, -clip), clip) + clip] for offset in offsets()]


def apart(rng: random.Random, count: int) -> list[int]:
    """Different numbers from 10 to 90, each at least 8 from the one before."""
    found: list[int] = []
    while len(found) < count:
        left = [n for n in range(10, 91) if n not in found]
        found.append(rng.choice([n for n in left if not found or abs(n - found[-1]) >= 8]))
    return found


def numbers(some: list[int]) -> str:
    return " ".join(f"{each:2d}" for each in some)
