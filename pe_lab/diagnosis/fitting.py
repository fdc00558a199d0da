"""Mistakes with a number in them: another base, other positions, a factor.

The number is read from the table, rounded to as few digits as will do, and put into a recipe. That
recipe is compared with the table like any other: a number read wrongly gives no name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

import torch
from torch import Tensor

from pe_lab.diagnosis.matching import SINGLES, Case, fits, fitting
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import BASE, RIGHT, Part, Recipe, frequencies, pair, powers, together

Put = Callable[[float], Recipe]

DIGITS = 17  # of any number
TYPED = 2  # of a base that somebody may have typed, if it is no larger than
LARGEST = 1e12
PLAIN = 3  # of a number that is told beside a mistake which comes to the same
AS_IF = ("as if the base were", "or the base is", "those of the base")  # so a base is told already
NO_STEP = 1e-12  # positions a row, which rounding leaves where all rows are equal
AT_0 = 1e-6  # positions; a quarter turn in float32 leaves 4e-8
TELLING = 3e-4  # radians; of smaller angles of pair 1 the tolerance hides which they are
# Of its logarithm: computed in this type the base 10000 looks like another so near.
NEAR_BASE = {torch.float16: 0.005, torch.bfloat16: 0.05}
# At these widths a turn of the slowest hand is whole turns of all, so that no table shows how many
# there were; and a pair of the wrong sign stands where half a turn puts it. After turns that nobody
# sees a number of quarters is told, if it is met this exactly; and of what was read itself any
# number that is near, and of those farther off quarters and numbers of few digits.
WHOLE_TURNS = (4, 8)
TURNS = sorted(range(-16, 17), key=abs)
EXACT = 2e-6  # positions
NEAR = 10
FEW = 4

# The tables from which base and positions can be read: every pair of them is a point on a circle.
READABLE = [
    (),
    (BY_NAME["halves"],),
    (BY_NAME["exchanged"],),
    (BY_NAME["halves"], BY_NAME["exchanged"]),
]


def one_number(cases: list[Case], digits: int = DIGITS) -> list[Recipe]:
    """The formula but for one number: the base, the first position, the step, or a factor.

    Args:
        cases: the tables.
        digits: the number is one of no more digits; DIGITS for any number.
    """
    return [
        *_another_base(cases, (), digits),
        *_other_positions(cases, (), digits, one_number=True),
        *_scaled(cases, [Recipe()], digits),
    ]


def number_and_mistake(cases: list[Case]) -> list[Recipe]:
    """Two numbers, or one number and a mistake."""
    found: list[Recipe] = []
    for parts in READABLE:
        found += [*_another_base(cases, parts), *_other_positions(cases, parts)]
    return found or _scaled(cases, SINGLES)


def plain_positions(cases: list[Case]) -> list[Recipe]:
    """The formula but for a first position and a step, each of a few digits."""
    return list(_other_positions(cases, (), PLAIN))


def with_a_number(recipe: Recipe, cases: list[Case]) -> Iterator[Recipe]:
    """The recipe with a number that somebody may have typed in place of one of its parts.

    At some sizes a mistake gives the frequencies of another base, or positions in other steps.
    """
    length, d = cases[0].length, cases[0].d_model
    for part in recipe.parts:
        rest = tuple(each for each in recipe.parts if each is not part)
        tried: Iterator[Recipe] = iter(())
        if part.slot == "frequencies":
            omega = part.compute(torch.arange(0, d, 2).double(), d, length)
            tried = (_base(each, rest) for each in same_base(omega))
        if part.slot == "positions":
            first, second = part.compute(torch.arange(length).double(), length)[:2].tolist()
            if first == 0 or second - first == 1:
                both = in_few_digits([(first, second - first)], PLAIN)
                tried = (_positions(start, each, rest) for start, each in both if each != 0)
        yield from islice((each for each in tried if fits(each, cases)), 1)


def same_base(omega: Tensor) -> Iterator[float]:
    """The base in few digits whose frequencies, base^(-2i/d), these of all pairs are, (d/2,)."""
    if len(omega) < 2 or omega[1] <= 0:
        return
    i = torch.arange(len(omega))
    for base in candidates(float(omega[1]) ** -len(omega), PLAIN):
        if base != 1 and torch.allclose(omega, powers(i / len(omega), base)):
            yield base
            return


def _another_base(
    cases: list[Case], parts: tuple[Part, ...], digits: int = DIGITS
) -> Iterator[Recipe]:
    case = max(cases, key=lambda case: case.d_model)
    if case.d_model < 4 or case.length < 3:
        return
    base = _read_base(_angles(case, parts))
    if any(_is_near_10000(base, NEAR_BASE[each]) for each in case.sixteen):
        return
    if case.d_model == 4:
        yield from _of_two_pairs(base, parts, cases)
        return
    put = partial(_base, parts=parts)
    # A base that nobody types is first taken for a width that is always the same; so is any base,
    # where tables of several widths tell the two apart.
    found = [*_rounded(base, put, cases, min(digits, TYPED))] if base <= LARGEST else []
    several = any(each.d_model != case.d_model for each in cases)
    if digits == DIGITS and (several or not found):
        found = [*_another_width(base, parts, cases)] or found
    yield from found or _rounded(base, put, cases, digits)


def _base(base: float, parts: tuple[Part, ...]) -> Recipe:
    return Recipe((*parts, of_base(base)))


def of_base(base: float) -> Part:
    near = _is_near_10000(base, max(NEAR_BASE.values()))
    rounded = ", which 10000 may come to in 16 bits" if near else ""
    says = f"The frequencies are those of the base {plain(base)}{rounded}."
    compute = lambda c, d, length: powers(2 * pair(c) / d, base)
    return Part("frequencies", f"base-{plain(base)}", says, "Read", compute)


def _is_near_10000(base: float, bound: float) -> bool:
    return base > 0 and abs(math.log(base / BASE)) < bound


def _another_width(base: float, parts: tuple[Part, ...], cases: list[Case]) -> Iterator[Recipe]:
    """The exponent 2i over a whole number that is not the table's width."""
    d = max(case.d_model for case in cases)
    if not 1 < base < math.inf:
        return
    width = round(d * math.log(BASE) / math.log(base))  # base^(1/d) = BASE^(1/width)
    says = f"The exponent is divided by {width} in place of the number of columns"
    if all(case.d_model == d for case in cases):
        says += f": the frequencies are those of the base {plain(BASE ** (d / width))}"
    compute = lambda c, d, length: powers(2 * pair(c) / width)
    recipe = Recipe((*parts, Part("frequencies", f"width-{width}", f"{says}.", "Read", compute)))
    if fits(recipe, cases):
        yield recipe


def _of_two_pairs(base: float, parts: tuple[Part, ...], cases: list[Case]) -> Iterator[Recipe]:
    """The second frequency, in a few digits or as that of a base with a few, if one will do."""
    put = partial(_second_frequency, parts=parts)
    by_base = lambda each: put(each**-0.5)
    tries = [(*way, digits) for digits in (1, 2, 3) for way in ((base**-0.5, put), (base, by_base))]
    tries.append((base**-0.5, put, DIGITS))
    found = (each for number, way, digits in tries for each in _rounded(number, way, cases, digits))
    yield from islice(found, 1)


def _second_frequency(omega: float, parts: tuple[Part, ...]) -> Recipe:
    """Of two pairs the first has frequency 1: all that is to be read is the second's."""
    exponent = -math.log(omega, BASE)
    says = (
        f"The second pair has the frequency {plain(omega)}, and two pairs do not tell why. The "
        f"base {plain(omega**-2)} gives it with the exponent 2i/d, the base {plain(1 / omega)} "
        f"with i/(d/2 - 1), and the base 10000 with the exponent {plain(exponent)}."
    )
    compute = lambda c, d, length: torch.where(pair(c) == 0, 1.0, omega)
    name = f"second-frequency-{plain(omega)}"
    return Recipe((*parts, Part("frequencies", name, says, "Read", compute)))


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
    cases: list[Case],
    parts: tuple[Part, ...],
    digits: int = DIGITS,
    *,
    one_number: bool = False,
) -> Iterator[Recipe]:
    """Positions that begin anywhere and go on in equal steps, of the same size in every table."""
    case = max(cases, key=lambda case: case.d_model)
    first, step = _read_positions(_angles(case, parts))
    if not any(_tells(first, step, each) for each in cases):
        return
    if not math.isfinite(first) or not fits(_positions(first, step, parts), cases):
        return
    turns = turns_unseen(case.d_model)
    read = [(first + each, step) for each in turns]
    read += [(first, step + each) for each in turns[1:]]
    for start, each in in_few_digits(read, digits):
        told = is_told(start, case.d_model) and is_told(each, case.d_model)
        if told and fits(recipe := _positions(start, each, parts), cases):
            if not one_number or start == 0 or each == 1:
                yield recipe
            return


def _tells(first: float, step: float, case: Case) -> bool:
    """Whether other frequencies than the right ones would be seen, at these positions."""
    farthest = max(abs(first), abs(first + step * (case.length - 1)))
    return farthest * BASE ** (-2 / case.d_model if case.d_model > 2 else 0) > TELLING


def _positions(start: float, step: float, parts: tuple[Part, ...]) -> Recipe:
    says = f"The angles are those of positions that begin at {plain(start)}"
    says += f" and go on in steps of {plain(step)}" if step != 1 else ""
    says += f": so are those of {plain(step)} times the frequencies" if start == 0 else ""
    name = f"from-{plain(start)}" + (f"-by-{plain(step)}" if step != 1 else "")
    compute = lambda p, length: start + step * p
    return Recipe((*parts, Part("positions", name, f"{says}.", "Read", compute)))


def in_few_digits(
    read: Sequence[tuple[float, ...]], digits: int = DIGITS
) -> Iterator[tuple[float, ...]]:
    """What was read in 1, 2, … digits: a number that is rounded in two ways looks like two.

    The first of several readings counts in any digits, the others where they are quarters.
    """
    for each in range(1, min(digits, 6) + 1):
        yield _to_digits(read[0], each)
        if each == FEW:
            yield from filter(None, map(_in_quarters, read[1:]))
    if digits == DIGITS:
        first, *rest = read[0]
        yield (first, *_to_digits(rest, 6))
        yield read[0]


def _in_quarters(numbers: Sequence[float]) -> tuple[float, ...]:
    """The numbers in quarters, but those near 0 in few digits; nothing where that is not exact."""
    plain = tuple(
        round(4 * each) / 4 if abs(each) >= NEAR else float(f"{each:.{FEW}g}") for each in numbers
    )
    exact = all(abs(a - b) < EXACT for a, b in zip(plain, numbers, strict=True))
    return plain if exact else ()


def _to_digits(numbers: Sequence[float], digits: int) -> tuple[float, ...]:
    return tuple(float(f"{each:.{digits}g}") for each in numbers)


def turns_unseen(d_model: int) -> list[float]:
    """By how many positions a table may be shifted and stay as it is, 0 the first."""
    slowest = 2 * math.pi * BASE ** (1 - 2 / d_model)  # positions in a turn
    return [turns * slowest for turns in TURNS] if d_model in WHOLE_TURNS else [0.0]


def is_told(x: float, d_model: int) -> bool:
    """Whether a number of positions may be told, and is no half turn that a wrong sign made."""
    if d_model not in WHOLE_TURNS or abs(x) < NEAR:
        return True
    return (4 * x).is_integer() or (x,) == _to_digits([x], FEW)


def _read_positions(angles: Tensor) -> tuple[float, float]:
    """The first position and the step, from the angles (L, d/2) of rows in equal steps.

    Row 1 says roughly how long a step is, and rows farther on more exactly.
    """
    length, pairs = angles.shape
    omega = frequencies(torch.arange(0, 2 * pairs, 2).double(), 2 * pairs, length)  # (d/2,)
    slowest = 2 * math.pi / float(omega[-1])  # positions in a turn, after which all is guessed
    first = read_clock(angles[0], omega)
    step = 0.0
    for row in [*(8**n for n in range(20) if 8**n < length - 1), length - 1]:
        expected, read = first + row * step, read_clock(angles[row], omega)
        turns = round((expected - read) / slowest) if row > 1 else 0
        step = (read + turns * slowest - first) / row
    return first if abs(first) > AT_0 else 0.0, step if abs(step) > NO_STEP else 0.0


def read_clock(angles: Tensor, omega: Tensor) -> float:
    """The position of one row, read like a clock from its angles (d/2,).

    The slowest hand says roughly, and each faster one more exactly, up to whole turns.
    """
    x = float(angles[-1] / omega[-1])
    for angle, frequency in zip(angles.tolist()[-2::-1], omega.tolist()[-2::-1], strict=True):
        turns = round((x * frequency - angle) / (2 * math.pi))
        x = (angle + 2 * math.pi * turns) / frequency
    return x


def _scaled(cases: list[Case], recipes: Sequence[Recipe], digits: int = DIGITS) -> list[Recipe]:
    """A known table, every entry of which is multiplied by one factor."""
    case = cases[0]
    tried: list[list[Recipe]] = []
    for single, factor in zip(recipes, _read_factors(case, recipes), strict=True):
        if "finish" not in single.slots and abs(factor) > 1e-3 and abs(factor - 1) > 1e-3:
            tried.append([_times(each, single) for each in candidates(factor, digits)])
    fit = set(fitting([each for some in tried for each in some], cases))
    return [next(each for each in some if each in fit) for some in tried if fit.intersection(some)]


def _read_factors(case: Case, recipes: Sequence[Recipe]) -> list[float]:
    """The factor by which each recipe's first rows come nearest to the table's."""
    flat = torch.arange(min(case.length, 16) * case.d_model)
    p, c = (each.expand(len(recipes), -1) for each in (flat // case.d_model, flat % case.d_model))
    value = together(tuple(recipes)).entries(p, c, case.length, case.d_model).value  # (n, entries)
    given = case.values[p, c]
    factors: list[float] = (
        (given * value).sum(dim=1) / value.square().sum(dim=1).clamp(min=1e-9)
    ).tolist()
    return factors


def _times(factor: float, recipe: Recipe) -> Recipe:
    def finish(value: Tensor, p: Tensor, c: Tensor, length: int, d_model: int) -> Tensor:
        return factor * value

    says = f"Every entry is multiplied by {plain(factor)}."
    return Recipe((*recipe.parts, Part("finish", f"times-{plain(factor)}", says, "Read", finish)))


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


def _rounded(number: float, put: Put, cases: list[Case], digits: int = DIGITS) -> Iterator[Recipe]:
    """The recipe with the number in as few digits as give the tables; none if it gives none."""
    for candidate in candidates(number, digits):
        if fits(recipe := put(candidate), cases):
            yield recipe
            return


def candidates(number: float, digits: int = DIGITS) -> Iterator[float]:
    """The number in 1, 2, … digits; if it may have all of them, at the end as it is."""
    if not math.isfinite(number):
        return
    seen = set()
    rounded = [float(f"{number:.{each}g}") for each in range(1, min(digits, 6) + 1)]
    for candidate in [*rounded, *([number] if digits == DIGITS else [])]:
        if candidate not in seen:
            seen.add(candidate)
            yield candidate


def plain(number: float) -> str:
    """Six digits, or as many as stand before the point, and none after it in a whole number."""
    if abs(number) >= 1e15:
        return f"{number:.3e}"
    return f"{number:.0f}" if abs(number) > 999_999 else f"{number:.6g}"
