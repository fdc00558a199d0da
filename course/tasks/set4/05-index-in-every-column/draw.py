"""The lines of a proof, shuffled."""

import random

from course.sets.proofs import shuffled

LINES = (
    r"Let $x_p$ be the rows without positions, and $x_p + a_p \mathbf 1$ those with the number "
    r"$a_p$ added to each of their columns.",
    r"The mean of a row's columns is then larger by $a_p$, and its standard deviation is what it "
    r"was.",
    r"So the norm before attention, which subtracts the one and divides by the other, gives the "
    r"same rows with positions as without.",
    r"Attention makes the same $y_p$ of them, and what is handed on is "
    r"$x_p + y_p + a_p \mathbf 1$.",
    r"These are again rows with the number $a_p$ in each column, so the same holds for the "
    r"network after its own norm, and in each further layer.",
    r"The last norm removes $a_p$ once more, so the scores of all words are what they would be "
    r"without positions.",
)


def draw(rng: random.Random) -> dict[str, object]:
    return shuffled(rng, LINES)
