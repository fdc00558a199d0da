"""Other people's tables: not mistakes, but other conventions, and the way from them to ours.

A convention is a recipe as well. What it departs in can be undone row by row, without making the
table anew: the columns are put in our order, and every pair is turned by the angle that is missing,

    PE(p) = turned by p·ω − x·ω',    x and ω' the convention's position and frequency.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from pe_core.checks import check_d_model, check_tensor
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import RIGHT, Recipe, frequencies


@dataclass(frozen=True)
class Convention:
    """A table that others make on purpose.

    Attributes:
        name: short and fixed, such as "tensor2tensor".
        recipe: how it is made.
        says: a sentence about it.
        source: where.
    """

    name: str
    recipe: Recipe
    says: str
    source: str

    def to_ours(self, table: Tensor) -> Tensor:
        """Return a table of this convention in ours: (L, d) -> (L, d), same dtype and device.

        Its rows must be the first L rows of the convention. What rounding has taken away, in 16
        bits most of all, does not come back.
        """
        check_tensor(table, "table", "L", "d")
        length, d_model = table.shape
        check_d_model(d_model)
        parts = RIGHT | {part.slot: part.compute for part in self.recipe.parts}

        ours = torch.arange(d_model)  # column c of the interleaved table …
        theirs = parts["layout"](torch.zeros_like(ours), ours, length, d_model)[1].argsort()
        woven = table.detach().cpu().double()[:, theirs]  # … stands in their column theirs[c]
        if "exchanged" in self.recipe.name:
            woven = woven.reshape(length, d_model // 2, 2).flip(-1).flatten(1)

        p = torch.arange(length).double().unsqueeze(1)  # (L, 1)
        even = ours[0::2].double()  # (d/2,)
        x = parts["positions"](p, length)
        missing = p * frequencies(even, d_model, length) - x * parts["frequencies"](
            even, d_model, length
        )  # (L, d/2), radians
        sine, cosine = woven[:, 0::2], woven[:, 1::2]
        turned = [
            missing.cos() * sine + missing.sin() * cosine,
            missing.cos() * cosine - missing.sin() * sine,
        ]
        return torch.stack(turned, dim=-1).flatten(1).to(table.dtype).to(table.device)


def _recipe(*names: str) -> Recipe:
    return Recipe(tuple(BY_NAME[name] for name in names))


CONVENTIONS = [
    Convention(
        "halves",
        _recipe("halves"),
        "All sines stand before all cosines, with the paper's frequencies.",
        "TensorFlow's tutorial on the Transformer (tensorflow/text issue 1122); "
        "kimiyoung/transformer-xl, PositionalEmbedding; lucidrains/x-transformers issue 252",
    ),
    Convention(
        "tensor2tensor",
        _recipe("halves", "half-minus-one"),
        "All sines stand before all cosines, and the exponent is i/(d/2 - 1).",
        "tensor2tensor, get_timing_signal_1d; allenai/allennlp issue 2993; "
        "hojonathanho/diffusion issue 15",
    ),
    Convention(
        "fairseq",
        _recipe("halves", "half-minus-one", "from-2"),
        "As in tensor2tensor, and the first position is 2, after the number of the padding token.",
        "facebookresearch/fairseq, SinusoidalPositionalEmbedding, and issue 1177",
    ),
    Convention(
        "cosines-first",
        _recipe("halves", "exchanged"),
        "All cosines stand before all sines, with the paper's frequencies.",
        "huggingface/diffusers, get_timestep_embedding with flip_sin_to_cos=True and "
        "downscale_freq_shift=0; bojone/attention issue 2",
    ),
    Convention(
        "cosines-first-shifted",
        _recipe("halves", "exchanged", "half-minus-one"),
        "All cosines stand before all sines, and the exponent is i/(d/2 - 1).",
        "huggingface/diffusers, get_timestep_embedding with flip_sin_to_cos=True",
    ),
    Convention(
        "transformer-xl",
        _recipe("halves", "reversed"),
        "All sines stand before all cosines, and the rows run from the largest distance to 0.",
        "kimiyoung/transformer-xl, PositionalEmbedding, with distances for positions",
    ),
    Convention(
        "detr",
        _recipe("one-turn"),
        "Positions are counted from 1, divided by the number of rows and multiplied by 2π.",
        "facebookresearch/detr, PositionEmbeddingSine with normalize=True, along one axis",
    ),
]
