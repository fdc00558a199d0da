r"""T5's relative position bias: a learned number for each head and each bucket of offsets.

Source: Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
Transformer" (2020), section 2.1. Small distances have a bucket each; larger ones share buckets
that widen like the logarithm of the distance up to max_distance, and all beyond it the last one.

T5 itself does not divide its scores by √d_head; here the bias is added to scores that are divided.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from pe_core.checks import check_tensor, describe
from pe_lab.checks import check_bool, check_count
from pe_lab.encodings.at_input import normal
from pe_lab.encodings.encoding import Encoding, check_heads, offsets


def bucket(
    offset: Tensor, *, buckets: int = 32, max_distance: int = 128, causal: bool = False
) -> Tensor:
    """Return the bucket of each offset r - p from the query p to the key r: int64, same shape.

    Where both sides are visible, half of the buckets are for the keys that come after the query.
    In a causal model all are for those before, and those after share bucket 0 with the query.

    Raises:
        TypeError: ``offset`` is not a tensor of integers.
        ValueError: ``buckets`` or ``max_distance`` is out of range; see :class:`T5Bias`.
    """
    check_tensor(offset, "offset", "...")
    if offset.is_floating_point() or offset.is_complex() or offset.dtype == torch.bool:
        raise TypeError(f"offset must hold integers, got {describe(offset)}")
    if offset.dtype == torch.uint64:
        raise TypeError(f"offset must hold integers that int64 holds, got {describe(offset)}")
    # Of 8 bits a bucket would not fit, nor the opposite of -128; nor that of -2^63 of 64.
    offset = offset.long().clamp(min=-(2**63) + 1)
    causal = check_bool(causal, "causal")
    buckets, max_distance = check_buckets(buckets, max_distance, causal=causal)
    if not causal:
        buckets //= 2
    after = offset > 0
    distance = (-offset).clamp(min=0) if causal else offset.abs()
    exact = buckets // 2  # so many distances, 0 included, have a bucket each
    ratio = distance.clamp(min=exact).double() / exact
    share = ratio.log() / math.log(max_distance / exact)  # of the way from exact to max_distance
    # The step keeps an edge that falls on a whole distance there, whatever a logarithm rounds to.
    wide = exact + (share * (buckets - exact) + 1e-9).long()
    wide = wide.clamp(max=buckets - 1)
    side = torch.where(distance < exact, distance, wide)
    return side if causal else side + buckets * after


def check_buckets(buckets: object, max_distance: object, *, causal: bool) -> tuple[int, int]:
    """Return both as integers, with room for every bucket."""
    buckets, max_distance = (
        check_count(buckets, "buckets"),
        check_count(max_distance, "max_distance"),
    )
    sides = 1 if causal else 2
    if buckets < 2 * sides or buckets % sides:
        kind = "a number of at least 2" if causal else "an even number of at least 4"
        raise ValueError(f"buckets must be {kind}, got {buckets}")
    exact = buckets // sides // 2
    if max_distance <= exact:
        raise ValueError(f"max_distance must be more than {exact}, got {max_distance}")
    return buckets, max_distance


class T5Bias(Encoding):
    """Learned biases of the scores by bucket. T5 shares them among all layers, too.

    They start as normal numbers of variance 1/d_model, as T5's do.

    Args:
        d_model: width of the model, for the start.
        n_heads: number of heads, each with its own biases.
        buckets: how many there are; an even number, for half of them are for each side, unless
            the model is causal.
        max_distance: from here on all distances share the last bucket of their side.
        causal: whether the model sees only what came before.
        seed: of the numbers with which the biases start.
    """

    acts = ("scores",)

    def __init__(
        self,
        *,
        d_model: int,
        n_heads: int,
        buckets: int = 32,
        max_distance: int = 128,
        causal: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self.n_heads = check_count(n_heads, "n_heads")
        self.causal = check_bool(causal, "causal")
        self.buckets, self.max_distance = check_buckets(buckets, max_distance, causal=self.causal)
        start = normal(self.buckets, self.n_heads, seed=seed)
        self.bias = nn.Parameter(start / math.sqrt(check_count(d_model, "d_model")))

    def scores(self, q: Tensor) -> Tensor:
        """Return the bias of each head at each offset: (1, heads, length, length)."""
        offset = offsets(check_heads(q, self.n_heads).shape[2], q.device)  # (length, length)
        which = bucket(
            offset, buckets=self.buckets, max_distance=self.max_distance, causal=self.causal
        )
        return self.bias.to(q)[which].permute(2, 0, 1)[None]  # (1, heads, length, length)
