"""Mistakes with a number in them: another base, other positions, a factor.

The number is read from the table, rounded to as few digits as will do, and put into a recipe. That
recipe is compared with the table like any other: a number read wrongly gives no name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import torch
from torch import Tensor

from pe_lab.diagnosis.matching import SINGLES, Case, fits
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import RIGHT, Part, Recipe, frequencies, pair, powers

Put = Callable[[float], Recipe]

# The tables from which base and positions can be read: every pair of them is a point on a circle.
READABLE = [
    (),
    (BY_NAME["halves"],),
    (BY_NAME["exchanged"],),
    (BY_NAME["halves"], BY_NAME["exchanged"]),
]


def one_number(cases: list[Case]) -> list[Recipe]:
    """The formula but for one number: the base, the first position, the step, or a factor."""
    return [
        *_another_base(cases, ()),
        *_other_positions(cases, (), one_number=True),
        *_scaled(cases, [Recipe()]),
    ]


def number_and_mistake(cases: list[Case]) -> list[Recipe]:
    """Two numbers, or one number and a mistake."""
    found = []
    for parts in READABLE:
        found += [*_another_base(cases, parts), *_other_positions(cases, parts)]
    return found or _scaled(cases, SINGLES)


def _another_base(cases: list[Case], parts: tuple[Part, ...]) -> Iterator[Recipe]:
    def put(base: float) -> Recipe:
        says = f"The base is {_plain(base)}."
        compute = lambda c, d, length: powers(2 * pair(c) / d, base)  # noqa: E731
        return Recipe((*parts, Part("frequencies", f"base-{_plain(base)}", says, "Read", compute)))

    case = max(cases, key=lambda case: case.d_model)
    if case.d_model >= 4 and case.length >= 3:
        yield from _rounded(_read_base(_angles(case, parts)), put, cases)


def _read_base(angles: Tensor) -> float:
    """The base from the angles (L, d/2) of a table whose frequencies are base^(-2i/d)."""
    steps = angles.diff(dim=0)
    steps = torch.remainder(steps + math.pi, 2 * math.pi) - math.pi  # (L - 1, d/2)
    omega = steps.mean(dim=0)  # (d/2,); the mean of all steps has the error of one angle over L
    i = torch.arange(1, len(omega))
    usable = (omega[1:] > 1e-12) & (omega[1:] < 3)
    if not usable.any():
        return math.nan
    i, omega = i[usable], omega[1:][usable]
    logarithm = -omega.log() * angles.shape[1] / i  # ln base = -ln ω · d / 2i
    error = angles.shape[1] / (i * omega)  # of it, for an error of 1 in ω
    return math.exp(min(float(logarithm[error.argmin()]), 700.0))


def _other_positions(
    cases: list[Case], parts: tuple[Part, ...], *, one_number: bool = False
) -> Iterator[Recipe]:
    """Positions that begin anywhere and go on in equal steps, of the same size in every table."""
    case = max(cases, key=lambda case: case.d_model)
    first, step = _read_positions(_angles(case, parts))

    def put(start: float, step: float) -> Recipe:
        begins = f"Positions begin at {_plain(start)}"
        goes_on = f" and go on in steps of {_plain(step)}" if step != 1 else ""
        name = f"from-{_plain(start)}" + (f"-by-{_plain(step)}" if step != 1 else "")
        compute = lambda p, length: start + step * p  # noqa: E731
        return Recipe((*parts, Part("positions", name, f"{begins}{goes_on}.", "Read", compute)))

    if not math.isfinite(first) or not fits(put(first, step), cases):
        return
    for start, each in product(_candidates(first), _candidates(step)):
        if fits(recipe := put(start, each), cases):
            if not one_number or start == 0 or each == 1:
                yield recipe
            return


def _read_positions(angles: Tensor) -> tuple[float, float]:
    """The first position and the step, from the angles (L, d/2) of rows in equal steps.

    Row 1 says roughly how long a step is, and rows farther on more exactly.
    """
    length, pairs = angles.shape
    omega = frequencies(torch.arange(0, 2 * pairs, 2).double(), 2 * pairs, length)  # (d/2,)
    slowest = 2 * math.pi / float(omega[-1])  # positions in a turn, after which all is guessed
    first = _read_clock(angles[0], omega)
    step = 0.0
    for row in [*(8**n for n in range(20) if 8**n < length - 1), length - 1]:
        expected, read = first + row * step, _read_clock(angles[row], omega)
        turns = round((expected - read) / slowest) if row > 1 else 0
        step = (read + turns * slowest - first) / row
    return first, step


def _read_clock(angles: Tensor, omega: Tensor) -> float:
    """The position of one row, read like a clock from its angles (d/2,).

    The slowest hand says roughly, and each faster one more exactly, up to whole turns.
    """
    x = float(angles[-1] / omega[-1])
    for angle, frequency in zip(angles.tolist()[-2::-1], omega.tolist()[-2::-1], strict=True):
        turns = round((x * frequency - angle) / (2 * math.pi))
        x = (angle + 2 * math.pi * turns) / frequency
    return x


def _scaled(cases: list[Case], recipes: Sequence[Recipe]) -> list[Recipe]:
    """A known table, every entry of which is multiplied by one factor."""
    case = cases[0]
    found = []
    for single in recipes:
        factor = _read_factor(case, single)
        if "finish" not in single.slots and abs(factor) > 1e-3 and abs(factor - 1) > 1e-3:
            found += list(_rounded(factor, partial(_times, recipe=single), cases))
    return found


def _read_factor(case: Case, recipe: Recipe) -> float:
    """The factor by which the recipe's first rows come nearest to the table's."""
    p, c = torch.arange(min(case.length, 16)).unsqueeze(1), torch.arange(case.d_model)
    given, value = case.values[p, c], recipe.entries(p, c, case.length, case.d_model).value
    return float((given * value).sum() / value.square().sum().clamp(min=1e-9))


def _times(factor: float, recipe: Recipe) -> Recipe:
    def finish(value: Tensor, p: Tensor, c: Tensor, length: int, d_model: int) -> Tensor:
        return factor * value

    says = f"Every entry is multiplied by {_plain(factor)}."
    return Recipe((*recipe.parts, Part("finish", f"times-{_plain(factor)}", says, "Read", finish)))


def _angles(case: Case, parts: tuple[Part, ...]) -> Tensor:
    """The angle of every pair in every row, (L, d/2), between -π and π, for a READABLE table."""
    d = case.d_model
    layout = next((part.compute for part in parts if part.slot == "layout"), RIGHT["layout"])
    order = layout(torch.zeros(d).long(), torch.arange(d), case.length, d)[1].argsort()
    woven = case.values[:, order]
    sine, cosine = woven[:, 0::2], woven[:, 1::2]
    if any(part.name == "exchanged" for part in parts):
        sine, cosine = cosine, sine
    return torch.atan2(sine, cosine)


def _rounded(number: float, put: Put, cases: list[Case]) -> Iterator[Recipe]:
    """The recipe with the number in as few digits as give the tables; none if it gives none."""
    for candidate in _candidates(number):
        if fits(recipe := put(candidate), cases):
            yield recipe
            return


def _candidates(number: float) -> Iterator[float]:
    if not math.isfinite(number):
        return
    seen = set()
    for candidate in [*(float(f"{number:.{digits}g}") for digits in range(1, 7)), number]:
        if candidate not in seen:
            seen.add(candidate)
            yield candidate


def _plain(number: float) -> str:
    """Six digits at the most, and no point in a whole number."""
    return f"{number:.6g}" if abs(number) < 1e15 else f"{number:.3e}"
