"""The clinic's figure: its numbers are torch's, and what it says is so."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest
import torch
from front_end import assert_close, call, numbers
from torch import Tensor

from pe_lab import figures
from pe_lab.clinic import PATIENTS
from pe_lab.clinic.examinations import EXAMINATIONS
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import Recipe
from pe_lab.diagnosis.table import CONVERTS, sentence
from pe_lab.explorers import ClinicExplorer
from pe_lab.explorers.clinic import LABELS, cost

State = dict[str, Any]

NAMES = [name for name in LABELS if name]
SIZES = ((72, 6), (80, 8), (160, 16))
SEEN = 0.01
# The numbers, and what is said of them.
TOLD = """
export const told = (state) => {
  const shown = numbers(state);
  return [shown, result(state, shown), reply(state, shown)];
};
"""


@cache
def table(name: str, length: int, d_model: int) -> Tensor:
    """The table with a mistake of this name, or the right one."""
    parts = (BY_NAME[name],) if name != "right" else ()
    return Recipe(parts).table(length, d_model)


@cache
def examined(name: str, test: str, size: tuple[int, int]) -> Tensor:
    """What a test shows of the table with a mistake of this name, (n, m)."""
    return EXAMINATIONS[test](table(name, *size))


def state_of(patient: int, test: str, size: tuple[int, int], named: str = "") -> State:
    length, d_model = size
    return {
        "patient": patient,
        "test": test,
        "named": named,
        "program": False,
        "d_model": d_model,
        "length": length,
    }


def check_clinic(module: str) -> None:
    sizes = [{"length": length, "d_model": d_model} for length, d_model in SIZES]
    asked = [*itertools.product(NAMES, sizes)]
    for (name, size), shown in zip(asked, call(module, "tableOf", asked), strict=True):
        assert_close(shown, table(name, **size).flatten(), 1e-8)
    check_tests(module)
    check_names(module)


def check_tests(module: str) -> None:
    """Every patient, every test, every size, and the sentence."""
    numbered = range(1, len(PATIENTS) + 1)
    states = [state_of(*each) for each in itertools.product(numbered, EXAMINATIONS, SIZES)]
    told = numbers(module + TOLD, states, "told")
    for state, (shown, words, _) in zip(states, told, strict=True):
        test, size = state["test"], (state["length"], state["d_model"])
        patient = PATIENTS[state["patient"] - 1]
        mine, theirs = (examined(name, test, size) for name in (patient.mistake, "right"))
        assert_close(shown["mine"], mine, 1e-8)
        assert_close(shown["right"], theirs, 1e-8)
        same = bool((mine - theirs).abs().max() < 5e-5)
        check_sentence(test, words, mine, theirs, same=same)


def check_sentence(test: str, words: str, mine: Tensor, right: Tensor, *, same: bool) -> None:
    low, high = f"{mine.min():.4f}", f"{mine.max():.4f}"
    if test == "first row":
        at = int((mine - right).abs().argmax())
        assert words == (
            "Row 0 is that of the right table."
            if same
            else f"Row 0 has {mine[0, at]:.4f} in column {at}, the right table {right[0, at]:.4f}."
        )
    elif test == "diagonals":
        spread = (mine[1] - mine[0]).max()
        assert ("all dot products are equal" in words) == bool(spread < 5e-5)
        assert (f"differ by up to {spread:.4f}" in words) == bool(spread >= 5e-5)
        assert ("are those of the right table" in words) == same
        assert same or f"one is {(mine - right).abs().max():.4f} from" in words
    elif test == "shift":
        most = "nothing" if mine.max() < 5e-5 else f"up to {high} of a row"
        best = f"The best matrices for a shift by 1 to 8 leave {most}"
        assert words == f"{best}; the right table’s nothing."
    else:
        steady = bool(mine.max() - mine.min() < 5e-5)
        assert (f"all {high} " in words) == steady
        assert steady or f"{low.replace('-', '−')} to {high} " in words
        assert words.endswith(f"those of the right table all {right.max():.4f}.")


def check_names(module: str) -> None:
    """A right name gets the diagnosis, a wrong one the first entry that speaks against it."""
    size = SIZES[1]
    tables = {name: table(name, *size) for name in NAMES}
    states = [
        state_of(number, "first row", size, named)
        for number, named in itertools.product(range(1, len(PATIENTS) + 1), LABELS)
    ]
    told = numbers(module + TOLD, states, "told")
    for state, (shown, _, words) in zip(states, told, strict=True):
        patient, named = PATIENTS[state["patient"] - 1], state["named"]
        assert shown["found"] == (named == patient.mistake)
        if not named:
            assert words == ""
        elif named == patient.mistake:
            assert words == f"Yes. {sentence(patient.recipe).removesuffix(CONVERTS)}"
            assert "`" not in words, "the page has no such objects"
        else:
            mine, other = tables[patient.mistake], tables[named]
            row, column = ((mine - other).abs() > SEEN).nonzero()[0].tolist()
            entries = [f"{each[row, column]:.4f}".replace("-", "−") for each in (other, mine)]
            assert f"row {row}, column {column} would hold {entries[0]}" in words
            assert words.endswith(f"here it holds {entries[1]}.")


def test_no_two_names_fit_the_same_table() -> None:
    """Else a right answer might be called wrong: at all widths, the shortest and the longest."""
    for length, d_model in itertools.product((72, 160), range(6, 18, 2)):
        tables = torch.stack([table(name, length, d_model) for name in NAMES]).flatten(1)  # (n, Ld)
        apart = torch.cdist(tables, tables, p=torch.inf)
        apart.fill_diagonal_(1)
        assert apart.min() > SEEN, (length, d_model)


def test_the_labels_are_of_known_mistakes_and_differ() -> None:
    assert {*NAMES} - {*BY_NAME} == {"right"}
    assert {patient.mistake for patient in PATIENTS} < {*NAMES}
    assert len({*LABELS.values()}) == len(LABELS)


def test_what_a_mistake_costs_is_the_lowest_and_the_highest_of_three_seeds() -> None:
    for name in ("right", *(patient.mistake for patient in PATIENTS)):
        found = cost(name)
        for low, high in (found["at32"], found["at128"]):
            assert 0 <= low <= high <= 1
    assert cost("right")["by"] == 180
    assert cost("right")["at32"] == pytest.approx([0.998, 1.0], abs=1e-3)
    assert cost("all-one")["by"] is None


# What a mistake costs, in words.
OF_PATIENTS = "export const costs_ = () => PATIENTS.map((each) => costs(each.cost));"


def test_what_a_mistake_costs_is_said_as_it_was_measured() -> None:
    [said] = call(ClinicExplorer.module() + OF_PATIENTS, "costs_", [[]])
    assert said[0] == (
        "0.62 to 0.64 right at 32 words, 0.20 to 0.21 at 128, loss below 1 by step 360"
    )
    assert said[3] == "0.22 to 0.23 right at 32 words, 0.13 at 128, loss never below 1"


def test_the_tensors_behind_the_figure() -> None:
    explorer = ClinicExplorer(6, "norms", d_model=12, length=90)
    assert torch.equal(explorer.encoding, table("own-column", 90, 12))
    mine, right = explorer.examined
    assert torch.equal(mine[0], explorer.encoding.norm(dim=1))
    assert torch.allclose(right, torch.full((1, 90), 6**0.5, dtype=torch.float64), atol=1e-12)


@pytest.mark.parametrize("test", EXAMINATIONS)
def test_the_still_picture_has_both_curves_and_its_title(test: str) -> None:
    explorer = ClinicExplorer(1, test)
    mine, right = explorer.examined
    figure = explorer.still()
    ax = figure.axes[1]
    assert figure.get_tightbbox().x1 <= figure.get_figwidth()
    for colour, curves in ((figures.SINE, mine), (figures.INK, right)):
        lines = [line for line in ax.lines if line.get_color() == colour]
        drawn = torch.stack([torch.as_tensor(line.get_xydata()) for line in lines])  # (n, m, 2)
        assert torch.equal(drawn[..., 1], curves)
        assert drawn[0, 0, 0] == (1 if test == "shift" else 0)
