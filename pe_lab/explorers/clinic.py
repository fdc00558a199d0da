"""ClinicExplorer: a defective table, what tests show of it, and its mistake to be named."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from matplotlib.figure import Figure
from torch import Tensor

from pe_lab import figures
from pe_lab.clinic.examinations import CUT, EXAMINATIONS, OFFSETS, SHIFTS
from pe_lab.clinic.patients import PATIENTS, Patient
from pe_lab.diagnosis.recipe import Recipe
from pe_lab.diagnosis.table import CONVERTS, sentence
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import BASE, Choice, Even, Whole
from pe_lab.weights import results

# What the reader may name: the patients' mistakes, a few that nobody here has, and none at all.
LABELS = {
    "": "not yet named",
    "right": "none: the table is right",
    "from-1": "positions counted from 1",
    "one-position": "position 0 in every row",
    "base-1000": "the base is 1000",
    "own-column": "exponent c/d in column c",
    "raw-column": "exponent 2c/d in column c",
    "pair-number-only": "exponent i/d in pair i",
    "doubled-exponent": "exponent 4i/d in pair i",
    "length-for-width": "divided by the length, not by d",
    "all-one": "all frequencies are 1",
    "precedence": "frequency e^(−2i), whatever d is",
    "power-exchanged": "base and exponent exchanged",
    "power-chain": "10^(4^(2i/d)) for (10^4)^(2i/d)",
    "multiplied": "multiplied, not divided",
    "degrees": "radians taken for degrees",
    "exchanged": "sine and cosine exchanged",
    "sines-alone": "sines alone",
    "halves": "all sines before all cosines (a convention)",
    "row-0-zero": "row 0 is all zeros",
}


def cost(mistake: str) -> dict[str, Any]:
    """What three trained models made of a table, lowest and highest; "right" for the right one.

    The share of right answers at 32 and at 128 words, and by which step the loss of all three was
    below 1, None if that of one never was.
    """
    runs = [row for row in results("mistakes")["rows"] if row["mistake"] == mistake]
    at = {length: [run["accuracy"][length] for run in runs] for length in ("32", "128")}
    steps = [run["learned by step"] for run in runs]
    return {
        "at32": [min(at["32"]), max(at["32"])],
        "at128": [min(at["128"]), max(at["128"])],
        "by": None if None in steps else max(steps),
    }


def told(patient: Patient) -> dict[str, Any]:
    """What the front end gets of a patient."""
    return {
        "mistake": patient.mistake,
        "text": patient.text,
        "place": patient.place,
        "diagnosis": sentence(patient.recipe).removesuffix(CONVERTS),
        "cost": cost(patient.mistake),
    }


class ClinicExplorer(Explorer):
    """A table with a mistake as it was met in public code, tested, and its mistake to be named.

    Args:
        patient: which of the programs in :mod:`pe_lab.clinic.patients`, from 1.
        test: which of :mod:`pe_lab.clinic.examinations`: "first row", "norms", "diagonals", "shift"
            or "neighbours".
        named: the mistake that the reader has named, by its name in :mod:`pe_lab.diagnosis`;
            "right" for none, "" for nothing said yet.
        program: whether the program is shown.
        d_model: columns of the table, even, 6 to 16.
        length: rows of it, 72 to 160.
    """

    front_end = "clinic.js"
    values: ClassVar = {
        "BASE": BASE,
        "OFFSETS": OFFSETS,
        "SHIFTS": SHIFTS,
        "CUT": CUT,
        "LABELS": LABELS,
        "PATIENTS": [told(patient) for patient in PATIENTS],
        "RIGHT_COST": cost("right"),
    }

    patient = Whole(1, 1, len(PATIENTS))
    test = Choice(*EXAMINATIONS)
    named = Choice(*LABELS)
    program = Choice(False, True)
    d_model = Even(8, 6, 16)
    length = Whole(80, 72, 160)

    def __init__(
        self,
        patient: int = 1,
        test: str = "first row",
        named: str = "",
        program: bool = False,
        d_model: int = 8,
        length: int = 80,
    ) -> None:
        super().__init__(
            patient=patient,
            test=test,
            named=named,
            program=program,
            d_model=d_model,
            length=length,
        )

    @property
    def encoding(self) -> Tensor:
        """The table of the patient, float64, (length, d_model)."""
        return PATIENTS[self.patient - 1].recipe.table(self.length, self.d_model)

    @property
    def examined(self) -> tuple[Tensor, Tensor]:
        """What the test shows of this table and of the right one: the same shape, (n, m)."""
        examine = EXAMINATIONS[str(self.test)]
        return examine(self.encoding), examine(Recipe().table(self.length, self.d_model))

    def still(self) -> Figure:
        """Return the heat map and, beside it, the test: this table thick, the right one thin."""
        figure = figures.new_figure(4.0)
        with figures.style():
            left, right = figure.subplots(1, 2, width_ratios=(1, 2))
            figures.table_axes(left, self.encoding.numpy())
            left.set_title(f"patient {self.patient}")
            left.set_xlabel("column")
            left.set_ylabel("row")
            first = 1 if self.test == "shift" else 0
            for curves, colour, width in zip(
                self.examined, (figures.SINE, figures.INK), (4.0, 1.0), strict=True
            ):
                for curve in curves:
                    x = torch.arange(first, first + len(curve))
                    right.plot(x, curve, color=colour, linewidth=width)
            right.set_ylim(bottom=min(0.0, right.get_ylim()[0]))
            right.set_title(f"{self.test} (thin: the right table)")
        return figure
