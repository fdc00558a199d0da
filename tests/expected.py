"""What the front ends of the explorers must show, computed by torch in float64 as they do."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from pe_core import frequencies, steps
from pe_lab.explorers import ModelExplorer, SimilarityExplorer

WIDE = torch.float64


def row(p: int, d_model: int, base: float) -> Tensor:
    """PE(p) of shape (d,) straight from the frequencies, for p of either sign."""
    angle = p * frequencies(d_model, base=base)  # (d/2,)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten()  # (d,)


@functools.cache
def wide_steps(length: int, d_model: int, base: float) -> list[Tensor]:
    """The tensors of ``trace``."""
    even, odd = (f(d_model, dtype=WIDE) for f in (steps.even_indices, steps.odd_indices))
    divisor = steps.denominator(d_model, base=base, dtype=WIDE)
    position = steps.positions(length, dtype=WIDE)
    sine, cosine = steps.even_pe(position, divisor), steps.odd_pe(position, divisor)
    return [
        even,
        odd,
        divisor,
        position,
        position / divisor,
        sine,
        cosine,
        torch.stack([sine, cosine], dim=-1),
        steps.interleave(sine, cosine),
    ]


@functools.cache
def gram_matrix(schedule: str, d_model: int, length: int) -> tuple[Tensor, float]:
    """Every dot product, (L, L), and how far the products at one offset differ at most."""
    table = SimilarityExplorer(d_model, length, 0, schedule).encoding
    gram = table @ table.T
    diagonals = [gram.diagonal(k) for k in range(length)]
    return gram, max(float(each.max() - each.min()) for each in diagonals)


@dataclass(frozen=True)
class Reading:
    """What a trained model makes of a text."""

    words: str
    attention: Tensor  # (heads, L, L)
    logits: Tensor  # (L, V)
    answers: str
    right: list[bool]


@functools.cache
def read(**state: Any) -> Reading:
    """What ModelExplorer's Python half computes at these settings."""
    of = ModelExplorer(**state)
    return Reading(of.words, of.attention, of.logits, of.answers, of.right)
