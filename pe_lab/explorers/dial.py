"""One dial in matplotlib: the still picture of what the front ends draw for a pair."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from pe_lab.figures import COSINE, FAINT, INK, SINE

RIM = np.linspace(0.0, 2.0 * np.pi, 121)


def draw_dial(ax: Axes, angle: float) -> None:
    """Draw a hand at ``angle`` radians, clockwise from twelve, with its sine and its cosine."""
    x, y = np.sin(angle), np.cos(angle)
    ax.plot(np.sin(RIM), np.cos(RIM), color=FAINT, linewidth=1.0)
    ax.plot([0, 0], [0.92, 1.08], color=FAINT, linewidth=1.0)
    ax.plot([0, x], [0, 0], color=SINE, linewidth=4.0, solid_capstyle="butt")
    ax.plot([0, 0], [0, y], color=COSINE, linewidth=4.0, solid_capstyle="butt")
    ax.plot([x, x, 0], [0, y, y], color=FAINT, linewidth=0.8, linestyle=":")
    draw_hand(ax, angle)


def draw_hand(ax: Axes, angle: float, color: str = INK) -> None:
    """Draw a hand of length 1 from the centre, and a dot at its tip."""
    x, y = np.sin(angle), np.cos(angle)
    ax.plot([0, x], [0, y], color=color, linewidth=2.0)
    ax.plot([x], [y], "o", color=color, markersize=6.0)
    ax.set_xlim(-1.15, 1.15)
    ax.set_ylim(-1.15, 1.15)
    ax.set_aspect("equal")
    ax.set_axis_off()
