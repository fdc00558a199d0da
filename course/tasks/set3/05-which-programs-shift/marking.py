"""Judges a test of programs for M_k, by programs that the student has not seen."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from course.sets.judging import right, unread, wrong
from course.sets.marks import Mark
from course.sets.student import Call
from course.sets.trials import AGAIN, twice
from pe_core import frequencies, offset_matrix
from pe_core.checks import describe
from pe_lab.diagnosis.reading import Problem

Program = Callable[[int, int], Tensor]


def blocks(k: float, omega: Tensor) -> Tensor:
    """M_k for these frequencies."""
    s, c = (k * omega).sin(), (k * omega).cos()
    rows = [torch.stack([c, s], dim=-1), torch.stack([-s, c], dim=-1)]
    return torch.block_diag(*torch.stack(rows, dim=-2))


# Right, in several styles


def in_float32(k: int, d: int) -> Tensor:
    return offset_matrix(k, d).float()


def by_slices(k: int, d: int) -> Tensor:
    angle = k / 10000 ** (torch.arange(0, d, 2).double() / d)
    M = torch.diag(angle.cos().repeat_interleave(2))
    i = torch.arange(0, d, 2)
    M[i, i + 1], M[i + 1, i] = angle.sin(), -angle.sin()
    return M


def by_exponential(k: int, d: int) -> Tensor:
    """The exponential of what a hand does in the first moment."""
    G = torch.block_diag(*(torch.tensor([[0.0, 1.0], [-1.0, 0.0]]).double() for _ in range(d // 2)))
    return torch.linalg.matrix_exp(k * frequencies(d).repeat_interleave(2) * G)


def by_complex(k: int, d: int) -> Tensor:
    z = torch.exp(1j * k * frequencies(d))
    return torch.block_diag(*(torch.tensor([[a.real, a.imag], [-a.imag, a.real]]) for a in z))


FLOAT32 = "one that hands out float32"
RIGHT = {
    FLOAT32: in_float32,
    "one that fills a diagonal and two slices": by_slices,
    "one that takes the exponential of a matrix": by_exponential,
    "one that computes with complex numbers": by_complex,
}


# Wrong always


def transposed(k: int, d: int) -> Tensor:
    return offset_matrix(-k, d)


def both_signs_plus(k: int, d: int) -> Tensor:
    M = offset_matrix(k, d)
    return M.triu() + M.triu(1).T


def diagonal_alone(k: int, d: int) -> Tensor:
    return offset_matrix(k, d).diag().diag()


def one_further(k: int, d: int) -> Tensor:
    return offset_matrix(k + 1, d)


# Wrong for certain offsets


def one_step(k: int, d: int) -> Tensor:
    return offset_matrix(1, d)


def without_sign(k: int, d: int) -> Tensor:
    return offset_matrix(abs(k), d)


def odd_numbers(k: int, d: int) -> Tensor:
    return offset_matrix(2 * k - 1, d)


# Wrong for certain widths


def three_pairs_alone(k: int, d: int) -> Tensor:
    """From the fourth pair on nothing was written."""
    M = torch.eye(d, dtype=torch.float64)
    M[:6, :6] = offset_matrix(k, d)[:6, :6]
    return M


def width_of_six(k: int, d: int) -> Tensor:
    omega = 10000 ** (-torch.arange(0, d, 2).double() / 6)
    return blocks(k, omega)


def halves_of_even(k: int, d: int) -> Tensor:
    """Another layout, where the number of pairs is even."""
    order = torch.arange(d).view(-1, 2)
    order = (order.T if d % 4 == 0 else order).flatten()
    return offset_matrix(k, d)[order][:, order]


# Wrong far away


def kept_for_a_hundred(k: int, d: int) -> Tensor:
    return offset_matrix(int(math.fmod(k, 100)), d)


def cut_at_64(k: int, d: int) -> Tensor:
    return offset_matrix(max(-64, min(k, 64)), d)


def pi_is_22_over_7(k: int, d: int) -> Tensor:
    """Angles are taken within a turn, and the turn is not quite one."""
    angle = torch.fmod(k * frequencies(d), 44 / 7)
    return blocks(1, angle)


# As the statement has them: within them right programs agree to 1e-6.
LARGEST_OFFSET, LARGEST_WIDTH = 10**6, 256


def is_whole(value: object) -> bool:
    try:
        return not isinstance(value, str) and float(value).is_integer()  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return False


def within(program: Program) -> Program:
    """The program, which answers within its limits alone."""

    def limited(k: int, d_model: int) -> Tensor:
        if not (is_whole(k) and abs(k) <= LARGEST_OFFSET):
            says = f"k must be a whole number from -{LARGEST_OFFSET:,} to {LARGEST_OFFSET:,}"
            raise ValueError(f"{says}, got {describe(k)}")
        if not (is_whole(d_model) and d_model in range(2, LARGEST_WIDTH + 1, 2)):
            raise ValueError(f"d_model must be even, 2 to {LARGEST_WIDTH}, got {describe(d_model)}")
        return program(int(k), int(d_model))

    limited.limits = LARGEST_OFFSET, LARGEST_WIDTH  # type: ignore[attr-defined]
    return limited


SIGN = "one that does not see the sign of k"
WRONG = {
    "always": {
        "one that turns the other way": transposed,
        "one with the sign plus at both sines": both_signs_plus,
        "one without sines": diagonal_alone,
        "one that moves by k + 1": one_further,
    },
    "offsets": {
        "one that moves by 1, whatever k is": one_step,
        SIGN: without_sign,
        "one that moves by 2k - 1": odd_numbers,
    },
    "widths": {
        "one that writes three pairs and no more": three_pairs_alone,
        "one whose exponents are divided by 6, whatever the width is": width_of_six,
        "one that has another layout where the number of pairs is even": halves_of_even,
    },
    "far": {
        "one that forgets the hundreds of k": kept_for_a_hundred,
        "one that goes no farther than 64": cut_at_64,
        "one whose whole turn is 44/7": pi_is_22_over_7,
    },
}


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    programs = RIGHT | {what: one for some in WRONG.values() for what, one in some.items()}
    said = twice(call, "accepts", {what: within(one) for what, one in programs.items()})
    for style in RIGHT:
        if problem := first_problem(said[style]):
            return [unread(part, problem) for part in WRONG]
    away = [style for style in RIGHT if not all(said[style])]
    if away:
        name = "wrongs-float32" if away == [FLOAT32] else "wrongs-the-right"
        says = f"A right program is turned away: {away[0]}."
        if any(any(said[style]) for style in away):
            name, says = "inconsistent", f"{says} {AGAIN}"
        return [wrong(part, name, says) for part in WRONG]
    return [found(part, {what: said[what] for what in some}) for part, some in WRONG.items()]


def found(part: str, said: dict[str, tuple[bool | Problem, ...]]) -> Mark:
    """What is found of the wrong programs of a kind; the worse of two answers counts."""
    for answers in said.values():
        if problem := first_problem(answers):
            return unread(part, problem)
    survivors = [what for what, answers in said.items() if any(answers)]
    if not survivors:
        return right(part)
    says = f"Accepted, of {len(said)} such programs: {'; '.join(survivors)}."
    name = "missed-sign" if survivors == [SIGN] else f"missed-{part}"
    if not all(all(said[what]) for what in survivors):
        name, says = "inconsistent", f"{says} {AGAIN}"
    return wrong(part, name, says, 1 - len(survivors) / len(said))


def first_problem(answers: tuple[bool | Problem, ...]) -> Problem | None:
    return next((each for each in answers if isinstance(each, Problem)), None)
