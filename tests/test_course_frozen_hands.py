"""The numbers that set 4's experiment and its rubric tell, in any draw."""

from __future__ import annotations

import importlib.util

import pytest
from torch import Tensor

from course.sets.tasks import TASKS

spec = importlib.util.spec_from_file_location(
    "frozen_hands", TASKS / "set4" / "07-frozen-hands" / "marking.py"
)
assert spec
assert spec.loader
frozen_hands = importlib.util.module_from_spec(spec)
spec.loader.exec_module(frozen_hands)


@pytest.mark.parametrize("model", ["sinusoid", "sinusoid, one head"])
@pytest.mark.parametrize("seed", [10, 44, 99])
def test_which_eight_pairs_do_well(model: str, seed: int) -> None:
    def right(*pairs: int) -> float:
        return frozen_hands.share(model, seed, frozen_hands.columns(pairs))

    fastest = right(*range(8))
    assert 0.94 < fastest < 0.98
    assert right(0, 1, 2, 3, 4, 5, 7, 9) > fastest
    assert right(0, *range(25, 32)) < 0.25
    assert right(*range(24, 32)) < 0.14


@pytest.mark.parametrize("model", ["sinusoid", "sinusoid, one head"])
@pytest.mark.parametrize("count", [3, 4, 5])
def test_rows_to_freeze_at_that_are_not_foreseen_get_no_name(model: str, count: int) -> None:
    """Some of their shares come near those of foreseen ones."""
    given = {"model": model, "seed": 20, "count": count}
    turning = {
        "fast": range(count),
        "slow": range(count, 32),
        "all_but_one": range(1, 32),
    }

    def second_row(table: Tensor) -> Tensor:
        return table[1]

    def middle_row(table: Tensor) -> Tensor:
        return table[16]

    for row in (second_row, middle_row):
        call = Values(
            {
                part: frozen_hands.share(model, 20, frozen_hands.columns(pairs), frozen=row)
                for part, pairs in turning.items()
            }
        )
        names = {mark.name for mark in frozen_hands.mark(call, given)}
        assert names <= {"right", "near", "unknown"}, names


class Values:
    """A student's cell that holds these."""

    def __init__(self, values: dict[str, float]) -> None:
        self.value = values.__getitem__


def test_what_the_rubric_tells_of_one_draw() -> None:
    told = [range(8), range(24, 32), [0, *range(25, 32)], [0, 1, 2, 3, 4, 5, 7, 9]]
    shares = [frozen_hands.share("sinusoid", 44, frozen_hands.columns(pairs)) for pairs in told]
    assert [f"{share:.2f}" for share in shares] == ["0.97", "0.12", "0.22", "0.98"]
    rubric = (TASKS / "set4" / "07-frozen-hands" / "rubric.md").read_text(encoding="utf-8")
    assert all(f"{share:.2f}" in rubric for share in shares)
