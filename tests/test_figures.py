"""The figures show the tensors that they are given, legibly."""

from __future__ import annotations

import functools
import io
import re
import runpy
import sys
from collections.abc import Callable

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import ConnectionPatch, StepPatch
from matplotlib.text import Text
from PIL import Image
from torch import Tensor

from pe_core.steps import interleave, stepwise
from pe_lab import figures
from pe_lab.candidates import binary_digits

SMALL = stepwise(10, 6)
LARGE = stepwise(100, 64)
TABLES = {"one": SMALL, "two": -SMALL}
ONE_HOT, EMBEDDING = torch.eye(3)[[1, 0]], torch.arange(-6.0, 6.0).reshape(3, 4)
PRODUCT = (ONE_HOT, EMBEDDING, ONE_HOT @ EMBEDDING)

LOSSES = {
    "none": torch.tensor([[2.8, 2.7, 2.6, 2.5, 2.5], [2.9, 2.8, 2.7, 2.6, 2.5]]),
    "sinusoid": torch.tensor([[2.8, 1.0, 0.5, 0.2, 0.1]]),
}
TURNS = torch.polar(torch.tensor([[4.0, 1.0]]), torch.tensor([[2.1, -1.0]]))
RIGHT = {
    "one": torch.tensor([[1.0, 0.5, 0.3]]),
    "two": torch.tensor([[0.9, 0.4, 0.2], [0.8, 0.6, 0.1]]),
}
HANDS = {"fast": 1.0, "between": 0.1, "slow": 0.01, "slowest": 0.001}

DRAWINGS: dict[str, Callable[[], Figure]] = {
    "heat_map, small": lambda: figures.heat_map(SMALL),
    "heat_map, large": lambda: figures.heat_map(LARGE),
    "waves, small": lambda: figures.waves(SMALL),
    "waves, large": lambda: figures.waves(LARGE),
    "similarity_curve": lambda: figures.similarity_curve(LARGE, 50),
    "gram, small": lambda: figures.gram(SMALL),
    "gram, large": lambda: figures.gram(LARGE),
    "interleave_picture": lambda: figures.interleave_picture(SMALL[:4, 0::2], SMALL[:4, 1::2]),
    "side_by_side": lambda: figures.side_by_side(TABLES),
    "embedding_picture": lambda: figures.embedding_picture(*PRODUCT, ["I", "am"], ["am", "I", "x"]),
    "transformer_diagram": figures.transformer_diagram,
    "places_diagram": figures.places_diagram,
    "digit_waves": lambda: figures.digit_waves(binary_digits(8, 2), SMALL[:, :2]),
    "loss_curves": lambda: figures.loss_curves(LOSSES, every=20),
    "shift_cosines": lambda: figures.shift_cosines({"trained": -LOSSES["none"]}, furthest=2),
    "pair_angles": lambda: figures.pair_angles(TURNS, torch.tensor([2.0, 1.0])),
    "right_by_length": lambda: figures.right_by_length(RIGHT, [32, 64, 128]),
    "seen_arcs": lambda: figures.seen_arcs(HANDS, trained=32, length=128),
    "comings_together": lambda: figures.comings_together(RIGHT["one"], RIGHT["two"], known=2),
}


@functools.cache
def drawn(name: str) -> tuple[Figure, bytes]:
    figure = DRAWINGS[name]()
    return figure, figures.png(figure)


def numbers_in_cells(ax: object) -> list[float]:
    return [float(t.get_text().replace("\N{MINUS SIGN}", "-")) for t in ax.texts]  # type: ignore[attr-defined]


def luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast by the Web Content Accessibility Guidelines 2: from 1 to 21, readable from 4.5."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


# What a reader without green or without red cones sees, on linear RGB (Machado et al. 2009).
BLINDNESS = {
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
}


def lab_as_seen(colour: str, matrix: list[list[float]]) -> np.ndarray:
    """CIELAB of a colour as a colour-blind reader sees it, white point D65."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    seen = np.clip(np.array(matrix) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ seen / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize(
    ("one", "other"), [(figures.MINUS, figures.PLUS), (figures.SINE, figures.COSINE)]
)
def test_a_colour_blind_reader_can_tell_the_ends_apart(
    one: str, other: str, blindness: str
) -> None:
    matrix = BLINDNESS[blindness]
    # A difference of about 2 is just seen; 20 is plain in small areas side by side.
    assert np.linalg.norm(lab_as_seen(one, matrix) - lab_as_seen(other, matrix)) > 20


def test_red_and_green_would_fail_the_colour_test() -> None:
    matrix = BLINDNESS["deuteranopia"]
    red, green = lab_as_seen("#b22222", matrix), lab_as_seen("#6b7a00", matrix)
    assert np.linalg.norm(red - green) < 20


def test_numbers_are_readable_on_every_colour() -> None:
    for value in np.linspace(-1, 1, 401):
        for cmap, norm in ((figures.VALUES, figures.UNIT), (figures.GRAM, figures.UNIT)):
            background = cmap(norm(value))
            assert contrast(figures.ink_on(background), to_hex(background)) >= 4.5


@pytest.mark.parametrize("colour", [figures.SINE, figures.COSINE, figures.INK])
def test_coloured_words_are_readable_on_white(colour: str) -> None:
    assert contrast(colour, "white") >= 4.5


@pytest.mark.parametrize("name", DRAWINGS)
def test_picture_is_opaque_white_and_small(name: str) -> None:
    _, picture = drawn(name)
    assert len(picture) < 60_000
    image = Image.open(io.BytesIO(picture))
    assert image.mode == "P"
    assert "transparency" not in image.info
    assert image.convert("RGB").getpixel((0, image.height - 1)) == (255, 255, 255)
    assert image.width == round(figures.WIDTH * figures.DPI)


@pytest.mark.parametrize("name", ["heat_map, small", "waves, large", "places_diagram"])
def test_picture_is_the_same_every_time(name: str) -> None:
    _, picture = drawn(name)
    assert picture == figures.png(DRAWINGS[name]())


@pytest.mark.parametrize("name", DRAWINGS)
def test_letters_are_large_enough(name: str) -> None:
    figure, _ = drawn(name)
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text()]
    assert texts
    # 9 points on a picture 7 inches wide, in proportion to the width.
    assert min(t.get_fontsize() for t in texts) >= 9 * figures.WIDTH / 7


@pytest.mark.parametrize("name", DRAWINGS)
def test_nothing_is_cut_off_at_the_edge(name: str) -> None:
    figure, _ = drawn(name)
    ink = figure.get_tightbbox()  # inches
    width, height = figure.get_size_inches()
    assert min(ink.x0, ink.y0) >= 0
    assert ink.x1 <= width
    assert ink.y1 <= height


def test_a_notebook_shows_a_figure_by_itself() -> None:
    figure = figures.heat_map(SMALL)
    assert figure._repr_png_() == figures.png(figure)  # type: ignore[attr-defined]
    assert repr(figure) == "<BookFigure size 660x451 with 1 Axes>"


def test_figures_do_not_need_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.delattr(matplotlib, "pyplot", raising=False)
    without = runpy.run_path(figures.__file__)
    assert without["png"](without["heat_map"](SMALL)) == drawn("heat_map, small")[1]


def test_heat_map_shows_the_table() -> None:
    (ax,) = figures.heat_map(SMALL).axes
    assert np.array_equal(ax.images[0].get_array(), SMALL.double().numpy())
    assert numbers_in_cells(ax) == [round(v, 2) for v in SMALL.flatten().tolist()]
    assert ax.get_xlabel() == "column"
    assert ax.get_ylabel() == "position p"


def test_colours_mean_minus_one_zero_and_one() -> None:
    image = figures.heat_map(torch.tensor([[-1.0, 0.0, 1.0]])).axes[0].images[0]
    colours = [to_hex(c) for c in image.cmap(image.norm(np.array([-1.0, 0.0, 1.0])))]
    assert colours == [figures.MINUS, figures.ZERO, figures.PLUS]


def test_a_large_heat_map_has_a_colour_bar_and_no_numbers() -> None:
    ax, bar = figures.heat_map(LARGE).axes
    assert not ax.texts
    assert [t.get_text() for t in bar.get_yticklabels()] == ["\N{MINUS SIGN}1", "0", "1"]


def test_waves_draw_the_columns_pair_by_pair() -> None:
    axes = figures.waves(SMALL).axes
    assert [ax.get_title(loc="left") for ax in axes] == ["pair 0", "pair 1", "pair 2"]
    for i, ax in enumerate(axes):
        sine, cosine = ax.lines
        assert np.array_equal(sine.get_ydata(), SMALL[:, 2 * i].double())
        assert np.array_equal(cosine.get_ydata(), SMALL[:, 2 * i + 1].double())
        assert [sine.get_label(), cosine.get_label()] == [f"column {2 * i}", f"column {2 * i + 1}"]
        assert [sine.get_linestyle(), cosine.get_linestyle()] == ["-", "--"]
        assert [sine.get_color(), cosine.get_color()] == [figures.SINE, figures.COSINE]


def test_waves_of_chosen_columns_and_of_a_wide_table() -> None:
    labels = [[line.get_label() for line in ax.lines] for ax in figures.waves(LARGE, [3, 8]).axes]
    assert labels == [["column 3"], ["column 8"]]
    titles = [ax.get_title(loc="left") for ax in figures.waves(LARGE).axes]
    assert titles == ["pair 0", "pair 10", "pair 21", "pair 31"]


def test_similarity_curve_is_the_row_of_dot_products() -> None:
    line = figures.similarity_curve(SMALL, 2).axes[0].lines[0]
    products = [sum(a * b for a, b in zip(SMALL[2], row, strict=True)) for row in SMALL]
    assert np.allclose(line.get_ydata(), products, atol=1e-6)
    assert line.get_xdata().tolist() == list(range(-2, 8))


def test_gram_shows_every_dot_product() -> None:
    (ax,) = figures.gram(SMALL).axes
    products = torch.einsum("pc,qc->pq", SMALL, SMALL)
    assert np.allclose(ax.images[0].get_array(), products, atol=1e-6)
    assert np.allclose(numbers_in_cells(ax), products.flatten(), atol=0.051)


def test_interleave_picture_leads_each_column_to_its_place() -> None:
    even, odd = SMALL[:4, 0::2], SMALL[:4, 1::2]
    figure = figures.interleave_picture(even, odd)
    left, right, below = figure.axes
    assert np.array_equal(left.images[0].get_array(), even.double())
    assert np.array_equal(right.images[0].get_array(), odd.double())
    assert np.array_equal(below.images[0].get_array(), interleave(even, odd).double())
    arrows = [a for a in figure.artists if isinstance(a, ConnectionPatch)]
    assert len(arrows) == 6
    for arrow in arrows:
        # An arrow leaves the column that holds the same numbers as the column it reaches.
        start = arrow.axesA.images[0].get_array()[:, int(arrow.xy1[0])]
        end = below.images[0].get_array()[:, int(arrow.xy2[0])]
        assert arrow.axesB is below
        assert np.array_equal(start, end)
    assert sorted(a.xy2[0] for a in arrows) == [0, 1, 2, 3, 4, 5]


def drawn_tables(figure: Figure) -> list[np.ndarray]:
    """The arrays behind the coloured tables of a figure, without those of colour bars."""
    return [np.asarray(ax.images[0].get_array()) for ax in figure.axes if ax.images]


@pytest.mark.parametrize(
    ("draw", "tables"),
    [
        (figures.side_by_side, TABLES),
    ],
)
def test_tables_stand_beside_each_other_under_their_names(
    draw: Callable[[dict[str, Tensor]], Figure], tables: dict[str, Tensor]
) -> None:
    figure = draw(tables)
    titles = [ax.get_title(loc="center") for ax in figure.axes if ax.images]
    assert titles == list(tables)
    for shown, table in zip(drawn_tables(figure), tables.values(), strict=True):
        assert np.array_equal(shown, table.double())


def test_the_embedding_picture_shows_a_product_of_two_matrices() -> None:
    figure = DRAWINGS["embedding_picture"]()
    for shown, factor in zip(drawn_tables(figure), PRODUCT, strict=True):
        assert np.array_equal(shown, factor.double())
    words = [[t.get_text() for t in ax.get_yticklabels()] for ax in figure.axes]
    assert words == [["I", "am"], ["am", "I", "x"], ["I", "am"]]


def test_the_transformer_adds_the_encoding_below_both_stacks() -> None:
    (ax,) = DRAWINGS["transformer_diagram"]().axes
    places = {
        name: [t.get_position() for t in ax.texts if t.get_text() == name]
        for name in ("encoder", "decoder", "PE", "+", "Q", "K", "V", "$W_E$")
    }
    for name in ("PE", "+", "Q", "K", "V", "$W_E$"):
        assert len(places[name]) == 2, name
    for stack, (name, plus) in enumerate(zip(("encoder", "decoder"), places["+"], strict=True)):
        assert plus[0] == places[name][0][0]  # in the line of its stack
        assert places["$W_E$"][stack][1] < plus[1] < places["V"][stack][1]


def test_a_position_enters_a_head_at_four_places() -> None:
    (ax,) = DRAWINGS["places_diagram"]().axes
    at = {text.get_text(): text.get_position() for text in ax.texts}
    names = ("1  a row", "2  a turn: RoPE", "3  a number", "4  a vector")
    row, turn, number, vector = (at[name] for name in names)
    pluses = sorted(t.get_position() for t in ax.texts if t.get_text() == "+")
    assert len(pluses) == 3
    assert row[1] < at["$W_Q$"][1] < turn[1] < at["query · key"][1] < number[1]
    # Row and score are in one line with what is added to them, the vector with the values.
    below, score, value = pluses
    assert below[1] == pytest.approx(row[1], abs=0.1)
    assert score[1] == pytest.approx(number[1], abs=0.1)
    assert value[0] == at["$W_V$"][0]
    assert vector[0] > value[0]


def test_digits_and_waves_share_their_positions() -> None:
    axes = DRAWINGS["digit_waves"]().axes
    for c, ax in enumerate(axes):
        steps, (wave,) = ax.patches[0], ax.lines
        assert isinstance(steps, StepPatch)
        values, edges, _ = steps.get_data()
        assert np.array_equal(values, binary_digits(8, 2)[:, c])
        assert edges.tolist() == [p - 0.5 for p in range(9)]
        assert np.array_equal(wave.get_ydata(), SMALL[:, c].double())
        assert wave.get_xdata()[[0, -1]].tolist() == [-0.5, 7.5]


def test_losses_have_a_line_for_each_seed_and_a_name_for_each_encoding() -> None:
    (ax,) = DRAWINGS["loss_curves"]().axes
    drawn_lines = [line.get_ydata().tolist() for line in ax.lines]
    assert drawn_lines == [row for rows in LOSSES.values() for row in rows.double().tolist()]
    assert all(line.get_xdata().tolist() == [20, 40, 60, 80, 100] for line in ax.lines)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == list(LOSSES)
    looks = {(line.get_color(), line.get_linestyle()) for line in ax.lines}
    assert len(looks) == len(LOSSES)


def test_cosines_stand_over_their_offsets() -> None:
    (ax,) = DRAWINGS["shift_cosines"]().axes
    _, one, two = ax.lines  # the first is the axis
    for line, row in zip((one, two), -LOSSES["none"].double(), strict=True):
        assert list(line.get_xdata()) == [-2, -1, 0, 1, 2]
        assert line.get_ydata().tolist() == row.tolist()


def test_a_turn_is_as_high_as_its_angle_and_as_large_as_its_size() -> None:
    (ax,) = DRAWINGS["pair_angles"]().axes
    (discs,) = ax.collections
    assert np.allclose(discs.get_offsets(), [[0, 2.1], [1, -1.0]], atol=1e-6)
    large, small = discs.get_sizes()
    assert large / small == pytest.approx(4)
    assert ax.lines[0].get_ydata().tolist() == [2.0, 1.0]


def test_a_head_that_turns_nothing_is_drawn() -> None:
    figures.png(figures.pair_angles(torch.zeros(1, 3, dtype=torch.complex64), torch.zeros(3)))


def test_shares_have_a_line_for_each_seed_over_their_lengths() -> None:
    (ax,) = DRAWINGS["right_by_length"]().axes
    lines = [line.get_ydata().tolist() for line in ax.lines]
    assert lines == [row for rows in RIGHT.values() for row in rows.double().tolist()]
    assert all(list(line.get_xdata()) == [32, 64, 128] for line in ax.lines)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == list(RIGHT)


def test_an_arc_ends_where_its_hand_stands() -> None:
    dials = DRAWINGS["seen_arcs"]().axes
    for ax, (name, frequency) in zip(dials, HANDS.items(), strict=False):
        assert ax.get_title(loc="center") == name
        _, known, *new = ax.lines
        ends = [min(frequency * last, 2 * np.pi) for last in (31, 127)]
        assert bool(new) == (ends[1] > ends[0])
        for line, end in zip((known, *new), ends, strict=False):
            x, y = (line.get_xdata()[-1], line.get_ydata()[-1])
            assert [x, y] / np.hypot(x, y) == pytest.approx([np.sin(end), np.cos(end)])


def test_hands_and_weights_stand_over_one_distance() -> None:
    above, below = DRAWINGS["comings_together"]().axes
    assert above.lines[0].get_ydata().tolist() == RIGHT["one"].double().tolist()[0]
    *weights, edge = below.lines
    assert [line.get_ydata().tolist() for line in weights] == RIGHT["two"].double().tolist()
    assert edge.get_xdata() == [1, 1], "the last of the two known distances"


@pytest.mark.parametrize("shape", [(6,), (0, 6), (10, 0), (2, 10, 6)])
def test_what_is_not_a_table_is_refused(shape: tuple[int, ...]) -> None:
    message = re.escape(f"pe must be a table with at least one row and column; got {shape}")
    for draw in (figures.heat_map, figures.waves, figures.similarity_curve, figures.gram):
        with pytest.raises(ValueError, match=message):
            draw(torch.zeros(shape))


def test_rows_and_halves_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="p must be a row of the table, 0 to 9; got 10"):
        figures.similarity_curve(SMALL, 10)
    with pytest.raises(ValueError, match="p must be a row of the table, 0 to 9; got -1"):
        figures.similarity_curve(SMALL, -1)
    with pytest.raises(ValueError, match="even and odd must have one shape"):
        figures.interleave_picture(SMALL[:, :3], SMALL[:, :2])


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "no rows": (lambda: figures.clocks(SMALL, []), r"rows must not be empty"),
    "no such row": (
        lambda: figures.clocks(SMALL, [3, 99]),
        r"rows must lie between 0 and 9; got 99",
    ),
    "a row from the end": (lambda: figures.clocks(SMALL, [-1]), r"rows must lie .*got -1"),
    "half a row": (lambda: figures.clocks(SMALL, [1.5]), r"rows must be an integer, got 1\.5"),  # type: ignore[list-item]
    "no columns": (lambda: figures.waves(SMALL, []), r"columns must not be empty"),
    "no such column": (lambda: figures.waves(SMALL, [20]), r"columns must lie .*5; got 20"),
    "a column from the end": (lambda: figures.waves(SMALL, [-1]), r"columns must lie .*got -1"),
    "waves of an odd width": (
        lambda: figures.waves(SMALL[:, :5]),
        r"pe must have an even number of columns; got 5",
    ),
    "clocks of an odd width": (lambda: figures.clocks(SMALL[:, :5], [0]), r"pe must have an even"),
    "no tables": (lambda: figures.side_by_side({}), "tables must not be empty"),
    "no products": (
        lambda: figures.products_by_offset({}, 3),
        "tables must not be empty",
    ),
    "products that are too far": (
        lambda: figures.products_by_offset({"a": torch.eye(4)}, 4),
        "furthest must be an offset in the table, 0 to 3; got 4",
    ),
    "half a row of products": (
        lambda: figures.similarity_curve(SMALL, 1.5),  # type: ignore[arg-type]
        r"p must be an integer, got 1\.5",
    ),
    "seven curves": (
        lambda: figures.loss_curves({str(n): torch.ones(1, 3) for n in range(7)}, 20),
        "there must be at most 6 curves, got 7",
    ),
    "seven shares": (
        lambda: figures.right_by_length({str(n): torch.ones(1, 1) for n in range(7)}, [32]),
        "there must be at most 6 curves, got 7",
    ),
    "no losses": (lambda: figures.loss_curves({}, 20), "tables must not be empty"),
    "no shares": (lambda: figures.right_by_length({}, [32]), "tables must not be empty"),
    "no hands": (lambda: figures.seen_arcs({}, 32, 128), "omega must not be empty"),
    "turns that are not complex": (
        lambda: figures.pair_angles(torch.ones(1, 2), torch.ones(2)),
        r"turns must be complex, \(heads, 2\); got a tensor",
    ),
    "complex numbers": (
        lambda: figures.heat_map(SMALL * 1j),
        r"pe must hold real numbers; got a tensor .* torch\.complex64",
    ),
    "tables of two shapes": (
        lambda: figures.side_by_side({"one": SMALL, "two": SMALL[:3, :2]}),
        r"tables must have one shape; got .*\(3, 2\)",
    ),
    "waves of other columns": (
        lambda: figures.digit_waves(SMALL, SMALL[:, :3]),
        "waves must have 6 columns; got 3",
    ),
    "no cosine for an offset": (
        lambda: figures.shift_cosines({"a": SMALL}, 8),
        "a must have 17 columns; got 6",
    ),
    "cosines at no offset": (
        lambda: figures.shift_cosines({"a": SMALL}, -1),
        "furthest must be zero or a positive integer, got -1",
    ),
    "no share for a length": (
        lambda: figures.right_by_length({"a": SMALL}, [1, 2]),
        "a must have 2 columns; got 6",
    ),
    "a length that none has": (
        lambda: figures.right_by_length({"a": torch.ones(1, 2)}, [0, 2]),
        "lengths must be a positive integer, got 0",
    ),
    "turns in a list": (
        lambda: figures.pair_angles([1], [2]),  # type: ignore[arg-type]
        r"turns must be a tensor of shape \(heads, n\), got \[1\]",
    ),
    "angles in a list": (
        lambda: figures.pair_angles(TURNS, [2, 1]),  # type: ignore[arg-type]
        r"angles must be a tensor of shape \(n\), got \[2, 1\]",
    ),
    "no training": (
        lambda: figures.seen_arcs({"a": 1.0}, 0, 4),
        "trained must be a positive integer, got 0",
    ),
    "a length in words": (
        lambda: figures.seen_arcs({"a": 1.0}, 4, "x"),  # type: ignore[arg-type]
        "length must be an integer, got 'x'",
    ),
    "a hand without a speed": (
        lambda: figures.seen_arcs({"a": "fast"}, 4, 8),  # type: ignore[dict-item]
        "a must be a real number, got 'fast'",
    ),
    "losses at one step": (lambda: figures.loss_curves(LOSSES, 0), "every must be a positive"),
    "losses backwards": (lambda: figures.loss_curves(LOSSES, -5), r"every must .*, got -5"),
    "weights at other distances": (
        lambda: figures.comings_together(RIGHT["one"], SMALL, 2),
        "weights must have 3 columns; got 6",
    ),
    "an array": (lambda: figures.heat_map(np.eye(3)), r"pe must be a tensor; got array"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drawn_is_named(name: str) -> None:
    draw, complaint = REFUSED[name]
    with pytest.raises((TypeError, ValueError), match=complaint):
        draw()


def test_a_figure_takes_any_float_type_and_a_tensor_with_a_gradient() -> None:
    for pe in (SMALL.bfloat16(), SMALL.double(), SMALL.clone().requires_grad_()):
        (ax,) = figures.heat_map(pe).axes
        assert np.array_equal(ax.images[0].get_array(), pe.detach().double().numpy())
