r"""Attention with linear biases: each head subtracts a fixed multiple of the distance.

Source: Press et al., "Train Short, Test Long: Attention with Linear Biases Enables Input Length
Extrapolation" (2022), section 3. Nothing is learned: head h subtracts m_h |r - p| from the score
of query p and key r, with slopes m_h in a geometric progression.

The paper's models are causal, so that r ≤ p. Where both sides are visible, the same formula is
the symmetric form that later models use: it cannot tell before from after.
"""

from __future__ import annotations

import torch
from torch import Tensor

from pe_lab.checks import check_count
from pe_lab.encodings.encoding import Encoding, check_heads, offsets


def slopes(n_heads: int) -> Tensor:
    """Return the slope of each head, per position, float64: (n_heads,).

    For n heads, n a power of two: 2^(-8/n), 2^(-16/n), …, 2^-8. For other n, those of the next
    smaller power of two, and then the first, third, fifth, … of the next larger one, as the
    authors' code has it: half a step before the others.
    """
    count = check_count(n_heads, "n_heads")
    power = 2 ** (count.bit_length() - 1)  # the largest power of two up to n
    # Never on meta: a model made there has its numbers again after to_empty.
    head = torch.arange(1, power + 1, dtype=torch.float64, device="cpu")  # (power,)
    whole, between = 2 ** (-8 * head / power), 2 ** (-8 * (head - 0.5) / power)
    return torch.cat([whole, between])[:count]


class ALiBi(Encoding):
    """Fixed biases of the scores, proportional to the distance."""

    acts = ("scores",)

    def __init__(self, *, n_heads: int) -> None:
        super().__init__()
        self.slopes = slopes(n_heads)  # (heads,)

    def scores(self, q: Tensor) -> Tensor:
        """Return -m_h |r - p|: (1, heads, length, length)."""
        distance = offsets(check_heads(q, len(self.slopes)).shape[2], q.device).abs()
        # Once for each distance, in float64: in 16 bits a far one would itself be rounded.
        far = torch.arange(q.shape[2], dtype=torch.float64, device="cpu")  # (length,)
        bias = (-self.slopes[:, None] * far).to(q)  # (heads, length)
        return bias[:, distance][None]  # (1, heads, length, length)
