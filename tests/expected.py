"""What the front ends of the explorers must show, computed by torch in float64 as they do."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

from pe_core import frequencies, steps
from pe_lab.explorers import FamilyExplorer, ModelExplorer, SimilarityExplorer
from pe_lab.explorers.explorer import Explorer

WIDE = torch.float64
Made = TypeVar("Made", bound=Explorer)


def row(p: int, d_model: int, base: float) -> Tensor:
    """PE(p) of shape (d,) straight from the frequencies, for p of either sign."""
    angle = p * frequencies(d_model, base=base)  # (d/2,)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten()  # (d,)


@functools.cache
def start(kind: type[Made]) -> tuple[Made, dict[str, Any]]:
    """One explorer of a kind, and every setting as it is at first."""
    explorer = kind()
    return explorer, {name: getattr(explorer, name) for name in kind.settings}


def at(kind: type[Made], **settings: Any) -> Made:
    """An explorer at these settings: always the same, for to make one takes longer than to ask."""
    explorer, others = start(kind)
    explorer.set_state({**others, **settings})
    return explorer


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
    table = at(SimilarityExplorer, schedule=schedule, d_model=d_model, length=length).encoding
    gram = table @ table.T
    p = torch.arange(length)
    offsets, products = (p[:, None] - p).abs().flatten(), gram.flatten()
    high, low = (
        torch.zeros(length, dtype=WIDE).scatter_reduce(
            0, offsets, products, which, include_self=False
        )
        for which in ("amax", "amin")
    )
    return gram, float((high - low).max())


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
    of = at(ModelExplorer, **state)
    return Reading(of.words, of.attention, of.logits, of.answers, of.right)


@functools.cache
def scores(name: str, **state: Any) -> Tensor:
    """The curve of an encoding in FamilyExplorer, (257,)."""
    return at(FamilyExplorer, **state).scores(name)
