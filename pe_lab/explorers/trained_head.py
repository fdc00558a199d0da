"""The head that a model learned, which HeadExplorer puts beside the one made by hand.

A row of the model is word plus position, and goes through the layer norm before it is read:
γ (x - mean) / deviation + β. With words, the pattern is the model's own on a text. Without them,
the scores are PE(p)ᵀ A PE(q) / (v √d), with A from `pe_lab.shifts.query_key`: of a score the part
position with position. Its rows are divided as those with a word are, on average: v is the mean
variance of a row over all words and positions. (A row that is a position alone has a smaller
variance, and would give scores that the model never has.)
"""

from __future__ import annotations

from functools import cache

import safetensors.torch
import torch
from torch import Tensor

from pe_core.steps import stepwise
from pe_lab import weights
from pe_lab.explorers.model import ALPHABET, WORDS
from pe_lab.model import Layer, Transformer
from pe_lab.shifts import query_key

NAME = "sinusoid, one head"
D_MODEL = 64  # the model's


@cache
def _model() -> Transformer:
    return weights.trained(NAME)[0].double()


def text(length: int) -> list[int]:
    """Return the words that are read: random, but always the same."""
    return [ALPHABET.index(word) for word in WORDS[:length]]


def packed() -> bytes:
    """Return what the front end needs of the model, as a safetensors file.

    The weights have 16 bits, to which they were rounded.
    """
    model = _model()
    layer = model.layers[0]
    assert isinstance(layer, Layer)
    norm, attention = layer.norm_1, layer.attention
    tensors = {
        "words": model.embedding.weight,  # (16, d)
        "scale": norm.weight,  # (d,)
        "shift": norm.bias,  # (d,)
        "W_Q": attention.W_Q[0],  # (d, d): one head has all columns
        "W_K": attention.W_K[0],  # (d, d)
    }
    file: bytes = safetensors.torch.save({key: each.half() for key, each in tensors.items()})
    return file


@torch.no_grad()
def pattern(length: int, *, words: bool) -> Tensor:
    """Return the attention pattern of the trained head, float64, (length, length)."""
    model = _model()
    if words:
        return model.attention(torch.tensor([text(length)]))[0, 0, 0]
    pe = stepwise(length, D_MODEL, dtype=torch.float64)  # (length, d)
    rows = pe + model.embedding.weight[:, None]  # (16, length, d)
    variance = rows.var(dim=2, unbiased=False).mean()
    score = pe @ query_key(model)[0] @ pe.T / (variance * D_MODEL**0.5)  # (length, length)
    weights: Tensor = score.softmax(dim=1)
    return weights
