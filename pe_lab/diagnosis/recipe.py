r"""A table as a recipe of six parts, so that a mistake is one part taken instead of another.

With x the position, ω the frequency, and c a column of the interleaved table, an entry is

    entry(p, c) = finish(wave(operation(x(p'), ω(c')))),    (p', c') = layout(p, c):

the layout says which number of the interleaved table stands at row p, column c. Each part is a
function of tensors that broadcast, so that a few entries cost no more than they must.

A mistake changes one part (:mod:`pe_lab.diagnosis.mistakes`), and two mistakes in different parts
are composed by putting both into one recipe.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import torch
from torch import Tensor

BASE = 10000.0

# Whoever computes in float32 is off by this much: a little for the sine, and for the angle, of
# which float32 holds 24 binary digits, as much again for each unit of the logarithm in ω. Angle 0
# is exact: sine and cosine of it are 0 and 1 to everyone.
TOLERANCE = 1e-4
ANGLE_TOLERANCE = 2.0**-23
# Beyond it an entry says nothing: sine and cosine lie between -1 and 1.
UNKNOWABLE = 0.05


def positions(p: Tensor, length: int) -> Tensor:
    return p  # counted from 0


def frequencies(c: Tensor, d_model: int, length: int) -> Tensor:
    return powers(2 * pair(c) / d_model)


def operation(x: Tensor, omega: Tensor) -> Tensor:
    return x * omega


def wave(angle: Tensor, is_cosine: Tensor) -> Tensor:
    return torch.where(is_cosine, angle.cos(), angle.sin())


def layout(p: Tensor, c: Tensor, length: int, d_model: int) -> tuple[Tensor, Tensor]:
    return p, c  # interleaved


def finish(value: Tensor, p: Tensor, c: Tensor, length: int, d_model: int) -> Tensor:
    return value


# In the order in which an entry goes through them, and in which they are named.
RIGHT: dict[str, Callable[..., Any]] = {
    "positions": positions,
    "frequencies": frequencies,
    "operation": operation,
    "wave": wave,
    "layout": layout,
    "finish": finish,
}


def pair(c: Tensor) -> Tensor:
    """The number i of the pair that column c belongs to, 0, 0, 1, 1, …"""
    return c // 2


def powers(exponent: Tensor, base: float = BASE) -> Tensor:
    """base^-exponent, in float64."""
    return torch.exp(-exponent.double() * math.log(base))


@dataclass(frozen=True, eq=False)
class Part:
    """One part of a recipe that is not the formula's.

    Attributes:
        slot: which of the six it takes the place of.
        name: short and fixed, such as "from-1".
        says: a sentence about the table: what was computed. It does not say what is right. After a
            colon stands what follows from that in a table that has no other mistake.
        source: where it was met, or why one would expect it.
        compute: the function.
        in_steps: of a finish that rounds: its numbers lie in steps, and it leaves them as they are.
        of_any_base: of frequencies: what is said where a base was asked for that need not be 10000,
            if ``says`` has numbers of that one.
        fixed: of frequencies that are the same whatever base was asked for.
    """

    slot: str
    name: str
    says: str
    source: str
    compute: Callable[..., Any]
    in_steps: bool = False
    of_any_base: str = ""
    fixed: bool = False

    def frequencies(self, base: float) -> Callable[[Tensor, int, int], Tensor]:
        """Those of this mistake where a base was asked for: of the same powers as of 10000."""
        power = 1.0 if self.fixed else math.log(base, BASE)

        def of_base(c: Tensor, d_model: int, length: int) -> Tensor:
            omega: Tensor = self.compute(c, d_model, length)
            return torch.where(omega > 0, omega.abs() ** power, omega)

        return of_base


@dataclass(frozen=True, eq=False)
class Entries:
    """Some entries of a table, and how far a right computation of them may lie to both sides."""

    value: Tensor
    low: Tensor
    high: Tensor
    known: Tensor  # bool: where the tolerance leaves something to compare


@dataclass(frozen=True, eq=False)
class Recipe:
    """The formula with some of its parts exchanged, at most one a slot."""

    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if len(self.slots) < len(self.parts) or not self.slots <= RIGHT.keys():
            slots = [part.slot for part in self.parts]
            raise ValueError(f"parts must be of different slots among {[*RIGHT]}, got {slots}")

    @property
    def slots(self) -> set[str]:
        """The parts in which it departs from the formula."""
        return {part.slot for part in self.parts}

    @cached_property
    def name(self) -> str:
        """The names of its parts, in the order of the slots; "right" without any."""
        order = [*RIGHT]
        ordered = sorted(self.parts, key=lambda part: order.index(part.slot))
        return " + ".join(part.name for part in ordered) or "right"

    @property
    def in_steps(self) -> bool:
        """Whether its numbers lie in steps, as those of rounding do."""
        return any(part.in_steps for part in self.parts)

    @cached_property
    def compute(self) -> dict[str, Callable[..., Any]]:
        """The function of every slot."""
        return RIGHT | {part.slot: part.compute for part in self.parts}

    def entries(self, p: Tensor, c: Tensor, length: int, d_model: int) -> Entries:
        """The entries at the rows p and the columns c, which broadcast, of a table (L, d)."""
        part = self.compute
        p_from, c_from = part["layout"](p, c, length, d_model)
        x = part["positions"](p_from.double(), length)
        # In float64: a quotient of integers would be rounded to float32.
        omega = part["frequencies"](c_from.double(), d_model, length)
        angle = part["operation"](x, omega)
        error = TOLERANCE + lost(angle, omega)
        error = torch.where(angle == 0, 0.0, error)
        value = part["wave"](angle, c_from % 2 == 1)
        value, error, _, _ = torch.broadcast_tensors(value, error, p, c)  # type: ignore[no-untyped-call]
        known = error < UNKNOWABLE
        limit = torch.where(known | (value.abs() > 1), torch.inf, 1.0)  # of a sine or cosine
        ends = [
            part["finish"](end.clamp(-limit, limit), p, c, length, d_model)
            for end in (value - error, value + error)
        ]
        return Entries(
            value=part["finish"](value, p, c, length, d_model),
            low=torch.minimum(*ends),
            high=torch.maximum(*ends),
            known=known,
        )

    def table(self, length: int, d_model: int) -> Tensor:
        """The whole table in float64: (L, d)."""
        p, c = torch.arange(length).unsqueeze(1), torch.arange(d_model)
        return self.entries(p, c, length, d_model).value


def lost(angle: Tensor, omega: Tensor) -> Tensor:
    """What float32 does not hold of an angle, in radians."""
    logarithm = omega.abs().clamp(min=torch.finfo(torch.float64).tiny).log()
    return ANGLE_TOLERANCE * angle.abs() * (1 + logarithm.abs())


@lru_cache(maxsize=16)
def together(recipes: tuple[Recipe, ...]) -> Recipe:
    """One recipe of tensors with a row for each of many: row n becomes as recipes[n] has it.

    Each function is called once, for the rows of all the recipes that have it.
    """
    return Recipe(
        tuple(
            Part(slot, "each", "", "", _row_by_row([each.compute[slot] for each in recipes]))
            for slot in RIGHT
        )
    )


def _row_by_row(functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    """A function that leaves row n of the tensors that it is given to functions[n]."""
    rows: dict[Callable[..., Any], list[int]] = {}
    for n, function in enumerate(functions):
        rows.setdefault(function, []).append(n)
    if len(rows) == 1:
        return functions[0]
    own = {function: torch.tensor(each) for function, each in rows.items()}
    back = torch.cat([*own.values()]).argsort()

    def compute(*given: Any) -> Any:
        made = [
            function(*(each[n] if isinstance(each, Tensor) else each for each in given))
            for function, n in own.items()
        ]
        if isinstance(made[0], tuple):
            return tuple(torch.cat(each)[back] for each in zip(*made, strict=True))
        return torch.cat(made)[back]

    return compute
