"""ModelExplorer: a trained model that answers with the word three back, at each place of a text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, partial
from typing import ClassVar

import safetensors.torch
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from pe_lab import figures, weights
from pe_lab.encodings import LearnedTable, UntrainedTable
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import BASE, Choice, Letters, Whole
from pe_lab.model import Transformer

ALPHABET = "ABCDEFGHIJKLMNOP"
FEWEST, MOST = 4, 128
BACK = 3  # what the models were trained to copy
TRAINED_LENGTH = 32
COLOUR = "colour: the square root of the weight"  # of a pattern
ACROSS = 32  # places in a line of the still picture

TRAINED = (
    "sinusoid",
    "sinusoid, one head",
    "none",
    "untrained table",
    "learned table",
    "T5 bias",
    "ALiBi",
    "RoPE",
)


def first_words() -> str:
    """Return 128 random words, always the same."""
    drawn = torch.randint(len(ALPHABET), (MOST,), generator=torch.Generator().manual_seed(11))
    return "".join(ALPHABET[each] for each in drawn)


WORDS = first_words()


@cache
def _trained(name: str) -> Transformer:
    return weights.trained(name)[0].double()


def packed(name: str) -> bytes:
    """Return what the front end needs of a trained model, as a safetensors file.

    The weights have 16 bits, to which they were rounded. A table has the rows that a text can
    reach; the untrained one, which is drawn anew from its seed in Python, comes along in 32 bits.
    """
    model, run = weights.trained(name)
    tensors = {key: each.half() for key, each in model.state_dict().items()}
    if isinstance(model.encoding, LearnedTable):
        tensors["encoding.rows"] = tensors["encoding.rows"][:MOST].contiguous()
    if isinstance(model.encoding, UntrainedTable):
        tensors["encoding.table"] = model.encoding.table(MOST).float()
    file: bytes = safetensors.torch.save(tensors, metadata={"run": json.dumps(asdict(run))})
    return file


class ModelExplorer(Explorer):
    """A text, what a trained model answers at each of its places, and where its heads look.

    Each model has one layer and was trained on texts of 32 words to answer with the word three
    back. A word is a letter, A to P.

    Args:
        trained: which model, by the encoding that it was trained with; see ``pe_lab.weights``.
        text: your own words, which stand first, at most 128; random words follow them.
        length: how many words are read, 4 to 128.
        place: the place p that is looked at, 0 to length - 1.
        other: the place whose word is exchanged with that at ``place``.
        exchanged: whether the words at these two places are exchanged.
    """

    front_end = "model.js"
    values: ClassVar = {
        "BASE": BASE,
        "WORDS": WORDS,
        "BACK": BACK,
        "TRAINED_LENGTH": TRAINED_LENGTH,
    }
    files: ClassVar[dict[str, Callable[[], bytes]]] = {
        name: partial(packed, name) for name in TRAINED
    }

    trained = Choice(*TRAINED)
    text = Letters(ALPHABET, MOST)
    length = Whole(32, FEWEST, MOST)
    place = Whole(12, 0, MOST - 1, below="length")
    other = Whole(20, 0, MOST - 1, below="length")
    exchanged = Choice(False, True)

    def __init__(
        self,
        trained: str = "sinusoid",
        text: str = "",
        length: int = 32,
        place: int | None = None,
        other: int | None = None,
        exchanged: bool = False,
    ) -> None:
        # A place that is not said is moved inside the length by the trait.
        places = {name: at for name, at in (("place", place), ("other", other)) if at is not None}
        super().__init__(trained=trained, text=text, length=length, exchanged=exchanged, **places)

    @property
    def words(self) -> str:
        """The words that the model reads, a letter each."""
        letters = list((self.text + WORDS[len(self.text) :])[: self.length])
        if self.exchanged:
            p, q = self.place, self.other
            letters[p], letters[q] = letters[q], letters[p]
        return "".join(letters)

    @property
    def tokens(self) -> Tensor:
        """The words as the model gets them, int64, (length,)."""
        return torch.tensor([ALPHABET.index(word) for word in self.words])

    @property
    def encoding(self) -> Tensor:
        """What is added to the words, float64, (length, d_model): zeros, if it acts elsewhere."""
        model = _trained(str(self.trained))
        d_model = model.embedding.weight.shape[1]
        nothing = torch.zeros(1, self.length, d_model, dtype=torch.float64)
        with torch.no_grad():
            return model.encoding.add(nothing)[0]

    @property
    def attention(self) -> Tensor:
        """How much each head looks where, float64, (heads, length, length)."""
        return _trained(str(self.trained)).attention(self.tokens[None])[0, 0]

    @property
    def logits(self) -> Tensor:
        """The scores of all words at each place, float64, (length, 16)."""
        with torch.no_grad():
            scores: Tensor = _trained(str(self.trained))(self.tokens[None])[0]
        return scores

    @property
    def answers(self) -> str:
        """The answer at each place, a letter each; those of the first three are asked by nobody."""
        return "".join(ALPHABET[each] for each in self.logits.argmax(dim=1))

    @property
    def right(self) -> list[bool]:
        """Whether the answer is the word three back, for the places from 3 on."""
        answers, words = self.answers, self.words
        return [answers[p] == words[p - BACK] for p in range(BACK, self.length)]

    def still(self) -> Figure:
        """Return the words with their answers, and below them the patterns of the heads."""
        maps = self.attention
        lines = -(-self.length // ACROSS)
        figure = figures.new_figure(0.4 + 0.5 * lines + (2.0 if len(maps) > 1 else 3.0))
        with figures.style():
            grid = figure.add_gridspec(
                2, len(maps), height_ratios=(0.5 * lines, 1.6 if len(maps) > 1 else 2.6)
            )
            self._draw_words(figure.add_subplot(grid[0, :]), lines)
            for h, weights_of_head in enumerate(maps):
                ax = figure.add_subplot(grid[1, h])
                root = weights_of_head.sqrt().numpy()
                image = ax.imshow(root, cmap=figures.VALUES, norm=figures.UNIT)
                image.set_interpolation("nearest")
                ax.axhline(self.place, color=figures.FAINT, linewidth=1.0)
                ax.set_title(f"head {h + 1}")
            figure.supxlabel(COLOUR, fontsize="medium")
        return figure

    def _draw_words(self, ax: Axes, lines: int) -> None:
        """Words in upright letters, the answer below each; what is wrong in bold and struck out."""
        words, answers, right = self.words, self.answers, [False] * BACK + self.right
        ax.set_axis_off()
        ax.set_xlim(-0.5, ACROSS - 0.5)
        ax.set_ylim(lines, 0)
        ax.set_title(
            f"{self.trained}: {sum(right)} of {self.length - BACK} right", fontsize="medium"
        )
        for p, word in enumerate(words):
            x, y = p % ACROSS, p // ACROSS
            ax.text(x, y + 0.3, word, ha="center", va="center", fontsize=8)
            if p < BACK:
                continue
            ax.text(x, y + 0.7, answers[p], ha="center", va="center", fontsize=8)
            if not right[p]:
                ax.plot([x - 0.4, x + 0.4], [y + 0.7] * 2, color=figures.INK, linewidth=1.2)
