"""The laboratory: what nbval cannot compare there is run here, every control at both its ends."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import itertools
import math
import sys
from collections.abc import Iterator
from typing import Any

import ipywidgets
import nbformat
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from PIL import Image
from test_notebooks import NOT_COMPARED, switched_off
from torch import Tensor

from pe_core import stepwise, wavelengths
from pe_lab import candidates, figures
from tools.chapters import NOTEBOOKS
from tools.notebooks import WIDGET_STATE, WIDGET_VIEW, code_cells

sys.path.insert(0, str(NOTEBOOKS.parent / "book" / "_ext"))

from live_figures.models import output_picture, reachable

NOTEBOOK = nbformat.read(NOTEBOOKS / "lab.ipynb", as_version=4)
CELLS = {cell.id: cell for cell in code_cells(NOTEBOOK)}
MODELS = NOTEBOOK.metadata["widgets"][WIDGET_STATE]["state"]
VIEWS = {
    cell.id: output.data[WIDGET_VIEW]["model_id"]
    for cell in CELLS.values()
    for output in cell.outputs
    if WIDGET_VIEW in output.get("data", {})
}
DRAWN_LATER = {cell for cell, root in VIEWS.items() if output_picture(MODELS, root)}


class Lab:
    """The laboratory after all its cells: their names, and what each cell ends with."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        for cell in CELLS.values():
            code = ast.parse(cell.source)
            last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
            exec(compile(code, cell.id, "exec"), self.names)
            if last is not None:
                value = compile(ast.Expression(last.value), cell.id, "eval")
                self.shown[cell.id] = eval(value, self.names)

    def __getattr__(self, name: str) -> Any:
        return self.names[name]


@pytest.fixture(scope="module")
def lab() -> Lab:
    with contextlib.redirect_stdout(io.StringIO()):
        return Lab()


def paper(length: int, d_model: int) -> Tensor:
    return stepwise(length, d_model, dtype=torch.float64)


def settings(function: Any) -> Iterator[dict[str, Any]]:
    """Set the controls that interact made to every combination of their ends and choices."""
    *controls, output = function.widget.children
    assert isinstance(output, ipywidgets.Output)
    ends = [
        control.options if isinstance(control, ipywidgets.Dropdown) else (control.min, control.max)
        for control in controls
    ]
    for values in itertools.product(*ends):
        before = function.widget.result
        for control, value in zip(controls, values, strict=True):
            control.value = value
        assert function.widget.result is not before, f"nothing was drawn for {values}"
        yield {control.description: control.value for control in controls}


def shades(figure: Figure) -> np.ndarray[Any, Any]:
    return np.asarray(figure.axes[0].images[0].get_array())


def curves(figure: Figure) -> list[np.ndarray[Any, Any]]:
    """The lines of a figure but its zero lines."""
    lines = [line for ax in figure.axes for line in ax.lines]
    return [np.asarray(line.get_ydata()) for line in lines if len(line.get_ydata()) > 2]


def test_the_whole_table_follows_its_sliders(lab: Lab) -> None:
    for at in settings(lab.whole_table):
        expected = stepwise(at["length"], at["d_model"], base=at["base"])
        assert np.allclose(shades(lab.whole_table.widget.result), expected)


def test_one_pair_follows_its_sliders(lab: Lab) -> None:
    for at in settings(lab.one_pair):
        angles = 2 * math.pi * torch.arange(at["length"]) / wavelengths(64)[at["pair"]]
        sine, cosine = curves(lab.one_pair.widget.result)
        assert np.allclose(sine, angles.sin(), atol=1e-4)
        assert np.allclose(cosine, angles.cos(), atol=1e-4)


def test_row_against_row_follows_its_sliders(lab: Lab) -> None:
    for at in settings(lab.row_against_row):
        table = paper(32, at["d_model"])
        (curve,) = curves(lab.row_against_row.widget.result)
        assert np.allclose(curve, table @ table[at["p"]], atol=1e-4)


def test_every_picture_shows_every_encoding(lab: Lab) -> None:
    for at in settings(lab.look):
        encode = {"mine": lab.my_encoding, "the paper's": paper}[at["encoding"]]
        table = encode(at["length"], at["d_model"])
        figure = lab.look.widget.result
        if at["picture"] == "heat map":
            assert np.allclose(shades(figure), table)
        elif at["picture"] == "all dot products":
            assert np.allclose(shades(figure), table @ table.T)
        elif at["length"] > 2 and at["picture"] == "waves":
            assert np.allclose(curves(figure)[:2], table[:, :2].T)
        elif at["length"] > 2:
            assert np.allclose(curves(figure), table @ table[0])


def test_an_encoding_written_anew_is_the_one_that_is_shown(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(lab.encodings, "mine", candidates.binary_digits)
    shown = lab.look("mine", "heat map", 16, 4)
    assert np.allclose(shades(shown), candidates.binary_digits(16, 4))


def test_clock_and_controls_move_each_other(lab: Lab) -> None:
    clock, position, width = lab.clock, lab.position, lab.width
    for p, d_model in ((1000, 512), (0, 2), (63, 8)):  # both limits of both
        position.value, width.value = p, d_model
        assert (clock.position, clock.d_model) == (p, d_model)
        distance = (paper(1001, d_model)[p] - paper(1, d_model)[0]).norm()
        assert lab.told.value == f"row {p} is {distance:.4f} away from row 0"
        clock.position, clock.d_model = 500, 10
        assert (position.value, width.value) == (500, 10)
    assert (position.min, position.max) == (0, 1000)
    assert (width.min, width.max, width.step) == (2, 512, 2)


def test_the_box_holds_the_controls_and_redraws_the_curve(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    (box,) = [shown for shown in lab.shown.values() if isinstance(shown, ipywidgets.VBox)]
    assert box.children[0].children == (lab.position, lab.width)
    assert box.children[1:3] == (lab.told, lab.clock)
    assert isinstance(box.children[3], ipywidgets.Output)
    drawn: list[Figure] = []
    monkeypatch.setitem(lab.names, "display", drawn.append)
    lab.position.value, lab.width.value = 70, 4
    lab.clock.position = 71  # the explorer's own slider
    table = paper(1001, 4)
    assert np.allclose(curves(drawn[-1]), table @ table[71], atol=1e-4)


def test_the_second_clock_stays_ahead(lab: Lab) -> None:
    for p, expected in ((0, 44), (956, 1000), (957, 1000), (1000, 1000)):
        lab.first.position = p
        assert lab.ahead.position == expected
    lab.ahead.position = 5  # one way only
    assert lab.first.position == 1000


def test_my_encoding_is_a_triangle_wave_with_the_wavelengths_of_the_paper(lab: Lab) -> None:
    exact = paper(200, 16)  # arccos turns a cosine wave into straight lines
    expected = 1 - 2 / math.pi * torch.arccos(exact.clamp(-1, 1))
    assert torch.allclose(lab.my_encoding(200, 16), expected, atol=1e-6)


def test_measure_sees_what_each_candidate_lacks(lab: Lab) -> None:
    sound = lab.measure(paper)
    assert lab.measure(candidates.raw_index)["largest entry"] == 511
    assert lab.measure(candidates.scaled_index)["change with length"] > 0.5
    assert lab.measure(candidates.one_sine)["nearest two rows"] < 1e-5 < sound["nearest two rows"]
    assert lab.measure(candidates.binary_digits)["nearer rows"] > 0.05 > sound["nearer rows"]
    assert lab.measure(candidates.binary_digits)["left by the shift"] > 0.1
    assert lab.measure(candidates.random_table)["share of rows"] == 0.5
    assert lab.measure(candidates.random_table)["spread, one offset"] > 0.1


def test_compare_prints_the_first_before_the_second(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.compare(candidates.raw_index, paper)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(lab.measure(paper)) == 7
    assert lines[0].split() == ["largest", "entry", "511.0000", "1.0000"]
    assert len({len(line) for line in lines}) == 1


# What is stored


def test_only_cells_that_draw_into_an_output_widget_are_not_compared() -> None:
    assert {cell.id for cell in CELLS.values() if switched_off(cell)} == DRAWN_LATER
    assert {cell for name, cell in NOT_COMPARED if name == "lab"} == DRAWN_LATER
    assert len(DRAWN_LATER) == 5


@pytest.mark.parametrize("cell", VIEWS)
def test_a_widget_has_a_still_picture_and_words_for_it(cell: str) -> None:
    image = any("image/png" in output.get("data", {}) for output in CELLS[cell].outputs)
    assert image or cell in DRAWN_LATER
    assert len(CELLS[cell].metadata["mystnb"]["image"]["alt"].split()) >= 8


def test_the_stored_pictures_are_what_the_cells_draw_at_first(lab: Lab) -> None:
    first = [
        figures.heat_map(stepwise(64, 64)),
        figures.waves(stepwise(100, 64), [0, 1]),
        figures.similarity_curve(stepwise(32, 64), 0),
        figures.similarity_curve(stepwise(1001, 8), 0),
        figures.heat_map(lab.my_encoding(64, 16)),
    ]
    drawn_later = [root for cell, root in VIEWS.items() if cell in DRAWN_LATER]
    for root, figure in zip(drawn_later, first, strict=True):
        _, data = output_picture(MODELS, root)
        stored = grey(base64.b64decode(data))
        drawn = grey(figures.png(figure))
        assert stored.shape == drawn.shape
        assert np.abs(stored - drawn).mean() < 0.1, root


def grey(png: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("L"), dtype=float)


def test_no_widget_holds_an_error() -> None:
    for root in VIEWS.values():
        for model in reachable(MODELS, [root]):
            kinds = {output["output_type"] for output in MODELS[model]["state"].get("outputs", [])}
            assert kinds <= {"display_data"}, model
