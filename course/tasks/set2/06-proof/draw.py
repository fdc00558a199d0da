"""The lines of the proof under letters that the seed chooses."""

import random

from course.sets.proofs import shuffled

LINES = [
    r"The dot product of two rows is the sum, over all pairs, of what the two numbers of each pair "
    r"add to it.",
    r"In this sum pair $i$ adds $r_i^2 \bigl(\sin(\omega_i p + \varphi_i) "
    r"\sin(\omega_i (p + k) + \varphi_i) "
    r"+ \cos(\omega_i p + \varphi_i) \cos(\omega_i (p + k) + \varphi_i)\bigr)$.",
    r"By $\cos a \cos b + \sin a \sin b = \cos(b - a)$ this is the cosine of a difference of two "
    r"angles, times $r_i^2$.",
    r"In this difference $\omega_i p$ and $\varphi_i$ cancel, and $\omega_i k$ is left.",
    r"So pair $i$ adds $r_i^2 \cos(\omega_i k)$.",
    r"The sum of these over all pairs does not contain $p$, which was to be shown.",
]


def draw(rng: random.Random) -> dict[str, object]:
    return shuffled(rng, LINES)
