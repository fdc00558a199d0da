"""The lecturer's guide, from disk: closed in itself, accessible, and its links set figures."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from conftest import OF_COLOURS, ROOT, USUAL, Visit, axe, visiting
from playwright.sync_api import Browser, expect
from pypdf import PdfReader

GUIDE = ROOT / "dist" / "guide"
PHONE = {"width": 360, "height": 740}


def pages() -> list[str]:
    return sorted(path.name for path in GUIDE.glob("*.html"))


@pytest.fixture(scope="module", params=pages())
def opened(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Visit]:
    """A page of the guide, opened once for several tests."""
    with visiting(browser) as open_page:
        visit = open_page(GUIDE.as_uri(), request.param, color_scheme="light")
        visit.settle()
        yield visit


def test_the_guide_is_built() -> None:
    assert len(pages()) >= 14, "build the guide first: make course"


def test_a_page_needs_nothing_from_outside_and_logs_no_error(opened: Visit) -> None:
    assert opened.left == []
    assert opened.failed == []
    assert opened.errors == []


def test_a_page_does_not_scroll_sideways_on_a_phone(opened: Visit) -> None:
    opened.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


def test_a_chapter_is_printed_on_two_sheets(opened: Visit) -> None:
    if not opened.page.url.rpartition("/")[2][0].isdigit():
        return
    opened.page.emulate_media(media="print", color_scheme="light")
    sheets = PdfReader(io.BytesIO(opened.page.pdf(prefer_css_page_size=True))).pages
    opened.page.emulate_media(media="screen")
    assert len(sheets) == 2
    assert [round(float(side) / 72 * 25.4) for side in sheets[0].mediabox[2:]] == [210, 297]


def test_axe_finds_nothing(opened: Visit) -> None:
    """The last look at a page: it is changed for it."""
    opened.page.set_viewport_size(USUAL)
    opened.page.emulate_media(color_scheme="light")
    assert axe(opened.page) == []
    opened.page.emulate_media(color_scheme="dark")
    opened.page.wait_for_function(
        "document.documentElement.dataset.theme === 'dark'",
        polling=50,  # ms; a busy machine may leave a page without a frame for long
    )
    assert axe(opened.page, OF_COLOURS) == []


def test_a_link_opens_the_book_with_the_figure_set(visit: Callable[..., Visit]) -> None:
    page = visit(GUIDE.as_uri(), "06_shift.html").page
    page.get_by_role("link", name="position 60").click()
    figure = page.locator("#live-turn")
    expect(page.locator("#live-turn.is-live")).to_have_count(1)
    expect(figure).to_be_in_viewport()
    assert (
        figure.locator("input[type=range]")
        .evaluate_all("all => all.map(each => each.value)")
        .count("60")
        == 1
    )
