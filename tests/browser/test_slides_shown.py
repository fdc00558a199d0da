"""The slides in Chromium, from the folder on disk, ``dist/slides``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Visit, axe, visiting
from playwright.sync_api import Browser, Page

BUILT = ROOT / "dist" / "slides"
MEASURE = Path(__file__).with_name("slides.js").read_text(encoding="utf-8")
DECKS = sorted(path.name for path in BUILT.glob("*_*.html"))
CLOCKS = "04_row_of_clocks.html"
TURNS = "Turn the clocks"
SMALLEST = 20  # pixels, on a slide of 1280 by 720

Open = Callable[[str], Visit]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Opens a deck from disk, with the means to measure it."""
    with visiting(browser) as open_page:

        def open_deck(name: str) -> Visit:
            visit = open_page(BUILT.as_uri(), name)
            visit.page.wait_for_selector(".reveal.ready" if name != "index.html" else "main")
            visit.page.add_script_tag(content=MEASURE)
            return visit

        yield open_deck


def number_of(visit: Visit, title: str, kind: str) -> int:
    """The number of the first slide of a kind that has a title."""
    wanted = "([title, kind]) => [...document.querySelectorAll('.slides > section')].findIndex("
    wanted += "one => one.matches(`.${kind}`) && one.querySelector('h2')?.textContent === title)"
    number: int = visit.page.evaluate(wanted, [title, kind])
    assert number > 0
    return number


def shown(page: Page) -> int:
    """The number of the slide that is shown."""
    number: int = page.evaluate(
        "[...document.querySelectorAll('.slides > section')].findIndex("
        "one => one.matches('.present'))"
    )
    return number


def test_there_are_decks() -> None:
    assert len(DECKS) == 12, "python -m course slides: there are no slides"


@pytest.mark.parametrize("name", DECKS)
def test_every_slide_fits_and_can_be_read(opened: Open, name: str) -> None:
    # The others of a lesson are those of its chapters: test_slides.py compares them.
    which = ".first, .plan, .live" if name.startswith("lesson") else "section"
    deck = opened(name)
    found = deck.page.evaluate("([smallest, which]) => faults(smallest, which)", [SMALLEST, which])
    assert found == []
    assert deck.errors == []
    assert deck.left == []
    assert deck.failed == []


def test_keys_belong_to_a_live_figure_while_it_has_the_focus(opened: Open) -> None:
    deck = opened(CLOCKS)
    page = deck.page
    number = number_of(deck, TURNS, "live")
    page.evaluate("number => goTo(number)", number)
    slider = page.locator(".present .live-figure input[type=range]").first
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert slider.input_value() == str(int(before) + 1)
    assert shown(page) == number
    page.locator(".present .live-link button").first.click()
    assert slider.input_value() == "135"
    # At once, and not only when the browser finds that the slider is hidden.
    left = slider.evaluate(
        """slider => {
            slider.focus();
            slider.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
            return document.activeElement === document.body;
        }"""
    )
    assert left
    assert shown(page) == number + 1
    page.keyboard.press("ArrowLeft")
    assert shown(page) == number
    slider.focus()
    for key in ("Control+PageDown", "Meta+PageDown"):  # the browser's own
        page.keyboard.press(key)
        assert shown(page) == number
    page.keyboard.press("PageDown")
    assert shown(page) == number + 1
    page.keyboard.press("ArrowLeft")
    assert shown(page) == number


def test_other_keys_are_the_deck_s_also_when_a_slider_has_been_touched(opened: Open) -> None:
    deck = opened(CLOCKS)
    page = deck.page
    number = number_of(deck, TURNS, "live")
    page.evaluate("number => goTo(number)", number)
    slider = page.locator(".present .live-figure input[type=range]").first
    slider.focus()
    held = "document.activeElement.matches('.present .live-figure input[type=range]')"
    page.keyboard.press("b")
    assert page.locator(".reveal.paused").count() == 1
    page.wait_for_function(held)
    page.keyboard.press("b")
    assert page.locator(".reveal.paused").count() == 0
    page.wait_for_function(held)
    before = slider.input_value()
    page.keyboard.press("ArrowRight")
    assert slider.input_value() == str(int(before) + 1)
    assert shown(page) == number
    for key in ("Escape", "o"):
        slider.focus()
        page.keyboard.press(key)
        assert page.locator(".reveal.overview").count() == 1
        page.keyboard.press("Escape")
        assert page.locator(".reveal.overview").count() == 0
    slider.focus()
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    popup.value.close()
    slider.focus()
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement")


def test_what_is_written_in_a_field_is_no_key_of_the_deck(opened: Open) -> None:
    deck = opened("10_longer.html")
    page = deck.page
    page.evaluate("number => goTo(number)", number_of(deck, "Where are the mistakes?", "live"))
    page.locator(".present details > summary").click()
    field = page.locator(".present .live-figure input[type=text], .present .pex-typed input")
    field.focus()
    for key in "bof":
        page.keyboard.press(key)
    assert field.input_value().lower().endswith("bof")
    assert page.locator(".reveal.paused, .reveal.overview").count() == 0


def test_a_word_is_dragged_where_the_pointer_is(opened: Open) -> None:
    """However large the slide, and the figure on it."""
    deck = opened("01_order.html")
    page = deck.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.evaluate("number => goTo(number)", number_of(deck, "The words change places", "live"))
    words = page.locator(".present .pex-word")
    assert words.all_inner_texts() == ["I", "love", "India"]
    last, middle = words.nth(2).bounding_box(), words.nth(1).bounding_box()
    assert last
    assert middle
    page.mouse.move(last["x"] + 20, last["y"] + 20)
    page.mouse.down()
    page.mouse.move(middle["x"] + 20, middle["y"] + 20, steps=4)
    page.mouse.up()
    assert words.all_inner_texts() == ["I", "India", "love"]
    # The word has the focus now, and is no field: its arrow keys are its own all the same.
    number = shown(page)
    page.keyboard.press("ArrowRight")
    assert words.all_inner_texts() == ["I", "love", "India"]
    assert shown(page) == number


def test_an_answer_waits_for_a_key(opened: Open) -> None:
    deck = opened(CLOCKS)
    page = deck.page
    number = number_of(deck, "How long is the longest wave?", "question")
    page.evaluate("number => location.hash = `#/${number}`", number)
    answer = page.locator(".present .answer")
    visibility = "one => getComputedStyle(one).visibility"
    assert answer.evaluate(visibility) == "hidden"
    for _ in range(2):  # what the cell prints, then the answer
        page.keyboard.press("ArrowRight")
    assert answer.evaluate(visibility) == "visible"


def test_axe_finds_nothing(opened: Open) -> None:
    deck = opened(CLOCKS)
    for number in (1, number_of(deck, TURNS, "live")):
        deck.page.evaluate("number => goTo(number)", number)
        assert axe(deck.page) == []
    assert axe(opened("index.html").page) == []


def test_on_paper_all_fragments_are_shown(opened: Open) -> None:
    page = opened(f"{CLOCKS}?print-pdf").page
    page.emulate_media(media="print")
    hidden = page.evaluate(
        "[...document.querySelectorAll('.fragment')].filter("
        "one => getComputedStyle(one).visibility === 'hidden').length"
    )
    slides = page.locator(".slides section").count()
    assert hidden == 0
    assert page.locator(".pdf-page").count() == slides
    assert page.locator(".live-still img").first.is_visible()


def test_on_paper_a_picture_for_a_live_figure_has_its_own_room(opened: Open) -> None:
    page = opened("06_shift.html?print-pdf").page
    page.emulate_media(media="print")
    overlaps = """() => [...document.querySelectorAll(".slides section.live")].flatMap((slide) => {
      const box = (what) => slide.querySelector(what)?.getBoundingClientRect();
      const [title, picture, words] = ["h2", ".live-still img", ".words"].map(box);
      return [title.bottom - picture.top, words ? picture.bottom - words.top : 0];
    })"""
    found = page.evaluate(overlaps)
    assert len(found) == 2
    assert max(found) <= 0


def test_the_speaker_has_notes_and_a_time_for_each_slide(opened: Open) -> None:
    page = opened(CLOCKS).page
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    window = popup.value
    window.wait_for_selector(".speaker-controls-notes:not(.hidden) .value p")
    assert "The table is made." in window.locator(".speaker-controls-notes .value").inner_text()
    window.wait_for_selector(".pacing", state="visible")
    page.keyboard.press("PageDown")
    window.wait_for_function(
        "document.querySelector('.speaker-controls-notes .value').innerText.includes('Right:')"
    )
    window.close()
