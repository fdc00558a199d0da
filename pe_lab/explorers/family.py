"""FamilyExplorer: what two encodings add to the score of a query and a key, against the offset."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.offset import shift
from pe_lab import figures
from pe_lab.encodings import ALiBi, RoPE, Shaw, Sinusoid, T5Bias, bucket
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Base, Choice, Even, Whole

REACH = 128  # the largest offset, and the position of the query
LENGTH = 2 * REACH + 1  # of the text
HEADS = 8  # of ALiBi
ENCODINGS = ("sinusoid", "RoPE", "learned table", "Shaw", "T5 bias", "ALiBi", "none")
SCALINGS = ("none", "interpolation", "NTK-aware", "YaRN")


class FamilyExplorer(Explorer):
    """The score of the query at position 128 with every position, for two encodings.

    A trained head would look somewhere; here it is made by hand to look at the offset ``aim``, as
    well as its encoding can say that. What is learned is chosen so that it says it best:

    - sinusoid: PE(p), moved by the aim, · PE(p + k), divided by d/2;
    - RoPE: query and key all ones, the query turned by the aim; divided by d;
    - learned table: rows at right angles, and a matrix that takes row p to row p + aim;
    - Shaw: a query whose product with the vector of the aim is 1, and 0 with all others;
    - T5 bias: 1 for the bucket of the aim, and 0 for all others;
    - ALiBi and none: nothing is learned, and the aim has no say.

    A change of ``factor`` or ``scaling`` comes after that: the head was made without it.

    Args:
        one, two: the encodings: "sinusoid", "RoPE", "learned table", "Shaw", "T5 bias", "ALiBi" or
            "none".
        aim: the offset to look at, -128 to 128.
        d_model: columns of the sinusoid, and of a head of RoPE, even, 4 to 128.
        base: the base of the frequencies, 10 to 1,000,000.
        scaling: how RoPE is stretched: "none", "interpolation", "NTK-aware" or "YaRN". The
            sinusoid is interpolated.
        factor: by how much they are stretched, 1 to 16.
        max_length: the trained length, 16 to 512: rows of the learned table; YaRN reads it, too.
        head: which of ALiBi's 8 heads, 1 to 8.
        buckets: buckets of T5 for each side, 2 to 32.
        max_distance: T5's; its last bucket begins there or somewhat before, 17 to 128.
        clip: Shaw's largest distance with a vector of its own, 1 to 32.
    """

    front_end = "family.js"
    values: ClassVar = {"REACH": REACH, "HEADS": HEADS}

    one = Choice(*ENCODINGS)
    two = Choice(*ENCODINGS)
    aim = Whole(-20, -REACH, REACH)
    d_model = Even(64, 4, 128)
    base = Base()
    scaling = Choice(*SCALINGS)
    factor = Whole(1, 1, 16)
    max_length = Whole(192, 16, 512)
    head = Whole(1, 1, HEADS)
    buckets = Whole(16, 2, 32)
    max_distance = Whole(128, 17, 128)
    clip = Whole(16, 1, 32)

    def __init__(
        self,
        one: str = "sinusoid",
        two: str = "T5 bias",
        aim: int = -20,
        d_model: int = 64,
        base: float = 10000.0,
        scaling: str = "none",
        factor: int = 1,
        max_length: int = 192,
        head: int = 1,
        buckets: int = 16,
        max_distance: int = 128,
        clip: int = 16,
    ) -> None:
        super().__init__(
            one=one,
            two=two,
            aim=aim,
            d_model=d_model,
            base=base,
            scaling=scaling,
            factor=factor,
            max_length=max_length,
            head=head,
            buckets=buckets,
            max_distance=max_distance,
            clip=clip,
        )

    @property
    def encoding(self) -> Tensor:
        """Both scores at the offsets -128 to 128, float64, (2, 257); nan where there is none."""
        return torch.stack([self.scores(self.one), self.scores(self.two)])

    def scores(self, name: str) -> Tensor:
        """Return the scores of one encoding, float64, (257,); nan where there is none."""
        scores: dict[str, Callable[[], Tensor]] = {
            "sinusoid": self._sinusoid,
            "RoPE": self._rope,
            "learned table": self._learned,
            "Shaw": self._shaw,
            "T5 bias": self._t5,
            "ALiBi": self._alibi,
            "none": lambda: torch.zeros(LENGTH, dtype=torch.float64),
        }
        with torch.no_grad():
            return scores[name]()

    def _sinusoid(self) -> Tensor:
        encoding = Sinusoid(d_model=self.d_model, base=self.base, factor=self.factor)
        rows = encoding.table(LENGTH)  # (257, d)
        query = shift(rows[REACH], self.aim, base=self.base)  # (d,)
        return rows @ query * 2 / self.d_model

    def _rope(self) -> Tensor:
        stretched = self.scaling != "none"
        rope = RoPE(
            d_model=self.d_model,
            n_heads=1,
            max_length=self.max_length,
            base=self.base,
            scaling=self.scaling if stretched else None,
            factor=self.factor if stretched else 1,
        )
        key = torch.ones(1, 1, LENGTH, self.d_model, dtype=torch.float64)
        query = shift(key, -self.aim, base=self.base)  # R_aim is M_{-aim}
        return (rope.turn(key) @ rope.turn(query)[0, 0, REACH])[0, 0] / self.d_model

    def _learned(self) -> Tensor:
        position = torch.arange(LENGTH)
        scores = (position == REACH + self.aim).double()
        scores[position >= self.max_length] = torch.nan
        return scores if self.max_length > REACH else torch.full_like(scores, torch.nan)

    def _shaw(self) -> Tensor:
        vectors = 2 * self.clip + 1
        shaw = Shaw(d_model=vectors, n_heads=1, clip=self.clip).double()
        shaw.keys_at.copy_(vectors**0.5 * torch.eye(vectors, dtype=torch.float64))
        query = torch.zeros(1, 1, LENGTH, vectors, dtype=torch.float64)
        query[..., max(-self.clip, min(self.clip, self.aim)) + self.clip] = 1
        return shaw.scores(query)[0, 0, REACH]

    def _t5(self) -> Tensor:
        both_sides, farthest = 2 * self.buckets, self.max_distance
        t5 = T5Bias(d_model=1, n_heads=1, buckets=both_sides, max_distance=farthest)
        aimed = bucket(torch.tensor(self.aim), buckets=both_sides, max_distance=farthest)
        t5.bias.zero_()
        t5.bias[aimed] = 1
        return t5.scores(torch.zeros(1, 1, LENGTH, 1, dtype=torch.float64))[0, 0, REACH]

    def _alibi(self) -> Tensor:
        queries = torch.zeros(1, HEADS, LENGTH, 1, dtype=torch.float64)
        return ALiBi(n_heads=HEADS).scores(queries)[0, self.head - 1, REACH]

    def still(self) -> Figure:
        """Return both curves, one above the other, and where they aim."""
        figure = figures.new_figure(4.8)
        aims = {self.one, self.two} - {"ALiBi", "none"}
        with figures.style():
            for ax, name, scores in zip(
                figure.subplots(2, 1), (self.one, self.two), self.encoding, strict=True
            ):
                ax.axhline(0.0, color=figures.FAINT, linewidth=1.0)
                if name in aims:
                    ax.axvline(self.aim, color=figures.COSINE, linestyle=":")
                ax.plot(range(-REACH, REACH + 1), scores.tolist(), color=figures.SINE)
                ax.set_xlim(-REACH, REACH)
                ax.set_title(name)
            aim = f"; dotted: the aim, {self.aim}".replace("-", "−") if aims else ""
            ax.set_xlabel(f"offset k{aim}")
        return figure
