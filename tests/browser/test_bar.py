"""The bar above a page: its menu, and the names of its buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from conftest import BOOK, LOADED, SETTLED, Visit, built_pages
from playwright.sync_api import Browser, Page, Route, expect

Open = Callable[..., Visit]

CHAPTER = "notebooks/06_shift.html"
MODE = "document.documentElement.dataset.mode"  # of the colours


@pytest.fixture
def page(visit: Open, served_book: str) -> Page:
    visited = visit(served_book, CHAPTER)
    visited.settle()
    return visited.page


@pytest.fixture
def phone(visit: Open, served_book: str) -> Page:
    visited = visit(served_book, CHAPTER, viewport={"width": 360, "height": 740})
    visited.settle()
    return visited.page


def test_the_menu_opens_at_a_click_and_closes_when_the_reader_turns_elsewhere(page: Page) -> None:
    button = page.get_by_role("button", name="Download this page")
    menu = page.locator(".dropdown-menu")
    for turn in ("elsewhere", "again", "Tab", "Escape"):
        expect(menu).to_be_hidden()
        expect(button).to_have_attribute("aria-expanded", "false")
        button.click()
        page.mouse.move(600, 600)  # the theme shows the menu under a mouse as well
        expect(menu).to_be_visible()
        expect(button).to_have_attribute("aria-expanded", "true")
        match turn:
            case "elsewhere":
                page.mouse.click(600, 600)
            case "again":
                button.click()
                page.mouse.move(600, 600)
            case "Tab":
                for _ in range(3):  # two entries, then what comes after
                    expect(menu).to_be_visible()
                    page.keyboard.press("Tab")
            case "Escape":
                page.keyboard.press("ArrowDown")
                page.keyboard.press("Escape")
                expect(button).to_be_focused()
    expect(menu).to_be_hidden()


def test_arrow_keys_go_through_the_menu_and_leave_the_page_where_it_is(page: Page) -> None:
    page.get_by_role("button", name="Download this page").focus()
    notebook = page.get_by_role("link", name=".ipynb")
    paper = page.get_by_role("button", name=".pdf")
    for key, item in [
        ("ArrowDown", notebook),
        ("ArrowDown", paper),
        ("ArrowDown", paper),
        ("ArrowUp", notebook),
        ("ArrowUp", notebook),
    ]:
        page.keyboard.press(key)
        expect(item).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_arrow_keys_with_another_key_are_the_browser_s(page: Page) -> None:
    page.get_by_role("button", name="Download this page").focus()
    for key in ("Control+ArrowDown", "Meta+ArrowDown", "Alt+ArrowUp"):
        page.keyboard.press(key)
    expect(page.locator(".dropdown-menu")).to_be_hidden()


def test_what_is_chosen_closes_the_menu(page: Page) -> None:
    page.evaluate("window.print = () => window.printed = true")
    button = page.get_by_role("button", name="Download this page")
    button.press("Enter")
    page.get_by_role("button", name=".pdf").press("Enter")
    expect(button).to_be_focused()
    assert page.evaluate("printed")
    expect(page.locator(".dropdown-menu")).to_be_hidden()


def test_a_button_that_has_the_focus_shows_its_name(page: Page) -> None:
    shown = {}
    for button in page.locator(".bd-header-article .btn:not(.dropdown-item):visible").all():
        button.focus()
        page.keyboard.press("Shift")  # a key, and not the mouse, was used last
        name, content, box = button.evaluate(
            """each => {
                const { content, display } = getComputedStyle(each, "::after");
                return [each.title || each.ariaLabel, content, display];
            }"""
        )
        shown[name] = (content, box)
    assert shown == {name: (f'"{name}"', "block") for name in shown}
    assert {"Toggle primary sidebar", "Download this page", "Color mode: auto"} <= shown.keys()


@pytest.mark.parametrize("path", built_pages())
def test_a_page_has_the_theme_s_own_script_and_not_bootstrap_s(path: str) -> None:
    page = (BOOK / path).read_text(encoding="utf-8")
    assert "scripts/pydata-sphinx-theme.js" in page
    assert "bootstrap.js" not in page


Early = tuple[Page, Callable[[], None]]


@pytest.fixture
def early(browser: Browser, served_book: str) -> Iterator[Early]:
    """A phone's page before its late scripts are there, and what lets them come."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    held: list[Route] = []
    page.route("**/*.js*", lambda route: held.append(route))
    page.add_init_script(LOADED)
    page.goto(f"{served_book}/{CHAPTER}", wait_until="domcontentloaded")
    late = "document.getElementById('late-scripts').content.querySelectorAll('script').length"

    def let_come() -> None:
        while len(held) < page.evaluate(late):  # they are asked for all at once
            page.wait_for_timeout(10)
        for route in held:
            route.continue_()
        page.unroute_all()
        page.wait_for_function(SETTLED)

    yield page, let_come
    page.close()


def test_a_button_pressed_before_the_scripts_are_there_is_pressed_when_they_are(
    early: Early,
) -> None:
    page, let_come = early
    for button in (".theme-switch-button", ".primary-toggle"):  # the last one counts
        page.locator(f"{button}:visible").first.click()
    drawer = page.locator("#pst-primary-sidebar-modal")
    expect(drawer).to_be_hidden()
    let_come()
    expect(drawer).to_be_visible()
    assert page.evaluate(MODE) == "auto"
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.locator(".theme-switch-button:visible").first.click()
    assert page.evaluate(MODE) != "auto"


def test_a_reader_who_types_keeps_the_focus_when_the_scripts_come(early: Early) -> None:
    page, let_come = early
    page.locator(".search-button:visible").first.click()
    page.evaluate("document.querySelector('article h1').after(document.createElement('input'))")
    field = page.locator("article h1 + input")
    field.press_sequentially("1")
    let_come()
    page.wait_for_timeout(50)
    expect(page.locator("#pst-search-dialog")).to_be_hidden()
    expect(field).to_be_focused()


def test_buttons_work_without_a_script_that_never_comes(browser: Browser, served_book: str) -> None:
    page = browser.new_page()
    page.clock.install()
    page.route("**/live_figures.js*", lambda route: None)
    page.add_init_script(LOADED)
    page.goto(f"{served_book}/{CHAPTER}")
    page.wait_for_function("[...loadedScripts].some((src) => src?.includes('pydata'))")
    button = page.locator(".theme-switch-button").first
    button.click()
    assert page.evaluate(MODE) == "auto"
    page.clock.fast_forward(6000)
    page.wait_for_function(f"{MODE} !== 'auto'")
    before = page.evaluate(MODE)
    button.click()
    assert page.evaluate(MODE) != before
    page.close()


def test_the_colours_are_chosen_where_storage_is_full(browser: Browser, served_book: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    messages: list[str] = []
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(f"{served_book}/{CHAPTER}")
    page.evaluate(
        """() => {
            localStorage.mine = "kept";
            for (let size = 4e6; size >= 1; size >>= 1)
                for (let n = 0; n < 9; n++) {
                    try {
                        localStorage.filling = (localStorage.filling ?? "") + "x".repeat(size);
                    } catch {
                        break;
                    }
                }
        }"""
    )
    page.add_init_script(LOADED)
    page.goto(f"{served_book}/{CHAPTER}")
    page.wait_for_function(SETTLED)
    assert page.evaluate("localStorage.getItem('mine')") == "kept"
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button").first.click()
        seen.add(page.evaluate(MODE))
    context.close()
    assert seen == {"auto", "light", "dark"}
    assert messages == []


def test_the_colours_are_chosen_where_storage_is_blocked(
    browser: Browser, served_book: str
) -> None:
    page = browser.new_page()
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, name, {
            get() { throw new DOMException("blocked", "SecurityError"); },
            configurable: true, // as the browser's own
          })"""
    )
    messages: list[str] = []
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.add_init_script(LOADED)
    page.goto(f"{served_book}/{CHAPTER}")
    page.wait_for_function(SETTLED)  # scripts come after the page's first sight
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button").first.click()
        seen.add(page.evaluate(MODE))
    page.close()
    assert seen == {"auto", "light", "dark"}
    assert messages == []


# Where the keyboard is: the theme takes the focus from its buttons.


def test_a_button_of_the_bar_keeps_the_focus(page: Page) -> None:
    button = page.locator(".theme-switch-button:visible").first
    button.focus()
    seen = set()
    for _ in range(3):
        page.keyboard.press("Enter")
        expect(button).to_be_focused()
        mode = page.evaluate(MODE)
        expect(button).to_have_accessible_name(f"Color mode: {mode}")
        dark = page.evaluate("document.documentElement.dataset.theme === 'dark'")
        for form, hidden in ((".light-form", dark), (".dark-form", not dark)):
            expect(page.locator(form).first).to_have_attribute("aria-hidden", str(hidden).lower())
        seen.add(mode)
    assert seen == {"auto", "light", "dark"}


def test_on_a_desktop_the_contents_go_and_come_back(page: Page) -> None:
    contents = page.locator(".bd-sidebar-primary")
    button = page.locator(".primary-toggle:visible")
    expect(button).to_have_accessible_name("Toggle primary sidebar")
    here = contents.locator("[aria-current=page]")
    expect(here).to_have_text("6. A shift is a rotation")
    for shown in (False, True):
        button.click()
        expect(here).to_be_visible(visible=shown)


@pytest.mark.parametrize(
    ("button", "opened"),
    [
        (".primary-toggle", "#pst-primary-sidebar-modal"),
        (".secondary-toggle", "#pst-secondary-sidebar-modal"),
        (".search-button", "#pst-search-dialog"),
    ],
)
def test_who_closes_what_a_button_has_opened_is_back_at_it(
    phone: Page, button: str, opened: str
) -> None:
    at = phone.locator(f"{button}:visible").first
    at.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator(opened)).to_be_visible()
    phone.keyboard.press("Escape")
    expect(phone.locator(opened)).to_be_hidden()
    expect(at).to_be_focused()


def test_a_drawer_that_has_led_to_a_place_is_closed(phone: Page) -> None:
    phone.locator(".secondary-toggle:visible").first.click()
    drawer = phone.locator("#pst-secondary-sidebar-modal")
    link = drawer.locator("a[href^='#']:visible").last
    goal = link.get_attribute("href")
    link.click()
    expect(drawer).to_be_hidden()
    assert phone.evaluate("location.hash") == goal
    expect(phone.locator(f"section{goal} > :is(h2, h3)").first).to_be_in_viewport()


def test_who_copies_a_cell_stays_at_its_button(page: Page) -> None:
    button = page.locator(".copybtn:visible").first
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("data-tooltip", "Copied!")
    page.wait_for_timeout(50)  # what was copied has taken the focus along by now
    expect(button).to_be_focused()


def test_paper_is_light_and_the_screen_is_as_it_was(page: Page) -> None:
    page.evaluate(
        """() => {
            document.documentElement.dataset.theme = "dark";
            addEventListener("beforeprint", () => {
                const { color } = getComputedStyle(document.querySelector("article p"));
                window.inPrint = [document.documentElement.dataset.theme, color];
            });
        }"""
    )
    dark = page.evaluate("getComputedStyle(document.querySelector('article p')).color")
    page.pdf()
    theme, colour = page.evaluate("inPrint")
    assert theme == "light"
    assert colour != dark
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.evaluate(
        """for (const each of ["beforeprint", "beforeprint", "afterprint"])
            dispatchEvent(new Event(each));"""
    )
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
