"""Every explorer by keyboard, by touch, for a screen reader, on a phone, light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest
from conftest import OF_COLOURS, axe
from explorers_page import (
    FRAME,
    assert_shows,
    blank_page,
    changed,
    drawn,
    lay_out,
    numbers,
    sentence,
    set_traits,
    show,
    traits,
)
from playwright.sync_api import Browser, Locator, Page, expect

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
from pe_lab.explorers.explorer import Explorer

Make = Callable[[], Explorer]

# Settings from which every control has something to change.
EXPLORERS: dict[str, Make] = {
    "build": lambda: BuildExplorer(step=4, row=3, column=2),
    "clock": lambda: ClockExplorer(position=43),
    "wall": lambda: ClockExplorer(d_model=64, position=43),
    "heatmap": lambda: HeatmapExplorer(row=12, column=7),
    "similarity": lambda: SimilarityExplorer(position=40, schedule="raw-exponent", first_rise=True),
    "offset": OffsetExplorer,
    "order": lambda: OrderExplorer("the dog bites the man", positions=True, place=1),
    "counter": CounterExplorer,
    "head": lambda: HeadExplorer(pairs=20, row=12, trained=True),
    "family": lambda: FamilyExplorer("RoPE", "learned table", scaling="NTK-aware", factor=2),
    "biases": lambda: FamilyExplorer("T5 bias", "ALiBi", aim=-33, max_distance=60),
    "vectors": lambda: FamilyExplorer("sinusoid", "Shaw", aim=-16),
    "model": lambda: ModelExplorer("sinusoid", "BADCAFE", 40, place=14, other=5),
    "clinic": lambda: ClinicExplorer(6, "norms", "from-1", program=True),
}
EXTREMES: dict[str, list[Make]] = {
    "build": [
        lambda: BuildExplorer(2, 1, 10.0, step=8),
        lambda: BuildExplorer(16, 16, 1e6, 8, 15, 15),
        lambda: BuildExplorer(16, 16, 1e6, step=2),
    ],
    "clock": [lambda: ClockExplorer(2, 1000, 10.0), lambda: ClockExplorer(16, 1000, 1e6)],
    "wall": [lambda: ClockExplorer(512, 1000, 1e6)],
    "heatmap": [lambda: HeatmapExplorer(2, 2, 10.0, 1, 1), lambda: HeatmapExplorer(512, 512, 1e6)],
    "similarity": [
        lambda: SimilarityExplorer(2, 2, 1),
        lambda: SimilarityExplorer(512, 512, 511, "division", first_rise=True),
    ],
    "offset": [
        lambda: OffsetExplorer(2, 100, 50, 10.0),
        lambda: OffsetExplorer(16, 100, -50, 1e6),
    ],
    "order": [
        lambda: OrderExplorer("I love"),
        lambda: OrderExplorer("India bites India bites India bites", positions=True, place=5),
    ],
    "counter": [
        lambda: CounterExplorer(63, 10, 100),
        lambda: CounterExplorer(63, speed="paper"),
    ],
    "head": [
        lambda: HeadExplorer(-10, 4, 16, 1, words=True, row=49, trained=True),
        lambda: HeadExplorer(10, 512, 16, 256),
    ],
    "family": [lambda: FamilyExplorer("RoPE", "sinusoid", -128, 128, 1e6, "YaRN", 16, 512)],
    "biases": [
        lambda: FamilyExplorer("ALiBi", "T5 bias", 128, head=8, buckets=32),
        lambda: FamilyExplorer("none", "none"),
    ],
    "vectors": [lambda: FamilyExplorer("Shaw", "learned table", max_length=16)],
    "model": [
        lambda: ModelExplorer("none", length=4, place=0),
        lambda: ModelExplorer("sinusoid, one head", "P" * 128, 128, 127, 0, True),
        lambda: ModelExplorer("ALiBi", length=128),
    ],
    "clinic": [
        lambda: ClinicExplorer(1, "diagonals", "raw-column", program=True, d_model=16, length=160),
        lambda: ClinicExplorer(2, "shift", d_model=6, length=72),
    ],
}
explorers = pytest.mark.parametrize("make", EXPLORERS.values(), ids=EXPLORERS.keys())


@pytest.fixture(scope="module")
def all_of_them(browser: Browser) -> Iterator[Page]:
    """Every explorer on one page, for several tests."""
    with blank_page(browser) as page:
        for make in EXPLORERS.values():
            show(page, make())
        yield page


def focused(page: Page) -> dict[str, Any]:
    """What has the focus: its tag, its name for a screen reader, its value and that in words,
    whether inside, whether a word."""
    found: dict[str, Any] = page.evaluate(
        """() => {
          const at = document.activeElement;
          const name = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent;
          return { tag: at.localName, type: at.type, inside: Boolean(at.closest(".pex")),
                   word: at.classList.contains("pex-word"), name: name ?? at.textContent,
                   value: at.value, said: at.getAttribute("aria-valuetext") };
        }"""
    )
    return found


SHOWN = ":not([hidden] *)"  # an explorer hides a control that would change nothing
CONTROLS = f".pex :is(input, select, button:not([tabindex='-1']), [role=button]){SHOWN}"
KEYS = {"input": "ArrowRight", "select": "ArrowDown", "button": "Enter"}


def first_step(page: Page, figure: int = 0) -> None:
    """One step of the first control of a figure."""
    control = page.locator(".pex").nth(figure).locator("input").first
    control.press("Space" if control.get_attribute("type") == "checkbox" else "ArrowRight")


@explorers
def test_every_control_by_keyboard_alone(browser: Browser, make: Make) -> None:
    def tried(key: str) -> bool:
        """Whether a key changes the picture and the sentence; the focus stays where it is."""
        at, words = focused(page), sentence(page)
        changed(page)
        page.keyboard.press(key)
        page.wait_for_timeout(30)
        after, moved = focused(page), bool(changed(page))
        assert after["name"] == at["name"], "the focus moved away"
        assert moved == (sentence(page) != words), at
        if at["type"] == "range":
            assert at["said"] not in (None, "", at["value"]), "the words add nothing to the number"
            assert after["said"] != at["said"]
        return moved

    with blank_page(browser) as page:
        show(page, make())
        start = traits(page)
        controls = page.locator(CONTROLS).count()
        count = 0
        page.evaluate("document.body.append(document.createElement('button'))")  # comes after it
        page.keyboard.press("Tab")
        while focused(page)["inside"]:
            at = focused(page)
            # From the same settings each time, so that the step just taken is the cause.
            set_traits(page, **start)
            if at["word"]:
                back = "ArrowLeft"
                if not tried("ArrowRight"):  # the last word
                    assert tried("ArrowLeft"), at
                    back = "ArrowRight"
                page.keyboard.press(back)  # Tab then goes on from the same word
            elif at["type"] == "text":
                page.keyboard.press("End")  # else the letter replaces all
                assert tried("j"), at
            elif at["tag"] in KEYS:
                assert tried("Space" if at["type"] == "checkbox" else KEYS[at["tag"]]), at
            count += at["tag"] in KEYS or at["word"]
            page.keyboard.press("Tab")
        assert count == controls


def test_the_cells_of_build_by_arrow_keys(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(row=3, column=2, step=8))
        page.locator("[role=grid] [tabindex='0']").focus()
        for key, row, column in (
            ("ArrowRight", 3, 3),
            ("ArrowDown", 4, 3),
            ("ArrowLeft", 4, 2),
            ("ArrowUp", 3, 2),
            ("End", 3, 5),
            ("ArrowRight", 3, 5),
            ("Home", 3, 0),
        ):
            page.keyboard.press(key)
            page.wait_for_timeout(20)
            assert (traits(page)["row"], traits(page)["column"]) == (row, column)
            cell = page.locator("[role=grid] td:focus")
            assert cell.get_attribute("aria-selected") == "true"
            value = numbers(page, "[role=grid] td:focus")[0].value
            assert value == pytest.approx(BuildExplorer().encoding[row, column].item(), abs=1e-9)
        assert page.locator("[role=grid] [tabindex='0']").count() == 1
        # In "even PE" a cell stands for the sine of its pair: column 2i.
        set_traits(page, step=5)
        page.locator("[role=grid] td[data-value]:visible").nth(3 * 3 + 2).click()
        page.wait_for_timeout(20)
        assert traits(page)["column"] == 4
        set_traits(page, step=6)
        page.locator("[role=grid] td[data-value]:visible").nth(3 * 3 + 1).click()
        page.wait_for_timeout(20)
        assert traits(page)["column"] == 3


def test_the_sentence_rests_while_a_slider_is_dragged(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ClockExplorer())
        assert page.locator(".pex-sentence").get_attribute("aria-live") == "polite"
        page.clock.fast_forward(400)
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)  # seconds
        page.evaluate(
            """() => {
              window.said = [];
              const element = document.querySelector(".pex-sentence");
              new MutationObserver(() => said.push(element.textContent))
                .observe(element, { childList: true, characterData: true, subtree: true });
            }"""
        )
        for p in range(1, 61):
            page.evaluate("p => figures[0].model.set('position', p)", p)
            page.clock.run_for(10)  # ms; six tenths of a second in all
        assert len(page.evaluate("said")) == 1, "at once"
        page.clock.run_for(600)
        said = page.evaluate("said")
        assert len(said) == 2, "and once more when the slider rests"
        assert said[0].startswith("Position 1:")
        assert said[1].startswith("Position 60:")


def test_the_sentence_keeps_up_with_what_is_chosen(browser: Browser) -> None:
    """A name and then a test, one at once after the other: the sentence is about both."""
    with blank_page(browser) as page:
        show(page, ClinicExplorer())
        page.clock.fast_forward(400)
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)  # seconds
        said = page.locator(".pex-sentence")
        for label, option, sentence in (
            ("What is the mistake?", "halves", "With that mistake"),
            ("Test", "norms", "The rows are"),
            ("What is the mistake?", "raw-column", "Yes."),
        ):
            page.get_by_label(label).select_option(option)
            page.clock.run_for(20)  # ms
            assert sentence in said.inner_text()


def test_a_choice_that_changes_nothing_lets_the_sentence_rest(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, SimilarityExplorer(d_model=8))
        page.clock.fast_forward(400)
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)  # seconds
        said = page.locator(".pex-sentence")
        widen = "d => figures[0].model.set('d_model', d)"
        page.evaluate(widen, 16)
        first = said.inner_text()
        page.evaluate(
            """() => document.querySelector("select")
              .dispatchEvent(new Event("change", { bubbles: true }))"""
        )
        page.evaluate(widen, 32)
        assert said.inner_text() == first
        page.clock.run_for(300)  # ms
        assert said.inner_text() != first


@pytest.mark.parametrize(
    ("make", "name", "short", "tall"),
    [(ClockExplorer, "position", 0, 710), (FamilyExplorer, "two", "T5 bias", "sinusoid")],
    ids=["longer", "as long and a line more"],
)
def test_a_shorter_sentence_leaves_what_is_below_where_it_is(
    browser: Browser, make: Make, name: str, short: object, tall: object
) -> None:
    """A slider would move away, with the page, while it is moved."""
    with blank_page(browser) as page:
        page.set_viewport_size({"width": 360, "height": 740})
        show(page, make())
        said = page.locator(".pex-sentence")
        rooms, sentences = [], []
        for value, tallest in ((short, 0), (tall, 1), (short, 1)):
            page.evaluate("([name, value]) => figures[0].model.set(name, value)", [name, value])
            page.clock.fast_forward(400)  # ms; the sentence is written when the figure rests
            sentences.append(said.inner_text())
            expect(said).to_have_attribute("data-tallest", sentences[tallest])
            rooms.append(said.evaluate("each => each.getBoundingClientRect().height"))
    assert sentences[0] == sentences[2] != sentences[1]
    assert rooms[0] < rooms[1] == rooms[2]


def show_far_down(page: Page, *explorers: Explorer, anchored: bool = False) -> None:
    """On a page as narrow as a phone, which can be scrolled both ways.

    Not all browsers keep what is seen where it is by themselves, and where one does, it does our
    work.
    """
    page.set_viewport_size({"width": 360, "height": 823})
    anchor = "auto" if anchored else "none"
    page.evaluate(
        f"document.body.style.cssText += 'padding: 1500px 8px; overflow-anchor: {anchor}'"
    )
    for explorer in explorers:
        show(page, explorer)


def put_in_the_middle(page: Page, control: Locator) -> None:
    control.evaluate("each => { each.scrollIntoView({ block: 'center' }); each.focus(); }")
    lay_out(page)


def use_in_the_middle(page: Page, control: Locator, key: str) -> None:
    put_in_the_middle(page, control)
    page.keyboard.press(key)
    lay_out(page)


TOP = "each => each.getBoundingClientRect().top"
HEIGHT = "each => each.offsetHeight"


@contextmanager
def stays(page: Page, control: Locator, figure: Locator) -> Iterator[None]:
    """Assert that a control stands where it stood, although its figure gets another height."""
    before, was = control.evaluate(TOP), figure.evaluate(HEIGHT)
    yield
    lay_out(page)
    assert figure.evaluate(HEIGHT) != was
    assert abs(control.evaluate(TOP) - before) < 1


# Whether a control stands on the screen where it stood, although its figure has another height.
IN_PLACE = """([height, top]) => {
    const { offsetHeight } = document.querySelector(".pex");
    return offsetHeight !== height
        && Math.abs(document.activeElement.getBoundingClientRect().top - top) < 1.5;
}"""


@pytest.mark.parametrize(
    ("make", "name", "keys"),
    [
        (lambda: ClockExplorer(d_model=8), "d_model", ["ArrowRight", "ArrowLeft"]),
        (lambda: OffsetExplorer(d_model=4), "d_model", ["ArrowRight", "ArrowRight", "ArrowLeft"]),
        # Its file comes later than the key.
        (HeadExplorer, "Beside it a trained head (chapter 8)", ["Space", "Space"]),
    ],
    ids=["clock", "offset", "head"],
)
@pytest.mark.parametrize("anchored", [True, False])
def test_a_control_stays_where_it_is_while_the_figure_above_it_grows(
    browser: Browser, make: Make, name: str, keys: list[str], anchored: bool
) -> None:
    with blank_page(browser) as page:
        show_far_down(page, make(), anchored=anchored)
        put_in_the_middle(page, page.get_by_label(name, exact=True))
        for key in keys:
            sentence(page)
            lay_out(page)
            before = page.evaluate(
                "[document.querySelector('.pex').offsetHeight,"
                " document.activeElement.getBoundingClientRect().top]"
            )
            page.keyboard.press(key)
            page.wait_for_function(IN_PLACE, arg=before)


@pytest.mark.parametrize("name", ["d_model", "d_model, more"])
def test_a_control_stays_under_the_mouse(browser: Browser, name: str) -> None:
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        control, figure = page.get_by_label(name, exact=True), page.locator(".pex")
        put_in_the_middle(page, control)
        box = control.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        with stays(page, control, figure):
            page.mouse.down()
            if "more" in name:
                page.mouse.up()


def test_a_control_is_asked_where_it_stands_before_it_has_moved(browser: Browser) -> None:
    """Afterwards a browser would lay out its surroundings for the answer, and then once more."""
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        control = page.get_by_label("d_model", exact=True)
        put_in_the_middle(page, control)
        control.evaluate(
            """each => {
                window.asked = [];
                const { getBoundingClientRect } = Element.prototype;
                Element.prototype.getBoundingClientRect = function () {
                    if (window.event) asked.push(window.event.type);
                    return getBoundingClientRect.call(this);
                };
                for (const kind of ["keydown", "pointerdown", "pointermove"])
                    each.addEventListener(kind, () => asked.push("heard"));
                addEventListener("input", () => asked.push("moved"), true);
            }"""
        )
        box = control.bounding_box()
        assert box
        middle = box["y"] + box["height"] / 2
        page.keyboard.press("ArrowRight")
        page.mouse.move(box["x"] + box["width"] / 2, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 3, middle)
        lay_out(page)
        asked = page.evaluate("asked")
        moves = [asked[n - 2 : n] for n, kind in enumerate(asked) if kind == "moved"]
        assert moves == [[kind, "heard"] for kind in ("keydown", "pointerdown", "pointermove")]
        assert "input" not in asked


@pytest.mark.parametrize("hovered", ["input", ".pex-sentence"])
def test_a_control_stays_wherever_the_mouse_was(browser: Browser, hovered: str) -> None:
    """The page scrolls under a resting mouse, or one moves elsewhere; a voice says a number."""
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        control, figure = page.get_by_label("d_model", exact=True), page.locator(".pex")
        put_in_the_middle(page, control)
        if hovered == "input":
            control.hover()
            lay_out(page)
            page.evaluate("scrollBy(0, 100)")
        with stays(page, control, figure):
            control.evaluate(
                """(each, hovered) => {
                    if (hovered !== "input") {
                        const moved = new PointerEvent("pointermove", { bubbles: true });
                        document.querySelector(hovered).dispatchEvent(moved);
                    }
                    each.value = 16;
                    each.dispatchEvent(new InputEvent("input", { bubbles: true }));
                }""",
                hovered,
            )


def test_a_control_stays_when_the_sentence_above_it_rests(browser: Browser) -> None:
    """It is written then, and takes a line more than what was written at the first step."""
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=14, position=43))
        control, said = page.get_by_label("d_model", exact=True), page.locator(".pex-sentence")
        put_in_the_middle(page, control)
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)  # seconds
        for _ in range(2):
            page.keyboard.press("ArrowRight")
            page.evaluate(FRAME)
            page.clock.run_for(20)  # ms
        before, low = control.evaluate(TOP), said.evaluate(HEIGHT)
        page.clock.run_for(300)
        page.evaluate(FRAME)
        assert said.evaluate(HEIGHT) > low
        assert abs(control.evaluate(TOP) - before) < 1


@pytest.mark.parametrize(
    ("overflow", "height"),
    [("auto", "600px"), ("auto", "-2px"), ("scroll", "none"), ("hidden", "-2px")],
    ids=["all", "little", "nothing", "not by the reader"],
)
def test_a_control_stays_in_a_box_that_can_scroll(
    browser: Browser, overflow: str, height: str
) -> None:
    """As an output in JupyterLab, which may have less room to scroll than the figure grows."""
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        page.evaluate(
            """([overflow, height]) => {
                const main = document.querySelector("main");
                const box = document.createElement("div");
                main.replaceWith(box);
                box.append(main);
                if (height === "600px") {
                    main.style.padding = "800px 0";
                    document.body.style.padding = 0; // only the box can scroll
                }
                box.style.overflow = overflow;
                box.style.maxHeight = height.replace("-2", String(box.scrollHeight - 2));
                box.id = "box";
            }""",
            [overflow, height],
        )
        control, figure = page.get_by_label("d_model", exact=True), page.locator(".pex")
        put_in_the_middle(page, control)
        page.evaluate("document.getElementById('box').scrollTop -= 2")
        for key in ("ArrowRight", "ArrowLeft"):
            with stays(page, control, figure):
                page.keyboard.press(key)
            if overflow == "hidden":
                assert page.evaluate("document.getElementById('box').scrollTop") == 0


def test_what_moves_a_figure_from_outside_lets_the_page_stand(browser: Browser) -> None:
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        use_in_the_middle(page, page.get_by_label("d_model", exact=True), "ArrowRight")
        figure = page.locator(".pex")
        before = figure.evaluate(TOP)
        for d_model in (8, 16, 8, 16):
            was = figure.evaluate(HEIGHT)
            set_traits(page, d_model=d_model)
            lay_out(page)
            assert figure.evaluate(HEIGHT) != was
            assert figure.evaluate(TOP) == before


def test_a_file_that_was_wanted_from_outside_lets_the_page_stand(browser: Browser) -> None:
    with blank_page(browser) as page:
        show_far_down(page, HeadExplorer())
        use_in_the_middle(page, page.get_by_label("Pairs read", exact=True), "ArrowLeft")
        figure = page.locator(".pex")
        before, low = figure.evaluate(TOP), figure.evaluate(HEIGHT)
        set_traits(page, trained=True)
        page.wait_for_function("low => document.querySelector('.pex').offsetHeight > low", arg=low)
        lay_out(page)
        assert figure.evaluate(TOP) == before


@pytest.mark.parametrize("how", ["a link", "the way back"])
def test_what_is_used_elsewhere_may_scroll_to_a_figure(browser: Browser, how: str) -> None:
    """Although one of its controls, which the figure then moves, was used just before."""
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        page.evaluate(
            """() => {
                const go = async () => {
                    figures[0].model.set("d_model", 16);
                    for (let n = 0; n < 3; n += 1) await null; // it is drawn
                    document.querySelector(".pex").scrollIntoView();
                };
                const link = Object.assign(document.createElement("button"), { onclick: go });
                link.style.cssText = "position: fixed; top: 0; left: 0";
                document.body.append(link);
                history.scrollRestoration = "manual";
                addEventListener("popstate", go);
                history.pushState(null, "");
            }"""
        )
        control = page.get_by_label("d_model", exact=True)
        use_in_the_middle(page, control, "ArrowRight")
        put_in_the_middle(page, control)
        if how == "a link":
            page.mouse.click(5, 5)
        else:
            page.evaluate("history.back()")
            page.wait_for_function("figures[0].model.get('d_model') === 16")
        lay_out(page)
        assert abs(page.locator(".pex").evaluate(TOP)) < 1


def test_of_two_views_the_one_in_hand_stays(browser: Browser) -> None:
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        page.evaluate("figures[0].view()")
        # The view that was made first stands below.
        page.evaluate("document.querySelector('main').append(figures[0].views[0].el)")
        above, below = page.locator(".pex").all()
        use_in_the_middle(page, above.get_by_label("Base", exact=True), "ArrowRight")
        control = below.get_by_label("d_model", exact=True)
        use_in_the_middle(page, control, "ArrowRight")
        for key in ("ArrowLeft", "ArrowRight"):
            with stays(page, control, below):
                page.keyboard.press(key)


@pytest.fixture
def late(browser: Browser) -> Iterator[tuple[Page, Locator]]:
    """A figure that grows when its file comes, by ``come()``, and the control that asked for it."""
    with blank_page(browser) as page:
        show_far_down(page, HeadExplorer(), anchored=True)
        page.evaluate("() => { figures[0].until = new Promise((come) => (window.come = come)) }")
        control = page.get_by_label("Beside it a trained head")
        use_in_the_middle(page, control, "Space")
        page.clock.fast_forward(10_000)
        lay_out(page)
        yield page, control


def come(page: Page) -> None:
    low = page.locator(".pex").evaluate(HEIGHT)
    page.evaluate("come()")
    page.wait_for_function("low => document.querySelector('.pex').offsetHeight > low", arg=low)
    lay_out(page)


def test_a_control_stays_until_what_it_asked_for_has_come(late: tuple[Page, Locator]) -> None:
    page, control = late
    before = control.evaluate(TOP)
    come(page)
    assert abs(control.evaluate(TOP) - before) < 1


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_reader_who_has_gone_on_stays_with_what_is_read(
    late: tuple[Page, Locator], where: str
) -> None:
    page, _ = late
    text = page.evaluate_handle(
        """(where) => {
            const text = Object.assign(document.createElement("p"), { textContent: "read" });
            document.querySelector("main")[where](text);
            text.style.margin = "900px 0";
            text.scrollIntoView({ block: "center" });
            return text;
        }""",
        where,
    )
    lay_out(page)
    before = text.evaluate(TOP)
    come(page)
    assert abs(text.evaluate(TOP) - before) < 1


def test_a_reader_who_has_gone_on_stays_when_the_sentence_rests(browser: Browser) -> None:
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(position=5), anchored=True)
        page.evaluate("document.querySelector('main').append('read')")
        said = page.locator(".pex-sentence")
        put_in_the_middle(page, page.get_by_label("Position p", exact=True))
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)  # seconds
        for key in ("Home", "End"):
            page.keyboard.press(key)
            page.evaluate(FRAME)
            page.clock.run_for(20)  # ms
        page.evaluate("scrollBy(0, document.querySelector('.pex').getBoundingClientRect().bottom)")
        page.evaluate(FRAME)
        bottom = "document.querySelector('.pex').getBoundingClientRect().bottom"
        before, low = page.evaluate(bottom), said.evaluate(HEIGHT)
        page.clock.run_for(300)
        page.evaluate(FRAME)
        assert said.evaluate(HEIGHT) > low
        assert abs(page.evaluate(bottom) - before) < 1


def test_a_control_that_gets_the_focus_is_not_moved_away(browser: Browser) -> None:
    """In the frame in which another has made the figure grow."""
    with blank_page(browser) as page:
        show_far_down(page, ClockExplorer(d_model=8))
        put_in_the_middle(page, page.get_by_label("Position p", exact=True))
        seen = page.evaluate(
            """async () => {
                const used = document.activeElement;
                used.dispatchEvent(new InputEvent("input", { bubbles: true }));
                figures[0].model.set("d_model", 16);
                for (let n = 0; n < 3; n += 1) await null; // it is drawn
                const last = [...document.querySelectorAll(".pex input")].at(-1);
                last.focus();
                return last.getBoundingClientRect().top;
            }"""
        )
        lay_out(page)
        assert abs(page.evaluate("document.activeElement.getBoundingClientRect().top") - seen) < 1


def test_a_control_that_is_hidden_at_once_moves_nothing(browser: Browser) -> None:
    with blank_page(browser) as page:
        show_far_down(page, CounterExplorer())
        control = page.get_by_label("Smooth", exact=True)
        put_in_the_middle(page, control)
        before = page.evaluate("scrollY")
        page.evaluate(
            """() => {
                document.activeElement.dispatchEvent(new InputEvent("input", { bubbles: true }));
                figures[0].model.set("speed", "paper");
            }"""
        )
        lay_out(page)
        assert not control.is_visible()
        assert abs(page.evaluate("scrollY") - before) < 1


def test_a_sentence_keeps_its_room_when_the_reader_spaces_the_letters(browser: Browser) -> None:
    with blank_page(browser) as page:
        page.set_viewport_size({"width": 360, "height": 740})
        show(page, ClockExplorer(position=710))
        lay_out(page)  # a sentence that no frame has shown keeps no room
        said = page.locator(".pex-sentence")
        tall = sentence(page)
        set_traits(page, position=0)
        assert sentence(page) != tall
        page.add_style_tag(
            content="* { line-height: 1.8 !important; letter-spacing: 0.12em !important;"
            " word-spacing: 0.16em !important }"
        )
        lay_out(page)
        assert said.get_attribute("data-tallest") == tall
        room = said.evaluate(HEIGHT)
        set_traits(page, position=710)
        assert sentence(page) == tall
        assert said.evaluate(HEIGHT) == room


@pytest.mark.parametrize(
    ("style", "width"),
    [
        ("", 800),
        ("max-width: 600px", 600),
        ("min-width: 200px", 800),
        ("width: auto", 800),
        ("width: 300px", 300),
        ("max-width: 600px; width: 250px", 250),
    ],
)
def test_in_a_row_of_widgets_a_figure_has_its_width_or_what_is_left(
    browser: Browser, style: str, width: int
) -> None:
    """As ipywidgets lays out a row; a figure that is a container has no width of its own."""
    with blank_page(browser) as page:
        show(page, ClockExplorer())
        page.evaluate(
            """(style) => {
                const row = document.createElement("div");
                row.className = "widget-hbox";
                row.style.cssText = "display: flex; width: 800px";
                document.querySelector("main").append(row);
                row.append(figures[0].views[0].el);
                figures[0].views[0].el.style.cssText = style;
            }""",
            style,
        )
        assert page.locator(".pex").evaluate("each => each.offsetWidth") == width


def test_the_clinic_s_table_is_read_in_numbers_while_their_fold_is_open(browser: Browser) -> None:
    """Whoever does not see the heat map has no other way to its entries."""
    cell = ".pex-fold td[data-value]"

    def same_as_torch() -> None:
        table = ClinicExplorer(**traits(page)).encoding
        assert_shows(numbers(page, cell), table[:8].flatten().tolist())
        heads, names = (fold.locator(f"th[scope={each}]:visible") for each in ("col", "row"))
        assert heads.all_inner_texts() == [str(c) for c in range(table.shape[1])]
        assert names.all_inner_texts() == [f"row {p}" for p in range(8)]

    with blank_page(browser) as page:
        show(page, ClinicExplorer(9, length=72))
        fold, patient = page.locator(".pex-fold"), page.get_by_role("slider", name="Patient")
        summary = fold.locator("summary")
        patient.press("ArrowRight")
        assert fold.locator("table").count() == 0, "closed, it costs nothing"
        summary.press("Enter")
        expect(fold.locator("table")).to_be_visible()
        same_as_torch()
        patient.press("ArrowRight")
        assert traits(page)["patient"] == 11
        same_as_torch()
        set_traits(page, patient=6, d_model=16, length=160, named="from-1")
        same_as_torch()
        pixels, grounds = page.evaluate(
            """(cell) => [
              [...document.querySelector("canvas").getContext("2d").getImageData(0, 0, 16, 8).data],
              [...document.querySelectorAll(cell)].map(
                (each) => getComputedStyle(each).backgroundColor.match(/[0-9]+/g).map(Number)),
            ]""",
            cell,
        )
        assert [[*ground, 255] for ground in grounds] == [
            pixels[n : n + 4] for n in range(0, len(pixels), 4)
        ], "the colours of the heat map"
        at = "all => all.map((each) => [each.parentElement.rowIndex - 1, each.cellIndex - 1])"
        for patient_, named, chosen in (
            (6, "from-1", [[0, 0]]),
            (2, "row-0-zero", [[0, 8]]),
            (2, "halves", []),
        ):
            set_traits(page, patient=patient_, named=named)
            assert page.locator(".pex-fold .pex-chosen").evaluate_all(at) == chosen
        set_traits(page, patient=1, d_model=6, named="")
        same_as_torch()
        before = page.locator(cell).all_text_contents()
        summary.press("Enter")
        expect(fold.locator("table")).to_be_hidden()
        set_traits(page, patient=8, d_model=16)
        assert page.locator(cell).all_text_contents() == before, "closed, it rests"
        summary.press("Space")
        # A fold says a little later that it has opened.
        expect(page.locator(f"{cell}:visible")).to_have_count(8 * 16)
        same_as_torch()


@explorers
def test_two_views_stay_in_step_and_leave_nothing_behind(browser: Browser, make: Make) -> None:
    with blank_page(browser) as page:
        show(page, make())
        page.evaluate("figures[0].view()")
        assert drawn(page, 0) == drawn(page, 1)
        before = drawn(page, 1)
        first_step(page)
        page.wait_for_timeout(30)
        assert drawn(page, 1) != before
        assert drawn(page, 0) == drawn(page, 1)
        assert sentence(page, 0) == sentence(page, 1)
        listeners = page.evaluate("figures[0].model.count()")
        page.evaluate("figures[0].views[0].stop()")
        assert page.evaluate("figures[0].model.count()") == listeners / 2
        assert page.locator(".pex").count() == 1
        first_step(page)
        page.evaluate("figures[0].views[1].stop()")
        assert page.evaluate("figures[0].model.count()") == 0
        assert page.locator(".pex").count() == 0


def test_figures_on_one_page_are_independent(browser: Browser) -> None:
    with blank_page(browser) as page:
        for make in (*EXPLORERS.values(), *EXPLORERS.values()):
            show(page, make())
        count = 2 * len(EXPLORERS)
        assert changed(page) == [*range(count)]
        for n in range(count):
            first_step(page, n)
            page.wait_for_timeout(30)
            assert changed(page) == [n]
        ids = page.eval_on_selector_all(".pex [id]", "all => all.map((each) => each.id)")
        assert len(ids) == len(set(ids))


def test_a_setting_outside_its_limits_moves_to_the_nearest(browser: Browser) -> None:
    """What is nearest, test_explorers_modules.py says; here the model hears of it."""
    with blank_page(browser) as page:
        show(page, HeatmapExplorer())
        set_traits(page, row=40, length=10, d_model=7, base=1e9)
        kept = {"row": 9, "length": 10, "d_model": 8, "base": 1e6, "column": 0}
        assert traits(page) == kept
        assert page.evaluate("figures[0].model.saved") > 0, "the kernel must hear of it"
        show(page, SimilarityExplorer())
        set_traits(page, 1, schedule="none such", position=None)
        assert (traits(page, 1)["schedule"], traits(page, 1)["position"]) == ("paper", 0)


def test_the_buttons_of_the_clock(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ClockExplorer())
        for p, close in ((44, 0.02), (710, 0.0001), (0, 1e-9)):
            page.get_by_role("button", name=f"Go to position {p}", exact=True).click()
            page.wait_for_timeout(30)
            assert traits(page)["position"] == p
            hand, row = numbers(page, ".pex-readings data")
            assert hand.value < close
            assert (row.value > 1) == (p > 0)


def test_moving_p_leaves_the_matrix_and_moving_k_changes_it(browser: Browser) -> None:
    matrix = "[aria-label='The matrix M_k'] td[data-value]"
    with blank_page(browser) as page:
        show(page, OffsetExplorer())
        start = numbers(page, matrix)
        set_traits(page, position=57)
        assert numbers(page, matrix) == start
        assert (
            "Moving p from 3 to 57 changed M by at most 0.0000 and PE(p) by at most 1."
            in sentence(page)
        )
        set_traits(page, offset=5)
        assert numbers(page, matrix) != start
        assert "Moving k from 4 to 5 changed M by at most 0.9" in sentence(page)
        last = numbers(page, ".pex-readings data")
        assert last[1].value > 0.9
        assert last[2].value == 0
        assert "Moving k" in sentence(page), "what has not changed stays"
        set_traits(page, pair=1)
        assert sentence(page).startswith("Each of the 3 hands turns"), "told once"
        assert numbers(page, ".pex-readings data") == last


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, theme: str) -> None:
    rules = OF_COLOURS if theme == "dark" else None
    with blank_page(browser, theme=theme) as page:
        for make in EXPLORERS.values():
            show(page, make())
        page.locator(".pex-fold > summary").click()
        expect(page.locator(".pex-fold table")).to_be_visible()
        assert axe(page, rules) == []
    with blank_page(browser, theme=theme) as page:
        show(page, BuildExplorer(row=3, column=2))
        for step in range(9):
            set_traits(page, step=step)
            assert axe(page, rules) == []


@explorers
def test_it_fits_a_phone(browser: Browser, make: Make, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.id
    with blank_page(browser, viewport={"width": 360, "height": 740}) as page:
        for n, each in enumerate([make, *EXTREMES[name]]):
            show(page, each())
            for summary in page.locator(".pex").nth(n).locator("summary").all():
                summary.click()
                expect(page.locator(".pex-fold table").nth(n)).to_be_visible()
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide == 360, each()
            # Nothing sticks out of the figure but what scrolls in a box of its own, and the canvas
            # of a pattern, whose first rows fill a box that cuts off the others.
            out = page.evaluate(
                """n => {
                  const root = document.querySelectorAll(".pex")[n];
                  const edge = root.getBoundingClientRect();
                  return [...root.querySelectorAll("*")].filter((each) => {
                    const box = each.getBoundingClientRect();
                    return box.width && !each.closest(".pex-scroll") && !each.closest("svg")
                      && !each.matches(".pex-pattern > canvas")
                      && (box.right > edge.right + 0.5 || box.left < edge.left - 0.5);
                  }).map((each) => each.outerHTML.slice(0, 80));
                }""",
                n,
            )
            assert out == []
            small = page.evaluate(
                """() => [...document.querySelectorAll(".pex :is(button, select, input, summary)")]
                  .filter((each) => !each.closest("[hidden]"))
                  .filter((each) => each.getBoundingClientRect().height < 24).length"""
            )
            assert small == 0, "a finger needs 24 pixels"


def test_six_words_and_their_numbers_are_whole_on_a_phone(browser: Browser) -> None:
    with blank_page(browser, viewport={"width": 320, "height": 740}) as page:
        show(page, OrderExplorer(sentence="India hello world bites name India", positions=True))
        cells = page.locator(".pex-order :is(td.pex-cell, .pex-word):visible")
        assert cells.count() == 6 * (1 + 4 + 6)
        cut = cells.evaluate_all(
            """all => all.filter((each) => each.scrollWidth > each.clientWidth)
              .map((each) => each.textContent)"""
        )
        assert cut == []


def test_what_a_slider_counts_is_one_or_many(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, FamilyExplorer(one="Shaw", two="RoPE", scaling="interpolation"))
        for n, words in ((1, ["1 time", "1 position away"]), (2, ["2 times", "2 positions away"])):
            set_traits(page, clip=n, factor=n)
            said = [
                page.get_by_role("slider", name=name).get_attribute("aria-valuetext")
                for name in ("Stretched by", "Clipped at")
            ]
            assert said == words
        show(page, HeadExplorer(offset=0, pairs=1))
        for name, words in (("Offset k", "looks at itself"), ("Pairs read", "1 pair read")):
            slider = page.get_by_role("slider", name=name)
            assert slider.get_attribute("aria-valuetext") == words


def test_a_step_from_a_base_beside_a_place_of_the_slider_is_to_that_place(
    browser: Browser,
) -> None:
    """A link may have set it."""
    with blank_page(browser) as page:
        show(page, ClockExplorer())
        less, more = (page.get_by_label(f"Base, {word}") for word in ("less", "more"))
        for start, button, key, expected in (
            (9900, more, "ArrowRight", 10_000),
            (10_000, more, "ArrowRight", 13_000),
            (10_400, more, "ArrowRight", 13_000),
            (10_400, less, "ArrowLeft", 10_000),
            (9900, less, "ArrowLeft", 7900),
            (990_000, more, None, 1_000_000),  # an arrow key does nothing at an end
            (10.4, less, None, 10),
        ):
            set_traits(page, base=start)
            button.click()
            assert traits(page)["base"] == expected, start
            if key is None:
                continue
            set_traits(page, base=start)
            page.get_by_label("Base", exact=True).press(key)
            assert traits(page)["base"] == expected, start


def test_the_numbers_of_a_dial_stand_inside_its_frame(browser: Browser) -> None:
    # As wide as in the chapter on a phone.
    with blank_page(browser, viewport={"width": 344, "height": 740}) as page:
        for d_model, position, offset in ((2, 0, -50), (16, 100, 50), (16, 50, -50)):
            show(page, OffsetExplorer(d_model=d_model, position=position, offset=offset, pair=0))
        space = page.locator(".pex-turning > li:not([hidden])").evaluate_all(
            """all => all.flatMap((card) => {
                const edge = card.getBoundingClientRect();
                return [...card.querySelectorAll("dt, dd")].map((each) => {
                    const box = each.getBoundingClientRect();
                    return Math.min(box.left - edge.left, edge.right - box.right);
                });
            })"""
        )
        assert len(space) == 6 * (1 + 8 + 8)
        assert min(space) > 2


@pytest.mark.parametrize("size", [2, 16, 512])
def test_the_cross_hair_frames_its_row_and_its_column(browser: Browser, size: int) -> None:
    with blank_page(browser) as page:
        show(page, HeatmapExplorer(length=size, d_model=size, row=1, column=0))
        boxes = page.locator(".pex-canvas").evaluate(
            """map => [map.querySelector("canvas"), ...map.querySelectorAll(".pex-line")].map(
                (each) => each.getBoundingClientRect()
            ).map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
        )
        (left, top, right, bottom), across, down = boxes
        high, wide = (bottom - top) / size, (right - left) / size
        row = (left, top + high, right, top + 2 * high)
        column = (left, top, left + wide, bottom)
        for frame, framed in ((across, row), (down, column)):
            outside = [framed[0] - frame[0], framed[1] - frame[1]]
            outside += [frame[2] - framed[2], frame[3] - framed[3]]
            assert -1 < min(outside) <= max(outside) < 8  # px


def test_the_columns_of_a_tensor_are_equally_wide(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer())
        for step in range(9):
            set_traits(page, step=step)
            widths = page.evaluate(
                """[...document.querySelectorAll("[role=grid] tbody tr:last-child td")]
                  .map((each) => each.getBoundingClientRect().width)"""
            )
            assert max(widths) - min(widths) < 0.1, step


def test_on_a_phone_the_sources_leave_room_for_the_present_step(browser: Browser) -> None:
    for width, rows in ((1280, range(10)), (360, range(2, 6))):
        with blank_page(browser, viewport={"width": width, "height": 740}) as page:
            show(page, BuildExplorer(length=10, d_model=6, step=8, row=4, column=1))
            shown, result = page.locator(".pex-tensors").all()
            assert shown.locator("th[scope=row]").all_inner_texts() == [str(p) for p in rows]
            assert result.locator("th[scope=row]").count() == 10
            source, chosen = numbers(page, ".pex-chosen")
            assert source == chosen


def test_a_phone_that_is_turned_shows_as_many_sources_as_it_has_room_for(browser: Browser) -> None:
    with blank_page(browser, viewport={"width": 740, "height": 360}) as page:
        show(page, BuildExplorer(length=10, d_model=6, step=8, row=4, column=1))
        rows = page.locator(".pex-tensors").first.locator("th[scope=row]:visible")
        for size, first, last in (((360, 740), 2, 5), ((740, 360), 0, 9)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(rows).to_have_text([str(p) for p in range(first, last + 1)])
            source, chosen = numbers(page, ".pex-chosen")
            assert source == chosen


def test_a_long_table_of_sources_shows_the_rows_about_the_chosen_one(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(length=16, d_model=16, step=8, column=3))
        for row, first in ((0, 0), (8, 6), (15, 12)):
            set_traits(page, row=row)
            sources = page.locator(".pex-tensors").first
            heads = sources.locator("th[scope=row]").all_inner_texts()
            assert heads == [str(first + n) for n in range(4)]
            assert f"rows {first} to {first + 3}" in sources.inner_text()
            source, chosen = numbers(page, ".pex-chosen")
            assert source == chosen
            assert chosen.value == pytest.approx(math.cos(row / 10000 ** (2 / 16)), abs=1e-12)
            line = sources.locator("tr", has=page.locator(".pex-chosen"))
            assert line.locator("th").inner_text() == str(row)


@pytest.mark.parametrize(
    ("width", "d_model"), [(360, 6), (704, 16)], ids=["phone", "column of a laptop's page"]
)
def test_the_columns_of_the_matrix_fit(browser: Browser, width: int, d_model: int) -> None:
    with blank_page(browser, viewport={"width": width, "height": 740}) as page:
        show(page, OffsetExplorer(d_model, offset=-29))
        box = page.locator("[aria-label='The matrix M_k, scrolling']")
        assert box.evaluate("each => each.scrollWidth - each.clientWidth") <= 0


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger goes down, moves in ten steps, and goes up."""
    session = page.context.new_cdp_session(page)
    for n in range(11):
        x = start[0] + (end[0] - start[0]) * n / 10
        y = start[1] + (end[1] - start[1]) * n / 10
        kind = "touchStart" if n == 0 else "touchMove"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(60)


def test_a_finger_drags_a_slider(browser: Browser) -> None:
    with blank_page(
        browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    ) as page:
        show(page, ClockExplorer())
        box = page.locator("input[type=range]").first.bounding_box()
        assert box is not None
        middle = box["y"] + box["height"] / 2
        drag(page, (box["x"] + 8, middle), (box["x"] + box["width"] / 2, middle))
        assert 400 < traits(page)["position"] < 600


def test_a_finger_drags_the_cross_hair(browser: Browser) -> None:
    with blank_page(
        browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    ) as page:
        show(page, HeatmapExplorer(length=100, d_model=100))
        box = page.locator(".pex-canvas").bounding_box()
        assert box is not None

        def at(x: float, y: float) -> tuple[float, float]:
            return box["x"] + x * box["width"], box["y"] + y * box["height"]

        drag(page, at(0.1, 0.305), at(0.905, 0.505))
        assert (traits(page)["row"], traits(page)["column"]) == (50, 90)
        page.mouse.click(*at(0.205, 0.705))
        page.wait_for_timeout(30)
        assert (traits(page)["row"], traits(page)["column"]) == (70, 20)


@pytest.mark.parametrize("kind", ["touch", "pen"])
def test_who_scrolls_the_page_leaves_the_cross_hair(browser: Browser, kind: str) -> None:
    """It says so only after it has gone some way, and then the browser cancels it."""
    with blank_page(browser) as page:
        show(page, HeatmapExplorer(length=100, d_model=100))
        box = page.locator(".pex-canvas").bounding_box()
        assert box is not None

        def finger(event: str, x: float, y: float, **more: int) -> None:
            how = {
                "pointerType": kind,
                "clientX": box["x"] + x * box["width"],
                "clientY": box["y"] + y * box["height"],
            }
            page.evaluate(
                """([event, init]) => {
                  const canvas = document.querySelector(".pex-canvas");
                  canvas.setPointerCapture = () => {};
                  canvas.dispatchEvent(new PointerEvent(event, {
                    pointerId: 7, button: 0, buttons: 1, ...init,
                  }));
                }""",
                [event, {**how, **more}],
            )
            page.wait_for_timeout(20)

        finger("pointerdown", 0.305, 0.305)
        finger("pointermove", 0.315, 0.405)
        assert (traits(page)["row"], traits(page)["column"]) == (0, 0)
        finger("pointercancel", 0.315, 0.405)
        finger("pointermove", 0.805, 0.405)
        assert (traits(page)["row"], traits(page)["column"]) == (0, 0), "it began elsewhere"
        finger("pointerdown", 0.305, 0.305)
        finger("pointerup", 0.305, 0.305, buttons=0)
        assert (traits(page)["row"], traits(page)["column"]) == (30, 30), "a tap"
        finger("pointerdown", 0.305, 0.305)
        finger("pointermove", 0.605, 0.405)
        assert (traits(page)["row"], traits(page)["column"]) == (40, 60), "a drag"
        finger("pointermove", 0.605, 0.905)
        assert (traits(page)["row"], traits(page)["column"]) == (90, 60), "on, wherever it goes"


def test_the_label_of_the_first_rise_is_not_cut(browser: Browser) -> None:
    for width in (320, 360, 1000):
        with blank_page(browser, viewport={"width": width, "height": 700}) as page:
            show(page, SimilarityExplorer(d_model=8, length=16, first_rise=True))
            label = page.locator(".pex-rise-label").bounding_box()
            plot = page.locator(".pex-plot").bounding_box()
            assert label is not None
            assert plot is not None
            assert plot["x"] <= label["x"], width
            assert label["x"] + label["width"] <= plot["x"] + plot["width"] + 1, width


def test_nothing_moves_by_itself(all_of_them: Page) -> None:
    """A step is drawn at once, and then all rests: what moves shows a move of the reader's.

    Of that there is one, the words of the order explorer that change places: its columns slide for
    a fifth of a second, and not for who asked for less motion (the last test of this file).
    """
    changed(all_of_them)
    for n in range(len(EXPLORERS)):
        first_step(all_of_them, n)
        all_of_them.wait_for_timeout(30)
        assert all_of_them.evaluate("document.getAnimations().length") == 0
        assert changed(all_of_them) == [n]
    all_of_them.clock.run_for(300)
    assert changed(all_of_them) == []


def test_no_nan_when_the_width_grows_and_shrinks(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OffsetExplorer(d_model=2))
        for d_model in (4, 16, 2, 6):
            set_traits(page, d_model=d_model)
            assert "NaN" not in page.locator("main").inner_html() + sentence(page)
            assert not page.get_by_text("the last move changed M").is_visible()
            assert "d_model from" not in sentence(page), "matrices of two sizes have no difference"


def test_the_chosen_cells_are_brought_into_view(browser: Browser) -> None:
    with blank_page(browser, viewport={"width": 360, "height": 740}) as page:
        show(page, BuildExplorer(length=16, d_model=16, step=8, row=15))
        for step, column in ((8, 15), (8, 0), (7, 14), (4, 15), (6, 1)):
            set_traits(page, step=step, column=column)
            outside = page.evaluate(
                """[...document.querySelectorAll(".pex-chosen")].filter((cell) => {
                  const box = cell.closest(".pex-scroll").getBoundingClientRect();
                  const { left, right } = cell.getBoundingClientRect();
                  return left < box.left || right > box.right;
                }).length"""
            )
            assert outside == 0, (step, column)
            wide = ".pex-scroll:has([role=grid])"
            assert page.locator(wide).evaluate("each => each.scrollWidth > each.clientWidth")


def test_the_block_of_the_chosen_pair_is_framed(browser: Browser) -> None:
    block = ".pex-tensor .pex-block"
    with blank_page(browser) as page:
        show(page, OffsetExplorer(d_model=8, pair=3))
        page.evaluate("figures[0].view()")
        for d_model, pair in ((8, 1), (8, 3), (4, 1), (16, 7)):
            set_traits(page, d_model=d_model, pair=pair)
            angle = OffsetExplorer(d_model, pair=pair).matrix[2 * pair :, 2 * pair :][:2, :2]
            shown = [number.value for number in numbers(page, block)]
            assert shown == pytest.approx(angle.flatten().tolist() * 2)
            assert page.locator(".pex-picked .pex-name").all_inner_texts() == [f"pair {pair}"] * 2
            assert f"In the frame: pair {pair}," in sentence(page)
        page.locator(".pex").first.locator(".pex-dials > li").nth(2).click()
        page.wait_for_timeout(30)
        assert traits(page)["pair"] == 2
        assert page.locator(".pex-picked .pex-name").all_inner_texts() == ["pair 2"] * 2


def test_two_walls_show_the_same_pair(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ClockExplorer(d_model=64, pair=5, position=9))
        page.evaluate("figures[0].view()")
        assert page.locator(".pex-walled .pex-name").all_inner_texts() == ["pair 5"] * 2
        page.locator(".pex-wall svg").last.click(position={"x": 3, "y": 3})
        page.wait_for_timeout(30)
        assert traits(page)["pair"] == 0
        assert page.locator(".pex-walled .pex-name").all_inner_texts() == ["pair 0"] * 2


@pytest.mark.parametrize("held", ["Control", "Alt", "Meta"])
def test_combinations_of_keys_are_left_to_others(browser: Browser, held: str) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(row=3, column=2, step=8))
        page.evaluate(
            """() => {
              window.kept = [];
              addEventListener("keydown", (event) => kept.push(event.defaultPrevented));
            }"""
        )
        page.locator("[role=grid] [tabindex='0']").focus()
        marked = "document.activeElement.hasAttribute('data-lm-suppress-shortcuts')"
        assert page.evaluate(marked), "else JupyterLab takes the arrow keys"
        page.keyboard.down(held)
        assert not page.evaluate(marked), "JupyterLab may act"
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(20)
        assert traits(page)["column"] == 2
        assert page.evaluate("kept") == [False, False]
        page.keyboard.up(held)
        assert page.evaluate(marked)
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(20)
        assert traits(page)["column"] == 3


def test_only_the_main_button_moves_the_cross_hair(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, HeatmapExplorer(length=100, d_model=100))
        box = page.locator(".pex-canvas").bounding_box()
        assert box is not None
        for button, moved in (("right", False), ("middle", False), ("left", True)):
            page.mouse.move(box["x"] + 0.255 * box["width"], box["y"] + 0.255 * box["height"])
            page.mouse.down(button=button)  # type: ignore[arg-type]
            page.mouse.move(box["x"] + 0.505 * box["width"], box["y"] + 0.705 * box["height"])
            page.mouse.up(button=button)  # type: ignore[arg-type]
            page.wait_for_timeout(30)
            at = (traits(page)["row"], traits(page)["column"])
            assert at == ((70, 50) if moved else (0, 0)), button


def test_only_the_sentence_is_announced(all_of_them: Page) -> None:
    """An <output> would announce itself at every step of its slider."""
    live = ":is([aria-live], output, [role=status], [role=log], [role=alert])"
    for figure in all_of_them.locator(".pex").all():
        assert figure.locator(live).count() == 1
        assert figure.locator(f"{live}.pex-sentence").count() == 1


UNNAMED = """() => [...document.querySelectorAll(
    ".pex :is(table, svg, canvas, [role=img], [role=grid], [role=region])")]
  .filter((each) => each.checkVisibility() && !each.closest("[aria-hidden=true]"))
  .filter((each) => !each.getAttribute("aria-label"))
  .map((each) => each.outerHTML.slice(0, 80))"""
HEADLESS = """() => [...document.querySelectorAll(".pex table")].flatMap((table) => {
    const rows = [...table.rows].filter((row) => row.checkVisibility());
    const heads = (scope) => [...table.querySelectorAll(`th[scope=${scope}]`)]
      .filter((each) => each.checkVisibility() && each.textContent);
    const numbers = rows.map((row) => row.querySelectorAll("td[data-value]:not([hidden])").length)
      .filter(Boolean);
    const [down, across] = [numbers.length, Math.max(...numbers)];
    const missing = [];
    if (across > 1 && heads("col").length < across) missing.push("columns");
    if (down > 1 && across > 1 && heads("row").length < down) missing.push("rows");
    return missing.map((each) => `${table.ariaLabel}: ${each}`);
})"""


def test_what_is_shown_has_a_name_or_is_left_to_the_words(all_of_them: Page) -> None:
    assert all_of_them.evaluate(UNNAMED) == []


def test_a_number_of_a_table_has_its_column_and_its_row(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OffsetExplorer())
        show(page, OrderExplorer())
        show(page, ClinicExplorer())
        page.locator(".pex-fold > summary").click()
        expect(page.locator(".pex-fold table")).to_be_visible()
        assert page.evaluate(HEADLESS) == []
    with blank_page(browser) as page:
        show(page, BuildExplorer())
        for step in range(9):
            set_traits(page, step=step)
            assert page.evaluate(UNNAMED) == page.evaluate(HEADLESS) == []


def test_what_changes_inside_leaves_the_page_alone(all_of_them: Page) -> None:
    contain = all_of_them.locator(".pex").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).contain)"
    )
    assert len(contain) == len(EXPLORERS)
    assert set(contain) <= {"content", "layout paint style"}


@pytest.mark.parametrize("preferred", ["light", "dark"])
@pytest.mark.parametrize("theme", ["light", "dark", ""])
def test_colours_follow_the_page_then_the_system(
    browser: Browser, theme: str, preferred: str
) -> None:
    with blank_page(browser, color_scheme=preferred) as page:
        page.evaluate(
            "theme => theme ? (document.documentElement.dataset.theme = theme)"
            " : delete document.documentElement.dataset.theme",
            theme,
        )
        show(page, ClockExplorer())
        ground = page.locator(".pex").evaluate("each => getComputedStyle(each).backgroundColor")
        light = (theme or preferred) == "light"
        assert ground == ("rgb(255, 255, 255)" if light else "rgb(20, 24, 30)")


def words(page: Page) -> str:
    return str(traits(page)["sentence"])


def test_words_move_by_keys_and_keep_the_focus(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("My name is John"))
        page.locator(".pex-word").first.focus()
        for key, sentence_now, place in (
            ("ArrowRight", "name My is John", 1),
            ("ArrowRight", "name is My John", 2),
            ("ArrowLeft", "name My is John", 1),
            ("ArrowLeft", "My name is John", 0),
            ("ArrowLeft", "My name is John", 0),
            ("Control+ArrowRight", "My name is John", 0),
        ):
            page.keyboard.press(key)
            page.wait_for_timeout(20)
            assert (words(page), traits(page)["place"]) == (sentence_now, place)
            focused_word = page.locator(".pex-word:focus")
            assert focused_word.inner_text() == "My"
            assert focused_word.get_attribute("aria-current") == "true"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert traits(page)["place"] == 1, "Enter chooses a word"


def test_a_word_is_dragged_and_only_by_the_main_button(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India"))
        boxes = [each.bounding_box() for each in page.locator(".pex-word").all()]
        middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
        page.locator(".pex-word").nth(1).click(button="right")
        assert traits(page)["place"] == 0, "only the main button chooses"
        for button, after in (("right", "I love India"), ("left", "love India I")):
            page.mouse.move(*middles[0])
            page.mouse.down(button=button)  # type: ignore[arg-type]
            page.mouse.move(*middles[1], steps=3)
            page.mouse.move(*middles[2], steps=3)
            page.mouse.up(button=button)  # type: ignore[arg-type]
            page.wait_for_timeout(30)
            assert words(page) == after
            assert traits(page)["place"] == (2 if button == "left" else 0), "of the moved word"
        assert page.locator(".pex-word:focus").inner_text() == "I"
        assert page.locator(".pex-word:focus").get_attribute("aria-current") == "true"


def test_a_word_is_let_go_with_the_main_button_and_a_second_finger_takes_none(
    browser: Browser,
) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India"))
        boxes = [each.bounding_box() for each in page.locator(".pex-word").all()]
        middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
        page.mouse.move(*middles[0])
        page.mouse.down()
        page.mouse.down(button="right")
        page.mouse.up()
        page.mouse.move(*middles[2], steps=4)
        page.mouse.up(button="right")
        assert words(page) == "I love India"
        page.locator(".pex-word").evaluate_all(
            """([first, , third]) => {
                const touch = { pointerType: "touch", buttons: 1, bubbles: true };
                first.setPointerCapture = third.setPointerCapture = () => {};
                const { x, y } = third.getBoundingClientRect();
                const send = (one, kind, how) =>
                    one.dispatchEvent(new PointerEvent(kind, { ...touch, ...how }));
                send(first, "pointerdown", { pointerId: 5, isPrimary: true });
                send(third, "pointerdown", { pointerId: 6, isPrimary: false });
                send(third, "pointermove", { pointerId: 6, isPrimary: false, clientX: x + 9 });
                send(first, "pointerup", { pointerId: 5, isPrimary: true });
            }"""
        )
        assert words(page) == "I love India"


@pytest.mark.parametrize("end", ["pointerup", "pointercancel"])
def test_after_a_finger_s_drag_the_next_click_counts(browser: Browser, end: str) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India"))
        page.locator(".pex-word").evaluate_all(
            """([first, , third], end) => {
                const how = { pointerType: "touch", buttons: 1, isPrimary: true, pointerId: 5 };
                first.setPointerCapture = () => {};
                const { x } = third.getBoundingClientRect();
                for (const kind of ["pointerdown", "pointermove", end])
                    first.dispatchEvent(new PointerEvent(kind, { ...how, clientX: x + 9 }));
            }""",
            end,
        )
        assert words(page) == "love India I"
        page.wait_for_timeout(20)
        page.locator(".pex-word").first.evaluate("word => word.click()")
        assert traits(page)["place"] == 0


@pytest.mark.parametrize("key", ["ArrowDown", "ArrowUp"])
def test_the_page_follows_a_cell_that_is_reached_by_key(browser: Browser, key: str) -> None:
    """On a screen of which a fifth of the figure is as high, as when it is enlarged."""
    with blank_page(browser, viewport={"width": 640, "height": 200}) as page:
        row = 0 if key == "ArrowDown" else 15
        show(page, BuildExplorer(step=8, length=16, row=row))
        cell = page.locator("[role=grid] [tabindex='0']")
        cell.focus()
        for _ in range(15):
            page.keyboard.press(key)
        assert traits(page)["row"] == 15 - row
        expect(page.locator(":focus")).to_have_attribute("aria-selected", "true")
        expect(page.locator(":focus")).to_be_in_viewport(ratio=1)
        page.evaluate("scrollBy(0, 9)")
        there = page.evaluate("scrollY")
        page.locator("[role=grid] td").nth(1).dispatch_event("click")
        assert page.evaluate("scrollY") == there


def test_forced_colours_leave_the_values_and_the_marks(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, BuildExplorer(row=3, column=2, step=8))
        show(page, OrderExplorer("I love India", place=1))
        show(page, ModelExplorer("sinusoid", "BADCAFE", 40, place=14))
        show(page, HeatmapExplorer())
        page.emulate_media(forced_colors="active")
        scale = page.locator(".pex-legend span")
        assert "gradient" in scale.evaluate("each => getComputedStyle(each).backgroundImage")
        grounds = page.locator("[role=grid] td.pex-cell:visible").evaluate_all(
            "all => new Set(all.map((each) => getComputedStyle(each).backgroundColor)).size"
        )
        assert grounds > 5
        chosen = page.locator("td.pex-chosen:visible").first
        assert chosen.evaluate("cell => getComputedStyle(cell).boxShadow") != "none"
        word = page.locator(".pex-word[aria-current=true]")
        assert word.evaluate("word => getComputedStyle(word).textDecorationLine") == "underline"
        here = page.locator(".pex-here").first
        assert here.evaluate("place => getComputedStyle(place).outlineStyle") == "solid"
        page.emulate_media(forced_colors="none")


def test_a_word_is_moved_by_buttons_too(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India"))
        page.locator(".pex-word").nth(1).click()
        left, right = (page.get_by_role("button", name=f"Move {way}") for way in ("left", "right"))
        for button, sentence_now, place in (
            (right, "I India love", 2),
            (right, "I India love", 2),
            (left, "I love India", 1),
            (left, "love I India", 0),
        ):
            button.click(force=True)  # Playwright takes aria-disabled for disabled
            page.wait_for_timeout(20)
            assert (words(page), traits(page)["place"]) == (sentence_now, place)
            ends = [each.get_attribute("aria-disabled") for each in (left, right)]
            assert ends == [str(place == 0).lower(), str(place == 2).lower()]
            assert button.evaluate("each => each === document.activeElement")


def test_a_word_is_named_by_itself_and_told_how_it_moves(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India", place=1))
        for n, name in enumerate(("I", "love", "India")):
            word = page.get_by_role("columnheader", name=name, exact=True).get_by_role("button")
            note = page.locator(f"[id='{word.get_attribute('aria-describedby')}']")
            assert note.inner_text() == "Drag a word, or move it with the arrow keys."
            assert word.get_attribute("aria-current") == str(n == 1).lower()
            assert word.get_attribute("aria-pressed") is None
            select = "each => getComputedStyle(each).webkitUserSelect"
            assert word.evaluate(select) == "none"


def test_a_new_word_is_the_chosen_one(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India", place=1))
        page.get_by_role("button", name="One more word").click()
        page.wait_for_timeout(20)
        assert (words(page), traits(page)["place"]) == ("I love India love", 3)
        page.get_by_label("Word at place 3").select_option("dog")
        page.wait_for_timeout(20)
        assert words(page) == "I love India dog"


def count_slides(page: Page) -> None:
    """Count what begins to slide: a slide may be over before a test asks for it."""
    page.evaluate(
        """() => {
          window.slides = 0;
          const { animate } = HTMLElement.prototype;
          HTMLElement.prototype.animate = function (...slide) {
            window.slides += 1;
            return animate.apply(this, slide);
          };
        }"""
    )


def test_nothing_is_measured_after_something_was_written(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India"))
        page.evaluate(
            """() => {
              const writes = new MutationObserver(() => {});
              writes.observe(document.querySelector(".pex"), { subtree: true, attributes: true,
                childList: true, characterData: true });
              window.stale = [];
              const from = HTMLElement.prototype;
              const { get } = Object.getOwnPropertyDescriptor(from, "offsetWidth");
              Object.defineProperty(from, "offsetWidth", { get() {
                window.stale.push(writes.takeRecords().length);
                return get.call(this);
              } });
            }"""
        )
        count_slides(page)
        set_traits(page, sentence="love I India")
        page.wait_for_function("slides > 0")
        stale = page.evaluate("stale")
        assert stale == [0] * len(stale) != []


def test_without_positions_the_numbers_go_with_their_words(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, OrderExplorer("I love India"))
        rows = page.locator(".pex-order tbody").first

        def shown() -> dict[str, list[str]]:
            cells = [row.locator("td").all_inner_texts() for row in rows.locator("tr").all()]
            names = page.locator(".pex-word").all_inner_texts()
            return {name: [row[p] for row in cells] for p, name in enumerate(names)}

        before = shown()
        set_traits(page, sentence="India love I")
        assert shown() == before
        set_traits(page, positions=True)
        with_positions = shown()
        set_traits(page, sentence="I love India")
        assert shown() != with_positions


@pytest.mark.parametrize(("motion", "slides"), [("no-preference", True), ("reduce", False)])
def test_columns_slide_unless_the_reader_asked_for_less_motion(
    browser: Browser, motion: Literal["no-preference", "reduce"], slides: bool
) -> None:
    with blank_page(browser, reduced_motion=motion) as page:
        show(page, OrderExplorer("I love India"))
        count_slides(page)
        set_traits(page, sentence="love I India")
        page.wait_for_function("document.querySelector('.pex-word').textContent === 'love'")
        assert (page.evaluate("slides") > 0) is slides


def test_words_are_typed_and_the_field_keeps_its_caret(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ModelExplorer(length=16))
        field = page.get_by_label("Your own words first, A to P")
        field.press_sequentially("abzBA!")
        assert field.input_value() == "ABBA"
        assert (traits(page)["text"], traits(page)["place"]) == ("ABBA", 3)
        field.press("p")
        field.press("Backspace")
        field.press("z")  # changes nothing, and is not seen
        assert field.input_value() == "ABBA"
        for key in ("Home", "ArrowRight", "c", "x", "d"):  # x is no word
            field.press(key)
        assert field.input_value() == "ACDBBA"
        assert traits(page)["place"] == 2
        words = page.locator(".pex-strip b").all_inner_texts()
        assert "".join(words) == ModelExplorer(text="ACDBBA", length=16).words
        field.fill("P" * 140)
        assert traits(page)["text"] == "P" * 128
        assert traits(page)["length"] == 16


def test_a_place_is_chosen_by_a_click_and_its_word_from_a_list(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ModelExplorer(length=32))
        page.locator(".pex-strip li").nth(7).click()
        assert traits(page)["place"] == 7
        page.get_by_label("Word at place 7").select_option("O")
        page.wait_for_timeout(20)
        assert traits(page)["text"] == ModelExplorer().words[:7] + "O"
        box = page.locator(".pex-pattern").nth(1).bounding_box()
        assert box
        page.mouse.click(box["x"] + 5, box["y"] + box["height"] * 20.5 / 32)
        assert traits(page)["place"] == 20


def test_the_word_of_a_place_is_the_one_that_is_seen_there(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ModelExplorer(length=32, place=4, other=9, exchanged=True))
        before = ModelExplorer().words
        menu = page.get_by_label("Word at place 4")
        assert menu.input_value() == before[9]
        menu.select_option("O")
        page.wait_for_timeout(20)
        assert menu.input_value() == "O"
        assert traits(page)["text"] == before[:9] + "O"
        assert page.locator(".pex-strip b").nth(4).inner_text() == "O"
        assert page.locator(".pex-strip b").nth(9).inner_text() == before[4]
        # The same without the model, of whose answers nothing is seen.
        page.evaluate("() => { figures[0].files = {}; }")
        set_traits(page, trained="RoPE", place=6, other=8)
        expect(page.locator(".pex-sentence")).to_contain_text("cannot be had")
        set_traits(page, place=11, exchanged=False)
        menu = page.get_by_label("Word at place 11")
        assert menu.input_value() == before[11]
        menu.select_option("P" if before[11] != "P" else "A")
        assert traits(page)["text"][11] != before[11]


def test_a_model_that_has_come_is_told_of_at_once(browser: Browser) -> None:
    """Later, the sentence would grow by two lines under the finger, and a press be lost."""
    with blank_page(browser) as page:
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)  # seconds
        show(page, ModelExplorer(length=40))
        assert "answers are right" in page.locator(".pex-sentence").inner_text()


def test_shuffled_words_are_the_same_words(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ModelExplorer(length=40))
        page.get_by_role("button", name="Shuffle").click()
        text = traits(page)["text"]
        assert text != ModelExplorer(length=40).words
        assert sorted(text) == sorted(ModelExplorer(length=40).words)
        set_traits(page, text="A" * 10 + "B" * 30, length=10)
        page.get_by_role("button", name="Shuffle").click()
        assert traits(page)["text"] == "A" * 10 + "B" * 30, "what is not read stays"
        page.get_by_role("button", name="The first words again").click()
        assert traits(page)["text"] == ""


def test_a_model_is_asked_for_once_and_two_views_show_the_same(browser: Browser) -> None:
    with blank_page(browser) as page:
        show(page, ModelExplorer())
        for name in ("RoPE", "sinusoid", "RoPE"):
            set_traits(page, trained=name)
        assert page.evaluate("figures[0].asked") == [["file", "sinusoid"], ["file", "RoPE"]]
        page.evaluate("figures[0].view()")
        for more in ({"trained": "ALiBi"}, {"length": 60, "place": 50}, {"exchanged": True}):
            set_traits(page, **more)
            assert drawn(page, 0) == drawn(page, 1)
            assert sentence(page, 0) == sentence(page, 1)
