"""Judges three shares of right answers, measured with a trained model whose hands were frozen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

import torch
from torch import Tensor

from course.sets.judging import charged_once, number
from course.sets.marks import Mark
from course.sets.student import Call
from pe_core import sinusoidal_table
from pe_lab.diagnosis.answers import real
from pe_lab.tasks import copy_back
from pe_lab.weights import trained

LENGTH, WIDTH, BACK = 32, 64, 3
PAIRS = range(WIDTH // 2)
# The texts are fixed: on another machine a few of 7,424 answers may differ.
TOLERANCE = 0.01

EACH_FOR_ITSELF = ("exchanged", "nothing-frozen")

# One column for each pair, or halves: the slow columns tell the model so little that the shares are
# nearly the same.
OTHER_COLUMNS = "Other columns turned than those of these pairs, which are 2i and 2i + 1."


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    model, seed, count = str(given["model"]), int(given["seed"]), int(given["count"])
    turning = {"fast": PAIRS[:count], "slow": PAIRS[count:], "all but one": PAIRS[1:]}
    values = {part: call.value(part.replace(" ", "_")) for part in turning}
    foreseen = {part: mistakes(part, pairs, model, seed, count) for part, pairs in turning.items()}
    wanted = {part: share(model, seed, columns(pairs)) for part, pairs in turning.items()}
    given = [part for part in turning if real(values[part]) is not None]
    missed = [part for part in given if distance(values[part], wanted[part]) > TOLERANCE]

    # A share alone tells little: other rows to freeze at come near it, too. What is told explains
    # all shares, or is a list of pairs, which each call has for itself, and explains all that are
    # wrong.
    def explains(name: str, parts: list[str]) -> bool:
        return apart(name, parts) <= TOLERANCE

    def apart(name: str, parts: list[str]) -> float:
        return max(distance(values[part], foreseen[part][name][0]) for part in parts)

    everywhere = [name for name in foreseen["fast"] if given and explains(name, given)]
    everywhere = sorted(everywhere, key=lambda name: apart(name, given))[:1]
    told = everywhere or [name for name in EACH_FOR_ITSELF if missed and explains(name, missed)]
    marks = [
        number(
            part,
            values[part],
            wanted[part],
            {name: foreseen[part][name] for name in told},
            tolerance=TOLERANCE,
        )
        for part in turning
    ]
    # Lists that were exchanged are one slip, however many shares show it; to freeze nothing, for
    # several shares, is an answer left out each time.
    return charged_once(marks, [name for name in told if name != "nothing-frozen"])


def distance(value: object, share: float) -> float:
    given = real(value)
    return math.inf if given is None else abs(given - share)


def mistakes(
    part: str, pairs: range, model: str, seed: int, count: int
) -> dict[str, tuple[float, str]]:
    """The share that each mistake gives, and its sentence."""
    others = [i for i in PAIRS if i not in pairs]
    return {
        "exchanged": (
            share(model, seed, columns(others)),
            "The pairs that should turn were frozen, and the others turned.",
        ),
        "other-columns": (share(model, seed, first_columns(part, count)), OTHER_COLUMNS),
        "pairs-for-columns": (share(model, seed, pairs), OTHER_COLUMNS),
        "columns-in-halves": (
            share(model, seed, [c for i in pairs for c in (i, i + WIDTH // 2)]),
            OTHER_COLUMNS,
        ),
        "frozen-at-zero": (
            share(model, seed, columns(pairs), frozen=torch.zeros_like),
            "Frozen pairs hold 0 in both columns. Row 0 has a 1 in each cosine.",
        ),
        "frozen-at-one": (
            share(model, seed, columns(pairs), frozen=torch.ones_like),
            "Frozen pairs hold 1 in both columns. Row 0 has a 0 in each sine.",
        ),
        "frozen-at-the-mean": (
            share(model, seed, columns(pairs), frozen=mean_row),
            "Frozen pairs hold the mean of their columns. It is row 0 that they stay at.",
        ),
        "frozen-at-the-end": (
            share(model, seed, columns(pairs), frozen=last_row),
            "Frozen pairs stay as at the last position. It is row 0 that they stay at.",
        ),
        "unasked-counted": (
            share(model, seed, columns(pairs)) * (LENGTH - BACK) / LENGTH,
            "The first three places of each text are counted as mistakes: nothing is asked of "
            "them.",
        ),
        "per-cent": (
            100 * share(model, seed, columns(pairs)),
            "That is in per cent; a share lies between 0 and 1.",
        ),
        "nothing-frozen": (
            share(model, seed, range(WIDTH)),
            "That is the model with nothing frozen.",
        ),
    }


def columns(pairs: Sequence[int]) -> list[int]:
    return [column for i in pairs for column in (2 * i, 2 * i + 1)]


def first_columns(part: str, count: int) -> range:
    """The columns that turn where they are counted for pairs."""
    stop = {"fast": range(count), "slow": range(count, WIDTH), "all but one": range(1, WIDTH)}
    return stop[part]


Row = Callable[[Tensor], Tensor]  # of a table, or of one that has its width


def first_row(table: Tensor) -> Tensor:
    return table[0]


def last_row(table: Tensor) -> Tensor:
    return table[-1]


def mean_row(table: Tensor) -> Tensor:
    return table.mean(dim=0)


def share(model: str, seed: int, turning: Sequence[int], *, frozen: Row = first_row) -> float:
    """The share of right answers where these columns turn, and the others stay as in one row."""
    return _share(model, seed, tuple(turning), frozen)


@cache
@torch.no_grad()
def _share(model: str, seed: int, turning: tuple[int, ...], frozen: Row) -> float:
    words, answers = texts(seed)
    table = sinusoidal_table(LENGTH, WIDTH)
    stays = torch.ones(WIDTH, dtype=torch.bool)
    stays[[*turning]] = False
    table[:, stays] = frozen(table)[..., stays]
    one = loaded(model)
    x = one.embedding(words) + table
    for layer in one.layers:
        x = layer(x, one.encoding, None, None)
    hits = one.answer(one.norm(x)).argmax(dim=-1) == answers
    return float(hits[:, BACK:].double().mean())


@cache
def loaded(model: str):  # type: ignore[no-untyped-def]
    return trained(model)[0]


@cache
def texts(seed: int) -> tuple[Tensor, Tensor]:
    return copy_back(torch.Generator().manual_seed(seed), 256, LENGTH, k=BACK)
