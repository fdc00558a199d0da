"""Judges a test of programs for M_k, by programs that the student has not seen."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from course.sets.judging import right, says_yes, unread, wrong
from course.sets.marks import Mark
from course.sets.student import Call
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
    away = []
    for style, program in RIGHT.items():
        verdict = ask(call, program)
        if isinstance(verdict, Problem):
            return [unread(part, verdict) for part in WRONG]
        if not verdict:
            away.append(style)
    if away:
        name = "wrongs-float32" if away == [FLOAT32] else "wrongs-the-right"
        says = f"A right program is turned away: {away[0]}."
        return [wrong(part, name, says) for part in WRONG]
    return [found(call, part, programs) for part, programs in WRONG.items()]


def found(call: Call, part: str, programs: dict[str, Program]) -> Mark:
    survivors = []
    for what, program in programs.items():
        verdict = ask(call, program)
        if isinstance(verdict, Problem):
            return unread(part, verdict)
        if verdict:
            survivors.append(what)
    if not survivors:
        return right(part)
    says = f"Accepted, of {len(programs)} such programs: {'; '.join(survivors)}."
    name = "missed-sign" if survivors == [SIGN] else f"missed-{part}"
    return wrong(part, name, says, 1 - len(survivors) / len(programs))


def ask(call: Call, program: Program) -> bool | Problem:
    """What the test says; an assertion that fails is a no."""
    said = call("accepts", within(program))
    if isinstance(said, Problem):
        is_no = said.name == "raises" and "AssertionError" in said.says
        return False if is_no else said
    verdict = says_yes(said)
    if verdict is None:
        says = "The test must return True or False for every program, and returned neither."
        return Problem("no-verdict", says)
    return verdict
