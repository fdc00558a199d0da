"""Small tasks, each of which asks one thing of a position.

A task takes a generator, the number of sequences and their length, and returns two tensors of
int64, both (batch, length): the words, numbers from 0 to WORDS - 1, and at each position the
right answer, also from 0 to WORDS - 1, or NO_ANSWER where there is none. The same generator in
the same state gives the same sequences.

Nothing but the order of the words decides the answer: shuffled, a sequence has other answers.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Generator, Tensor

from pe_core.checks import check_integer, describe

WORDS = 16
NO_ANSWER = -100  # what torch's cross_entropy passes over

Task = Callable[[Generator, int, int], tuple[Tensor, Tensor]]


def copy_back(
    generator: Generator, batch: int, length: int, *, k: int = 3
) -> tuple[Tensor, Tensor]:
    """Ask at each position for the word k back. It needs one offset, exactly.

    The first k positions have no answer. ``k`` is at least 1 and less than ``length``.
    """
    k = check_integer(k, "k")
    _check(generator, batch, length, shortest=2)
    if not 1 <= k < length:
        raise ValueError(f"k must lie between 1 and length - 1, {length - 1}; got {k}")
    words = torch.randint(WORDS, (batch, length), generator=generator)
    answers = torch.full_like(words, NO_ANSWER)
    answers[:, k:] = words[:, :-k]
    return words, answers


def reverse(generator: Generator, batch: int, length: int) -> tuple[Tensor, Tensor]:
    """Ask at position p for the word at length - 1 - p.

    It needs the position itself, counted from an end: the offset is another one in each row.
    """
    _check(generator, batch, length, shortest=1)
    words = torch.randint(WORDS, (batch, length), generator=generator)
    return words, words.flip(1)


def which_first(generator: Generator, batch: int, length: int) -> tuple[Tensor, Tensor]:
    """Ask which of two words came first, at both. It needs before and after, at any distance.

    The words 0 and 1 stand once each in a sequence, the others are 2 and more. At their two
    positions the answer is the one that came first; elsewhere there is none.
    """
    _check(generator, batch, length, shortest=2)
    words = torch.randint(2, WORDS, (batch, length), generator=generator)
    order = torch.rand(batch, length, generator=generator).argsort(dim=1)
    places = order[:, :2]  # (batch, 2): where 0 and 1 stand
    words.scatter_(1, places, torch.tensor([0, 1]).expand(batch, 2))
    first = places.argmin(dim=1, keepdim=True)  # (batch, 1)
    answers = torch.full_like(words, NO_ANSWER)
    answers.scatter_(1, places, first.expand(batch, 2))
    return words, answers


def count_to_marker(generator: Generator, batch: int, length: int) -> tuple[Tensor, Tensor]:
    """Ask at each position how far ahead the next marker stands. It needs a distance, as a number.

    The marker is the word 0, at every eighth position in the mean; at a marker the answer is 0.
    There is none after the last marker, nor where the next is farther than WORDS - 1.
    """
    _check(generator, batch, length, shortest=1)
    words = torch.randint(1, WORDS, (batch, length), generator=generator)
    words[torch.rand(batch, length, generator=generator) < 1 / 8] = 0
    position = torch.arange(length)
    marker = position.where(words == 0, length + WORDS)  # (batch, length): where there is one
    # The nearest marker from here on is the smallest of those not yet passed.
    ahead = marker.flip(1).cummin(dim=1).values.flip(1) - position
    return words, ahead.masked_fill(ahead >= WORDS, NO_ANSWER)


TASKS: dict[str, Task] = {
    "copy": copy_back,
    "reverse": reverse,
    "which first": which_first,
    "count": count_to_marker,
}


def _check(generator: object, batch: object, length: object, *, shortest: int) -> None:
    if not isinstance(generator, Generator):
        raise TypeError(f"generator must be a torch.Generator, got {describe(generator)}")
    if (batch := check_integer(batch, "batch")) < 1:
        raise ValueError(f"batch must be a positive integer, got {batch}")
    if (length := check_integer(length, "length")) < shortest:
        raise ValueError(f"length must be at least {shortest}, got {length}")
