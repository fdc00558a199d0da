"""The answers of pe_lab.tasks, against a search through each sequence."""

from __future__ import annotations

import re
from functools import partial

import pytest
import torch
from torch import Generator

from pe_lab.tasks import (
    NO_ANSWER,
    TASKS,
    WORDS,
    Task,
    copy_back,
    count_to_marker,
    reverse,
    which_first,
)

BATCH, LENGTH = 40, 33


def draw(task: Task, length: int = LENGTH, seed: int = 0) -> list[tuple[list[int], list[int]]]:
    words, answers = task(Generator().manual_seed(seed), BATCH, length)
    assert words.shape == answers.shape == (BATCH, length)
    assert words.dtype == answers.dtype == torch.int64
    assert 0 <= words.min() <= words.max() < WORDS
    assert ((answers == NO_ANSWER) | ((answers >= 0) & (answers < WORDS))).all()
    return list(zip(words.tolist(), answers.tolist(), strict=True))


@pytest.mark.parametrize("k", [1, 3, 7])
def test_copy(k: int) -> None:
    for words, answers in draw(partial(copy_back, k=k)):
        for p, answer in enumerate(answers):
            assert answer == (words[p - k] if p >= k else NO_ANSWER)


def test_reverse() -> None:
    for words, answers in draw(reverse):
        assert answers == list(reversed(words))


def test_which_first() -> None:
    firsts = []
    for words, answers in draw(which_first):
        assert words.count(0) == words.count(1) == 1
        first = 0 if words.index(0) < words.index(1) else 1
        firsts.append(first)
        for word, answer in zip(words, answers, strict=True):
            assert answer == (first if word in (0, 1) else NO_ANSWER)
    assert 8 < sum(firsts) < 32  # of 40, either may be first


def test_count() -> None:
    far = 0
    for words, answers in draw(count_to_marker, length=80):
        for p, answer in enumerate(answers):
            distance = words[p:].index(0) if 0 in words[p:] else NO_ANSWER
            far += distance >= WORDS
            assert answer == (distance if distance < WORDS else NO_ANSWER)
    assert far > 0


@pytest.mark.parametrize("name", TASKS)
def test_the_generator_decides(name: str) -> None:
    assert draw(TASKS[name]) == draw(TASKS[name])
    assert draw(TASKS[name]) != draw(TASKS[name], seed=1)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 4, 8), TypeError, "generator must be a torch.Generator, got 0 of type int"),
        ((Generator(), 0, 8), ValueError, "batch must be a positive integer, got 0"),
        ((Generator(), 4, 0), ValueError, "length must be at least"),
        ((Generator(), 4, 8.0), TypeError, "length must be an integer, got 8.0"),
    ],
)
def test_bad_input(name: str, arguments: tuple[int, ...], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        TASKS[name](*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [0, 8, -3])
def test_an_offset_that_leaves_no_answer(k: int) -> None:
    with pytest.raises(ValueError, match=re.escape(f"between 1 and length - 1, 7; got {k}")):
        copy_back(Generator(), 4, 8, k=k)
