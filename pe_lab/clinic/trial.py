"""A test on trial: which defective programs it accepts, and which right ones it rejects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from pe_core.checks import describe
from pe_lab.clinic.healthy import RIGHT_PROGRAMS
from pe_lab.clinic.patients import PATIENTS
from pe_lab.diagnosis.mistakes import MISTAKES
from pe_lab.diagnosis.recipe import Recipe

Program = Callable[[int, int], Tensor]
Test = Callable[[Program], object]


@dataclass(frozen=True)
class Trial:
    """What a test made of the programs; printed, it is a table of them.

    Attributes:
        defective: what the test said of each defective program: True if it accepted it.
        right: the same for the right ones.
    """

    defective: Mapping[str, bool]
    right: Mapping[str, bool]

    @property
    def survivors(self) -> list[str]:
        """The defective programs that the test accepts."""
        return [name for name, accepted in self.defective.items() if accepted]

    @property
    def wronged(self) -> list[str]:
        """The right programs that it rejects."""
        return [name for name, accepted in self.right.items() if not accepted]

    @property
    def ok(self) -> bool:
        """Whether nobody survives and nobody is wronged."""
        return not self.survivors and not self.wronged

    def __repr__(self) -> str:
        return f"Trial(survivors={len(self.survivors)}, wronged={len(self.wronged)})"

    def __str__(self) -> str:
        """Four lines: how many, and who."""
        rejected = len(self.defective) - len(self.survivors)
        accepted = len(self.right) - len(self.wronged)
        return "\n".join([
            f"rejects {rejected} of {len(self.defective)} defective programs",
            *_listed("survive:", self.survivors),
            f"accepts {accepted} of {len(self.right)} right programs",
            *_listed("wronged:", self.wronged),
        ])  # fmt: skip


def _listed(head: str, names: list[str], width: int = 72) -> list[str]:
    """The names behind a head, in lines that are not too long; nothing if there are none."""
    lines = [f"  {head}"] if names else []
    for name in names:
        if len(lines[-1]) + len(name) > width:
            lines.append(" " * (len(head) + 2))
        lines[-1] += f" {name},"
    return [line.removesuffix(",") if line is lines[-1] else line for line in lines]


def try_test(accepts: Test, *, every: bool = False) -> Trial:
    """Run a test on the defective programs of the clinic and on six right ones.

    Args:
        accepts: takes a program, a function (length, d_model) -> table, and returns whether it
            takes it for right. The table is a float64 tensor (length, d_model), whatever the
            program computes with. An AssertionError counts as a no.
        every: take all mistakes that :mod:`pe_lab.diagnosis` knows in place of the clinic's.

    Raises:
        TypeError: ``accepts`` is no function, or returned something else than true or false.
        Exception: whatever else the test raised, with a note that names the program.
    """
    if not callable(accepts):
        raise TypeError(f"accepts must be a function, got {describe(accepts)}")
    defective: dict[str, Program]
    if every:
        defective = {mistake.name: Recipe((mistake,)).table for mistake in MISTAKES}
    else:
        defective = {
            f"{number} {patient.mistake}": _as_tensor(patient.program)
            for number, patient in enumerate(PATIENTS, 1)
        }
    right = {program.__name__: _as_tensor(program) for program in RIGHT_PROGRAMS}
    return Trial(
        {name: _ask(accepts, name, program) for name, program in defective.items()},
        {name: _ask(accepts, name, program) for name, program in right.items()},
    )


def _as_tensor(program: Callable[[int, int], object]) -> Program:
    def table(length: int, d_model: int) -> Tensor:
        return torch.as_tensor(program(length, d_model)).double()

    return table


def _ask(accepts: Test, name: str, program: Program) -> bool:
    try:
        said = accepts(program)
    except AssertionError:
        return False
    except Exception as error:
        error.add_note(f"This was raised by the test on the program {name!r}.")
        raise
    if isinstance(said, Tensor) and said.numel() == 1:
        said = said.item()
    if isinstance(said, bool | np.bool_):
        return bool(said)
    raise TypeError(f"the test must return True or False, and for {name!r} it was {describe(said)}")
