"""OrderExplorer: what attention returns for a sentence whose words change places."""

from __future__ import annotations

from typing import ClassVar

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.steps import stepwise
from pe_lab import figures
from pe_lab.attention import attention_weights
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import BASE, Choice, Sentence, Whole

D_MODEL = 4
FEWEST, MOST = 2, 6

# Drawn once from a seeded generator and rounded. They are not trained; any others would do.
VOCABULARY: dict[str, tuple[float, float, float, float]] = {
    "I": (0.8, -0.3, 0.5, 0.9),
    "love": (-0.6, 0.4, 0.7, -0.1),
    "India": (0.4, 0.7, -0.8, -0.4),
    "My": (0.0, -0.3, 0.5, -0.2),
    "name": (0.8, -0.8, -0.4, -0.2),
    "is": (0.3, 1.0, -0.6, 0.5),
    "John": (0.2, 0.7, 0.1, 0.5),
    "the": (-0.4, 0.0, -0.2, -0.8),
    "dog": (-0.8, 0.6, -0.7, -0.9),
    "bites": (0.3, 0.2, 0.2, -0.4),
    "man": (0.5, -0.4, 0.5, 0.0),
    "say": (0.6, -0.4, -0.4, 0.4),
    "hello": (-0.4, 0.1, -0.2, -0.9),
    "world": (-0.4, -0.1, -0.9, 0.0),
}
MATRICES: dict[str, list[list[float]]] = {
    "query": [
        [1.4, -0.5, 0.6, 0.0],
        [-0.7, -1.3, -0.3, -0.4],
        [0.1, 0.1, -0.5, 0.9],
        [1.9, 1.4, 1.1, -0.9],
    ],
    "key": [
        [-2.0, 0.2, 0.3, -1.4],
        [-1.2, -0.3, -1.0, -0.1],
        [-0.5, -1.0, 0.2, -0.6],
        [-1.1, -0.9, -0.5, -1.0],
    ],
    "value": [
        [0.4, -0.4, 0.4, 0.1],
        [-0.4, 0.5, -1.1, 0.0],
        [0.4, 0.1, 0.7, 0.5],
        [-0.4, 0.8, 0.6, 0.5],
    ],
}


class OrderExplorer(Explorer):
    """A sentence, what attention returns for each word, and who looks at whom.

    One attention layer with fixed matrices, ``d_model`` 4. Without positions a word's output is the
    same wherever it stands; with them, row p of the table is added to the word at place p.

    Args:
        sentence: 2 to 6 words of ``VOCABULARY``, with single spaces between them.
        positions: whether the encoding is added to the words.
        place: the place whose word the keys and the menu act on, 0 to 5.
    """

    front_end = "order.js"
    values: ClassVar = {"VOCABULARY": VOCABULARY, "MATRICES": MATRICES, "BASE": BASE}

    sentence = Sentence("I love India", VOCABULARY, FEWEST, MOST)
    positions = Choice(False, True)
    place = Whole(0, 0, MOST - 1, below="sentence")

    def __init__(
        self, sentence: str = "I love India", positions: bool = False, place: int = 0
    ) -> None:
        super().__init__(sentence=sentence, positions=positions, place=place)

    @property
    def words(self) -> list[str]:
        """The words in their order."""
        return str(self.sentence).split(" ")

    @property
    def encoding(self) -> Tensor:
        """What is added to the words, float64, (length, 4): rows of the table, or zeros."""
        table = stepwise(len(self.words), D_MODEL, dtype=torch.float64)
        return table if self.positions else torch.zeros_like(table)

    @property
    def weights(self) -> Tensor:
        """Who looks at whom, float64, (length, length): row p gives its weight to the columns."""
        x = self._input()
        return attention_weights(x @ _matrix("query"), x @ _matrix("key"))

    @property
    def output(self) -> Tensor:
        """What attention returns for each word, float64, (length, 4)."""
        return self.weights @ (self._input() @ _matrix("value"))

    def _input(self) -> Tensor:
        rows = [VOCABULARY[word] for word in self.words]
        return torch.tensor(rows, dtype=torch.float64) + self.encoding  # (length, 4)

    def still(self) -> Figure:
        """Return the output of each word, and below it who looks at whom."""
        length = len(self.words)
        figure = figures.new_figure(2.4 + 0.34 * (D_MODEL + length))
        with figures.style():
            upper, lower = figure.subplots(2, 1, height_ratios=(D_MODEL, length))
            figures.table_axes(upper, self.output.T.numpy(), digits=2)
            upper.set_xticks(range(length), self.words)
            upper.xaxis.tick_top()
            upper.tick_params(labelleft=False)
            kind = "with positions" if self.positions else "without positions"
            upper.set_title(f"what attention returns for each word, {kind}")
            figures.table_axes(lower, self.weights.numpy(), digits=2)
            lower.set_xticks(range(length), self.words)
            lower.set_yticks(range(length), self.words)
            lower.set_title("who (row) looks at whom (column)")
        return figure


def _matrix(name: str) -> Tensor:
    return torch.tensor(MATRICES[name], dtype=torch.float64)  # (4, 4)
