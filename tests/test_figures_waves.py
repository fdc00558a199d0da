"""The figures of the chapters on waves and similarity show the tensors that they are given."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from PIL import Image

from pe_core.offset import similarity, wavelengths
from pe_core.steps import stepwise
from pe_lab import figures

TABLE = stepwise(40, 6, dtype=torch.float64)  # (40, 6)
SPREADS = {n: TABLE[:n].std(dim=0, correction=0) for n in (10, 40)}  # (6,) each
OFFSETS = torch.arange(1, 20, dtype=torch.float64)
PRODUCTS = {"rows": similarity(TABLE), "other": TABLE @ TABLE.roll(1, dims=1).T}  # (40, 40) each

FIGURES: dict[str, Callable[[], Figure]] = {
    "clocks": lambda: figures.clocks(TABLE, [0, 3, 7, 22]),
    "wavelength_ladders": lambda: figures.wavelength_ladders(
        {"a": wavelengths(6), "b": wavelengths(12)}
    ),
    "column_movement": lambda: figures.column_movement(SPREADS, 0.1),
    "similarity_decay": lambda: figures.similarity_decay(OFFSETS, 1 / OFFSETS, 1 - OFFSETS / 20),
    "products_by_offset": lambda: figures.products_by_offset(PRODUCTS, 15),
}


@functools.cache
def drawn(name: str) -> Figure:
    return FIGURES[name]()


@pytest.mark.parametrize("name", FIGURES)
def test_picture_is_as_wide_as_the_others_and_nothing_is_cut_off(name: str) -> None:
    figure = drawn(name)
    picture = figures.png(figure)
    assert len(picture) < 60_000
    assert Image.open(io.BytesIO(picture)).width == round(figures.WIDTH * figures.DPI)
    with figures.style():
        ink = figure.get_tightbbox()  # inches
    width, height = figure.get_size_inches()
    assert min(ink.x0, ink.y0) >= 0
    assert ink.x1 <= width
    assert ink.y1 <= height


def test_the_tip_of_a_hand_is_the_sine_to_the_right_and_the_cosine_up() -> None:
    dials = drawn("clocks").axes  # a line of dials per pair, a column per row of the table
    assert len(dials) == 12
    for n, ax in enumerate(dials):
        i, p = n // 4, (0, 3, 7, 22)[n % 4]
        _, sine, cosine, hand, tip = ax.lines  # the first is the mark at noon
        at = TABLE[p, 2 * i : 2 * i + 2].tolist()
        assert tip.get_xydata()[0].tolist() == at
        assert hand.get_xydata().tolist() == [[0.0, 0.0], at]
        assert sine.get_xydata().tolist() == [[0.0, 0.0], [at[0], 0.0]]
        assert cosine.get_xydata().tolist() == [[at[0], 0.0], at]
    assert [ax.get_title(loc="center") for ax in dials[:4]] == ["p = 0", "p = 3", "p = 7", "p = 22"]


def test_ladders_mark_every_wavelength_on_a_line_of_its_own() -> None:
    (ax,) = drawn("wavelength_ladders").axes
    assert ax.get_xscale() == "log"
    for n, (line, d_model) in enumerate(zip(ax.lines, (6, 12), strict=True)):
        np.testing.assert_array_equal(line.get_xdata(), wavelengths(d_model))
        assert set(line.get_ydata()) == {n}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


def test_column_movement_draws_sines_and_cosines_apart() -> None:
    for ax, (length, spread) in zip(drawn("column_movement").axes, SPREADS.items(), strict=True):
        sine, cosine, threshold = ax.lines
        np.testing.assert_array_equal(sine.get_ydata(), spread[0::2])
        np.testing.assert_array_equal(cosine.get_ydata(), spread[1::2])
        assert set(threshold.get_ydata()) == {0.1}
        assert ax.get_title(loc="left") == f"first {length} rows"
        low, high = ax.get_ylim()
        assert low <= spread.min()
        assert spread.max() <= high


def test_similarity_decay_draws_the_curve_and_the_line() -> None:
    curve, line, _ = drawn("similarity_decay").axes[0].lines
    np.testing.assert_array_equal(curve.get_xydata(), torch.stack([OFFSETS, 1 / OFFSETS], dim=1))
    np.testing.assert_array_equal(line.get_ydata(), 1 - OFFSETS / 20)


def test_the_lines_are_the_smallest_the_largest_and_the_mean_product_of_an_offset() -> None:
    for ax, (name, products) in zip(
        drawn("products_by_offset").axes, PRODUCTS.items(), strict=True
    ):
        assert ax.get_title(loc="left") == name
        low, high, mean = ax.lines
        for k in range(16):
            diagonal = products.diagonal(k)
            assert low.get_ydata()[k] == pytest.approx(diagonal.min().item(), abs=1e-12)
            assert high.get_ydata()[k] == pytest.approx(diagonal.max().item(), abs=1e-12)
            assert mean.get_ydata()[k] == pytest.approx(diagonal.mean().item(), abs=1e-12)
