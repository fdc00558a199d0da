r"""Relative position representations: a learned vector for each offset, for keys and for values.

Source: Shaw et al., "Self-Attention with Relative Position Representations" (2018), section 3.
With a_k the vector of the offset k from query to key, clipped to -clip … clip,

    score(p, r) = q_p · (k_r + a^K_{r - p}) / √d_head
    output(p)   = Σ_r weight(p, r) (v_r + a^V_{r - p})

The query takes part, so a word can choose how far it looks; a bias, T5's or ALiBi's, is the same
for all words. All offsets beyond the clipping distance look alike.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from pe_lab.checks import check_count
from pe_lab.encodings.at_input import normal
from pe_lab.encodings.encoding import Encoding, check_head, check_heads, offsets


class Shaw(Encoding):
    """Learned vectors of the clipped offset, shared by all heads and by all layers.

    The paper's models have vectors of their own in each layer, and its base model also for each
    head (section 4.1).

    They start as normal numbers whose vectors have a length of about 1.

    Args:
        d_model, n_heads: a head is d_model / n_heads wide.
        clip: the largest distance that has a vector of its own; 16 in the paper's base model.
        seed: of the numbers with which the vectors start.
    """

    acts = ("scores", "values")

    def __init__(self, *, d_model: int, n_heads: int, clip: int = 16, seed: int = 0) -> None:
        super().__init__()
        self.d_head, self.clip = check_head(d_model, n_heads), check_count(clip, "clip")
        if self.clip >= 2**62:  # there are 2 clip + 1 vectors, and torch counts to 2**63
            raise ValueError(f"clip must be less than 2**62, got {self.clip}")
        start = normal(2, 2 * self.clip + 1, self.d_head, seed=seed) / math.sqrt(self.d_head)
        self.keys_at, self.values_at = nn.Parameter(start[0]), nn.Parameter(start[1])

    def row(self, length: int, device: torch.device) -> Tensor:
        """Return which vector belongs to positions p and r: (length, length), int64."""
        return offsets(length, device).clamp(-self.clip, self.clip) + self.clip

    def scores(self, q: Tensor) -> Tensor:
        """Return q_p · a^K / √d_head: (batch, heads, length, length)."""
        row = self.row(check_heads(q, None, self.d_head).shape[2], q.device)
        # For every vector first, then the one of each pair: (batch, heads, length, 2 clip + 1).
        each = q @ self.keys_at.to(q).T / math.sqrt(self.d_head)
        return each.gather(-1, row.expand(*q.shape[:2], -1, -1))

    def values(self, weights: Tensor) -> Tensor:
        """Return the mean of a^V with the weights: (batch, heads, length, d_head)."""
        queries, keys = check_heads(weights, None, name="weights").shape[2:]
        if queries != keys:
            raise ValueError(f"weights must have a row for each key, got {tuple(weights.shape)}")
        row = self.row(keys, weights.device)
        return torch.einsum("bhpr,prd->bhpd", weights, self.values_at.to(weights)[row])
