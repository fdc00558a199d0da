"""The Python half of the explorers: settings, errors, what they encode, what they show still."""

from __future__ import annotations

import base64
import functools
import io
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image
from torch import Tensor
from traitlets import TraitError

from pe_core import offset_matrix, trace
from pe_lab import figures
from pe_lab.explorers import (
    BuildExplorer,
    ClinicExplorer,
    ClockExplorer,
    CounterExplorer,
    FamilyExplorer,
    HeadExplorer,
    HeatmapExplorer,
    ModelExplorer,
    OffsetExplorer,
    OrderExplorer,
    SimilarityExplorer,
)
from pe_lab.explorers.dial import draw_dial
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.settings import Choice, Letters, Sentence

ALL: list[type[Explorer]] = [
    BuildExplorer,
    HeatmapExplorer,
    ClockExplorer,
    SimilarityExplorer,
    OffsetExplorer,
    OrderExplorer,
    CounterExplorer,
    HeadExplorer,
    FamilyExplorer,
    ModelExplorer,
    ClinicExplorer,
]
every = pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (
            lambda: BuildExplorer(row=3, step=4),
            "BuildExplorer(d_model=6, length=10, base=10000.0, step=4, row=3, column=0)",
        ),
        (HeatmapExplorer, "HeatmapExplorer(length=64, d_model=64, base=10000.0, row=0, column=0)"),
        (ClockExplorer, "ClockExplorer(d_model=8, position=0, base=10000.0, pair=0)"),
        (
            SimilarityExplorer,
            "SimilarityExplorer(d_model=64, length=128, position=0, schedule='paper', "
            "first_rise=False)",
        ),
        (OffsetExplorer, "OffsetExplorer(d_model=6, position=3, offset=4, base=10000.0, pair=0)"),
        (
            lambda: OrderExplorer(positions=True),
            "OrderExplorer(sentence='I love India', positions=True, place=0)",
        ),
        (CounterExplorer, "CounterExplorer(position=7, radix=2, smooth=0, speed='counter')"),
        (
            lambda: HeadExplorer(d_model=512),
            "HeadExplorer(offset=3, d_model=512, gain=1, pairs=256, words=False, row=30, "
            "trained=False)",
        ),
        (
            FamilyExplorer,
            "FamilyExplorer(one='sinusoid', two='T5 bias', aim=-20, d_model=64, base=10000.0, "
            "scaling='none', factor=1, max_length=192, head=1, buckets=16, max_distance=128, "
            "clip=16)",
        ),
        (
            lambda: ModelExplorer("RoPE", "ABBA", 8),
            "ModelExplorer(trained='RoPE', text='ABBA', length=8, place=7, other=7, "
            "exchanged=False)",
        ),
        (
            lambda: ClinicExplorer(14, named="power-chain"),
            "ClinicExplorer(patient=14, test='first row', named='power-chain', program=False, "
            "d_model=8, length=80)",
        ),
    ],
)
def test_repr_is_the_call_that_makes_it(made: Callable[[], Explorer], text: str) -> None:
    explorer = made()
    assert repr(explorer) == text
    again = eval(text)
    assert repr(again) == text


@pytest.mark.parametrize(
    ("make", "name", "value", "words"),
    [
        (ClockExplorer, "position", 1001, ["position", "0 and 1000", "1001"]),
        (ClockExplorer, "position", -1, ["position", "0 and 1000", "-1"]),
        (ClockExplorer, "position", 2.5, ["position", "integer", "2.5"]),
        (ClockExplorer, "position", True, ["position", "integer", "True"]),
        (ClockExplorer, "position", None, ["position", "integer", "None"]),
        (ClockExplorer, "d_model", 7, ["d_model", "even", "7"]),
        (ClockExplorer, "d_model", 514, ["d_model", "2 and 512", "514"]),
        (ClockExplorer, "d_model", "8", ["d_model", "integer", "'8'"]),
        (ClockExplorer, "base", 9.99, ["base", "10 and 1000000", "9.99"]),
        (ClockExplorer, "base", 1e7, ["base", "10 and 1000000", "10000000.0"]),
        (ClockExplorer, "base", math.nan, ["base", "finite", "nan"]),
        (ClockExplorer, "base", "big", ["base", "real number", "'big'"]),
        (ClockExplorer, "pair", 4, ["pair", "0 and 3", "4"]),
        (ClockExplorer, "pair", 256, ["pair", "0 and 255", "256"]),
        (BuildExplorer, "d_model", 18, ["d_model", "2 and 16", "18"]),
        (BuildExplorer, "length", 0, ["length", "1 and 16", "0"]),
        (BuildExplorer, "step", 9, ["step", "0 and 8", "9"]),
        (BuildExplorer, "row", 10, ["row", "0 and 9", "10"]),
        (BuildExplorer, "column", 6, ["column", "0 and 5", "6"]),
        (HeatmapExplorer, "length", 1, ["length", "2 and 512", "1"]),
        (HeatmapExplorer, "row", 64, ["row", "0 and 63", "64"]),
        (HeatmapExplorer, "column", 64, ["column", "0 and 63", "64"]),
        (SimilarityExplorer, "position", 128, ["position", "0 and 127", "128"]),
        (SimilarityExplorer, "schedule", "best", ["schedule", "paper", "raw-exponent", "best"]),
        (OffsetExplorer, "offset", 51, ["offset", "-50 and 50", "51"]),
        (OffsetExplorer, "pair", 3, ["pair", "0 and 2", "3"]),
        (OffsetExplorer, "position", 101, ["position", "0 and 100", "101"]),
        (OrderExplorer, "sentence", "I love cats", ["sentence", "'cats'", "India"]),
        (OrderExplorer, "place", 3, ["place", "0 and 2", "3"]),
        # True == 1 in Python, but not in the front end.
        (OrderExplorer, "positions", 1, ["positions", "False or True", "1"]),
        (OrderExplorer, "positions", np.True_, ["positions", "False or True", "np.True_"]),
        (OrderExplorer, "positions", None, ["positions", "False or True", "None"]),
        (OrderExplorer, "positions", np.ones(2), ["positions", "False or True", "array"]),
        (CounterExplorer, "radix", 11, ["radix", "2 and 10", "11"]),
        (CounterExplorer, "smooth", 101, ["smooth", "0 and 100", "101"]),
        (CounterExplorer, "speed", "fast", ["speed", "'counter' or 'paper'", "'fast'"]),
        (CounterExplorer, "speed", ["paper"], ["speed", "'counter' or 'paper'", "['paper']"]),
        (HeadExplorer, "offset", 11, ["offset", "-10 and 10", "11"]),
        (HeadExplorer, "d_model", 2, ["d_model", "4 and 512", "2"]),
        (HeadExplorer, "gain", 0, ["gain", "1 and 16", "0"]),
        (HeadExplorer, "pairs", 33, ["pairs", "1 and 32", "33"]),
        (HeadExplorer, "words", 0, ["words", "False or True", "0"]),
        (HeadExplorer, "row", 50, ["row", "0 and 49", "50"]),
        (HeadExplorer, "trained", "yes", ["trained", "False or True", "'yes'"]),
        (FamilyExplorer, "one", "xPos", ["one", "'sinusoid' or 'RoPE'", "'none'", "'xPos'"]),
        (FamilyExplorer, "two", None, ["two", "'ALiBi'", "None"]),
        (FamilyExplorer, "aim", 129, ["aim", "-128 and 128", "129"]),
        (FamilyExplorer, "d_model", 130, ["d_model", "4 and 128", "130"]),
        (FamilyExplorer, "base", 9, ["base", "10 and 1000000", "9"]),
        (FamilyExplorer, "scaling", "linear", ["scaling", "'NTK-aware' or 'YaRN'", "'linear'"]),
        (FamilyExplorer, "factor", 0, ["factor", "1 and 16", "0"]),
        (FamilyExplorer, "max_length", 15, ["max_length", "16 and 512", "15"]),
        (FamilyExplorer, "head", 9, ["head", "1 and 8", "9"]),
        (FamilyExplorer, "buckets", 1, ["buckets", "2 and 32", "1"]),
        (FamilyExplorer, "max_distance", 16, ["max_distance", "17 and 128", "16"]),
        (FamilyExplorer, "clip", 33, ["clip", "1 and 32", "33"]),
        (ModelExplorer, "trained", "Rope", ["trained", "'RoPE'", "'Rope'"]),
        (ModelExplorer, "text", "AQUA", ["text", "'Q'", "A to P"]),
        (ModelExplorer, "text", "a", ["text", "'a'", "A to P"]),
        (ModelExplorer, "text", "A" * 129, ["text", "at most 128", "129"]),
        (ModelExplorer, "text", None, ["text", "None"]),
        (ModelExplorer, "length", 3, ["length", "4 and 128", "3"]),
        (ModelExplorer, "place", 32, ["place", "0 and 31", "32"]),
        (ModelExplorer, "other", 32, ["other", "0 and 31", "32"]),
        (ModelExplorer, "exchanged", 1, ["exchanged", "False or True", "1"]),
        (ClinicExplorer, "patient", 15, ["patient", "1 and 14", "15"]),
        (ClinicExplorer, "test", "norm", ["test", "'norms' or 'diagonals'", "'norm'"]),
        (ClinicExplorer, "named", "all", ["named", "'right'", "'all-one'", "'all'"]),
        (ClinicExplorer, "program", 1, ["program", "False or True", "1"]),
        (ClinicExplorer, "d_model", 18, ["d_model", "6 and 16", "18"]),
        (ClinicExplorer, "length", 71, ["length", "72 and 160", "71"]),
    ],
)
def test_a_wrong_setting_is_named_and_changes_nothing(
    make: type[Explorer], name: str, value: object, words: list[str]
) -> None:
    explorer = make()
    before = repr(explorer)
    with pytest.raises(TraitError) as caught:
        setattr(explorer, name, value)
    for word in [make.__name__, *words]:
        assert word in str(caught.value)
    assert repr(explorer) == before
    with pytest.raises(TraitError):
        make(**{name: value})


HUGE, LONG = 10**5000, "A" * 100_000  # Python writes no number of so many digits


@pytest.mark.parametrize(
    ("make", "given", "words"),
    [
        (ClockExplorer, {"position": HUGE}, ["position", "0 and 1000", "16610 bits"]),
        (OrderExplorer, {"sentence": f"I {LONG}"}, ["sentence", "'AAAA", "India"]),
        (OrderExplorer, {"sentence": HUGE}, ["sentence", "text", "16610 bits"]),
        (ModelExplorer, {"text": LONG.encode()}, ["text", "b'AAAA"]),
        (ClinicExplorer, {"test": HUGE}, ["test", "'norms'", "16610 bits"]),
        (ClinicExplorer, {"test": LONG}, ["test", "'norms'", "'AAAA"]),
    ],
)
def test_the_message_is_short_however_long_the_setting(
    make: type[Explorer], given: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(TraitError) as caught:
        make(**given)
    for word in [make.__name__, *words]:
        assert word in str(caught.value)
    assert len(str(caught.value)) < 200


BASE = (10, 1_000_000)
LIMITS: dict[type[Explorer], dict[str, tuple[int, int]]] = {
    BuildExplorer: {
        "d_model": (2, 16),
        "length": (1, 16),
        "base": BASE,
        "step": (0, 8),
        "row": (0, 15),
        "column": (0, 15),
    },
    HeatmapExplorer: {
        "length": (2, 512),
        "d_model": (2, 512),
        "base": BASE,
        "row": (0, 511),
        "column": (0, 511),
    },
    ClockExplorer: {"d_model": (2, 512), "position": (0, 1000), "base": BASE, "pair": (0, 255)},
    SimilarityExplorer: {"d_model": (2, 512), "length": (2, 512), "position": (0, 511)},
    OffsetExplorer: {
        "d_model": (2, 16),
        "position": (0, 100),
        "offset": (-50, 50),
        "base": BASE,
        "pair": (0, 7),
    },
    OrderExplorer: {"place": (0, 5)},
    CounterExplorer: {"position": (0, 63), "radix": (2, 10), "smooth": (0, 100)},
    HeadExplorer: {
        "offset": (-10, 10),
        "d_model": (4, 512),
        "gain": (1, 16),
        "pairs": (1, 256),
        "row": (0, 49),
    },
    FamilyExplorer: {
        "aim": (-128, 128),
        "d_model": (4, 128),
        "base": (10, 1e6),
        "factor": (1, 16),
        "max_length": (16, 512),
        "head": (1, 8),
        "buckets": (2, 32),
        "max_distance": (17, 128),
        "clip": (1, 32),
    },
    ModelExplorer: {"length": (4, 128), "place": (0, 127), "other": (0, 127)},
    ClinicExplorer: {"patient": (1, 14), "d_model": (6, 16), "length": (72, 160)},
}


@every
def test_the_limits(make: type[Explorer]) -> None:
    limits = {}
    for name, trait in make().traits().items():
        if name in make.settings and not isinstance(trait, Choice | Letters | Sentence):
            limits[name] = (trait.limits()["low"], trait.limits()["high"])
    assert limits == LIMITS[make]


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(TypeError, match="place"):
        ClockExplorer(place=3)  # type: ignore[call-arg]


def test_integers_of_other_libraries_are_accepted() -> None:
    clock = ClockExplorer(position=torch.tensor(44))  # type: ignore[arg-type]
    assert repr(clock) == "ClockExplorer(d_model=8, position=44, base=10000.0, pair=0)"
    assert type(clock.position) is int
    for length in (np.int64(8), torch.tensor(8)):
        model = ModelExplorer(length=length)  # type: ignore[arg-type]
        assert (model.length, model.place, model.other) == (8, 7, 7)


def test_a_text_of_another_library_is_kept_as_a_text() -> None:
    curve = SimilarityExplorer(schedule=np.str_("equal"))
    assert "schedule='equal'," in repr(curve)


def test_what_no_longer_exists_moves_to_the_last_that_does() -> None:
    heat = HeatmapExplorer(length=64, d_model=64, row=63, column=63)
    heat.length = 10
    assert (heat.row, heat.column) == (9, 63)
    heat.d_model = 4
    assert (heat.row, heat.column) == (9, 3)
    curve = SimilarityExplorer(position=127)
    curve.length = 2
    assert curve.position == 1
    build = BuildExplorer(row=9, column=5)
    build.d_model, build.length = 2, 1
    assert (build.row, build.column) == (0, 1)
    # d_model leaves the position of a clock alone, and so does an offset's.
    clock = ClockExplorer(position=700, d_model=64, pair=31)
    clock.d_model = 8
    assert (clock.position, clock.pair) == (700, 3)


def test_settings_that_only_fit_together_are_accepted_together() -> None:
    heat = HeatmapExplorer(length=512, row=511)
    heat.set_state({"length": 10, "row": 9})
    assert (heat.length, heat.row) == (10, 9)
    heat.set_state({"length": 512, "row": 500})
    assert (heat.length, heat.row) == (512, 500)


def value(p: int, c: int, d_model: int, base: float) -> float:
    """PE(p, c) by the formula, one number at a time."""
    angle = p / base ** (2 * (c // 2) / d_model)
    return math.cos(angle) if c % 2 else math.sin(angle)


def table(length: int, d_model: int, base: float = 10000.0) -> Tensor:
    return torch.tensor(
        [[value(p, c, d_model, base) for c in range(d_model)] for p in range(length)],
        dtype=torch.float64,
    )


@pytest.mark.parametrize(
    ("explorer", "expected"),
    [
        (BuildExplorer(8, 12, 500.0), table(12, 8, 500.0)),
        (HeatmapExplorer(20, 10, 1e6), table(20, 10, 1e6)),
        (ClockExplorer(4, 44, 10.0), table(1001, 4, 10.0)),
        (SimilarityExplorer(6, 9), table(9, 6)),
        (OffsetExplorer(6, 3, 4, 100.0), table(151, 6, 100.0)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_encoding_is_the_table_behind_the_figure(explorer: Explorer, expected: Tensor) -> None:
    assert explorer.encoding.dtype == torch.float64
    assert torch.allclose(explorer.encoding, expected, rtol=0, atol=1e-12)


def test_encoding_follows_the_settings() -> None:
    heat = HeatmapExplorer()
    assert heat.encoding.shape == (64, 64)
    heat.length, heat.d_model, heat.base = 7, 4, 10.0
    assert torch.allclose(heat.encoding, table(7, 4, 10.0), atol=1e-12)


@pytest.mark.parametrize(
    ("schedule", "sine", "cosine"),
    [
        ("paper", lambda i: 10000 ** (-2 * i / 6), lambda i: 10000 ** (-2 * i / 6)),
        ("equal", lambda i: 1.0, lambda i: 1.0),
        # Column c uses 2c/d: c = 2i in the sine, c = 2i + 1 in the cosine.
        ("raw-exponent", lambda i: 10000 ** (-4 * i / 6), lambda i: 10000 ** (-(4 * i + 2) / 6)),
        ("division", lambda i: 10000 ** (2 * i / 6), lambda i: 10000 ** (2 * i / 6)),
    ],
)
def test_frequency_schedules(
    schedule: str, sine: Callable[[int], float], cosine: Callable[[int], float]
) -> None:
    shown = SimilarityExplorer(6, 11, 0, schedule).encoding
    for p in range(11):
        for i in range(3):
            assert shown[p, 2 * i].item() == pytest.approx(math.sin(p * sine(i)), abs=1e-9)
            assert shown[p, 2 * i + 1].item() == pytest.approx(math.cos(p * cosine(i)), abs=1e-9)


def test_build_shows_the_steps_of_trace() -> None:
    for n, step in enumerate(trace(4, 6, base=50.0)):
        shown = BuildExplorer(length=4, base=50.0, step=n).shown
        assert (shown.name, shown.formula) == (step.name, step.formula)
        assert torch.equal(shown.tensor, step.tensor)


def test_build_frames_the_cell_on_the_way_of_the_chosen_number() -> None:
    cells = [BuildExplorer(row=3, column=5, step=n).chosen_cell() for n in range(9)]
    assert cells == [(0, 2), (0, 2), (0, 2), (3, 0), (3, 2), (3, 2), (3, 2), (3, 5), (3, 5)]
    smallest = [BuildExplorer(2, 1, column=1, step=n).chosen_cell() for n in range(9)]
    assert smallest == [(0, 0)] * 7 + [(0, 1)] * 2


def test_the_matrix_of_offset_moves_its_rows() -> None:
    explorer = OffsetExplorer(position=30, offset=-7)
    assert torch.equal(explorer.matrix, offset_matrix(-7, 6))
    moved = explorer.matrix @ explorer.encoding[30]
    assert torch.allclose(moved, explorer.encoding[23], rtol=0, atol=1e-12)


@every
def test_it_is_displayed_as_a_widget_a_picture_and_text(make: type[Explorer]) -> None:
    explorer = make()
    shown = explorer._repr_mimebundle_()
    assert shown is not None
    bundle, _ = shown
    assert bundle["text/plain"] == repr(explorer)
    view = bundle["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == explorer.model_id
    picture = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    assert picture.width == round(figures.WIDTH * figures.DPI)
    check_picture(picture.convert("RGBA"))


EXTREMES: list[Explorer] = [
    *(BuildExplorer(6, 10, step=n, row=3, column=2) for n in range(9)),
    *(BuildExplorer(16, 16, 1e6, step=n, row=15, column=15) for n in (0, 2, 4, 8)),
    BuildExplorer(2, 1, 10.0, step=7),
    HeatmapExplorer(2, 2, 10.0, 1, 1),
    HeatmapExplorer(512, 512, 1e6, 511, 511),
    ClockExplorer(2, 1000, 10.0),
    ClockExplorer(512, 710),
    SimilarityExplorer(2, 2, 1, "equal"),
    SimilarityExplorer(512, 512, 500, "division"),
    OffsetExplorer(2, 0, 0),
    OffsetExplorer(16, 100, -50, 1e6),
    OrderExplorer("I love", True, 1),
    OrderExplorer("India bites India bites India bites"),
    CounterExplorer(63, 10, 100),
    CounterExplorer(0, 2, 0, "paper"),
    HeadExplorer(-10, 4, 16, 1, True, 49),
    HeadExplorer(10, 512, 16, 256, trained=True),
    FamilyExplorer("RoPE", "learned table", 128, 128, 1e6, "YaRN", 16, 16),
    FamilyExplorer("ALiBi", "none", head=8),
    FamilyExplorer("Shaw", "T5 bias", -128, buckets=2, max_distance=17, clip=1),
    ModelExplorer("none", length=4),
    ModelExplorer("sinusoid, one head", "P" * 128, 128, 127, 0, True),
    ClinicExplorer(2, "norms", "right", True, 6, 72),
    ClinicExplorer(3, "diagonals", d_model=16, length=160),
]


@pytest.mark.parametrize("explorer", EXTREMES, ids=repr)
def test_it_has_a_picture_at_the_ends_of_its_settings(explorer: Explorer) -> None:
    check_picture(Image.fromarray(pixels(explorer)))


def check_picture(picture: Image.Image) -> None:
    """It is not empty, not too tall for a page, and on opaque white."""
    assert picture.height <= 1.8 * picture.width
    assert len(picture.getcolors(1 << 20) or []) > 10, "the picture is empty"
    assert picture.getpixel((0, 0)) == (255, 255, 255, 255)


def pixels(explorer: Explorer) -> np.ndarray:
    """The still picture as it is painted, small and not laid out, which takes as long again."""
    figure = explorer.still()
    figure.set_layout_engine("none")
    figure.set_dpi(40)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())


@functools.cache
def first_pixels(make: type[Explorer]) -> np.ndarray:
    """The still picture of the settings that a figure starts from."""
    return pixels(make())


@every
def test_the_same_settings_give_the_same_picture(make: type[Explorer]) -> None:
    assert np.array_equal(pixels(make()), first_pixels(make))


def check_dial(draw: Callable[[Axes, float], None]) -> None:
    """The sine goes from the middle to the right, in its colour; the cosine up, in its own."""
    for angle in (0.3, 2.0, 4.0, 5.5):
        ax = figures.new_figure(1.0).add_subplot()
        draw(ax, angle)
        ends = {line.get_color(): line.get_xydata()[-1].tolist() for line in ax.lines}
        assert ends[figures.SINE] == pytest.approx([math.sin(angle), 0])
        assert ends[figures.COSINE] == pytest.approx([0, math.cos(angle)])
        assert ends[figures.INK] == pytest.approx([math.sin(angle), math.cos(angle)])


def test_a_still_dial_points_right_by_its_sine_and_up_by_its_cosine() -> None:
    check_dial(draw_dial)


def test_the_still_clocks_and_turns_stand_where_the_formula_puts_them() -> None:
    clock = ClockExplorer(position=5)
    tips = [ax.lines[-1].get_xydata()[-1] for ax in clock.still().axes]  # (4, 2)
    assert np.allclose(np.array(tips), clock.encoding[5].reshape(-1, 2))
    offset = OffsetExplorer(position=3, offset=4)
    dials = [ax for figure in offset.still().subfigs[:1] for ax in figure.axes]
    tips = [ax.lines[-1].get_xydata()[-1] for ax in dials]
    assert np.allclose(np.array(tips), offset.encoding[7].reshape(-1, 2))


def test_another_setting_gives_another_picture() -> None:
    assert not np.array_equal(
        pixels(BuildExplorer(step=8)), pixels(BuildExplorer(step=8, column=1))
    )
    of_trained_head = (HeadExplorer(trained=True), HeadExplorer(row=31, trained=True))
    assert not np.array_equal(*map(pixels, of_trained_head))
    for other in (
        HeatmapExplorer(row=1),
        ClockExplorer(position=1),
        SimilarityExplorer(position=1),
        OffsetExplorer(offset=5),
        OffsetExplorer(pair=1),
        OrderExplorer(positions=True),
        OrderExplorer("India love I"),
        CounterExplorer(position=8),
        CounterExplorer(smooth=30),
        HeadExplorer(gain=2),
        HeadExplorer(row=31),
        ModelExplorer("RoPE"),
        ModelExplorer(place=13),
        ModelExplorer(exchanged=True),
        ClinicExplorer(6),
        ClinicExplorer(test="shift"),
    ):
        assert not np.array_equal(first_pixels(type(other)), pixels(other))
