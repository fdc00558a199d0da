"""How fast each pair turns, and what is done to it so that a longer text fits.

With ``factor`` s, a model trained on max_length positions is meant to read s · max_length.

- Interpolation divides every position, that is every frequency, by s. Source: Chen et al.,
  "Extending Context Window of Large Language Models via Positional Interpolation" (2023).
- NTK-aware scaling raises the base until the slowest pair is interpolated by s; the fastest stays
  as it is, and those between are slowed by less the faster they are. Source: Peng et al., "YaRN:
  Efficient Context Window Extension of Large Language Models" (2023), section 3.1; first
  published by bloc97 (2023) without a paper. The variant called dynamic is this one with s taken
  from the length of the text at hand.
- YaRN decides by wavelength. A pair that makes more than ``FAST`` turns in max_length positions
  stays as it is; one that makes fewer than ``SLOW`` is interpolated, for it has never gone round;
  a ramp leads from one to the other. Source: the same paper, sections 3.2 and 3.4. The paper's
  ramp is linear in the number of turns. Here it is linear in the number of the pair, from a whole
  pair to a whole pair, as in the authors' own code (jquesnelle/yarn, issue 60, asks why) and in
  the models that were trained with it. It differs where the authors' ramp ends before it begins
  and so runs backwards. In at most 6 positions no pair goes round: all are interpolated here, and
  there the first stays as it is, or all do. Where a pair d, of which there is none, would still
  make more than ``FAST`` turns, all stay here, and there all are interpolated.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from pe_core import frequencies
from pe_core.checks import check_length, check_real

FAST, SLOW = 32.0, 1.0  # turns in max_length positions; the paper's β and α


def check_factor(factor: object) -> float:
    """Return ``factor``, a real number of at least 1."""
    number = check_real(factor, "factor")
    if number < 1:
        raise ValueError(f"factor must be at least 1, got {number}")
    return number


def angles(length: int, omega: Tensor) -> Tensor:
    """Return p ω for p = 0 … length - 1, float64, in radians: (d/2,) -> (length, d/2)."""
    length = check_length(length, "length")
    position = torch.arange(length, dtype=torch.float64, device=omega.device)  # (length,)
    return position[:, None] * omega


def ntk_aware(d: int, *, base: float, factor: float) -> Tensor:
    """Return the frequencies with the base that slows the slowest pair by ``factor``: (d/2,)."""
    # The slowest pair has the frequency base^-((d - 2)/d), which is to be divided by the factor.
    try:
        slowed = base * factor ** (d / (d - 2)) if d > 2 else base
    except OverflowError:
        slowed = math.inf
    if slowed == math.inf:
        raise ValueError(f"factor must give a base that float64 holds, got {factor}")
    return frequencies(d, base=slowed)


def yarn(d: int, *, base: float, factor: float, max_length: int) -> Tensor:
    """Return the frequencies, interpolated where a pair never went round: (d/2,)."""
    omega = frequencies(d, base=base)  # (d/2,)
    kept = yarn_ramp(d, base=base, max_length=max_length)  # (d/2,)
    return kept * omega + (1 - kept) * omega / factor


def yarn_ramp(d: int, *, base: float, max_length: int) -> Tensor:
    """Return how much of its frequency each pair keeps, from 1 (all of it) to 0: (d/2,)."""

    def pair_with(turns: float) -> float:
        """Return the number, not whole, of the pair that makes so many turns in max_length."""
        wavelength = max_length / turns  # = 2π base^(2i/d), to be solved for i
        return d * math.log(wavelength / (2 * math.pi)) / (2 * math.log(base))

    if pair_with(SLOW) < 0:  # not even the first goes round
        return torch.zeros(d // 2, dtype=torch.float64)
    first = max(math.floor(pair_with(FAST)), 0)
    last = min(math.ceil(pair_with(SLOW)), d - 1)
    pair = torch.arange(d // 2, dtype=torch.float64)  # (d/2,)
    # Where the ramp has no length it is a step after its first pair.
    return 1 - ((pair - first) / max(last - first, 0.001)).clamp(0, 1)


def yarn_sharpening(factor: float) -> float:
    """Return by how much YaRN lengthens queries and keys, 0.1 ln(factor) + 1.

    Scores grow by its square, the paper's 1/t, and the softmax gets sharper. The authors fitted
    the formula to what they measured (section 3.4).
    """
    return 0.1 * math.log(factor) + 1
