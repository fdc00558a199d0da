"""Every built page: closed in itself, quiet, readable without scripts, accessible, narrow."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import AXE, BOOK, Visit, built_pages
from playwright.sync_api import Page

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}

pages = pytest.mark.parametrize("path", built_pages())
Open = Callable[..., Visit]


def wake(page: Page) -> None:
    """Scroll once through the page, so that what loads when it is seen has loaded."""
    page.evaluate(
        """async () => {
            for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
                scrollTo(0, y);
                await new Promise(requestAnimationFrame);
            }
            scrollTo(0, 0);
        }"""
    )
    page.wait_for_load_state("networkidle")
    page.wait_for_function("[...document.images].every((image) => image.complete)")


def test_the_book_is_built() -> None:
    assert BOOK.is_dir(), "build the book first: make book"
    assert len(built_pages()) >= 2


@pages
def test_a_page_needs_nothing_from_outside_and_logs_no_error(
    visit: Open, origin: str, path: str
) -> None:
    visited = visit(origin, path)
    wake(visited.page)
    assert visited.left == []
    assert visited.failed == []
    assert visited.errors == []


@pages
def test_a_page_is_readable_without_scripts(visit: Open, served_book: str, path: str) -> None:
    page = visit(served_book, path, java_script_enabled=False).page
    formulas = page.locator("main article .math").all()
    images = page.locator("main article img").all()
    if path.startswith("notebooks/"):
        assert formulas, "every chapter has formulas"
        assert images, "every chapter has pictures"
    for formula in formulas:
        box = formula.locator(".katex").first.bounding_box()
        assert box is not None, f"a formula is not shown: {formula.text_content()}"
        assert box["width"] > 2
        assert box["height"] > 2
    article = page.locator("main article")
    if article.count():
        assert "\\(" not in article.inner_text()
    for image in images:
        image.scroll_into_view_if_needed()
        assert image.is_visible(), image.get_attribute("src")
        alternative = image.get_attribute("alt")
        assert alternative, image.get_attribute("src")
        assert not alternative.endswith((".png", ".svg"))


@pages
def test_a_page_does_not_scroll_sideways_on_a_phone(
    visit: Open, served_book: str, path: str
) -> None:
    page = visit(served_book, path, viewport=PHONE).page
    wake(page)
    wide = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => `${element.tagName}.${element.className}`).slice(0, 8)"""
    )
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"], wide
    # A formula may scroll in its own box, from its beginning on.
    beginnings = page.evaluate(
        """() => [...document.querySelectorAll("article div.math .katex-html")]
            .map((formula) => formula.getBoundingClientRect().left)"""
    )
    assert all(left >= 0 for left in beginnings), beginnings


@pages
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Open, served_book: str, path: str, scheme: str) -> None:
    page = visit(served_book, path, color_scheme=scheme, viewport=DESKTOP).page
    wake(page)
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    page.add_script_tag(path=AXE)
    violations = page.evaluate("async () => (await axe.run()).violations")
    assert [
        f"{found['id']}: {node['html'][:200]} {node['failureSummary']}"
        for found in violations
        for node in found["nodes"]
    ] == []


def test_the_search_finds_a_page(visit: Open, origin: str) -> None:
    visited = visit(origin, "search.html?q=wavelength")
    visited.page.locator("#search-results li").first.wait_for()
    visited.page.wait_for_load_state("networkidle")
    assert visited.page.locator("#search-results a", has_text="clocks").count() >= 1
    assert visited.left == []
    assert visited.errors == []


def test_the_theme_button_turns_the_page_dark_and_light(visit: Open, served_book: str) -> None:
    page = visit(served_book, "book/intro.html", color_scheme="light", viewport=DESKTOP).page
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "light"
    page.wait_for_load_state("networkidle")
    page.locator(".theme-switch-button").first.click()
    page.wait_for_function(f"{theme} === 'dark'")
    page.reload()
    assert page.evaluate(theme) == "dark"


def test_a_solution_is_folded_until_it_is_asked_for(visit: Open, served_book: str) -> None:
    page = visit(served_book, "notebooks/03_step_by_step.html", viewport=DESKTOP).page
    page.wait_for_load_state("networkidle")
    solution = page.locator(".solution.dropdown").first
    text = solution.locator("p:not(.admonition-title)").first
    assert not text.is_visible()
    solution.locator(".toggle-button").click()
    text.wait_for(state="visible")
