"""The mistakes that are known: each is one part of the recipe, with a sentence and a source.

``says`` tells what the table holds. It does not give away what it should hold: that is left to
whoever made the table. What stands after a colon follows from the mistake where it is the only one.

Where the source is a place in public code, it was opened and read. "Reasoned" means that nobody is
known to have done it, and says why one might.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from pe_lab.diagnosis.recipe import BASE, Part, pair, powers

MISTAKES: list[Part] = []


def _add(slot: str, name: str, says: str, source: str, compute: object, **more: Any) -> None:
    assert callable(compute)
    MISTAKES.append(Part(slot, name, says, source, compute, **more))


def _rounded(x: Tensor, dtype: torch.dtype) -> Tensor:
    return x.to(dtype).double()


# Positions: (p, length) -> x


def _wrapped(p: Tensor, lowest: int) -> Tensor:
    """An integer of 8 bits, whose smallest value is ``lowest``."""
    return (p - lowest) % 256 + lowest


_add(
    "positions",
    "from-1",
    "Positions are counted from 1: row p holds what belongs to p + 1.",
    "facebookresearch/detr, models/position_encoding.py: a cumulative sum of ones; Denk (2019)",
    lambda p, length: p + 1,
)
_add(
    "positions",
    "from-2",
    "Positions are counted from 2: row p holds what belongs to p + 2.",
    "facebookresearch/fairseq issue 1177: they begin after the number of the padding token, 1",
    lambda p, length: p + 2,
)
_add(
    "positions",
    "reversed",
    "Positions are counted from the end: the last row has position 0.",
    "espnet/espnet, transformer/embedding.py, reverse=True; meant there for relative positions",
    lambda p, length: length - 1 - p,
)
_add(
    "positions",
    "scaled-by-length",
    "Positions are divided by the number of rows: they depend on the length.",
    "Reasoned: the idea to scale positions into [0, 1], which chapter 2 takes up, kept here",
    lambda p, length: p / length,
)
_add(
    "positions",
    "scaled-by-last",
    "Positions are divided by the last one: they run from 0 to 1 whatever the length.",
    "Reasoned: linspace(0, 1, length) for the positions",
    lambda p, length: p / max(length - 1, 1),
)
_add(
    "positions",
    "one-turn",
    "Positions are counted from 1, divided by the number of rows and multiplied by 2π.",
    "facebookresearch/detr, models/position_encoding.py, normalize=True",
    lambda p, length: 2 * math.pi * (p + 1) / length,
)
_add(
    "positions",
    "centred",
    "Positions are counted from the middle of the table: half of them are negative.",
    "Reasoned: linspace(-(L - 1)/2, (L - 1)/2, L), as for the cells of a kernel",
    lambda p, length: p - (length - 1) / 2,
)
_add(
    "positions",
    "bfloat16-positions",
    "The values are those of positions rounded to bfloat16: above 256 neighbouring rows merge.",
    "modelscope/DiffSynth-Studio pull 1025; huggingface/transformers pull 29285",
    lambda p, length: _rounded(p, torch.bfloat16),
)
_add(
    "positions",
    "float16-positions",
    "The values are those of positions rounded to float16: above 2048 neighbouring rows merge.",
    "EleutherAI/gpt-neox issue 1003: computed in the precision of the model",
    lambda p, length: _rounded(p, torch.float16),
)
_add(
    "positions",
    "int8-positions",
    "Positions are 8-bit integers with a sign: after 127 comes -128.",
    "Reasoned: torch.arange(length).to(torch.int8) wraps and says nothing",
    lambda p, length: _wrapped(p, -128),
)
_add(
    "positions",
    "uint8-positions",
    "Positions are 8-bit integers: after 255 comes 0 again.",
    "Reasoned: positions kept as bytes, as a mask's cumulative sum may be",
    lambda p, length: _wrapped(p, 0),
)
_add(
    "positions",
    "in-twos",
    "Positions come in twos: rows 2n and 2n + 1 are equal.",
    "Reasoned: the floor division by 2 that belongs to the columns, done to the rows",
    lambda p, length: p // 2,
)
_add(
    "positions",
    "one-position",
    "Every row has position 0: all rows are equal.",
    "cmu-l3/anlp-fall2025-code issue 1: counted along the batch axis; songyangco/GETNext issue 2",
    lambda p, length: torch.zeros_like(p),
)


# Frequencies: (c, d_model, length) -> ω, for column c of the interleaved table

_add(
    "frequencies",
    "raw-column",
    "Each column c has the exponent 2c/d of its own: a sine and its cosine differ in frequency.",
    "jadore801120/attention-is-all-you-need-pytorch issue 32; shenweichen/DeepCTR issue 379; "
    "Kyubyong/transformer issue 38; SamLynnEvans/Transformer issue 25 and, by way of a blog, "
    "YutaroOgawa/pytorch_advanced issue 79; intro-llm/intro-llm.github.io issue 34",
    lambda c, d, length: powers(2 * c / d),
)
_add(
    "frequencies",
    "own-column",
    "Each column c has the exponent c/d of its own: a sine and its cosine differ in frequency.",
    "maxjcohen/transformer issue 62: the cosines' exponents begin at 1",
    lambda c, d, length: powers(c / d),
)
_add(
    "frequencies",
    "doubled-exponent",
    "The exponent is 4i/d in pair i, twice what it should be, or the base is 10^8: the numbers are "
    "the same.",
    "YutaroOgawa/pytorch_advanced issue 79, as corrected: 2 * i, and i even already",
    lambda c, d, length: powers(4 * pair(c) / d),
    of_any_base="The exponent is 4i/d in pair i, twice what it should be, or the base is squared: "
    "the numbers are the same.",
)
_add(
    "frequencies",
    "next-pair-cosine",
    "The odd column of pair i has the exponent 2(i + 1)/d: the cosine is that of the next pair.",
    "Reasoned from SamLynnEvans/Transformer issue 25: the + 1 kept, the doubling taken out",
    lambda c, d, length: powers(2 * (pair(c) + c % 2) / d),
)
_add(
    "frequencies",
    "odd-column-for-both",
    "The exponent is (2i + 1)/d in pair i, for the sine too: no column has frequency 1.",
    "Reasoned: arange(1, d, 2) taken for both, the odd column numbers in place of the even",
    lambda c, d, length: powers((2 * pair(c) + 1) / d),
)
_add(
    "frequencies",
    "pair-number-only",
    "The exponent is i/d in pair i, half of what it should be, or the base is 100: the numbers are "
    "the same.",
    "Reasoned: the number of the pair put where that of its even column belongs, i for 2i",
    lambda c, d, length: powers(pair(c) / d),
    of_any_base="The exponent is i/d in pair i, half of what it should be, or the base is its "
    "root: the numbers are the same.",
)
_add(
    "frequencies",
    "half-minus-one",
    "The exponent is i/(d/2 - 1): it reaches 1 in the last pair.",
    "tensor2tensor, get_timing_signal_1d; fairseq, SinusoidalPositionalEmbedding; "
    "hojonathanho/diffusion issue 15",
    lambda c, d, length: powers(pair(c) / max(d / 2 - 1, 1)),
)
_add(
    "frequencies",
    "d-minus-one",
    "The exponent is 2i/(d - 1) in pair i.",
    "Reasoned: linspace's step between d values is 1/(d - 1)",
    lambda c, d, length: powers(2 * pair(c) / (d - 1)),
)
_add(
    "frequencies",
    "pairs-from-1",
    "Pairs are counted from 1: the exponent of the first is 2/d and of the last 1.",
    "Reasoned: Denk (2019) counts pairs from 1, and his formula takes that back",
    lambda c, d, length: powers(2 * (pair(c) + 1) / d),
)
_add(
    "frequencies",
    "pairs-from-minus-1",
    "The exponent is 2(i - 1)/d with pairs counted from 0: the first pair is faster than 1.",
    "bkitano/llama-from-scratch issue 8: RoPE's formula, which counts from 1, in a loop from 0",
    lambda c, d, length: powers(2 * (pair(c) - 1) / d),
)
_add(
    "frequencies",
    "all-one",
    "All frequencies are 1, as where the exponents have become 0 or the frequency was left out.",
    "codertimo/BERT-pytorch issue 18: integers until it was too late; Kyubyong/transformer "
    "pull 81: a division of integers",
    lambda c, d, length: torch.ones_like(c).double(),
)
_add(
    "frequencies",
    "precedence",
    "The frequency is e^(-2i) in pair i, whatever the width, as where a floor division came too "
    "early or the exponent was neither divided nor multiplied with a logarithm.",
    "zju3dv/LoFTR issue 41: -log(10000) / d // 2 is -1",
    lambda c, d, length: torch.exp(-2.0 * pair(c)),
    fixed=True,
)
_add(
    "frequencies",
    "power-exchanged",
    "The frequency is (2i/d)^0.0001: base and exponent have changed places.",
    "ivanvovk/WaveGrad issue 12",
    lambda c, d, length: (2 * pair(c) / d).double() ** 1e-4,
    fixed=True,
)
_add(
    "frequencies",
    "power-chain",
    "The denominator is 10^(4^(2i/d)): of two powers in a row the right one was taken first.",
    "janvainer/speedyspeech issues 23 and 46",
    lambda c, d, length: 10.0 ** -(4.0 ** (2 * pair(c) / d)),
    fixed=True,
)
_add(
    "frequencies",
    "outside-the-exponential",
    "The frequency is -e^i ln(10000)/(d/2 - 1): a factor stands outside the exponential.",
    "PaddlePaddle/models issue 5172, position_encoding_init",
    lambda c, d, length: -torch.exp(pair(c).double()) * math.log(BASE) / max(d / 2 - 1, 1),
    fixed=True,
)
_add(
    "frequencies",
    "linear",
    "The frequencies fall in equal steps, 1 - 2i/d.",
    "Reasoned: a ramp in place of the power; lucidrains/perceiver-pytorch issue 52 has the reverse",
    lambda c, d, length: 1 - 2 * pair(c).double() / d,
    fixed=True,
)
_add(
    "frequencies",
    "slow-first",
    "The pairs stand in the reverse order: the slowest is pair 0.",
    "Public demos that say so: thanh31596.github.io and karthikvedula.com",
    lambda c, d, length: powers((d - 2 - 2 * pair(c)) / d),
)
_add(
    "frequencies",
    "no-logarithm",
    "The frequency is e^(-2i/d), as if the base were 2.718: the logarithm is missing.",
    "Reasoned: exp(-arange(0, d, 2) / d), the form by exp and log with the log forgotten",
    lambda c, d, length: powers(2 * pair(c) / d, math.e),
    fixed=True,
)
_add(
    "frequencies",
    "log10",
    "The frequency is e^(-8i/d), as if the base were 54.6: log10 stands for the natural logarithm, "
    "or, if d is 8, e^(-i) was computed.",
    "Reasoned: np.log10 for np.log; pytorch/tutorials issue 1778 proposes the 4 it gives",
    lambda c, d, length: powers(2 * pair(c) / d, math.exp(4)),
    of_any_base="The frequencies are those of a smaller base: log10 stands for the natural "
    "logarithm.",
)
_add(
    "frequencies",
    "log2",
    "The frequency is e^(-26.6i/d), as if the base were 590,000: log2 stands for the natural "
    "logarithm.",
    "Reasoned: np.log2 for np.log",
    lambda c, d, length: powers(2 * pair(c) / d, math.exp(math.log2(BASE))),
    of_any_base="The frequencies are those of a larger base: log2 stands for the natural "
    "logarithm.",
)
_add(
    "frequencies",
    "base-1000",
    "The frequencies are those of the base 1000.",
    "maxjcohen/transformer issue 62",
    lambda c, d, length: powers(2 * pair(c) / d, 1000.0),
    fixed=True,
)
_add(
    "frequencies",
    "bfloat16-frequencies",
    "The values are those of frequencies rounded to bfloat16.",
    "NVIDIA-NeMo/Automodel pull 2549 and huggingface/transformers issue 29496, both of RoPE: a "
    "buffer of frequencies, cast with the model",
    lambda c, d, length: _rounded(powers(2 * pair(c) / d), torch.bfloat16),
    fixed=True,
)
_add(
    "frequencies",
    "float16-frequencies",
    "The values are those of frequencies rounded to float16.",
    "huggingface/transformers issue 25681, of RoPE: a buffer of frequencies, cast with the model",
    lambda c, d, length: _rounded(powers(2 * pair(c) / d), torch.float16),
    fixed=True,
)
_add(
    "frequencies",
    "length-for-width",
    "The exponent is divided by the number of rows in place of the number of columns.",
    "warner-benjamin/commented-transformers issue 1",
    lambda c, d, length: powers(2 * pair(c) / length),
)


# Operation: (x, ω) -> angle

_add(
    "operation",
    "multiplied",
    "The position is multiplied by the denominator: the frequencies grow with i.",
    "harvardnlp/annotated-transformer issue 131: division by div_term, which is a factor",
    lambda x, omega: x / omega,
)
_add(
    "operation",
    "degrees",
    "The angles are taken for degrees: every wave is 57.3 times too long.",
    "Reasoned: np.deg2rad, or the sine of a language that counts in degrees",
    lambda x, omega: x * omega * (math.pi / 180),
)
_add(
    "operation",
    "turns",
    "The angles are multiplied by 2π: a frequency was taken for turns per position.",
    "Reasoned: ω is in radians, and sin(2π f p) wants turns",
    lambda x, omega: 2 * math.pi * x * omega,
)
_add(
    "operation",
    "sum-of-both",
    "The frequency is added to the position in place of being multiplied with it.",
    "Reasoned: a + where broadcasting accepts any sign",
    lambda x, omega: x + omega,
)


def _product(x: Tensor, omega: Tensor, dtype: torch.dtype) -> Tensor:
    return _rounded(_rounded(x, dtype) * _rounded(omega, dtype), dtype)


_add(
    "operation",
    "bfloat16-angles",
    "Position and frequency were multiplied in bfloat16: no angle has more than 8 binary digits.",
    "EleutherAI/gpt-neox issue 1003, of RoPE: computed in the precision of the model",
    lambda x, omega: _product(x, omega, torch.bfloat16),
)
_add(
    "operation",
    "float16-angles",
    "Position and frequency were multiplied in float16: no angle has more than 11 binary digits.",
    "EleutherAI/gpt-neox issue 1003, of RoPE: computed in the precision of the model",
    lambda x, omega: _product(x, omega, torch.float16),
)


# Wave: (angle, is_cosine) -> value

_add(
    "wave",
    "exchanged",
    "Sine and cosine have changed places.",
    "bojone/attention issue 2; huggingface/diffusers, flip_sin_to_cos",
    lambda angle, is_cosine: torch.where(is_cosine, angle.sin(), angle.cos()),
)
_add(
    "wave",
    "sines-alone",
    "All columns are sines.",
    "Reasoned: the second line of the formula copied from the first",
    lambda angle, is_cosine: angle.sin(),
)
_add(
    "wave",
    "cosines-alone",
    "All columns are cosines.",
    "Reasoned: the first line of the formula copied from the second",
    lambda angle, is_cosine: angle.cos(),
)
_add(
    "wave",
    "no-cosines",
    "The cosine columns were never written: they are 0.",
    "Reasoned: a table of zeros, of which only [:, 0::2] is filled",
    lambda angle, is_cosine: torch.where(is_cosine, 0.0, angle.sin()),
)
_add(
    "wave",
    "no-sines",
    "The sine columns were never written: they are 0.",
    "Reasoned: a table of zeros, of which only [:, 1::2] is filled",
    lambda angle, is_cosine: torch.where(is_cosine, angle.cos(), 0.0),
)
_add(
    "wave",
    "sine-negated",
    "The sines have the opposite sign: every hand turns the other way.",
    "Reasoned: the minus sign of a negative exponent that went to the angle",
    lambda angle, is_cosine: torch.where(is_cosine, angle.cos(), -angle.sin()),
)
_add(
    "wave",
    "cosine-negated",
    "The cosines have the opposite sign.",
    "Reasoned: the sine's derivative taken the wrong way round",
    lambda angle, is_cosine: torch.where(is_cosine, -angle.cos(), angle.sin()),
)
_add(
    "wave",
    "no-wave",
    "The entries are the angles themselves: neither sine nor cosine was taken.",
    "Reasoned: the table of angles that is filled first, as in Kyubyong/transformer, returned",
    lambda angle, is_cosine: angle,
)


# Layout: (p, c, length, d_model) -> the row and column of the interleaved table


def _halves(p: Tensor, c: Tensor, length: int, d: int) -> tuple[Tensor, Tensor]:
    return p, torch.where(c < d // 2, 2 * c, 2 * (c - d // 2) + 1)


def _stacked_in_front(p: Tensor, c: Tensor, length: int, d: int) -> tuple[Tensor, Tensor]:
    """(2, L, d/2) read as (L, d)."""
    flat = p * d + c
    is_cosine, rest = flat // (length * (d // 2)), flat % (length * (d // 2))
    return rest // (d // 2), 2 * (rest % (d // 2)) + is_cosine


def _transposed(p: Tensor, c: Tensor, length: int, d: int) -> tuple[Tensor, Tensor]:
    """(d, L) read as (L, d)."""
    flat = p * d + c
    return flat % length, flat // length


def _pairs_in_front(p: Tensor, c: Tensor, length: int, d: int) -> tuple[Tensor, Tensor]:
    """(d/2, L, 2) read as (L, d)."""
    flat = p * d + c
    return flat // 2 % length, 2 * (flat // (2 * length)) + flat % 2


def _halves_in_front(p: Tensor, c: Tensor, length: int, d: int) -> tuple[Tensor, Tensor]:
    """(2, d/2, L), all sines before all cosines and transposed, read as (L, d)."""
    flat = p * d + c
    return flat % length, _halves(p, flat // length, length, d)[1]


_add(
    "layout",
    "halves",
    "The two halves are concatenated: all sines stand before all cosines.",
    "tensor2tensor issue 1925; kimiyoung/transformer-xl issue 119; allenai/allennlp issue 2993; "
    "tatp22/multidim-positional-encoding issue 20; tensorflow/text issue 1122",
    _halves,
)
_add(
    "layout",
    "columns-reversed",
    "The columns stand in the reverse order.",
    "Reasoned: flip, or [::-1], along the wrong axis",
    lambda p, c, length, d: (p, d - 1 - c),
)
_add(
    "layout",
    "stacked-in-front",
    "The two halves, stacked along axis 0 as (2, L, d/2), were read as (L, d): a reshape has mixed "
    "the rows.",
    "Reasoned: stack without dim=-1, and reshape where flatten belongs; zhaozeyang108/"
    "Oriented-DETR issue 18 stacks one axis too early, which gives halves",
    _stacked_in_front,
)
_add(
    "layout",
    "transposed-reshape",
    "A table (d, L) was reshaped to (L, d) in place of transposed: the reshape has mixed the rows.",
    "Reasoned: reshape and transpose give the same shape",
    _transposed,
)
_add(
    "layout",
    "pairs-reshape",
    "A table (d/2, L, 2), the axis of the pairs first, was read as (L, d): a reshape has mixed the "
    "rows.",
    "Reasoned: an outer product of frequencies and positions in this order",
    _pairs_in_front,
)
_add(
    "layout",
    "halves-reshape",
    "The two halves, below each other as (d, L), were read as (L, d): a reshape has mixed the "
    "rows.",
    "Reasoned: concatenated along axis 0 with the positions along axis 1",
    _halves_in_front,
)


# Finish: (value, p, c, length, d_model) -> value

_add(
    "finish",
    "all-zero",
    "Every entry is 0, as where nothing was written into the table.",
    "Reasoned: the table of zeros returned, and the filled one not",
    lambda value, p, c, length, d: torch.zeros_like(value),
)
_add(
    "finish",
    "row-0-zero",
    "Row 0 is all zeros.",
    "jadore801120/attention-is-all-you-need-pytorch issue 99: padding_idx = 0; "
    "kaushalshetty/Positional-Encoding issue 1; r9y9/deepvoice3_pytorch issue 19",
    lambda value, p, c, length, d: torch.where(p == 0, 0.0, value),
)
_add(
    "finish",
    "row-1-zero",
    "Row 1 is all zeros.",
    "facebookresearch/fairseq, get_embedding with padding_idx = 1",
    lambda value, p, c, length, d: torch.where(p == 1, 0.0, value),
)
_add(
    "finish",
    "last-row-zero",
    "The last row was never written: it is all zeros.",
    "Reasoned: range(length - 1)",
    lambda value, p, c, length, d: torch.where(p == length - 1, 0.0, value),
)
_add(
    "finish",
    "last-pair-zero",
    "The last two columns were never written: they are 0.",
    "Reasoned: range(0, d - 2, 2)",
    lambda value, p, c, length, d: torch.where(c >= d - 2, 0.0, value),
)
_add(
    "finish",
    "times-root-d",
    "Every entry is multiplied by √d.",
    "shenweichen/DeepCTR, PositionEncoding with scale=True",
    lambda value, p, c, length, d: value * math.sqrt(d),
)
_add(
    "finish",
    "over-root-d",
    "Every entry is divided by √d.",
    "espnet/espnet, LearnableFourierPosEnc, divides its sines and cosines so",
    lambda value, p, c, length, d: value / math.sqrt(d),
)
_add(
    "finish",
    "rows-of-length-1",
    "Every entry is divided by √(d/2): each row has length 1.",
    "Reasoned: functional.normalize of the table",
    lambda value, p, c, length, d: value / math.sqrt(d / 2),
)
_add(
    "finish",
    "between-0-and-1",
    "Every entry x has become (x + 1)/2: what lay in [-1, 1] lies in [0, 1].",
    "Reasoned: (pe + 1) / 2, as for a picture",
    lambda value, p, c, length, d: (value + 1) / 2,
)
_add(
    "finish",
    "truncated",
    "The entries are as if cut off to integers: the table they were written to has an integer "
    "dtype, or row 0 alone was written.",
    "Reasoned: np.zeros_like of integer positions, or dtype=int; a return inside the loop over "
    "positions gives the same zeros",
    lambda value, p, c, length, d: value.trunc(),
    in_steps=True,
)
_add(
    "finish",
    "one-decimal",
    "The entries are rounded to one decimal.",
    "Reasoned: numbers read off a printed table",
    lambda value, p, c, length, d: value.round(decimals=1),
    in_steps=True,
)
_add(
    "finish",
    "two-decimals",
    "The entries are rounded to two decimals.",
    "Reasoned: numbers read off a printed table",
    lambda value, p, c, length, d: value.round(decimals=2),
    in_steps=True,
)
_add(
    "finish",
    "three-decimals",
    "The entries are rounded to three decimals.",
    "Reasoned: numbers read off a printed table",
    lambda value, p, c, length, d: value.round(decimals=3),
    in_steps=True,
)
_add(
    "finish",
    "position-added",
    "The position itself is added to every entry.",
    "Reasoned: position + encoding, the sum that belongs to the word, taken too early",
    lambda value, p, c, length, d: value + p,
)

BY_NAME = {mistake.name: mistake for mistake in MISTAKES}
