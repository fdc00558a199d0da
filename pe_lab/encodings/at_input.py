"""Encodings that are added to the input: one vector for each position.

None, and an index in every column, plain or scaled, are there to fail (chapter 2). The table of
random numbers and the learned one differ in nothing but training. The sinusoidal encoding is that
of Vaswani et al., "Attention Is All You Need" (2017), section 3.5.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from pe_core import frequencies, interleave
from pe_core.checks import check_base, check_d_model
from pe_lab.candidates import random_table, raw_index, scaled_index
from pe_lab.checks import check_count, check_seed
from pe_lab.encodings.angles import angles, check_factor
from pe_lab.encodings.encoding import Encoding, check_input


class NoEncoding(Encoding):
    """No positions at all."""


class Index(Encoding):
    """The position itself in every column: 0, 1, 2, …"""

    acts = ("add",)

    def __init__(self, *, d_model: int) -> None:
        super().__init__()
        self.d_model = check_d_model(d_model)

    def table(self, length: int) -> Tensor:
        """Return the rows for positions 0 … length - 1: (length, d_model), float64."""
        return raw_index(length, self.d_model)

    def add(self, x: Tensor) -> Tensor:
        """Add row p to position p."""
        return x + self.table(check_input(x, self.d_model).shape[1]).to(x)  # (batch, length, d)


class ScaledIndex(Index):
    """The position divided by the last one: 0 for the first word, 1 for the last.

    What a position gets depends on how long the text is.
    """

    def table(self, length: int) -> Tensor:
        """Return the rows for positions 0 … length - 1: (length, d_model), float64."""
        return scaled_index(length, self.d_model)


class UntrainedTable(Index):
    """Random numbers from [-1, 1), which nobody trains: a row of its own for each position.

    Row p is the same at any length, for there is no end to the random numbers of one seed.
    """

    def __init__(self, *, d_model: int, seed: int = 0) -> None:
        super().__init__(d_model=d_model)
        self.seed = check_seed(seed)

    def table(self, length: int) -> Tensor:
        """Return the rows for positions 0 … length - 1: (length, d_model), float64."""
        return random_table(length, self.d_model, trained_length=length, seed=self.seed)


class LearnedTable(Encoding):
    """A row of learned parameters for each position below max_length, and none beyond.

    The rows start as normal numbers of standard deviation 0.02, as those of BERT (Devlin et al.,
    2019) do. Source: Gehring et al., "Convolutional Sequence to Sequence Learning" (2017),
    section 3.1.
    """

    acts = ("add",)

    def __init__(self, *, d_model: int, max_length: int, seed: int = 0) -> None:
        super().__init__()
        self.d_model = check_count(d_model, "d_model")
        rows = check_count(max_length, "max_length")
        self.rows = nn.Parameter(0.02 * normal(rows, self.d_model, seed=seed))  # (max_length, d)

    def add(self, x: Tensor) -> Tensor:
        """Add row p to position p; a ValueError where there are more positions than rows."""
        length, rows = check_input(x, self.d_model).shape[1], len(self.rows)
        if length > rows:
            raise ValueError(f"x must have at most max_length = {rows} positions, got {length}")
        return x + self.rows[:length].to(x)  # (batch, length, d)


class Sinusoid(Encoding):
    """The sinusoidal encoding, PE(p) with sines and cosines interleaved.

    Args:
        d_model: width, a positive even integer.
        base: the base of the frequencies.
        factor: by how much positions are interpolated, 1 or more: position p gets PE(p / factor).
    """

    acts = ("add",)

    def __init__(self, *, d_model: int, base: float = 10000.0, factor: float = 1.0) -> None:
        super().__init__()
        self.d_model, self.base = check_d_model(d_model), check_base(base)
        self.factor = check_factor(factor)
        with torch.device("cpu"):  # as the slopes of ALiBi
            self.omega = frequencies(self.d_model, base=self.base) / self.factor  # (d/2,)

    def table(self, length: int) -> Tensor:
        """Return PE(0), PE(1 / factor), …: (length, d_model), float64."""
        angle = angles(length, self.omega)  # (length, d/2)
        return interleave(angle.sin(), angle.cos())  # (length, d)

    def add(self, x: Tensor) -> Tensor:
        """Add row p to position p."""
        return x + self.table(check_input(x, self.d_model).shape[1]).to(x)  # (batch, length, d)


def normal(*shape: int, seed: int) -> Tensor:
    """Return normal numbers of variance 1, float32, always the same for one seed."""
    generator = torch.Generator().manual_seed(check_seed(seed))
    numbers = torch.randn(*shape, generator=generator, dtype=torch.float32, device="cpu")
    return numbers.to(torch.empty(0).device)  # torch's default one, which may draw others
