"""The clinic's programs have the mistakes that are said, and a test on trial is judged fairly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from pe_core import stepwise
from pe_lab.candidates import shift_residual
from pe_lab.clinic import PATIENTS, RIGHT_PROGRAMS, try_test
from pe_lab.clinic.examinations import CUT, EXAMINATIONS
from pe_lab.clinic.patients import Patient
from pe_lab.diagnosis import diagnose
from pe_lab.diagnosis.mistakes import MISTAKES
from pe_lab.diagnosis.table import sentence
from pe_lab.explorers.clinic import LABELS

Program = Callable[[int, int], Tensor]
ROOT = Path(__file__).resolve().parent.parent
patients = pytest.mark.parametrize("patient", PATIENTS, ids=lambda each: each.mistake)


# The programs


@patients
def test_a_program_has_the_mistake_that_is_said_and_gets_its_sentence(patient: Patient) -> None:
    found = diagnose(patient.program)
    assert found.name.split(" or ")[0] == patient.mistake
    assert sentence(patient.recipe) in found.message
    assert " or " not in found.name


def test_who_follows_a_convention_is_not_called_mistaken() -> None:
    (patient,) = (each for each in PATIENTS if each.convention)
    assert patient is PATIENTS[1]
    assert sentence(patient.recipe).startswith("Another convention, not a mistake:")
    assert "`.convention.to_ours(table)` converts it." in sentence(patient.recipe)
    assert "(a convention)" in LABELS[patient.mistake]
    assert patient.convention
    ours = patient.convention.to_ours(torch.as_tensor(patient.program(20, 8)))
    assert diagnose(ours).ok


@patients
def test_a_program_makes_the_table_that_the_figure_shows(patient: Patient) -> None:
    for length, d_model in ((72, 6), (80, 8), (80, 14), (160, 14), (160, 16)):
        made = torch.as_tensor(patient.program(length, d_model)).double()
        apart = made - patient.recipe.table(length, d_model)
        assert apart.abs().max() < 5e-5, (length, d_model)


@patients
def test_what_is_read_is_what_is_run(patient: Patient) -> None:
    lines = patient.text.splitlines()
    assert 4 <= len(lines) - 1 <= 10
    assert max(map(len, lines)) <= 66
    assert not re.search(r"patient|mistake|Table|fmt", patient.text)
    names: dict[str, Any] = {"np": np, "torch": torch, "math": math}
    exec(patient.text, names)
    again, given = (np.asarray(make(20, 8)) for make in (names["table"], patient.program))
    assert np.array_equal(again, given)


def test_every_place_can_be_looked_up() -> None:
    cited = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    for patient in PATIENTS:
        repository, where = re.split(", ", patient.place, maxsplit=1)
        number = re.search(r"(issue|pull request) (\d+)", where)
        kind = {"issue": "issues", "pull request": "pull"}
        path = f"{kind[number[1]]}/{number[2]}" if number else f"blob/main/{where}"
        assert f"{{https://github.com/{repository}/{path}}}" in cited, patient.place


@pytest.mark.parametrize("program", RIGHT_PROGRAMS, ids=lambda each: each.__name__)
def test_the_right_programs_are_right(program: Callable[[int, int], object]) -> None:
    assert diagnose(program).ok


# The tests of a table


def test_what_the_tests_show_of_the_right_table() -> None:
    table = stepwise(80, 16, dtype=torch.float64)
    shown = {name: examine(table) for name, examine in EXAMINATIONS.items()}
    assert torch.equal(shown["first row"][0], torch.tensor([0.0, 1.0] * 8, dtype=torch.float64))
    assert torch.allclose(shown["norms"], torch.tensor(8**0.5, dtype=torch.float64))
    low, high = shown["diagonals"]
    assert (high - low).max() < 1e-12
    k = torch.arange(33).unsqueeze(1)
    omega = 10000 ** (-torch.arange(0, 16, 2).double() / 16)
    assert torch.allclose(low, (k * omega).cos().sum(dim=1))
    assert shown["shift"].max() < CUT
    assert torch.allclose(shown["neighbours"], 2 * (omega / 2).sin().square().sum().sqrt())


def test_the_shift_residual_is_that_of_the_chapters() -> None:
    table = PATIENTS[5].recipe.table(80, 8)
    for k, left in enumerate(EXAMINATIONS["shift"](table)[0].tolist(), 1):
        assert left == pytest.approx(shift_residual(table[: 72 + k], k), abs=1e-9)


# A test on trial


def weak(table: Program) -> bool:
    shown = table(20, 8)
    return shown.shape == (20, 8) and bool(shown.abs().max() <= 1)


def test_a_weak_test_lets_all_survive() -> None:
    tried = try_test(weak)
    assert repr(tried) == "Trial(survivors=14, wronged=0)"
    assert not tried.ok
    text = str(tried)
    assert text.startswith("rejects 0 of 14 defective programs\n  survive: 1 raw-column,")
    assert text.endswith("accepts 6 of 6 right programs")
    assert max(map(len, text.splitlines())) <= 79


def test_a_strict_test_wrongs_the_right() -> None:
    def equal(table: Program) -> bool:
        return torch.equal(table(20, 8), stepwise(20, 8, dtype=torch.float64))

    tried = try_test(equal)
    assert tried.survivors == []
    assert {"exp_log", "half_precision"} <= {*tried.wronged}
    assert "wronged:" in str(tried)


def test_the_diagnosis_passes_even_against_all_mistakes() -> None:
    every = try_test(lambda table: diagnose(table).ok, every=True)
    assert every.ok
    assert len(every.defective) == len(MISTAKES)


def test_what_a_test_may_return_or_raise() -> None:
    def asserting(table: Program) -> bool:
        assert table(20, 8)[0, 1] == 1
        return True

    assert [name.split()[0] for name in try_test(asserting).defective if name] == [
        str(n) for n in range(1, 15)
    ]
    assert "5 row-0-zero" not in try_test(asserting).survivors
    assert try_test(lambda table: table(20, 8).isfinite().all()).wronged == []
    assert try_test(lambda table: np.True_).wronged == []
    with pytest.raises(TypeError, match="True or False, and for '1 raw-column' it was None"):
        try_test(lambda table: None)
    with pytest.raises(TypeError, match="True or False"):
        try_test(lambda table: table(2, 6))
    with pytest.raises(IndexError) as caught:
        try_test(lambda table: table(20, 8)[99, 0] == 0)
    assert "'1 raw-column'" in str(caught.value.__notes__)
    with pytest.raises(TypeError, match="accepts must be a function"):
        try_test(True)  # type: ignore[arg-type]


def test_every_program_is_handed_over_as_a_float64_tensor() -> None:
    seen = []
    try_test(lambda table: bool(seen.append(table(7, 6)) or True))
    assert len(seen) == 20
    assert {(each.dtype, each.shape) for each in seen} == {(torch.float64, (7, 6))}
