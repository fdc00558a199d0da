"""The family explorer: its numbers are those of the encodings, and say what each can say."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
import torch
from expected import scores
from front_end import assert_close, call, numbers
from torch import Tensor

from pe_lab import figures
from pe_lab.encodings import bucket
from pe_lab.explorers import FamilyExplorer
from pe_lab.explorers.family import ENCODINGS, REACH, SCALINGS

State = dict[str, Any]

AIMS = (-REACH, -20, -1, 0, 7, REACH)
START = {
    name: getattr(FamilyExplorer(), name) for name in FamilyExplorer.settings
}  # every setting at its start
GRID: dict[str, dict[str, tuple[object, ...]]] = {
    "sinusoid": {
        "aim": AIMS,
        "d_model": (4, 64, 128),
        "base": (10.0, 1e4, 1e6),
        "factor": (1, 3, 16),
    },
    "RoPE": {
        "aim": (-20, REACH),
        "d_model": (4, 6, 64),
        "base": (10.0, 1e4, 1e6),
        "scaling": SCALINGS,
        "factor": (1, 4, 16),
        "max_length": (16, 192, 512),
    },
    "learned table": {"aim": AIMS, "max_length": (16, 128, 129, 192, 257, 512)},
    "Shaw": {"aim": AIMS, "clip": (1, 16, 32)},
    "T5 bias": {
        "aim": (-REACH, -1, 0, 7),
        "buckets": (2, 3, 7, 16, 31, 32),
        "max_distance": (17, 18, 32, 64, 100, 128),
    },
    "ALiBi": {"aim": (-20, 3), "head": tuple(range(1, 9))},
    "none": {"aim": (0,)},
}


def states_of(name: str) -> list[State]:
    """All settings of the grid of one encoding, which stands on both sides."""
    values = GRID[name]
    states = [
        {**START, "one": name, "two": name, **dict(zip(values, each, strict=True))}
        for each in itertools.product(*values.values())
    ]
    if name != "RoPE":
        return states
    least = {setting: each[0] for setting, each in values.items()}
    return [  # what is not read stays as it is: check_uses
        state
        for state in states
        if (state["scaling"] != "none" or state["factor"] == least["factor"])
        and (state["scaling"] == "YaRN" or state["max_length"] == least["max_length"])
    ]


def summit(scores: Tensor) -> dict[str, Any] | None:
    """What the front end says of a curve, (257,)."""
    there = scores[~scores.isnan()]
    if not len(there):
        return None
    largest = there > there.max() - 1e-9
    at = (largest.nonzero().flatten() - REACH).tolist()
    ahead = None if largest.all() else float(there.max() - there[~largest].max())
    return {"first": at[0], "last": at[-1], "count": len(at), "ahead": ahead}


def check_family(module: str) -> None:
    check_uses(module)
    check_last_bucket(module)
    each_in_turn = itertools.zip_longest(*map(states_of, ENCODINGS))
    states = [state for some in each_in_turn for state in some if state is not None]
    for state, shown in zip(states, numbers(module, states), strict=True):
        curve = scores(state["one"], **state)
        assert shown[0] == shown[1]
        assert_close(shown[0]["scores"], curve[~curve.isnan()], 1e-11)
        expected = summit(curve)
        if expected is None:
            assert shown[0]["summit"] is None
            continue
        found = shown[0]["summit"]
        assert (found["first"], found["last"], found["count"]) == (
            expected["first"],
            expected["last"],
            expected["count"],
        )
        assert (found["ahead"] is None) == (expected["ahead"] is None)
        if found["ahead"] is not None:
            assert_close(found["ahead"], expected["ahead"], 1e-11)


def check_last_bucket(module: str) -> None:
    states = [state for state in states_of("T5 bias") if state["aim"] == 0]  # which is not read
    for state, found in zip(states, call(module, "lastBucket", [[s] for s in states]), strict=True):
        shape = {"buckets": 2 * state["buckets"], "max_distance": state["max_distance"]}
        side = bucket(-torch.arange(REACH + 1), **shape)
        assert side[found] == side[-1] == state["buckets"] - 1
        assert found == 0 or side[found - 1] < side[-1]


def check_uses(module: str) -> None:
    """A setting that is said to be read changes something somewhere; another changes nothing."""
    named = [(name, "none") for name in ENCODINGS] + [("RoPE", each) for each in SCALINGS[1:]]
    asked = [
        [name, {**START, "one": name, "scaling": scaling, "factor": 4}] for name, scaling in named
    ]
    for (name, start), read in zip(asked, call(module, "uses", asked), strict=True):
        scaling = start["scaling"]
        for setting in set(START) - {"one", "two"}:
            other = "interpolation" if scaling != "interpolation" else "none"
            others = {"base": 100.0, "scaling": other, "max_length": 130, "max_distance": 30}
            changed = {**start, setting: others.get(setting, 6)}
            before, after = (scores(name, **each) for each in (start, changed))
            same = torch.equal(before.nan_to_num(9), after.nan_to_num(9))
            assert same == (setting not in read), (name, scaling, setting)


def made(name: str, **more: Any) -> dict[str, Any]:
    found = summit(FamilyExplorer(name, **more).encoding[0])
    assert found is not None
    return found


@pytest.mark.parametrize("aim", [-100, -20, -3, 0, 3, 100])
def test_what_each_can_say(aim: int) -> None:
    for exact in ("sinusoid", "RoPE"):
        assert made(exact, aim=aim)["count"] == 1
        assert made(exact, aim=aim)["first"] == aim
    assert made("ALiBi", aim=aim) == {"first": 0, "last": 0, "count": 1, "ahead": 0.5}
    assert made("none", aim=aim)["count"] == 2 * REACH + 1
    table = made("learned table", aim=aim)  # 192 rows: 63 ahead, and no more
    assert table["count"] == (1 if aim < 64 else 192)
    shaw = made("Shaw", aim=aim)
    assert shaw["count"] == (1 if abs(aim) < 16 else REACH - 16 + 1)
    t5 = made("T5 bias", aim=aim)
    assert t5["first"] <= aim <= t5["last"]
    assert t5["count"] == {0: 1, 3: 1, 20: 7, 100: 38}[abs(aim)]


def test_interpolation_moves_what_a_head_looks_at_and_the_others_keep_the_near() -> None:
    assert made("sinusoid", aim=-5, factor=4)["first"] == -20
    assert made("RoPE", aim=-5, factor=4, scaling="interpolation")["first"] == -20
    for scaling in ("NTK-aware", "YaRN"):
        assert made("RoPE", aim=-5, factor=4, scaling=scaling)["first"] == -5


def test_rope_at_the_width_of_the_sinusoid_is_the_same_curve() -> None:
    one, two = FamilyExplorer("sinusoid", "RoPE", aim=-9).encoding
    assert torch.allclose(one, two, rtol=0, atol=1e-13)


def test_a_table_without_the_row_of_the_query_has_no_scores() -> None:
    assert FamilyExplorer("learned table", max_length=REACH).encoding[0].isnan().all()
    assert FamilyExplorer("learned table", max_length=REACH + 1).encoding[0][: REACH + 1].sum() == 1


# The sentence about both encodings.
SAID = """
export const said = (state) =>
  numbers(state).map((each, n) => says([state.one, state.two][n], state, each));
"""


def test_a_small_lead_is_not_said_to_be_none() -> None:
    module = FamilyExplorer.module() + SAID
    state = {**START, "two": "sinusoid", "base": 10.0, "factor": 16}
    [[said, _]] = call(module, "said", [[state]])
    assert said.endswith("largest at offset 106 alone, by less than 0.0001.")
    [[said, same]] = call(module, "said", [[{**START, "two": "none"}]])
    assert re.search(r"largest at offset −20 alone, by 0\.\d{4}\.$", said)
    assert same.endswith("largest at 257 offsets, from −128 to 128.")


def test_the_still_picture_names_an_aim_that_it_shows() -> None:
    for one, two, label in (
        ("RoPE", "T5 bias", "offset k; dotted: the aim, −20"),
        ("ALiBi", "RoPE", "offset k; dotted: the aim, −20"),
        ("ALiBi", "none", "offset k"),
    ):
        assert FamilyExplorer(one, two).still().axes[-1].get_xlabel() == label


@pytest.mark.parametrize("two", ["learned table", "ALiBi"])
def test_the_still_picture_has_both_curves_and_the_aim_of_those_that_have_one(two: str) -> None:
    explorer = FamilyExplorer("RoPE", two, aim=7)
    for ax, name, curve in zip(
        explorer.still().axes, ("RoPE", two), explorer.encoding, strict=True
    ):
        curves = {line.get_color(): line for line in ax.lines}
        drawn = torch.as_tensor(curves[figures.SINE].get_xydata())  # (257, 2)
        assert torch.equal(drawn[:, 0], torch.arange(-REACH, REACH + 1).double())
        assert torch.equal(drawn[:, 1].nan_to_num(9), curve.nan_to_num(9))
        aims = [curves[figures.COSINE].get_xdata()] if figures.COSINE in curves else []
        assert [list(each) for each in aims] == ([] if name == "ALiBi" else [[7, 7]])
