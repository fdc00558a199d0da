"""The sinusoidal positional encoding of the Transformer: step by step, exact, and moved by k.

- :mod:`pe_core.steps` builds the encoding one tensor at a time.
- :mod:`pe_core.offset` moves it by an offset, and compares its rows.
- :mod:`pe_core.encoding` makes the exact table, and adds it to a model's input.
"""

from pe_core.encoding import PositionalEncoding, sinusoidal_table
from pe_core.offset import frequencies, offset_matrix, shift, similarity, wavelengths
from pe_core.steps import (
    Step,
    denominator,
    even_indices,
    even_pe,
    interleave,
    odd_indices,
    odd_pe,
    positions,
    stepwise,
    trace,
)

__all__ = [
    "PositionalEncoding",
    "Step",
    "denominator",
    "even_indices",
    "even_pe",
    "frequencies",
    "interleave",
    "odd_indices",
    "odd_pe",
    "offset_matrix",
    "positions",
    "shift",
    "similarity",
    "sinusoidal_table",
    "stepwise",
    "trace",
    "wavelengths",
]
