"""What set 4's figure shows has one answer to each of its questions, whatever was drawn."""

from __future__ import annotations

import pytest

from course.sets.tasks import TASKS, read_task

TASK = read_task(TASKS / "set4" / "04-four-curves")
SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_question_has_one_answer(seed: int) -> None:
    given = TASK.drawn(seed)
    letters = dict(zip(("RoPE", "T5", "Shaw", "ALiBi"), given["which"], strict=True))
    curves = {
        name: [int(score) for score in " ".join(given["curves"][letter]).split()]
        for name, letter in letters.items()
    }
    middle = given["furthest"]
    assert {len(curve) for curve in curves.values()} == {2 * middle + 1}

    rope, t5, shaw, alibi = curves.values()
    assert [offset - middle for offset, score in enumerate(rope) if score == max(rope)] == [
        given["aim"]
    ]
    assert t5.count(t5[middle - given["distance"]]) == given["together"] > 1
    for side in (shaw[middle::-1], shaw[middle:]):
        first = next(n for n in range(len(side)) if len(set(side[n:])) == 1)
        assert first == given["clip"]
    assert alibi == alibi[::-1] == sorted(alibi[:middle]) + sorted(alibi[middle:], reverse=True)
