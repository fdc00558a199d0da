"""A mistake is named by its own name, what is right passes in any style, and nobody is misled."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from pe_core import sinusoidal_table, stepwise
from pe_lab.clinic.healthy import euler, exp_log, masks
from pe_lab.diagnosis import Diagnosis, diagnose, diagnose_offset
from pe_lab.diagnosis.conventions import CONVENTIONS, Convention
from pe_lab.diagnosis.matching import PAIRS, SINGLES, Case, fits, fitting
from pe_lab.diagnosis.mistakes import BY_NAME, MISTAKES
from pe_lab.diagnosis.reading import Table, read
from pe_lab.diagnosis.recipe import RIGHT, Part, Recipe
from pe_lab.diagnosis.table import PROBES, tell

Encode = Callable[[int, int], Any]
names = st.sampled_from([recipe.name for recipe in SINGLES])
lengths = st.one_of(st.integers(2, 40), st.sampled_from([2, 3, 12, 700]))
widths = st.one_of(st.integers(1, 12).map(lambda pairs: 2 * pairs), st.sampled_from([2, 4, 6, 130]))


def recipe(name: str) -> Recipe:
    return Recipe(tuple(BY_NAME[part] for part in name.split(" + ")))


@cache
def found_of(each: Recipe) -> Diagnosis:
    """What is said of a function that computes it in float32."""
    return diagnose(lambda length, d: each.table(length, d).float())


def cases(encode: Encode) -> list[Case]:
    return [Case(Table(encode(*size))) for size in PROBES]


# What is right


def by_loops(length: int, d_model: int) -> list[list[float]]:
    table = [[0.0] * d_model for _ in range(length)]
    for p in range(length):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            table[p][2 * i], table[p][2 * i + 1] = math.sin(angle), math.cos(angle)
    return table


def by_einsum(length: int, d_model: int) -> np.ndarray:
    omega = 1 / 10000 ** (np.arange(0, d_model, 2, dtype=np.float32) / d_model)
    angle = np.einsum("i,j->ij", np.arange(length, dtype=np.float32), omega)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, d_model)


def by_one_function(length: int, d_model: int) -> Tensor:
    """As in KerasHub: every column twice, and two masks."""
    c = torch.arange(d_model)
    rates = (1 / 10000) ** ((2 * (c // 2)) / d_model)
    angles = torch.arange(length).unsqueeze(1) * rates
    return angles.sin() * (1 - c % 2) + angles.cos() * (c % 2)


def by_rotation(length: int, d_model: int) -> list[Tensor]:
    """Each row from the row before, in float64."""
    omega = 10000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    sine, cosine = torch.zeros(d_model // 2).double(), torch.ones(d_model // 2).double()
    rows = []
    for _ in range(length):
        rows.append(torch.stack([sine, cosine], dim=1).flatten())
        sine, cosine = (
            sine * omega.cos() + cosine * omega.sin(),
            cosine * omega.cos() - sine * omega.sin(),
        )
    return rows


STYLES: dict[str, Encode] = {
    "loops": by_loops,
    "numpy": masks,
    "exp and log": exp_log,
    "complex": euler,
    "einsum": by_einsum,
    "one function": by_one_function,
    "a recursion": by_rotation,
    "stepwise": stepwise,
    "exact": sinusoidal_table,
    "a batch axis": lambda length, d: exp_log(length, d).unsqueeze(0),
    "sequence first": lambda length, d: exp_log(length, d).unsqueeze(1),
    "float16": lambda length, d: exp_log(length, d).half(),
    "bfloat16": lambda length, d: exp_log(length, d).bfloat16(),
    "float16, widened": lambda length, d: exp_log(length, d).half().double(),
    "numpy, float16": lambda length, d: masks(length, d).astype(np.float16),
    "a parameter": lambda length, d: torch.nn.Parameter(exp_log(length, d)),
    "a transposed view": lambda length, d: exp_log(length, d).T.contiguous().T,
    "reversed twice": lambda length, d: masks(length, d)[::-1].copy()[::-1],
    "rounded to four digits": lambda length, d: masks(length, d).round(4),
    "a tuple of tuples": lambda length, d: tuple(map(tuple, by_loops(length, d))),
}


@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_in_any_style(style: str) -> None:
    encode = STYLES[style]
    found = diagnose(encode)
    assert (found.ok, found.name, found.untested) == (True, "right", ()), found
    assert diagnose(encode(50, 16)).ok


def test_a_long_table_in_float32_is_right_although_its_angles_are_rounded() -> None:
    table = stepwise(20_000, 64)
    assert (table - sinusoidal_table(20_000, 64)).abs().max() > 5e-4
    assert diagnose(table).ok
    assert not diagnose(table.double() + 1e-2).ok


def test_a_table_that_cannot_tell_says_so() -> None:
    found = diagnose(stepwise(10, 2))
    assert found.ok
    assert {"halves", "raw-column", "base-1000"} - {*found.untested} == {"raw-column"}
    assert "look the same" in found.message
    assert diagnose(stepwise(10, 6)).untested == (
        "bfloat16-positions",
        "float16-positions",
        "int8-positions",
        "uint8-positions",
        "float16-frequencies",
        "float16-angles",
    )


# Mistakes


def test_there_are_many_and_each_has_a_source_and_a_sentence_of_its_own() -> None:
    assert len(MISTAKES) >= 60
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
    assert len({mistake.says for mistake in MISTAKES}) == len(MISTAKES)
    for mistake in MISTAKES:
        assert mistake.slot in RIGHT
        assert mistake.says.endswith(".")
        assert len(mistake.source) > 15
    met = [mistake for mistake in MISTAKES if "Reasoned" not in mistake.source]
    assert len(met) >= 25


def test_every_mistake_gives_its_own_table_and_no_other() -> None:
    """The matrix mistakes × mistakes, on the probes: its diagonal and nothing beside it."""
    for single in SINGLES:
        assert fitting([Recipe(), *SINGLES], cases(single.table)) == [single]


@pytest.mark.parametrize("single", SINGLES, ids=lambda each: each.name)
def test_a_mistake_gets_its_own_sentence_and_none_of_another(single: Recipe) -> None:
    found = found_of(single)
    if found.convention:
        assert found.convention.recipe.name == single.name
        assert found.convention.says in found.message
        return
    named = found.name.split(" or ")
    assert (found.ok, named[0]) == (False, single.name), found
    assert single.parts[0].says in found.message
    said = [each.name for each in MISTAKES if each.says in found.message]
    assert {*said} <= {part for each in named for part in each.split(" + ")}, found
    for each in named:
        assert _same(each, single), (single.name, each)


# What gives the tables of one mistake at every size: said beside it.
COINCIDE = {
    "slow-first": "exchanged + columns-reversed",
    "exchanged": "slow-first + columns-reversed",
    "columns-reversed": "slow-first + exchanged",
    "sine-negated": "from-0-by--1",
}


def test_what_gives_the_same_tables_by_two_mistakes_is_said_beside_the_one() -> None:
    for name, other in COINCIDE.items():
        found = diagnose(recipe(name).table)
        assert found.name == f"{name} or {other}"
        assert found.message.endswith("They give the same table at other sizes too.")
    assert {each.name for each in SINGLES if " or " in found_of(each).name} == {*COINCIDE}
    found = diagnose(recipe("half-minus-one").table(12, 10))
    assert found.name == "half-minus-one or base-100000"
    assert found.message.endswith("A table of 12 × 6 tells them apart.")
    assert diagnose(recipe("centred").table(11, 6)).name == "centred or from--5"
    assert "from-0" not in diagnose(recipe("turns").table(37, 2)).name  # by steps of 1e-16


def test_of_two_mistakes_what_follows_from_one_alone_is_not_said() -> None:
    """Halves put all sines before all cosines; not if these have changed places first."""
    follows = [each.says.partition(": ")[2] for each in MISTAKES if ": " in each.says]
    assert len(follows) > 30
    for pair in PAIRS:
        assert not [each for each in follows if each in tell(pair)], pair.name
    said = diagnose(recipe("from-1 + exchanged + halves").table).message
    assert said == (
        "3 things at once. Positions are counted from 1. The two halves are concatenated, and the "
        "cosines stand first."
    )


@pytest.mark.parametrize(
    ("omega", "name"),
    [
        (0.05, "second-frequency-0.05"),
        (100000**-0.5, "second-frequency-0.00316228"),
        (0.001, "second-frequency-0.001"),
        (500**-0.5, "second-frequency-0.0447214"),
        (0.1, "pair-number-only or second-frequency-0.1"),
        (1000**-0.5, "base-1000 or second-frequency-0.0316228"),
    ],
)
def test_of_two_pairs_nobody_says_which_base(omega: float, name: str) -> None:
    """One number makes the table: it is told, with the bases and the exponent that give it."""
    angles = torch.arange(20).double().unsqueeze(1) * torch.tensor([1, omega], dtype=torch.float64)
    found = diagnose(torch.stack([angles.sin(), angles.cos()], -1).flatten(1))
    assert found.name == name
    for number in (omega, omega**-2, 1 / omega, -math.log(omega, 10000)):
        assert f"{number:.6g}".replace("1e+06", "1000000") in found.message
    assert "two pairs do not tell why" in found.message


def test_rounding_to_16_bits_is_said_as_that() -> None:
    def said(table: Tensor) -> str:
        return diagnose(table).message

    exact = sinusoidal_table(20, 6, dtype=torch.float64)
    assert "rounded" not in said(exact)
    assert "results rounded to 16 bits, to bfloat16 (8 binary digits)." in said(exact.bfloat16())
    assert "results rounded to 16 bits, to float16 (11 binary digits)." in said(exact.half())
    assert "bfloat16" in said(recipe("from-1").table(20, 6).bfloat16())
    few = said(exact[:2, :2].bfloat16())
    assert "numbers of bfloat16 (8 binary digits) and float16 (11 binary digits)" in few
    assert "too few to tell" in few
    assert "rounded" not in said(torch.zeros(20, 6))
    assert "values are those of positions rounded to bfloat16" in said(
        recipe("bfloat16-positions").table(300, 6)
    )


@pytest.mark.parametrize("d_model", [6, 14, 64])
def test_the_recipe_is_the_formula_to_the_last_digits(d_model: int) -> None:
    """At widths, too, at which 2i/d is no binary fraction: in float32 it was off by 1e-7."""
    table = Recipe().table(300, d_model)
    assert (table - stepwise(300, d_model, dtype=torch.float64)).abs().max() < 1e-12


def test_two_mistakes_are_both_named() -> None:
    """Of nearly two thousand pairs a few; those that give another's table, by that name."""
    for pair in PAIRS[::41]:
        found = diagnose(pair.table)
        if found.name in {"unknown", "nan"}:
            known = [each.known for each in _entries(pair)]
            assert found.name == "nan" or min(k.double().mean() for k in known) < 0.5, pair.name
        else:
            for each in found.name.split(" or "):
                assert _same(each, pair), (pair.name, found.name)
            if " or " not in found.name and len(found.name.split(" + ")) == len(pair.parts):
                assert found.name == pair.name or _same(found.name, pair)


def _entries(recipe: Recipe) -> list[Any]:
    return [_entries_of(recipe.name, *size) for size in PROBES]


def _entries_of(name: str, length: int, d_model: int) -> Any:
    p, c = torch.arange(length).unsqueeze(1), torch.arange(d_model)
    return recipe(name).entries(p, c, length, d_model)


def _same(name: str, other: Recipe) -> bool:
    """A name that the search gave stands for the same numbers, to the tolerance."""
    for convention in CONVENTIONS:
        if convention.name == name:
            return fits(convention.recipe, cases(other.table))
    if any(part not in BY_NAME for part in name.split(" + ")):
        return True  # it has a number that was read, and was compared with the whole table
    return fits(recipe(name), cases(other.table))


def of_width(length: int, d_model: int, width: int) -> Tensor:
    """The exponent 2i/width, whatever the width of the table is."""
    return stepwise(length, d_model, base=10000 ** (d_model / width))


def undivided(length: int, d_model: int) -> Tensor:
    """10000 ** (2 * i), the division by the width forgotten."""
    angles = torch.outer(torch.arange(length), 1e4 ** -(2 * torch.arange(d_model // 2).double()))
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


@pytest.mark.parametrize(
    ("encode", "name"),
    [
        (lambda L, d: stepwise(L, d, base=500), "base-500"),
        (lambda L, d: stepwise(L, d, base=500_000), "base-500000"),
        (lambda L, d: stepwise(L, d, base=1_500_000), "base-1500000"),
        (lambda L, d: stepwise(L, d, base=1.7), "base-1.7"),
        (lambda L, d: of_width(L, d, 512), "width-512"),
        (undivided, "width-1"),  # the base of d = 14 alone is 10^56
        (lambda L, d: sinusoidal_table(L, d, start=7), "from-7"),
        (lambda L, d: sinusoidal_table(L, d, start=1000), "from-1000"),
        (lambda L, d: sinusoidal_table(4 * L, d)[::4], "from-0-by-4"),
        (lambda L, d: sinusoidal_table(2 * L, d, start=5)[::2], "from-5-by-2"),
        (lambda L, d: 3 * stepwise(L, d), "times-3"),
        (lambda L, d: 0.1 * recipe("raw-column").table(L, d), "raw-column + times-0.1"),
        (lambda L, d: recipe("halves").table(L, d) * -2, "halves + times--2"),
        (
            lambda L, d: torch.cat([stepwise(L, d, base=50)[:, s::2] for s in (0, 1)], 1),
            "base-50 + halves",
        ),
    ],
)
def test_a_mistake_with_a_number_is_named_with_the_number(encode: Encode, name: str) -> None:
    assert diagnose(encode).name == name


@pytest.mark.parametrize(
    ("d_model", "start", "step", "name"),
    [
        (4, 0, 400, "from-0-by-400"),
        (4, 0, 1000, "from-0-by-1000"),
        (4, 512, 1, "from-512"),
        (4, 1000, 0.5, "from-1000-by-0.5"),
        (4, -1024, 1, "from--1024"),
        (8, 5000, 1, "from-5000"),
        (8, 0, 100 / 49, "from-0-by-2.04082"),
        (8, 16384, 1, "from-16384"),
        # Many whole turns bring it near some number of few digits.
        (8, 0, 8 / 9, "from-0-by-0.88889"),
        (4, 0, math.pi, "from-0-by-3.14159"),
        (4, math.pi / 2, 1, "from-1.5708"),
        (4, 512.3, 1, "unknown"),  # or -116.019
        (6, 1e4 / 7, 1, "from-1428.57"),  # and no more steps of 1
    ],
)
def test_positions_after_whole_turns_of_all_hands_are_told_by_the_plainest_number(
    d_model: int, start: float, step: float, name: str
) -> None:
    """At d = 4 and 8 a turn of the slowest hand is whole turns of the others, too."""
    omega = 1e4 ** -(torch.arange(0, d_model, 2).double() / d_model)
    angles = torch.outer(start + step * torch.arange(20).double(), omega)
    assert diagnose(torch.stack([angles.sin(), angles.cos()], -1).flatten(1)).name == name


@pytest.mark.parametrize("d_model", [4, 8])
def test_a_pair_of_the_wrong_sign_is_no_first_position(d_model: int) -> None:
    """Half a turn of the slowest hand puts it there: 314.159 positions, or 3141.59."""
    table = sinusoidal_table(20, d_model, dtype=torch.float64)
    table[:, -2:] *= -1
    assert diagnose(table).name == "unknown"


@pytest.mark.parametrize("width", [64, 512, 768])
def test_a_width_that_is_always_the_same_is_named_and_in_one_table_with_its_base(
    width: int,
) -> None:
    found = diagnose(of_width(50, 8, width))
    assert found.name == f"width-{width}"
    base = f"{10000 ** (8 / width):.6g}"
    assert found.message.endswith(f": the frequencies are those of the base {base}.")
    assert "the base" not in diagnose(lambda L, d: of_width(L, d, width)).message
    assert diagnose(stepwise(50, 8, base=1.155)).name == "base-1.155"
    assert diagnose(stepwise(50, 8, base=1e12)).name == "base-1000000000000"
    one_table = diagnose(undivided(50, 8))
    assert one_table.name == "width-1"
    assert one_table.message.endswith(": the frequencies are those of the base 1.000e+32.")


def test_mistakes_that_a_table_cannot_tell_apart_are_all_named() -> None:
    table = recipe("half-minus-one").table(10, 4)
    found = diagnose(table)
    assert found.name == "doubled-exponent or half-minus-one or second-frequency-0.0001"
    for name in found.name.split(" or ")[:2]:
        assert BY_NAME[name].says in found.message
    assert diagnose(recipe("halves").table(10, 4)).name == "halves"
    convention = diagnose(torch.cat([table[:, 0::2], table[:, 1::2]], dim=1))
    assert convention.name == "tensor2tensor or doubled-exponent + halves"
    assert "same numbers come from doubled-exponent + halves." in convention.message


@settings(max_examples=25, deadline=None)
@given(name=names, length=lengths, d_model=widths)
def test_at_any_size_a_mistake_is_among_those_named(name: str, length: int, d_model: int) -> None:
    table = recipe(name).table(length, d_model)
    found = diagnose(table)
    if found.ok:
        assert name in found.untested
    elif found.convention:
        assert fits(found.convention.recipe, as_read(table))
    elif found.name not in {"nan", "infinity", "unknown"}:
        named = found.name.split(" or ")
        assert name in named or all(_read_or_same(each, table) for each in named)
    else:
        grid = torch.arange(length).unsqueeze(1), torch.arange(d_model)
        known = recipe(name).entries(*grid, length, d_model).known
        assert found.name != "unknown" or known.double().mean() < 0.5


@settings(max_examples=15, deadline=None)
@given(
    number=st.integers(0, len(PAIRS) - 1),
    length=st.sampled_from([2, 3, 12, 60]),
    d_model=st.sampled_from([2, 4, 6, 10]),
)
def test_at_any_size_two_mistakes_get_no_name_that_gives_another_table(
    number: int, length: int, d_model: int
) -> None:
    pair = PAIRS[number]
    table = pair.table(length, d_model)
    found = diagnose(table)
    if found.ok:
        assert fits(Recipe(), as_read(table))
    elif found.convention:
        assert fits(found.convention.recipe, as_read(table))
    elif found.name not in {"nan", "infinity", "unknown", "transposed"}:
        assert all(_read_or_same(each, table) for each in found.name.split(" or "))


def test_angles_of_16_bits_are_told_as_results_of_16_bits() -> None:
    """Of the angles alone nobody sees whether they or their factors were rounded."""
    found = diagnose(recipe("float16-angles + no-wave").table(12, 6))
    assert found.name == "no-wave"
    assert "rounded to 16 bits, to float16" in found.message


def as_read(table: Tensor) -> list[Case]:
    """With the digits that it has."""
    found = read(table)
    assert isinstance(found, Table)
    return [Case(found)]


def _read_or_same(name: str, table: Tensor) -> bool:
    parts = name.split(" + ")
    return any(part not in BY_NAME for part in parts) or fits(recipe(name), as_read(table))


# Never a wrong name


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.sampled_from([(3, 4), (10, 6), (33, 14)]))
def test_a_random_table_is_not_named(seed: int, size: tuple[int, int]) -> None:
    generator = torch.Generator().manual_seed(seed)
    found = diagnose(torch.rand(size, generator=generator) * 2 - 1)
    assert (found.ok, found.name) == (False, "unknown")
    assert "Not one of the known mistakes" in found.message


@settings(max_examples=25, deadline=None)
@given(
    name=names,
    place=st.floats(0, 1, exclude_max=True),
    size=st.sampled_from([-0.3, -0.02, -0.002, 0.002, 0.02, 0.3]),
)
def test_a_mistake_with_one_entry_changed_is_no_longer_that_mistake(
    name: str, place: float, size: float
) -> None:
    table = recipe(name).table(60, 8)
    flat = int(place * table.numel())
    entry = recipe(name).entries(torch.tensor(flat // 8), torch.tensor(flat % 8), 60, 8)
    may_be = entry.high - entry.low >= abs(size)  # as float32 may give it
    if not entry.known or (may_be and not recipe(name).in_steps):
        return
    table.view(-1)[flat] += size
    found = diagnose(table)
    assert not found.ok
    assert name not in found.name.split(" or ")
    for each in found.name.split(" or "):
        assert each == "unknown" or _read_or_same(each, table)


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 0], [0.37, 0.62]],
        [[0, 0], [0.37, 0.62], [1.5, 1.2], [2.9, 2.1]],
        [[0, 1, 0, 1], [0, 0.5, 0, 0.3]],
        [[0, 1, 0, 1], [0, 0, 0, 0.3], [0, 0, 0, 0.7], [0, 0, 0, 0.2]],
    ],
)
def test_what_lies_between_two_steps_was_rounded_to_neither(rows: list[list[float]]) -> None:
    """The cosine of 0.0001 may be cut off to 0 or to 1: not to 0.37."""
    assert diagnose(torch.tensor(rows)).name == "unknown"


@pytest.mark.parametrize("name", [each.name for each in MISTAKES if each.in_steps])
def test_an_entry_that_may_lie_on_either_of_two_steps_lies_on_one(name: str) -> None:
    table, entries = recipe(name).table(300, 8), _entries_of(name, 300, 8)
    row, column = (entries.high > entries.low).nonzero()[0].tolist()
    ends = float(entries.low[row, column]), float(entries.high[row, column])
    for end in ends:
        table[row, column] = end
        assert diagnose(table).name == name
    table[row, column] = sum(ends) / 2
    assert diagnose(table).name == "unknown"


def test_what_tells_nothing_of_a_mistake_is_counted_and_lies_where_it_can() -> None:
    """Positions times denominators: float32 holds next to nothing of the largest angles."""
    table = recipe("multiplied").table(300, 64)
    found = diagnose(table)
    assert found.name == "multiplied"
    unknown = int((~_entries_of(found.name, 300, 64).known).sum())
    assert 0 < unknown < 9600
    assert f" {unknown} of 19200 entries say nothing about that" in found.message
    for changed in (0.123, -1.5):
        other = table.clone()
        other[:, 44:] = changed
        assert diagnose(other).name == "unknown"
    assert "say nothing" not in diagnose(recipe("from-1").table(300, 64)).message


@settings(max_examples=15, deadline=None)
@given(
    dtype=st.sampled_from([torch.float16, torch.bfloat16, torch.float32, torch.float64]),
    row=st.integers(0, 59),
    column=st.integers(0, 7),
)
def test_each_dtype_has_its_tolerance(dtype: torch.dtype, row: int, column: int) -> None:
    """Rounding passes; an entry off by ten times what rounding does, or by 1e-3, does not."""
    table = sinusoidal_table(60, 8, dtype=torch.float64)
    assert diagnose(table.to(dtype)).ok
    table[row, column] += max(1e-3, 10 * torch.finfo(dtype).eps)
    found = diagnose(table.to(dtype))
    assert found.name == "unknown"
    assert f"It is in row {row}, column {column}:" in found.message


def test_what_is_not_known_is_described() -> None:
    table = stepwise(100, 8)
    table[41, 3] = 0.5
    said = diagnose(table).message
    assert "1 of 800 entries is wrong. It is in row 41, column 3: 0.5000 where" in said
    apart = abs(0.5 - float(stepwise(100, 8)[41, 3]))
    assert f"belongs. The difference is {apart:.4f}." in said
    table[70, 0] = 30
    assert "The largest difference is 29.2261, in row 70, column 0." in diagnose(table).message
    assert "Off the unit circle: pair 1." in said
    assert "No matrix shifts every row" in said

    spacing = torch.tensor([1.0, 0.7, 0.31, 0.013])
    angles = torch.arange(100).unsqueeze(1) * spacing
    said = diagnose(torch.stack([angles.sin(), angles.cos()], -1).flatten(1)).message
    assert "lies on the unit circle" in said
    assert "One matrix shifts every row by k, as it should, for k = 1 and 5: it misses none" in said

    smooth = angles.cos() + 1e-4 * (angles[:, :1] / 30).square()  # nearly, and not quite
    said = diagnose(torch.cat([angles.sin(), smooth], 1).double()).message
    share = re.search(r"No matrix shifts every row by 1: the best .* by (.*)% of a row", said)
    assert share
    assert 0.0022 < float(share[1]) < 0.1


def test_one_matrix_is_one_for_the_last_row_too() -> None:
    """Linear for 600 rows, and then held, wrapped or padded; or with a row of zeros in front."""
    table = stepwise(1_000, 8)
    zero = torch.zeros(1, 8)
    for broken, row in (
        (torch.cat([table[:600], table[599:600].repeat(400, 1)]), None),
        (torch.cat([table[:600], table[:400]]), 600),
        (torch.cat([table[:600], zero.repeat(400, 1)]), 600),
        (torch.cat([zero, table]), 1),
    ):
        said = diagnose(broken).message
        assert "No matrix shifts every row by 1: the best one misses row" in said
        if row:
            assert f"misses row {row}, from row {row - 1}, by" in said


@pytest.mark.parametrize(
    "table", [torch.ones(100, 8), torch.arange(100.0).unsqueeze(1).repeat(1, 8)], ids=["1", "p"]
)
def test_what_two_mistakes_leave_nothing_of_is_not_named_by_them(table: Tensor) -> None:
    assert diagnose(table).name == "unknown"


@pytest.mark.parametrize(("base", "sentence"), [(1e8, "the base is 10^8"), (1e2, "base is 100")])
def test_a_base_that_a_mistake_amounts_to_is_told_with_it(base: float, sentence: str) -> None:
    assert sentence in diagnose(lambda L, d: stepwise(L, d, base=base)).message


def test_what_looks_like_another_logarithm_at_one_width_alone_is_told_with_it() -> None:
    angles = torch.outer(torch.arange(10).double(), torch.exp(-torch.arange(4).double()))
    found = diagnose(torch.stack([angles.sin(), angles.cos()], -1).flatten(1))
    assert found.name == "log10"
    assert found.message.endswith("or, if d is 8, e^(-i) was computed.")


@pytest.mark.parametrize("length", [4095, 4096, 8190, 8191])
def test_one_matrix_is_found_where_hands_make_half_a_turn_a_row(length: int) -> None:
    angles = torch.arange(length).double().unsqueeze(1) * math.pi / 2 ** torch.arange(4)
    said = diagnose(torch.stack([angles.sin(), angles.cos()], -1).flatten(1)).message
    assert "One matrix shifts every row" in said


def test_rows_are_called_equal_if_they_are() -> None:
    apart = torch.tensor([0, 0.004, -0.004]).unsqueeze(1).repeat(1, 4)
    assert "All rows are equal to within 0.0080." in diagnose(apart).message
    repeated = stepwise(20, 6).repeat(2, 1)
    repeated[0, 0] = 0.5
    repeated[20, 0] = 0.5
    assert "Rows 0 and 20 are equal." in diagnose(repeated).message
    nearly = repeated[:21].double()
    nearly[20, 1] += 3e-7
    assert "Rows 0 and 20 are equal to within 3.0e-07." in diagnose(nearly).message
    assert diagnose(torch.full((9, 4), 0.25)).message.endswith("All rows are equal.")
    coarse = stepwise(40, 4).to(torch.bfloat16) + 2 * torch.eye(40, 4).to(torch.bfloat16)
    coarse[39] = coarse[38] * (1 + 2**-8)  # differs from it by its last digit
    assert not torch.equal(coarse[38], coarse[39])
    said = diagnose(coarse).message
    assert "equal" not in said
    assert "beyond 1" in diagnose(stepwise(20, 6).exp()).message


# What cannot be read


class Unreadable:
    def __repr__(self) -> str:
        return "Unreadable()"  # without its address, which every process has another of


@pytest.mark.parametrize(
    ("given", "name", "says"),
    [
        ("a table", "not-a-table", "'a table' of type str"),
        (None, "not-a-table", "None"),
        ({"pe": 1}, "not-a-table", "dict"),
        (3.5, "shape", "two axes"),
        (Unreadable(), "not-a-table", "table of numbers"),
        ([[1.0, 2.0], [3.0]], "ragged", "different lengths"),
        ([[1.0, 2.0], [10**400, 3.0]], "too-large", "too large for float64"),
        ([["a", "b"], ["c", "d"]], "not-a-table", "table of numbers"),
        ([], "shape", "two axes"),
        (torch.zeros(0, 8), "too-small", "at least 2 rows"),
        (torch.zeros(1, 8), "too-small", "(1, 8)"),
        (torch.zeros(8, 1), "too-small", "(8, 1)"),
        (stepwise(10, 6)[:, :5], "odd-width", "5 columns"),
        (stepwise(10, 6).flatten(), "shape", "(60,)"),
        (stepwise(10, 6).reshape(10, 3, 2), "shape", "flatten the last two"),
        (stepwise(10, 6).reshape(10, 3, 2).movedim(2, 0), "shape", "along axis 0, they"),
        (stepwise(10, 6).expand(4, 10, 6), "shape", "not a batch"),
        (torch.polar(torch.ones(10, 3), torch.ones(10, 3)), "complex", "complex numbers"),
        (stepwise(9, 6).T, "unknown", "entries are wrong"),
        (stepwise(10, 6).T[:, :9], "transposed", "exchanged"),
        (stepwise(7, 6).T, "transposed", "exchanged"),
        (stepwise(10, 6).T, "transposed", "exchanged"),
    ],
    ids=str,
)
def test_what_is_no_table_gets_a_sentence(given: object, name: str, says: str) -> None:
    found = diagnose(given)
    if name == "unknown":  # 6 rows of 9 columns: transposed, and then it is right
        assert found.name == "transposed"
        return
    assert (found.ok, found.name) == (False, name), found
    assert says in found.message


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_nan_and_infinity_are_placed(value: float) -> None:
    table = stepwise(10, 6)
    table[3, 2] = value
    found = diagnose(table)
    assert not found.ok
    assert "in row 3, column 2" in found.message
    assert "All of it is in column 2." in found.message


def test_what_a_mask_hides_is_no_number() -> None:
    table = np.ma.array(stepwise(10, 6).numpy())
    assert diagnose(table).ok
    table[3, 2] = np.ma.masked
    found = diagnose(table)
    assert (found.ok, found.name) == (False, "nan")
    assert "in row 3, column 2" in found.message


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def leaves(length: int, d_model: int) -> Tensor:
    raise SystemExit


def mute(length: int, d_model: int) -> Tensor:
    raise Mute


def division_by_zero(length: int, d_model: int) -> Tensor:
    angle = torch.arange(length).unsqueeze(1) / (10000**2 * torch.arange(d_model // 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)


def forgets_to_return(length: int, d_model: int) -> None:
    stepwise(length, d_model)


def only_small(length: int, d_model: int) -> Tensor:
    return stepwise(10, 6)


def raises(length: int, d_model: int) -> Tensor:
    raise ZeroDivisionError("float division by zero")


@pytest.mark.parametrize(
    ("function", "name", "says"),
    [
        (raises, "raises", "raises(300, 8) raised ZeroDivisionError: float division by zero"),
        (lambda d: stepwise(10, d), "raises", "takes 1 positional argument"),
        (leaves, "raises", "leaves(300, 8) raised SystemExit"),
        (mute, "raises", "mute(300, 8) raised Mute"),
        (lambda length, d: Mute(), "not-a-table", "something of type Mute"),
        (forgets_to_return, "nothing", "forgets_to_return(300, 8) returned None"),
        (only_small, "shape", "only_small(300, 8) must have the shape (300, 8), and has (10, 6)."),
        (lambda length, d: stepwise(d, length), "shape", "or the two arguments are"),
        (lambda length, d: stepwise(length, d)[:, 0::2], "shape", "one column for each pair"),
        (lambda length, d: stepwise(length - 1, d), "shape", "a row is missing"),
        (lambda length, d: stepwise(length, d + 2)[:, :-1], "shape", "a column too many"),
        (lambda length, d: stepwise(length, 2 * d), "shape", "of its own"),
        (lambda length, d: torch.rand(length, d), "unsteady", "dropout"),
        (lambda length, d: stepwise(length, d)[None].expand(3, length, d), "shape", "batch"),
        (division_by_zero, "nan", "division by zero"),
        (lambda length, d: "pe", "not-a-table", "str"),
        (lambda length, d: stepwise(length, d) if length > 40 else None, "nothing", "(37, 14)"),
    ],
)
def test_a_function_that_gives_no_table_gets_a_sentence(
    function: Encode, name: str, says: str
) -> None:
    found = diagnose(function)
    assert (found.ok, found.name) == (False, name), found
    assert says in found.message


# Conventions


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda each: each.name)
@pytest.mark.parametrize(("length", "d_model"), [(300, 8), (11, 6), (64, 64)])
def test_a_convention_is_named_as_one_and_converted(
    convention: Convention, length: int, d_model: int
) -> None:
    found = found_of(convention.recipe)
    assert found.convention is convention
    assert found.name == convention.name
    assert "not a mistake" in found.message
    assert convention.source in found.message
    theirs = convention.recipe.table(length, d_model)
    ours = convention.to_ours(theirs)
    assert not diagnose(theirs).ok
    torch.testing.assert_close(ours, sinusoidal_table(length, d_model, dtype=torch.float64))
    assert convention.to_ours(theirs.float()).dtype == torch.float32


def fairseq(length: int, d_model: int) -> Tensor:
    """The rows that fairseq adds, from memory of its formula alone."""
    rates = torch.exp(torch.arange(d_model // 2) * -(math.log(10000) / (d_model // 2 - 1)))
    angles = torch.arange(2, length + 2).unsqueeze(1) * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def test_a_table_made_as_fairseq_makes_it_is_recognised() -> None:
    found = diagnose(fairseq)
    assert found.name == "fairseq"
    assert found.convention is not None
    assert diagnose(found.convention.to_ours(fairseq(50, 16))).ok


def test_a_mistake_in_a_convention_is_named_beside_it() -> None:
    found = diagnose(lambda length, d: recipe("halves + half-minus-one + from-1").table(length, d))
    assert found.name == "from-1 + half-minus-one + halves"


# The result


def test_a_result_is_short_and_always_the_same() -> None:
    found = diagnose(recipe("from-1").table(10, 6))
    assert repr(found) == "Diagnosis(ok=False, name='from-1')"
    assert str(found) == found.message == BY_NAME["from-1"].says
    assert not found
    assert diagnose(stepwise(10, 6))


def test_the_picture_shows_where_the_two_part() -> None:
    table = stepwise(100, 64)
    table[90, 50] = 0.5
    found = diagnose(table)
    figure = found.figure()
    assert [ax.get_title(loc="center") for ax in figure.axes] == ["yours", "right", "difference"]
    yours, right, difference = (ax.images[0].get_array() for ax in figure.axes)
    assert yours.shape == right.shape == difference.shape == (32, 32)
    assert (np.abs(difference) > 1e-3).sum() == 1
    assert figure.axes[0].images[0].get_extent() == [31.5, 63.5, 99.5, 67.5]
    assert "rows 68 to 99 and columns 32 to 63" in found.alt()
    assert "1 of 6400 entries differ" in found.alt()
    assert diagnose(stepwise(4, 6)).figure().axes[2].images[0].get_array().max() < 1e-3
    with pytest.raises(ValueError, match="nothing to draw"):
        diagnose("no table").figure()


def test_parts_of_one_slot_cannot_be_combined() -> None:
    with pytest.raises(ValueError, match="different slots"):
        recipe("from-1 + from-2")
    with pytest.raises(ValueError, match="different slots"):
        Recipe((Part("colour", "x", "x.", "x", abs),))


@pytest.mark.parametrize("row", [[100, 200], [5, -7], [0.3, 0.4]])
def test_a_table_of_two_by_two_whose_second_row_is_anything_has_no_name(row: list[float]) -> None:
    assert diagnose([[0, 1], row]).name == "unknown"


def test_a_table_of_zeros_is_told_as_that_alone() -> None:
    """Many things at once give zeros, such as sines alone in rows of position 0."""
    found = diagnose(torch.zeros(10, 6))
    assert found.name == "all-zero"
    assert found.message == "Every entry is 0, as where nothing was written into the table."
    assert diagnose(torch.zeros(10, 2)).name == "all-zero or last-pair-zero"


def test_a_second_frequency_of_1_is_told_once() -> None:
    assert diagnose(recipe("all-one").table(10, 4)).name == "all-one"


def test_a_number_is_not_told_in_two_roundings() -> None:
    degrees = torch.arange(1, 11).unsqueeze(1) * recipe("degrees").table(2, 6)[1, 0::2].asin()
    found = diagnose(torch.cat([degrees.cos(), degrees.sin()], dim=1))
    assert found.name == "from-0.01745-by-0.01745 + exchanged + halves"


def test_integers_are_not_called_rounded_to_16_bits() -> None:
    for scaled in (127 * stepwise(20, 6), 127 * stepwise(20, 6) + 128):
        found = diagnose(scaled.to(torch.uint8))
        assert found.name == "unknown"
        assert "16 bits" not in found.message


def test_a_difference_in_the_fifth_digit_is_seen_in_the_sentence() -> None:
    """Row 0 is exact to everyone, so that less than 1e-4 is wrong there."""
    changed = stepwise(10, 6, dtype=torch.float64)
    changed[0, 2] += 2e-5
    changed[0, 3] -= 3e-5
    said = diagnose(changed).message
    assert "The first is in row 0, column 2: 0.00002 where 0.00000 belongs." in said
    assert "The largest difference is 3.0e-05, in row 0, column 3." in said


def test_a_function_that_is_right_at_some_sizes_is_told_which() -> None:
    def whole_denominators(length: int, d_model: int) -> Tensor:
        exponent = torch.arange(0, d_model, 2).double() / d_model
        angles = torch.arange(length).unsqueeze(1) / (10000**exponent).round(decimals=9).trunc()
        return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)

    found = diagnose(whole_denominators)
    assert found.name == "unknown"
    assert "At 37 × 14: " in found.message
    assert found.message.endswith("At 300 × 8 and 2100 × 4 it is right.")


def test_rows_that_are_all_equal_are_told_so() -> None:
    same = torch.linspace(0, 1, 6).repeat(10, 1)
    assert "All rows are equal." in diagnose(same).message
    same[9] += 0.1
    assert "Rows 0 and 1 are equal." in diagnose(same).message


@pytest.mark.parametrize("kind", [Fraction, Decimal])
def test_exact_numbers_are_numbers(kind: Callable[[float], object]) -> None:
    rows = stepwise(10, 6).tolist()
    assert diagnose([[kind(each) for each in row] for row in rows]).ok
    assert diagnose([[kind(each) for each in rows[0]], ["a"] * 6]).name == "not-a-table"
    assert diagnose([[kind(each) for each in rows[0]], [None] * 6]).name == "not-a-table"


def test_a_power_taken_too_early_is_no_turn_of_whole_turns() -> None:
    """p / 10000 ** 2 * i / d: every angle is practically 0, which many other things give, too."""

    def early_power(length: int, d_model: int) -> Tensor:
        p, i = torch.arange(length).unsqueeze(1), torch.arange(0, d_model, 2)
        angle = p.double() / 10000**2 * i / d_model
        return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)

    found = diagnose(early_power)
    assert found.name == "unknown"
    assert "All rows are equal to within 2.2e-06." in found.message
    assert diagnose(early_power(10, 6)).name == "unknown"


def woven(angles: Tensor) -> Tensor:
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def column(length: int) -> Tensor:
    return torch.arange(length).double().unsqueeze(1)


def of(base: float, d_model: int) -> Tensor:
    return float(base) ** -(torch.arange(0, d_model, 2).double() / d_model)


@pytest.mark.parametrize("exponents", ["2i", "i"])
def test_angles_that_are_practically_0_do_not_tell_how_far_the_steps_are(exponents: str) -> None:
    """10000 ** 2i and 10000 ** i with pairs from 1: each frequency is a thousandth or less."""

    def undivided(length: int, d_model: int) -> Tensor:
        i = torch.arange(1, d_model // 2 + 1).double() * (2 if exponents == "2i" else 1)
        return woven(column(length) / 10000.0**i)

    assert diagnose(undivided(10, 6)).name == "unknown"
    assert diagnose(undivided(10, 8)).name == "unknown"
    if exponents == "2i":
        assert diagnose(undivided).name == "unknown"


@pytest.mark.parametrize(
    ("by", "length", "d_model"), [(1000, 10, 6), (1000, 10, 8), (5000, 50, 16), (10000, 100, 64)]
)
def test_positions_divided_by_a_greatest_length_are_told(
    by: int, length: int, d_model: int
) -> None:
    name = diagnose(woven(column(length) / by * of(10000, d_model)).float()).name
    assert name == f"from-0-by-{1 / by}"


def test_a_forgotten_position_is_not_two_mistakes() -> None:
    def forgotten(length: int, d_model: int) -> Tensor:
        return woven(of(10000, d_model).expand(length, -1))

    assert diagnose(forgotten).name == "from-1-by-0"
    assert diagnose(forgotten(10, 6)).name == "from-1-by-0"


def test_a_start_or_a_step_is_told_beside_any_base() -> None:
    """Although the base has a sentence of its own."""
    for base in (100, 1000):
        names = diagnose(woven(column(10) / 10 * of(base, 6))).name
        assert re.search(r"from-0-by-0\.1 \+", names), names
        names = diagnose(woven((column(11) - 5) * of(base, 6))).name
        assert re.search(r"from--5 \+", names), names


def test_a_start_and_a_step_are_told_beside_two_mistakes_that_give_the_same() -> None:
    names = diagnose(woven(column(10) / 10 * of(10000, 8)).flip(0)).name
    assert names == "reversed + pairs-from-1 or from-0.9-by--0.1"


def test_what_float32_leaves_of_a_quarter_turn_is_no_position() -> None:
    angles = torch.arange(10).unsqueeze(1) * of(10000, 6).float()
    table = torch.stack([angles.cos(), (angles + math.pi / 2).cos()], dim=-1).flatten(1)
    assert diagnose(table).name == "from-0-by--1 + exchanged"


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_in_16_bits_a_base_near_10000_is_no_other(dtype: torch.dtype) -> None:
    p, c = torch.arange(10, dtype=dtype).unsqueeze(1), torch.arange(0, 6, 2, dtype=dtype)
    assert diagnose(woven(p * torch.exp(c * (-math.log(10000) / 6)))).name in {"right", "unknown"}
    assert diagnose(woven(p / 10000 ** (c / 6))).name in {"right", "unknown"}


def test_of_a_base_near_10000_it_is_said_that_16_bits_may_have_made_it() -> None:
    found = diagnose(woven(column(10) * of(9940, 6)).float())
    assert found.name == "base-9940"
    assert "the base 9940, which 10000 may come to in 16 bits." in found.message


def test_a_return_inside_the_loop_is_said_beside_the_integers_that_give_the_same() -> None:
    table = torch.zeros(10, 6)
    table[0, 1::2] = 1
    assert diagnose(table).message.endswith("an integer dtype, or row 0 alone was written.")


def test_what_cannot_be_compared_is_counted_and_no_sine_is_7() -> None:
    table = sinusoidal_table(600_000, 4)
    found = diagnose(table)
    unknown = re.search(r"but for (\d+) whose angles are too large", found.message)
    assert found.ok
    assert unknown
    assert 0 < int(unknown[1]) < 600_000
    table[450_000:, :2] = 7.0
    assert not diagnose(table).ok


# Elsewhere than usual


def test_where_torch_puts_new_tensors_does_not_matter() -> None:
    table = sinusoidal_table(40, 8)
    with torch.device("meta"):
        assert diagnose(table).ok
        assert diagnose(table * 1.5).name == "times-1.5"
        assert diagnose(table + 0.1).name == "unknown"
        assert diagnose(lambda L, d: sinusoidal_table(L, d, device="cpu")).ok
        devices = []
        diagnose(lambda L, d: devices.append(torch.empty(0).device.type))
        assert devices == ["meta"], "a student's function is called as the student calls it"
        assert diagnose_offset(torch.eye(8, device="cpu"), 3).name == "no-offset"


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_8_bits_are_read(dtype: torch.dtype) -> None:
    found = diagnose(sinusoidal_table(40, 8).to(dtype))
    assert found.given is not None
    assert found.given.shape == (40, 8)


def test_a_sentence_with_a_number_of_the_usual_base_is_not_said_of_another() -> None:
    numbers = re.compile(r"10\^|e\^|0001|10000|base (were|is \d|1000)")
    for mistake in MISTAKES:
        if mistake.slot == "frequencies" and numbers.search(mistake.says):
            assert mistake.fixed or mistake.of_any_base, mistake.name
            assert not numbers.search(mistake.of_any_base), mistake.name


def test_a_number_that_makes_the_table_of_two_mistakes_is_told_beside_them() -> None:
    """With the six columns of the book, another base or step looks like a mistake of its own."""
    angle = torch.outer(torch.arange(10).double(), 1e6 ** -(torch.arange(3) / 3).double())
    later = angle + angle[1]
    tenths = torch.outer(torch.arange(10).double() / 10, 1e4 ** -(torch.arange(3) / 3).double())

    def halves(angle: Tensor) -> Tensor:
        return torch.cat([angle.sin(), angle.cos()], dim=1)

    def pairs(*waves: Tensor) -> Tensor:
        return torch.stack(waves, dim=-1).flatten(1)

    for table, names in (
        (halves(angle), "tensor2tensor or base-1000000 + halves"),
        (pairs(later.sin(), later.cos()), "from-1 + half-minus-one or from-1 + base-1000000"),
        (pairs(angle.cos(), angle.sin()), "half-minus-one + exchanged or base-1000000 + exchanged"),
        (halves(tenths), "scaled-by-length + halves or from-0-by-0.1 + halves"),
    ):
        assert diagnose(table).name == names
