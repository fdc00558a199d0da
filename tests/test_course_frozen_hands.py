"""The numbers that set 4's experiment and its rubric tell, in any draw."""

from __future__ import annotations

import importlib.util

import pytest

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


def test_what_the_rubric_tells_of_one_draw() -> None:
    told = [range(8), range(24, 32), [0, *range(25, 32)], [0, 1, 2, 3, 4, 5, 7, 9]]
    shares = [frozen_hands.share("sinusoid", 44, frozen_hands.columns(pairs)) for pairs in told]
    assert [f"{share:.2f}" for share in shares] == ["0.97", "0.12", "0.22", "0.98"]
    rubric = (TASKS / "set4" / "07-frozen-hands" / "rubric.md").read_text(encoding="utf-8")
    assert all(f"{share:.2f}" in rubric for share in shares)
