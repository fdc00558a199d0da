"""The lines of a proof, shuffled."""

import random

from course.sets.proofs import shuffled

LINES = (
    r"Let $p$ and $q$ be two positions, and $k = q - p$ their offset.",
    r"Let $x$ be the row of position $0$. Then $x_p = N_p \, x$ and $x_q = N_{p+k} \, x$.",
    r"So $x_p \cdot x_q = (N_p \, x)^{\mathsf T} N_{p+k} \, x = x^{\mathsf T} N_p^{\mathsf T} "
    r"N_{p+k} \, x$.",
    r"In the middle stands $N_{-p} N_{p+k}$, for that is what a transpose is here.",
    r"This product is $N_k$, and $p$ has gone: $x_p \cdot x_q = x^{\mathsf T} N_k \, x$.",
    r"Pair $i$ of $x$ is $(\cos \omega_i p_0, \sin \omega_i p_0)$, of length 1, and its block of "
    r"$N_k$ turns it by $\omega_i k$; so it gives $\cos \omega_i k$ to the sum, and $p_0$ has "
    r"gone, too.",
)


def draw(rng: random.Random) -> dict[str, object]:
    return shuffled(rng, LINES)
