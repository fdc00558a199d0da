"""What the questions of the clinic ask: who is seen by which test, and what a mistake costs."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

from pe_core import stepwise
from pe_lab.clinic.examinations import EXAMINATIONS
from pe_lab.clinic.patients import PATIENTS
from pe_lab.clinic.trial import Program, try_test
from pe_lab.weights import results

RIGHT = stepwise(80, 8, dtype=torch.float64)
SEEN = 0.001  # how far a plot must be from that of the right table


def tests_that_see(patient: int) -> set[str]:
    """The tests whose plot of a patient, counted from 1, is not that of the right table."""
    return {name for name in EXAMINATIONS if sees(name, patient)}


def seen_by(test: str) -> int:
    """How many of the patients a test sees."""
    return sum(sees(test, number) for number in range(1, len(PATIENTS) + 1))


@cache
def sees(test: str, patient: int) -> bool:
    return bool((plot(test, patient) - plot(test, 0)).abs().max() > SEEN)


@cache
def plot(test: str, patient: int) -> Tensor:
    """What a test shows of a patient, counted from 1; 0 is the right table."""
    table = PATIENTS[patient - 1].program(80, 8) if patient else RIGHT
    return EXAMINATIONS[test](torch.as_tensor(table).double())


def right_with(mistake: str) -> float:
    """The share of right answers at 32 words, the lowest of the seeds, of "mistakes"."""
    return min(float(row["accuracy"]["32"]) for row in _runs(mistake))


def learned_with(mistake: str) -> float:
    """The step by which the loss is below 1 with all seeds; infinite if with one it never is."""
    return max(float(row["learned by step"] or "inf") for row in _runs(mistake))


def survivors_of_shape_and_range() -> int:
    """How many patients pass a test of the shape and of the range."""

    def weak(table: Program) -> bool:
        pe = table(20, 8)
        return pe.shape == (20, 8) and bool((pe.abs() <= 1).all())

    return len(try_test(weak).survivors)


def _runs(mistake: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = results("mistakes")["rows"]
    return [row for row in rows if row["mistake"] == mistake]


ABOUT = (tests_that_see, seen_by, right_with, learned_with, survivors_of_shape_and_range)
