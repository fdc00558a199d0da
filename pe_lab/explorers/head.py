"""HeadExplorer: a head of attention, made by hand from the theorem, and a trained one beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.offset import shift
from pe_core.steps import stepwise
from pe_lab import figures
from pe_lab.explorers import trained_head
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.model import BACK, COLOUR, TRAINED_LENGTH
from pe_lab.explorers.settings import BASE, Choice, Even, Whole

LENGTH = 50
WIDEST = 512


class HeadExplorer(Explorer):
    """The attention pattern of the head W_Q = gain M₋ₖ, W_K = I, on 50 positions.

    All scores are divided by √d_model, however many pairs are read: reading fewer pairs is one
    thing, and a factor on all scores, the gain, another.

    Beside it may stand a head that was trained to look 3 back, at d_model 64, on texts of 32 words.
    It has its own offset, width and gain and reads all pairs; with words, it reads learned ones.

    Args:
        offset: the offset k, -10 to 10: how far back the head is made to look.
        d_model: width of the encoding, even, 4 to 512.
        gain: the factor on the queries, 1 to 16.
        pairs: how many pairs are read, the fastest first, 1 to d_model/2; all, if not said. Where
            all are read, all are at another d_model too.
        words: whether a random word stands at each position, with entries of variance 1.
        row: the position whose weights are shown one by one, 0 to 49.
        trained: whether the trained head stands beside it.
    """

    front_end = "head.js"
    values: ClassVar = {
        "BASE": BASE,
        "LENGTH": LENGTH,
        "WIDEST": WIDEST,
        "BACK": BACK,
        "TRAINED_LENGTH": TRAINED_LENGTH,
        "TEXT": trained_head.text(LENGTH),
    }
    files: ClassVar[dict[str, Callable[[], bytes]]] = {"trained head": trained_head.packed}

    offset = Whole(3, -10, 10)
    d_model = Even(64, 4, WIDEST)
    gain = Whole(1, 1, 16)
    pairs = Whole(32, 1, WIDEST // 2, below="d_model", per=2, counts=True)
    words = Choice(False, True)
    row = Whole(30, 0, LENGTH - 1)
    trained = Choice(False, True)

    def __init__(
        self,
        offset: int = 3,
        d_model: int = 64,
        gain: int = 1,
        pairs: int | None = None,
        words: bool = False,
        row: int = 30,
        trained: bool = False,
    ) -> None:
        super().__init__(
            offset=offset, d_model=d_model, gain=gain, words=words, row=row, trained=trained
        )
        self.pairs = self.d_model // 2 if pairs is None else pairs

    @property
    def encoding(self) -> Tensor:
        """The table, float64, (50, d_model)."""
        return stepwise(LENGTH, self.d_model, dtype=torch.float64)

    @property
    def weights(self) -> Tensor:
        """The attention pattern, float64, (50, 50): row p gives its weight to the columns."""
        x = self.encoding
        if self.words:
            x = x + random_words()[:, : self.d_model]
        query = self.gain * shift(x, -self.offset)[:, : 2 * self.pairs]  # (50, 2 pairs)
        score = query @ x[:, : 2 * self.pairs].T / self.d_model**0.5  # (50, 50)
        weights: Tensor = score.softmax(dim=1)
        return weights

    @property
    def trained_weights(self) -> Tensor:
        """The attention pattern of the trained head, shown or not, float64, (50, 50)."""
        return trained_head.pattern(LENGTH, words=bool(self.words))

    def still(self) -> Figure:
        """Return the pattern, and beside it the weights of the chosen row; so for each head."""
        shown = [("by hand", self.weights, self.offset)]
        if self.trained:
            shown.append(("trained", self.trained_weights, BACK))
        figure = figures.new_figure(3.6 * len(shown))
        with figures.style():
            rows = figure.subplots(len(shown), 2, squeeze=False)
            for (name, weights, offset), (left, right) in zip(shown, rows, strict=True):
                self._draw(left, right, weights, self.row - offset)
                if self.trained:
                    left.set_title(name)
            rows[-1, 0].set_xlabel(f"looks at\n{COLOUR}")
            if self.trained:
                end = TRAINED_LENGTH - 0.5  # where the training ended
                rows[1, 0].plot([-0.5, end, end], [end, end, -0.5], "--", color=figures.INK)
        return figure

    def _draw(self, left: Axes, right: Axes, weights: Tensor, target: int) -> None:
        image = left.imshow(weights.sqrt().numpy(), cmap=figures.VALUES, norm=figures.UNIT)
        image.set_interpolation("nearest")
        left.axhline(self.row, color=figures.FAINT, linewidth=1.0)
        left.set_xlabel("looks at")
        left.set_ylabel("position p")
        bars = right.bar(range(LENGTH), weights[self.row].tolist(), color=figures.FAINT)
        if 0 <= target < LENGTH:
            bars[target].set_color(figures.INK)
        right.set_xlabel(f"weights of position {self.row}")


def random_words() -> Tensor:
    """Return a word for each position, uniform with variance 1, float64, (50, 512).

    Entry n is a hash of n, and so the same in the front end.
    """
    n = torch.arange(LENGTH * WIDEST) + 1
    for down, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        n = (n ^ n >> down) * factor & 0xFFFFFFFF
    n = n ^ n >> 16
    words: Tensor = (n.double() / 2**31 - 1) * 3**0.5
    return words.view(LENGTH, WIDEST)
