"""The family of positional encodings, each as a module that says where it acts.

- :mod:`pe_lab.encodings.encoding` has the one interface: input, queries and keys, scores, values.
- :mod:`pe_lab.encodings.at_input` adds a vector to the input: index, tables, sinusoid.
- :mod:`pe_lab.encodings.shaw`, `t5`, `alibi` and `rope` act inside of attention.
- :mod:`pe_lab.encodings.angles` changes frequencies for longer texts.

``make(name, …)`` makes one by its name.
"""

from __future__ import annotations

import inspect
from typing import Any

from pe_core.checks import describe
from pe_lab.encodings.alibi import ALiBi, slopes
from pe_lab.encodings.at_input import (
    Index,
    LearnedTable,
    NoEncoding,
    ScaledIndex,
    Sinusoid,
    UntrainedTable,
)
from pe_lab.encodings.encoding import Encoding
from pe_lab.encodings.rope import SCALINGS, RoPE, halves
from pe_lab.encodings.shaw import Shaw
from pe_lab.encodings.t5 import T5Bias, bucket

__all__ = [
    "ENCODINGS",
    "SCALINGS",
    "ALiBi",
    "Encoding",
    "Index",
    "LearnedTable",
    "NoEncoding",
    "RoPE",
    "ScaledIndex",
    "Shaw",
    "Sinusoid",
    "T5Bias",
    "UntrainedTable",
    "bucket",
    "halves",
    "make",
    "slopes",
]

ENCODINGS: dict[str, type[Encoding]] = {
    "none": NoEncoding,
    "index": Index,
    "scaled index": ScaledIndex,
    "untrained table": UntrainedTable,
    "learned table": LearnedTable,
    "sinusoid": Sinusoid,
    "Shaw": Shaw,
    "T5 bias": T5Bias,
    "ALiBi": ALiBi,
    "RoPE": RoPE,
}


def make(
    name: str, *, d_model: int, n_heads: int, max_length: int, seed: int = 0, **more: Any
) -> Encoding:
    """Return the encoding of that name for a model of this size.

    Args:
        name: one of ``ENCODINGS``.
        d_model, n_heads: width of the model, and how many heads share it.
        max_length: how long the texts of the training are; only a learned table and YaRN use it.
        seed: of the numbers with which what is random starts.
        more: what this encoding takes besides, such as ``base``.

    Raises:
        ValueError: no encoding has this name, or an argument is out of range.
        TypeError: this encoding does not take an argument of ``more``.
    """
    if not isinstance(name, str) or name not in ENCODINGS:
        allowed = ", ".join(map(repr, ENCODINGS))
        raise ValueError(f"name must be one of {allowed}; got {describe(name)}")
    kind = ENCODINGS[name]
    taken = set(inspect.signature(kind).parameters)
    if unknown := sorted(set(more) - taken):
        takes = ", ".join(sorted(taken)) or "nothing"
        raise TypeError(f"{name} takes {takes}; got {', '.join(unknown)}")
    given = {"d_model": d_model, "n_heads": n_heads, "max_length": max_length, "seed": seed}
    return kind(**{key: value for key, value in given.items() if key in taken}, **more)
