"""What is drawn is what the numbers say, in a few states of each explorer.

That the numbers are torch's is the matter of test_explorers_numbers.py, on all of the grid.
"""

from __future__ import annotations

import base64
import io
import math
import re

import numpy as np
import pytest
import torch
from expected import WIDE, row, wide_steps
from explorers_page import (
    Number,
    assert_shows,
    blank_page,
    numbers,
    sentence,
    set_traits,
    show,
    traits,
)
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect
from torch import Tensor

from pe_core import frequencies, offset_matrix, stepwise, trace, wavelengths
from pe_lab import figures
from pe_lab.clinic import PATIENTS
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
    SimilarityExplorer,
)

KEY = "Colour: the square root of the weight."  # of a pattern


def read_path(page: Page, selector: str) -> np.ndarray:
    """The points of an SVG path made of straight lines, (n, 2)."""
    path = page.locator(selector).get_attribute("d")
    assert path is not None
    return np.array(
        [[float(each) for each in point.split()] for point in re.split("[ML]", path) if point]
    )


def test_clock(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ClockExplorer())
        for d_model, p, base in ((2, 0, 10.0), (16, 710, 1e6), (6, 44, 1e4)):
            set_traits(page, d_model=d_model, position=p, base=base)
            pe = row(p, d_model, base).tolist()
            waves = wavelengths(d_model, base=base).tolist()
            expected = [
                [pe[2 * i], pe[2 * i + 1], p / waves[i], waves[i]] for i in range(d_model // 2)
            ]
            assert_shows(numbers(page, ".pex-dials data"), [x for each in expected for x in each])
            hands = page.eval_on_selector_all(
                ".pex-hand",
                "all => all.map((each) => [each.x2, each.y2].map((v) => v.baseVal.value))",
            )
            assert np.allclose(
                np.array(hands) / 42, np.array(pe).reshape(-1, 2) * [1, -1], atol=1e-4
            )
            check_distances(page, p, d_model, base)


def check_distances(page: Page, p: int, d_model: int, base: float) -> None:
    apart = row(p, d_model, base) - row(0, d_model, base)  # (d,)
    expected = [apart[:2].norm().item(), apart.norm().item()]
    assert_shows(numbers(page, ".pex-readings data"), expected)


def test_wall_of_clocks(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ClockExplorer(d_model=18))
        for d_model, p, base in ((18, 710, 1e4), (512, 1000, 1e6)):
            set_traits(page, d_model=d_model, position=p, base=base)
            pe = row(p, d_model, base).numpy().reshape(-1, 2)
            hands = page.locator(".pex-wall .pex-hand").get_attribute("d") or ""
            tips = [each.split("l")[1].split() for each in hands.split("M")[1:]]
            assert np.allclose(np.array(tips, float) / 42, pe * [1, -1], atol=0.05 / 42 + 1e-6)
            check_distances(page, p, d_model, base)
        waves = wavelengths(512, base=1e6)
        clocks = page.locator(".pex-wall svg")
        size = clocks.evaluate("each => each.clientWidth") / 16  # sixteen clocks in a row
        for i in (0, 100, 255):
            clocks.click(position={"x": (i % 16 + 0.5) * size, "y": (i // 16 + 0.5) * size})
            page.wait_for_timeout(30)
            wave = waves[i].item()
            assert_shows(numbers(page, ".pex-dials data"), [*pe[i], 1000 / wave, wave])


def test_build(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer())
        for d_model, length, base in ((2, 1, 10.0), (16, 16, 1e6), (6, 10, 1e4)):
            set_traits(page, d_model=d_model, length=length, base=base)
            set_traits(page, row=length - 1, column=d_model // 2)
            for n, (step, wide) in enumerate(
                zip(
                    trace(length, d_model, base=base),
                    wide_steps(length, d_model, base),
                    strict=True,
                )
            ):
                set_traits(page, step=n)
                assert step.name in page.locator(".pex-title").last.inner_text()
                assert str(tuple(wide.shape)) in page.locator(".pex-title").last.inner_text()
                assert tuple(step.tensor.shape) == tuple(wide.shape)
                assert torch.allclose(step.tensor.double(), wide, rtol=1e-6, atol=1e-5)
                assert_shows(
                    numbers(page, "[role=grid] td[data-value]"),
                    wide.flatten().tolist(),
                )


# What each step marks for PE[3, 2], and where the values came from, step after step.
MARKED = [
    ([], 2.0),
    ([], 3.0),
    ([2.0, 3.0], 10000.0 ** (2 / 6)),
    ([], 3.0),
    ([3.0, 10000.0 ** (2 / 6)], 3 / 10000.0 ** (2 / 6)),
    ([3 / 10000.0 ** (2 / 6)], math.sin(3 / 10000.0 ** (2 / 6))),
    ([3 / 10000.0 ** (2 / 6)], math.cos(3 / 10000.0 ** (2 / 6))),
    ([math.sin(3 / 10000.0 ** (2 / 6))], math.sin(3 / 10000.0 ** (2 / 6))),
    ([math.sin(3 / 10000.0 ** (2 / 6))], math.sin(3 / 10000.0 ** (2 / 6))),
]


@pytest.mark.parametrize("step", range(9))
def test_colours_of_cells_are_those_of_their_values(browser: Browser, step: int) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(step=step))
        cells = page.locator("[role=grid] td[data-value]:visible")
        colours = cells.evaluate_all(
            "all => all.map((each) => getComputedStyle(each).backgroundColor)"
        )
        grounds = [[int(part) for part in re.findall(r"\d+", each)] for each in colours]
        values = np.array([number.value for number in numbers(page, "[role=grid] td[data-value]")])
        if step < 5:  # indices, denominators, positions, angles: one plain ground
            assert all(ground == [244, 245, 247] for ground in grounds)
        else:
            expected = figures.VALUES(figures.UNIT(values), bytes=True)[:, :3].astype(float)
            assert np.abs(np.array(grounds) - expected).max() <= 2


@pytest.mark.parametrize("step", range(9))
def test_build_follows_a_number_through_the_steps(browser: Browser, step: int) -> None:
    sources, value = MARKED[step]
    with blank_page(browser) as page:
        show(page, BuildExplorer(row=3, column=2, step=step))
        marked = numbers(page, ".pex-tensor:not([role]) .pex-chosen")
        assert_shows(marked, sources)
        chosen = numbers(page, "[role=grid] .pex-chosen")
        assert_shows(chosen, [value])
        # The formula ends with the chosen cell's number, and holds the numbers it came from.
        formula = page.locator(".pex-formula").inner_text().replace("\n", "")
        assert formula.split("=")[-1] == chosen[0].text
        if step in (4, 5, 6):
            assert all(number.text in formula for number in marked)


def test_a_formula_that_was_changed_reads_as_a_new_one(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(row=9, column=5))
        page.evaluate("figures[0].view()")
        formulas = "all => all.map((each) => each.innerHTML)"
        for step in range(9):
            set_traits(page, step=step)
            for now in ({"row": 3, "column": 2}, {"column": 1}, {"d_model": 16, "base": 1e6}):
                set_traits(page, **now)
                page.evaluate("figures[0].views.pop().stop(), figures[0].view()")
                changed, new = page.eval_on_selector_all(".pex-formula", formulas)
                assert changed == new, (step, now)


def test_heat_map(browser: Browser) -> None:
    with blank_page(browser, viewport={"width": 800, "height": 900}) as page:
        show(page, HeatmapExplorer())
        for length, d_model, base in ((2, 2, 10.0), (512, 512, 1e6), (100, 20, 1e4)):
            set_traits(page, length=length, d_model=d_model, base=base)
            pe = stepwise(length, d_model, base=base, dtype=WIDE).numpy()
            address = page.evaluate("document.querySelector('canvas').toDataURL()")
            picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
            pixels = np.asarray(picture.convert("RGB"), dtype=float)
            colours = figures.VALUES(figures.UNIT(pe), bytes=True)[..., :3].astype(float)
            # A value on the edge between two of the 511 shades may fall to either side.
            assert np.abs(pixels - colours).max() <= 2
            for p, c in ((0, 0), (length - 1, d_model - 1), (length // 2, d_model // 2)):
                set_traits(page, row=p, column=c)
                omega = frequencies(d_model, base=base)[c // 2].item()
                turns = (length - 1) * omega / (2 * math.pi)
                assert_shows(
                    numbers(page, ".pex-readings data"),
                    [pe[p, c], omega, 2 * math.pi / omega, turns],
                )
                wave = read_path(page, ".pex-curve")
                assert np.allclose(wave[:, 0], pe[:, c], atol=6e-5)
                assert np.allclose(wave[:, 1], np.arange(length) + 0.5)
                for parity, name in ((0, "sine"), (1, "cosine")):
                    bars = page.locator(f".pex-{name}-fill").get_attribute("d") or ""
                    heights = [-float(each) for each in re.findall(r"v([-\d.]+)", bars)]
                    assert np.allclose(heights, pe[p, parity::2], atol=6e-5)


def test_similarity(browser: Browser) -> None:
    schedules = ("paper", "equal", "raw-exponent", "division")
    with blank_page(browser) as page:
        show(page, SimilarityExplorer())
        assert "rises" not in page.locator(".pex-sentence").inner_text()  # unless it is asked
        for schedule, d_model, length in zip(
            schedules, (16, 2, 16, 512), (128, 2, 128, 512), strict=True
        ):
            set_traits(page, schedule=schedule, d_model=d_model, length=length)
            table = SimilarityExplorer(d_model, length, 0, schedule).encoding
            gram = (table @ table.T).numpy()  # (L, L)
            diagonals = [np.diagonal(gram, k) for k in range(length)]
            spread = max(each.max() - each.min() for each in diagonals)
            start = np.concatenate([gram[0, :0:-1], gram[0]])  # offsets 1 - L … L - 1
            assert np.allclose(read_path(page, ".pex-start")[:, 1], -start, atol=6e-5)
            for p in {0, length // 3, length - 1}:
                set_traits(page, position=p)
                curve = read_path(page, ".pex-now")
                assert np.allclose(curve[:, 0], np.arange(length) - p)
                assert np.allclose(curve[:, 1], -gram[p], atol=6e-5)
                from_start = np.abs(gram[p] - gram[0][np.abs(np.arange(length) - p)]).max()
                beside = gram[p, p + 1] if p + 1 < length else gram[p, p - 1]
                assert_shows(
                    numbers(page, ".pex-readings data"), [gram[p, p], beside, from_start, spread]
                )
            rises = [k for k in range(length - 1) if gram[0, k + 1] > gram[0, k]]
            label = page.locator(".pex-rise-label")
            for first_rise in (True, False):
                set_traits(page, first_rise=first_rise)
                assert label.all_inner_texts() == (
                    [f"first rise: {rises[0]} to {rises[0] + 1}"] if rises and first_rise else []
                )


def test_family(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, FamilyExplorer())
        for one, two, more in (
            ("sinusoid", "T5 bias", {"aim": -20}),
            ("RoPE", "ALiBi", {"aim": 9, "scaling": "YaRN", "factor": 4, "head": 3}),
            ("Shaw", "learned table", {"aim": 100, "max_length": 192}),
            ("sinusoid", "none", {"aim": -20, "base": 10.0, "factor": 16}),  # a lead of 1.2e-5
        ):
            set_traits(page, one=one, two=two, **more)
            explorer = FamilyExplorer(one, two, **more)
            for n, scores in enumerate(explorer.encoding):
                there = scores[~scores.isnan()]
                panel = f".pex-panel >> nth={n} >> "
                curve = read_path(page, f"{panel}.pex-now")
                assert np.allclose(curve[:, 0], np.arange(len(there)) - 128)
                assert np.allclose(curve[:, 1], -there, atol=6e-5)
                largest = there > there.max() - 1e-9
                at = (largest.nonzero().flatten() - 128).tolist()
                ahead = float(there.max() - there[~largest].max()) if not largest.all() else 0.0
                readings = page.locator(f"{panel}.pex-readings data").all()
                shown = [
                    Number(each.text_content() or "", float(each.get_attribute("value") or "nan"))
                    for each in (readings if ahead else readings[:3])
                ]
                assert_shows(shown, [at[0], at[-1], len(at), ahead][: len(shown)])
                assert not ahead or shown[3].printed > 0
                assert readings[3].is_visible() == bool(ahead)
                assert readings[1].is_visible() == (len(at) > 1)
        dotted = page.get_by_text("made to look at the aim")
        assert dotted.is_visible()
        set_traits(page, one="ALiBi", two="none")  # which have no aim
        assert not dotted.is_visible()


def test_the_counter_says_what_each_hand_has_turned(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, CounterExplorer(63, radix=10, smooth=0, speed="paper"))
        radians = 63 * frequencies(6)
        turned = {
            "paper": [math.degrees(angle) % 360 for angle in radians.tolist()],
            "counter": [108, 216],  # the digits of 63, as tenths of a turn: 3 and 6
        }
        for speed, degrees in turned.items():
            set_traits(page, speed=speed)
            hands = [f'img "hand {j}, turned by {x:.0f} degrees"' for j, x in enumerate(degrees)]
            told = page.locator(".pex-counter-hands").aria_snapshot()
            assert re.findall(r'img ".*"', told) == hands[::-1], "the slow ones first"
            check_bars(page, CounterExplorer(**traits(page)).distances)
        set_traits(page, position=18, radix=2)
        told = page.locator(".pex-counter-hands").aria_snapshot()
        assert re.findall(r"by (\d+) degrees", told) == ["0", "180", "0", "0", "180", "0"]
        check_bars(page, CounterExplorer(**traits(page)).distances)  # at 31 all six turn by half
        set_traits(page, position=5, speed="paper")
        told = page.locator(".pex-counter-hands").aria_snapshot()
        assert re.findall(r"by 1 degrees?", told) == ["by 1 degree"]


def check_bars(page: Page, values: Tensor) -> None:
    """The bars are as high as their values beside the one that is written at the top."""
    whole = float(page.locator(".pex-chart-top").inner_text())
    assert values.max() <= whole
    drawn = page.locator(".pex-bars").get_attribute("d") or ""
    heights = [float(each) for each in re.findall(r"v-([\d.]+)", drawn)]  # of 100
    assert np.allclose(np.array(heights) / 100 * whole, values, atol=1e-3)


def test_a_base_is_shown_as_it_was_set(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(base=10.5, step=2))
        expect(page.locator(".pex-formula").first).to_contain_text("10.5")
        base = page.locator(".pex-slider", has_text="Base")
        expect(base.locator(".pex-value")).to_have_text("10.5")
        show(page, OffsetExplorer(base=1e6))
        set_traits(page, 1, base=12345.678)
        sentence = page.locator(".pex-offset .pex-sentence")
        expect(sentence).to_contain_text("Moving the base from 1,000,000 to 12,345.678 changed")


def test_clinic(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ClinicExplorer())
        for state in (
            {"patient": 6, "test": "norms", "named": "from-1", "program": True},
            {"patient": 1, "test": "diagonals", "named": "raw-column", "d_model": 16},
            {"patient": 5, "test": "shift", "named": "", "length": 160, "program": False},
        ):
            set_traits(page, **state)
            explorer = ClinicExplorer(**traits(page))
            address = page.evaluate("document.querySelector('canvas').toDataURL()")
            picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
            pixels = np.asarray(picture.convert("RGB"), dtype=float)
            table = figures.UNIT(explorer.encoding.numpy())
            colours = figures.VALUES(table, bytes=True)[..., :3].astype(float)
            assert np.abs(pixels - colours).max() <= 2
            dots = explorer.test == "shift"
            for name, curves in zip(("mine", "right-one"), explorer.examined, strict=True):
                drawn = page.locator(f".pex-{name}").get_attribute("d") or ""
                points = [each.removesuffix("h0").split() for each in re.split("[ML]", drawn)[1:]]
                x, y = np.array(points, dtype=float).T
                first = np.arange(dots, dots + curves.shape[1])
                assert np.array_equal(x, np.tile(first, len(curves)))
                assert np.allclose(y, -curves.flatten(), atol=6e-5)
            patient = PATIENTS[explorer.patient - 1]
            code = page.locator(".pex-program")
            assert code.is_visible() == explorer.program
            assert code.text_content() == patient.text
            record, frame = page.locator(".pex-record"), page.locator(".pex-framed")
            assert record.is_visible() == bool(explorer.named)
            named = explorer.named == patient.mistake
            assert page.get_by_text(f"Met in {patient.place}.").is_visible() is named
            assert frame.is_visible() == bool(explorer.named and not named)
        set_traits(page, patient=6, named="from-1", length=80, d_model=8)
        box, cell = page.locator(".pex-canvas").bounding_box(), frame.bounding_box()
        assert box is not None
        assert cell is not None
        assert cell["x"] == pytest.approx(box["x"], abs=1)  # row 0, column 0
        assert cell["y"] == pytest.approx(box["y"], abs=1)
        assert cell["width"] == pytest.approx(box["width"] / 8, abs=1)


def test_model(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ModelExplorer())
        assert page.get_by_text(KEY).is_visible()
        for trained, more in (
            ("sinusoid", {"length": 64, "place": 40, "other": 10, "exchanged": True}),
            ("sinusoid, one head", {"text": "ABBA", "length": 33, "place": 5, "other": 30}),
            ("ALiBi", {"length": 128, "place": 127, "other": 0, "exchanged": False}),
            ("none", {"length": 16, "place": 12, "other": 0, "text": "AB" * 8}),  # equal weights
        ):
            set_traits(page, length=more["length"])  # the places depend on it
            set_traits(page, trained=trained, **more)
            explorer = ModelExplorer(**traits(page))
            check_words(page, explorer)
            attention = explorer.attention  # (heads, L, L)
            maps = page.locator(".pex-heads canvas")
            assert maps.count() == len(attention)
            for n, weights in enumerate(attention):
                check_map(maps.nth(n), weights)
                row = weights[explorer.place].round(decimals=12)
                weight, at = row.max(dim=0)
                others = int((row == weight).sum()) - 1
                label = page.locator(".pex-heads li").nth(n).inner_text()
                more = f" and {others} more" if others else ""
                assert label == f"Head {n + 1}: most at {at}{more}, {weight:.2f}"
                assert (others > 0) == (explorer.trained == "none")
            # The list is read aloud, too; the maps are not.
            assert page.get_by_role("listitem").filter(has_text="most at").count() == len(attention)
            mark = page.locator(".pex-pattern-row").first.bounding_box()
            box = page.locator(".pex-pattern").first.bounding_box()
            assert mark is not None
            assert box is not None
            at = (mark["y"] - box["y"]) / box["height"] * explorer.length
            assert abs(at - explorer.place) < 0.6
            chance = explorer.logits.softmax(dim=1).max(dim=1).values[explorer.place]
            assert_shows(numbers(page, ".pex-readings data"), [chance.item()])
        set_traits(page, length=4, place=3)
        assert "of 1 answer" in page.locator(".pex-readings").inner_text()
        assert "of 1 answers" not in page.locator(".pex-readings").inner_text()


def check_map(canvas: Locator, weights: Tensor) -> None:
    """The picture of an attention pattern: a pixel for each weight, and the map shows no others."""
    address = canvas.evaluate("each => each.toDataURL()")
    picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    rows = len(weights)
    pixels = np.asarray(picture.convert("RGB"), dtype=float)[:rows, :rows]
    filled = canvas.evaluate(
        """(each, rows) => ["Width", "Height"].map((side) =>
          each[`offset${side}`] * rows / each.width - each.parentElement[`client${side}`])""",
        rows,
    )
    assert np.abs(filled).max() < 0.6
    root = figures.UNIT(weights.sqrt().numpy())
    colours = figures.VALUES(root, bytes=True)[..., :3].astype(float)
    assert np.abs(pixels - colours).max() <= 2


def test_head_and_the_trained_one_beside_it(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, HeadExplorer(gain=10))
        assert page.get_by_text(KEY).is_visible()
        maps, list_of_trained = page.locator(".pex-pattern canvas"), page.locator(".pex-readings")
        assert page.evaluate("figures[0].asked") == [], "nothing is loaded that is not shown"
        assert not maps.nth(1).is_visible()
        for state in ({"trained": True}, {"words": True, "row": 45}, {"d_model": 128, "offset": 5}):
            set_traits(page, **state)
            explorer = HeadExplorer(**traits(page))
            k, p = explorer.offset, explorer.row
            hand, trained = explorer.weights, explorer.trained_weights
            check_map(maps.nth(0), hand)
            check_map(maps.nth(1), trained)
            taught = trained.diagonal(-3)
            shown = [hand.diagonal(-k).mean(), hand[p, p - k]]
            shown += [taught[:29].mean(), taught[29:].mean(), trained[p, p - 3]]
            assert_shows(numbers(page, ".pex-readings data"), [each.item() for each in shown])
            taught, beyond = shown[2:4]
            whole = f"there is {taught:.4f}, and {beyond:.4f} from 32 on, which it never met."
            assert (whole in sentence(page)) is not ("offset" in state)
            if "offset" in state:
                assert "rained" not in sentence(page), "it has not changed with the head by hand"
            said = page.locator(".pex-readings").all_inner_texts()
            for weights, q, words in ((hand[p], p - k, said[0]), (trained[p], p - 3, said[1])):
                for near in (q - 1, q + 1):  # what the bars show beside the target
                    assert f", position {near}: {weights[near]:.4f}" in words
            right = int((trained.argmax(dim=1)[3:32] == torch.arange(29)).sum())
            assert f"largest there: {right} of 29 rows" in said[1]
            for name in ("Offset k", "Gain", "Pairs read", "d_model"):
                slider = page.get_by_label(name, exact=True)
                expect(slider).to_have_accessible_description(re.compile("of the head by hand"))
        assert page.evaluate("figures[0].asked") == [["file", "trained head"]], "once"
        set_traits(page, row=44)
        assert re.search(
            r" Trained: row 44 looks at position \d+ most, with [\d.]+$", sentence(page)
        )
        set_traits(page, trained=False)
        assert "rained" not in sentence(page)
        assert not maps.nth(1).is_visible()
        assert not list_of_trained.nth(1).is_visible()
        assert page.get_by_label("Gain", exact=True).get_attribute("aria-describedby") is None


def test_a_trained_head_that_did_not_come_is_asked_for_when_it_is_wanted_again(
    browser: Browser,
) -> None:
    with blank_page(browser) as page:
        show(page, HeadExplorer())
        said = page.locator(".pex-sentence")
        name = "trained head"
        page.evaluate("() => { window.had = figures[0].files; figures[0].files = {}; }")
        set_traits(page, trained=True)
        expect(said).to_contain_text("The trained head cannot be had.")
        page.evaluate("() => { figures[0].files = had; }")
        set_traits(page, row=3)
        expect(said).to_contain_text("The trained head cannot be had.")
        set_traits(page, trained=False)
        set_traits(page, trained=True)
        expect(said).to_contain_text("Trained: 29 of 29 rows")
        assert page.evaluate("figures[0].asked") == 2 * [["file", name]]


def check_words(page: Page, explorer: ModelExplorer) -> None:
    """Words, answers and their marks."""
    cells = page.locator(".pex-strip li").evaluate_all(
        "all => all.map((each) => [...each.children].map((one) => one.textContent)"
        ".concat([...each.classList]))"
    )
    plain = ModelExplorer(**{**traits(page), "exchanged": False}).answers
    right = [True] * 3 + explorer.right
    assert len(cells) == explorer.length
    for p, (word, answer, *marks) in enumerate(cells):
        assert word == explorer.words[p]
        assert answer == (explorer.answers[p] if p >= 3 else "·")
        expected = {
            "pex-wrong": not right[p],
            "pex-beyond": p >= 32,
            "pex-changed": p >= 3 and explorer.answers[p] != plain[p],
            "pex-here": p == explorer.place,
            "pex-there": p == explorer.other,
        }
        assert set(marks) == {name for name, is_so in expected.items() if is_so}
    count = sum(explorer.right)
    said = page.locator(".pex-readings").inner_text()
    assert f"right: {count} of {explorer.length - 3} answers" in said
    beyond = f"from place 32 on: {sum(right[32:])} of {explorer.length - 32}"
    assert (beyond in said) == (explorer.length > 32)


def test_offset(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OffsetExplorer())
        for d_model, p, k, base in ((2, 0, -50, 10.0), (16, 100, 50, 1e6), (6, 3, 4, 1e4)):
            set_traits(page, d_model=d_model, position=p, offset=k, base=base)
            matrix = offset_matrix(k, d_model, base=base)  # (d, d)
            start, goal = row(p, d_model, base), row(p + k, d_model, base)  # (d,)
            omega = frequencies(d_model, base=base)  # (d/2,)
            angles = torch.stack([p * omega, k * omega, (p + k) * omega], dim=1)  # (d/2, 3)
            assert_shows(numbers(page, ".pex-dials data"), angles.flatten().tolist())
            tables = page.locator(".pex-tensor")
            assert tables.count() == 2
            assert_shows(
                numbers(page, "[aria-label='The matrix M_k'] td[data-value]"),
                matrix.flatten().tolist(),
            )
            shown = numbers(page, "[aria-label^='PE(p)'] td[data-value]")
            columns = [shown[n::4] for n in range(4)]
            assert_shows(columns[0], start.tolist())
            assert_shows(columns[1], (matrix @ start).tolist())
            assert_shows(columns[2], goal.tolist())
            assert all(abs(number.value) < 1e-12 for number in columns[3])
            largest = numbers(page, ".pex-readings data")[0]
            assert largest.value == max(abs(number.value) for number in columns[3])


def test_a_printed_number_is_compared_to_its_last_digit() -> None:
    assert_shows([Number("−0.1235", -0.12345)], [-0.12345])
    with pytest.raises(AssertionError):
        assert_shows([Number("−0.1236", -0.12345)], [-0.12345])
    with pytest.raises(AssertionError):
        assert_shows([Number("0.1234", 0.12345)], [0.12346])
    assert Number("1.1e−16", 0.0).rounding == pytest.approx(0.05e-16)
