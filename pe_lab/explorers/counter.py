"""CounterExplorer: the digits of a position, and the hands that they become."""

from __future__ import annotations

import math
from typing import ClassVar

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.offset import frequencies
from pe_lab import figures
from pe_lab.explorers.dial import draw_dial
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import BASE, Choice, Whole

LAST_POSITION = 63
D_MODEL = 6  # at the speed of the paper: three hands


class CounterExplorer(Explorer):
    """A hand for each digit of the position: it ticks as the digit does, or glides.

    Digit j, counted from the last, goes once through its values in radix^(j+1) positions, and so
    does its hand. Where ``smooth`` is 0 the hand stands still until the digit changes; where it is
    100 the hand moves on with every position.

    Args:
        position: the position p, 0 to 63.
        radix: the base of the counter, 2 to 10. It has as many digits as the last position needs.
        smooth: how much of the way between two ticks the hand glides, in percent, 0 to 100.
        speed: "counter", or "paper" for three gliding hands that turn as the encoding's do, for
            d_model 6.
    """

    front_end = "counter.js"
    values: ClassVar = {"D_MODEL": D_MODEL, "BASE": BASE}

    position = Whole(7, 0, LAST_POSITION)
    radix = Whole(2, 2, 10)
    smooth = Whole(0, 0, 100)
    speed = Choice("counter", "paper")

    def __init__(
        self, position: int = 7, radix: int = 2, smooth: int = 0, speed: str = "counter"
    ) -> None:
        super().__init__(position=position, radix=radix, smooth=smooth, speed=speed)

    @property
    def angles(self) -> Tensor:
        """Where the hands stand at positions 0 to 64: radians from noon, float64, (65, hands)."""
        position = torch.arange(LAST_POSITION + 2, dtype=torch.float64)[:, None]  # (65, 1)
        if self.speed == "paper":
            return position * frequencies(D_MODEL)
        digit = torch.arange(self.digits, dtype=torch.float64)  # (hands,)
        ticks = torch.floor(position / self.radix**digit) / self.radix  # turns, (65, hands)
        turns = position / self.radix ** (digit + 1)
        return 2 * math.pi * (ticks + self.smooth / 100 * (turns - ticks))

    @property
    def digits(self) -> int:
        """How many digits the counter has."""
        count = 1
        while self.radix**count <= LAST_POSITION:
            count += 1
        return count

    @property
    def encoding(self) -> Tensor:
        """Sine and cosine of every hand at positions 0 to 64, float64, (65, 2 hands)."""
        return torch.stack([self.angles.sin(), self.angles.cos()], dim=-1).flatten(start_dim=-2)

    @property
    def distances(self) -> Tensor:
        """How far row p is from row p + 1, for p from 0 to 63, float64, (64,)."""
        apart: Tensor = self.encoding.diff(dim=0).norm(dim=1)
        return apart

    def still(self) -> Figure:
        """Return the hands, and below them how far each row is from the next."""
        angles = self.angles[self.position].tolist()
        figure = figures.new_figure(4.4)
        with figures.style():
            halves = figure.add_gridspec(2, 1)
            upper, lower = figure.add_subfigure(halves[0]), figure.add_subfigure(halves[1])
            for n, angle in enumerate(reversed(angles)):  # the last digit stands at the right
                ax = upper.add_subplot(1, len(angles), n + 1)
                draw_dial(ax, angle)
                if self.speed == "counter":
                    digit = self.position // self.radix ** (len(angles) - 1 - n) % self.radix
                    ax.set_title(str(digit), loc="center", fontsize=16.0)
            ax = lower.add_subplot()
            bars = ax.bar(range(LAST_POSITION + 1), self.distances.tolist(), color=figures.FAINT)
            bars[self.position].set_color(figures.INK)
            ax.set_xlabel("position p")
            ax.set_title("distance from row p to row p + 1")
        return figure
