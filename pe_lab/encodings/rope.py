r"""Rotary position embedding: queries and keys are turned, pair by pair, by their position.

Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021),
section 3.2.2. With R_p the rotation by p ω_i in pair i,

    (R_p q) · (R_r k) = q · R_{r - p} k,

so the score depends on the offset r - p alone, and on the two words. R_p is the inverse of the
offset matrix of :mod:`pe_core.offset`: R_p = M_{-p}, for the encoding has the sine in the first
column of a pair and RoPE the cosine. Its cosines and sines are the columns of the sinusoidal table.

Pairs are the columns 2i and 2i + 1, as in the paper and everywhere in this book. Many libraries,
transformers among them, pair column i with column i + d/2 instead. It is the same encoding with
the columns of W_Q and W_K in another order: ``halves(d)`` is the permutation.
"""

from __future__ import annotations

import torch
from torch import Tensor

from pe_core import frequencies
from pe_core.checks import check_base, check_d_model, describe
from pe_lab.checks import check_count
from pe_lab.encodings.angles import angles, check_factor, ntk_aware, yarn, yarn_sharpening
from pe_lab.encodings.encoding import Encoding, check_head, check_heads

SCALINGS = (None, "interpolation", "NTK-aware", "YaRN")


class RoPE(Encoding):
    """Turn queries and keys.

    Args:
        d_model, n_heads: a head is d_model / n_heads wide, which must be even.
        max_length: how long the texts were in training; only YaRN needs it.
        base: the base of the frequencies.
        scaling: None, "interpolation", "NTK-aware" or "YaRN": see
            :mod:`pe_lab.encodings.angles`.
        factor: by how much longer the text may be, 1 or more; without scaling there is none.
    """

    acts = ("turn",)

    def __init__(
        self,
        *,
        d_model: int,
        n_heads: int,
        max_length: int | None = None,
        base: float = 10000.0,
        scaling: str | None = None,
        factor: float = 1.0,
    ) -> None:
        super().__init__()
        self.d_head, self.n_heads = check_head(d_model, n_heads), check_count(n_heads, "n_heads")
        if self.d_head % 2:
            raise ValueError(f"d_model / n_heads must be even, got {d_model} / {n_heads}")
        self.base, self.factor, self.scaling = check_base(base), check_factor(factor), scaling
        # An array asked whether it is one of them does not say yes or no.
        if not (scaling is None or isinstance(scaling, str)) or scaling not in SCALINGS:
            allowed = ", ".join(map(repr, SCALINGS))
            raise ValueError(f"scaling must be one of {allowed}; got {describe(scaling)}")
        if scaling is None and self.factor != 1:
            raise ValueError(f"factor must be 1 without scaling, got {self.factor}")
        if scaling == "YaRN" and max_length is None:
            raise ValueError("max_length must be given for YaRN, got None")
        if scaling == "YaRN" and self.base <= 1:
            raise ValueError(f"base must be more than 1 for YaRN, got {self.base}")
        self.max_length = None if max_length is None else check_count(max_length, "max_length")
        with torch.device("cpu"):  # as the slopes of ALiBi
            self._frequencies = self._slowed()

    @property
    def frequencies(self) -> Tensor:
        """How fast each pair turns, in radians per position, float64, on the CPU: (d_head/2,)."""
        return self._frequencies

    def _slowed(self) -> Tensor:
        d, base, factor = self.d_head, self.base, self.factor
        if self.scaling == "NTK-aware":
            return ntk_aware(d, base=base, factor=factor)
        if self.scaling == "YaRN" and self.max_length is not None:
            return yarn(d, base=base, factor=factor, max_length=self.max_length)
        return frequencies(d, base=base) / factor  # interpolation; or a factor of 1

    @property
    def sharpening(self) -> float:
        """The factor on queries and on keys: 1, but for YaRN."""
        return yarn_sharpening(self.factor) if self.scaling == "YaRN" else 1.0

    def turn(self, q: Tensor) -> Tensor:
        """Turn pair i of position p by p ω_i."""
        length = check_heads(q, self.n_heads, self.d_head).shape[2]
        angle = angles(length, self.frequencies)  # (length, d_head/2)
        cosine = (self.sharpening * angle.cos()).to(q)
        sine = (self.sharpening * angle.sin()).to(q)
        x, y = q[..., 0::2], q[..., 1::2]  # (batch, heads, length, d_head/2) each
        turned = torch.stack([cosine * x - sine * y, sine * x + cosine * y], dim=-1)
        return turned.flatten(-2)  # (batch, heads, length, d_head)


def halves(d: int) -> Tensor:
    """Return the order of columns that puts the first of each pair before all of the second: (d,).

    ``x[..., halves(d)]`` is what a library that pairs column i with i + d/2 calls the same vector.
    """
    d = check_d_model(d)
    return torch.arange(d).view(d // 2, 2).T.flatten()
