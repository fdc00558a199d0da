"""Every number of an explorer's front end equals torch's, on a grid of settings with its corners.

Each check takes the text of a module and a list of settings: test_mutations_js.py hands it
modules with mistakes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
import torch
from front_end import State, assert_close, numbers
from torch import Tensor

from pe_core import frequencies, wavelengths
from pe_lab.explorers import ClockExplorer
from pe_lab.explorers.explorer import Explorer

BASES = (10.0, 15.0, 10000.0, 1000000.0)


def grid(**values: object) -> list[State]:
    """Every combination of the values of the settings."""
    return [
        dict(zip(values, each, strict=True))
        for each in itertools.product(*values.values())  # type: ignore[call-overload]
    ]


def row(p: int, d_model: int, base: float) -> Tensor:
    """PE(p) of shape (d,) straight from the frequencies, for p of either sign."""
    angle = p * frequencies(d_model, base=base)  # (d/2,)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten()  # (d,)


def check_clock(module: str) -> None:
    states = grid(
        d_model=(2, 4, 6, 8, 16, 18, 100, 512),
        position=(0, 1, 44, 710, 1000),
        base=BASES,
        pair=(0,),
    )
    for state, shown in zip(states, numbers(module, states), strict=True):
        d_model, p, base = state["d_model"], state["position"], state["base"]
        omega, wave = frequencies(d_model, base=base), wavelengths(d_model, base=base)  # (d/2,)
        pe, start = row(p, d_model, base), row(0, d_model, base)  # (d,)
        expected = {
            "angle": p * omega,
            "sine": pe[0::2],
            "cosine": pe[1::2],
            "turns": p / wave,
            "wavelength": wave,
        }
        for name, values in expected.items():
            assert_close([each[name] for each in shown["clocks"]], values)
        assert_close(shown["first"], (pe - start)[:2].norm())
        assert_close(shown["row"], (pe - start).norm())


CHECKS: dict[type[Explorer], Callable[[str], None]] = {
    ClockExplorer: check_clock,
}


@pytest.mark.parametrize("explorer", CHECKS, ids=lambda each: each.__name__)
def test_the_numbers_are_those_of_torch(explorer: type[Explorer]) -> None:
    CHECKS[explorer](explorer.module())
