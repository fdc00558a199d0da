"""Every built page: closed in itself, quiet, readable without scripts, accessible, narrow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from answers import ANSWER_ALL, REMEMBERED, asked
from conftest import BOOK, OF_COLOURS, Visit, axe, built_pages, visiting
from engines import WITNESS, Chromium, use
from playwright.sync_api import Browser, Page, ViewportSize

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
HEIGHT = "document.documentElement.scrollHeight"

Open = Callable[..., Visit]


def wake(visit: Visit) -> None:
    """Bring each picture and figure into sight once, and wait for what loads then."""
    if visit.awake:
        return
    visit.awake = True
    visit.page.evaluate(
        """async () => {
            // What is folded is loaded when it is opened.
            const folded = (one) => one.closest("details:not([open])");
            const hidden = (one) => folded(one) || !one.checkVisibility();
            const there = (one) => one.localName === "img" ? one.complete || hidden(one)
                : !one.dataset.model || one.classList.contains("is-live") || folded(one);
            for (const one of document.querySelectorAll("main img, .live-figure")) {
                one.scrollIntoView();
                do await new Promise(requestAnimationFrame); while (!there(one));
            }
            scrollTo(0, document.body.scrollHeight);
            await new Promise(requestAnimationFrame);
            scrollTo(0, 0);
        }"""
    )
    visit.settle()


@pytest.fixture(params=["localhost", "file"])
def origin(request: pytest.FixtureRequest, served_book: str) -> str:
    return served_book if request.param == "localhost" else BOOK.as_uri()


@pytest.fixture(scope="module", params=built_pages())
def path(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def served(browser: Browser, served_book: str, path: str) -> Iterator[Visit]:
    """A page on localhost, on a desktop, in light colours: opened once for several tests."""
    with visiting(browser) as open_page:
        visit = open_page(served_book, path, color_scheme="light", viewport=DESKTOP)
        visit.settle()  # a figure comes to life by a late script
        wake(visit)
        yield visit


@pytest.fixture(scope="module")
def from_disk(browser: Browser, path: str) -> Iterator[Visit]:
    """A page from disk, on a phone, opened once for several tests."""
    with visiting(browser) as open_page:
        visit = open_page(BOOK.as_uri(), path, viewport=PHONE)
        visit.settle()
        yield visit


@pytest.fixture(scope="module")
def unscripted(browser: Browser, served_book: str, path: str) -> Iterator[Page]:
    """A page on localhost without scripts, opened once for several tests."""
    with visiting(browser) as open_page:
        yield open_page(served_book, path, java_script_enabled=False).page


def test_the_book_is_built() -> None:
    assert BOOK.is_dir(), "build the book first: make book"
    assert len(built_pages()) >= 2


def test_a_page_needs_nothing_from_outside_and_logs_no_error(served: Visit) -> None:
    assert served.left == []
    assert served.failed == []
    assert served.errors == []


def test_every_section_keeps_its_size(from_disk: Visit) -> None:
    """Although those far from the screen are not drawn: it was taken when the page was new."""
    page = from_disk.page
    if not page.locator("#live-figures").count():
        return
    page.wait_for_selector("html.live-rest")
    # A figure that comes to life has another height than its still picture.
    page.wait_for_function(
        "() => [...document.querySelectorAll('.live-figure[data-model]')].every((figure) =>"
        " figure.getBoundingClientRect().top > 2 * innerHeight"
        " || figure.classList.contains('is-live') || figure.closest('details:not([open])'))"
    )
    height = page.evaluate(HEIGHT)
    sheet = page.add_style_tag(
        content="section > section { content-visibility: visible !important }"
    )
    assert page.evaluate(HEIGHT) == height
    sheet.evaluate("one => one.remove()")


def test_a_page_does_not_scroll_sideways_on_a_phone(from_disk: Visit) -> None:
    page = from_disk.page
    wake(from_disk)
    wide = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => `${element.tagName}.${element.className}`).slice(0, 8)"""
    )
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"], wide
    # A formula may scroll in its own box, from its beginning on.
    beginnings = page.evaluate(
        """() => [...document.querySelectorAll("article div.math .katex > [aria-hidden]")]
            .map((formula) => formula.getBoundingClientRect().left)"""
    )
    assert all(left >= 0 for left in beginnings), beginnings
    # What scrolls can be scrolled by keys, once the theme has seen the new width.
    page.wait_for_function(
        """() => ![...document.querySelectorAll("main *")]
            .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1)
            .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowX))
            .filter((each) => each.checkVisibility() && each.tabIndex < 0)
            .some((each) => !each.querySelector("a[href], button, input, [tabindex='0']"))"""
    )


def test_a_page_from_disk_needs_nothing_from_outside_and_logs_no_error(from_disk: Visit) -> None:
    wake(from_disk)
    assert from_disk.left == []
    assert from_disk.failed == []
    assert from_disk.errors == []


def test_every_foreseen_answer_on_a_page_gets_a_sentence_of_its_own(
    from_disk: Visit, path: str
) -> None:
    """Then all of them are remembered."""
    questions = asked(Path(path).stem.partition("_")[0])
    page = from_disk.page
    assert page.locator("form.ask").count() == len(questions)
    if not questions:
        return
    assert page.evaluate(ANSWER_ALL, questions) == []
    remembered = page.evaluate(f"JSON.parse(localStorage['{REMEMBERED}'])")
    assert {name: each["state"] for name, each in remembered.items()} == dict.fromkeys(
        questions, "right"
    )
    assert from_disk.left == []
    assert from_disk.errors == []


def test_all_that_can_be_used_on_a_page_answers_a_key(from_disk: Visit) -> None:
    page = from_disk.page
    page.set_viewport_size(DESKTOP)
    page.evaluate("for (const one of document.querySelectorAll('[data-after]')) one.open = false")
    page.add_script_tag(content=WITNESS)
    use(Chromium(page), every_link=True)
    assert from_disk.errors == []


def test_a_page_is_readable_without_scripts(unscripted: Page, path: str) -> None:
    page = unscripted
    formulas = page.locator("main article .katex")
    images = page.locator("main article img:not(.dark-form)")
    if re.match(r"notebooks/\d\d_", path):
        assert formulas.count(), "every chapter has formulas"
        assert images.count(), "every chapter has pictures"
    not_shown = formulas.evaluate_all(
        """all => all.filter((each) => {
            const box = each.querySelector("[aria-hidden]")?.getBoundingClientRect();
            return !(box?.width > 2 && box?.height > 2);
        }).map((each) => each.textContent)"""
    )
    assert not_shown == []
    article = page.locator("main article")
    if article.count():
        assert "\\(" not in article.inner_text()
    pictures = images.evaluate_all(
        """all => all.map((each) => {
            const box = each.getBoundingClientRect();
            return [each.getAttribute("src"), each.getAttribute("alt"),
                    box.width > 2 && box.height > 2];
        })"""
    )
    for source, alternative, shown in pictures:
        assert shown, source
        assert alternative, source
        assert not alternative.endswith((".png", ".svg"))


# Notes which code was asked for its width before any late script was there.
NOTE_EARLY = """
const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "scrollWidth");
window.early = new Set();
Object.defineProperty(Element.prototype, "scrollWidth", {
    get() {
        if (!document.querySelector("head > script[src]")) early.add(this);
        return get.call(this);
    },
});
"""


def test_what_is_folded_is_laid_out_in_turn_before_the_theme_asks_for_all_of_it(
    browser: Browser, served_book: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(NOTE_EARLY)
    page.goto(f"{served_book}/notebooks/06_shift.html")
    page.wait_for_selector("head > script[src]", state="attached")
    laid_out = page.evaluate(
        """() => [...document.querySelectorAll("details:not([open]) pre")]
            .map((code) => early.has(code))"""
    )
    context.close()
    assert len(laid_out) > 5
    assert all(laid_out)


def test_what_is_laid_out_after_the_first_paint_stands_below_the_first_screen(
    served: Visit, from_disk: Visit
) -> None:
    for visit in (served, from_disk):
        places = visit.page.evaluate(
            """() => [...document.querySelectorAll("section > section:nth-of-type(n + 2)")]
                .map((later) => later.getBoundingClientRect().top + scrollY)"""
        )
        assert all(place > 1300 for place in places)  # px, as in book/_templates/layout.html


# In a page whose load does not end nothing else begins by itself.
WITHOUT_TIME = """{
    const { setTimeout } = window;
    window.setTimeout = (then, ms) => ms === 3000 ? 0 : setTimeout(then, ms);
}"""


@pytest.mark.parametrize("sign", ["scroll", "time"])
def test_a_page_is_all_there_without_a_font_that_does_not_come(
    browser: Browser, served_book: str, sign: str
) -> None:
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.route("**/*.woff2", lambda route: None)
    if sign == "scroll":
        page.add_init_script(WITHOUT_TIME)
    page.goto(f"{served_book}/notebooks/06_shift.html", wait_until="domcontentloaded")
    last = page.locator("section > section:last-of-type > h2").last
    assert page.evaluate("document.readyState") == "interactive"
    assert not last.is_visible()
    if sign == "scroll":
        page.evaluate("scrollTo(0, 100)")
    last.wait_for()
    context.close()


def test_no_line_begins_with_the_sign_after_a_formula(served: Visit) -> None:
    apart = served.page.evaluate(
        """() => [...document.querySelectorAll("article span.katex")]
            .map((formula) => formula.nextSibling)
            .filter((after) => after?.nodeType === Node.TEXT_NODE && /^[.,:;?!]/.test(after.data))
            .map((after) => after.data.slice(0, 40))"""
    )
    assert apart == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_code_that_have_no_tag_need_none(scheme: str) -> None:
    """The styles that lean_pages is made for give names and punctuation the plain colour."""
    css = (BOOK / "_static" / "pygments.css").read_text(encoding="utf-8")
    colours = dict(
        re.findall(
            rf'html\[data-theme="{scheme}"\] \.highlight( \.\w+)? {{[^}}]*\bcolor: (#\w+)', css
        )
    )
    assert {colours[name] for name in ("", " .n", " .p", " .w")} == {colours[""]}


def test_code_and_what_it_prints_fit_their_boxes_on_a_desktop(served: Visit) -> None:
    wide = served.page.evaluate(
        """() => {
            const folded = [...document.querySelectorAll("details:not([open])")];
            folded.forEach((one) => one.open = true);
            const code = [...document.querySelectorAll("main pre")];
            const wide = code.filter((one) => one.scrollWidth > one.clientWidth);
            const lines = wide.map((one) => one.textContent.slice(0, 40));
            folded.forEach((one) => one.open = false);
            return lines;
        }"""
    )
    assert wide == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(served: Visit, scheme: str) -> None:
    """The last look at a page: it is changed for it."""
    page = served.page
    # What is hidden axe leaves out.
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.wait_for_function(
        "scheme => document.documentElement.dataset.theme === scheme",
        arg=scheme,
        polling=50,  # ms; a busy machine may leave a page without a frame for long
    )
    assert axe(page, OF_COLOURS if scheme == "dark" else None) == []


def test_the_search_finds_a_page(visit: Open, origin: str) -> None:
    visited = visit(origin, "search.html?q=wavelength")
    visited.page.locator("#search-results li").first.wait_for()
    visited.settle()
    assert visited.page.locator("#search-results a", has_text="clocks").count() >= 1
    assert visited.left == []
    assert visited.errors == []


def test_the_results_of_a_search_are_a_list_in_the_book_s_style(
    visit: Open, served_book: str
) -> None:
    visited = visit(served_book, "search.html?q=wavelength")
    page = visited.page
    page.locator("#search-results li").first.wait_for()
    visited.settle()
    found = page.locator("#search-results ul.search")
    assert found.evaluate("list => getComputedStyle(list).paddingLeft") == "0px"
    assert found.locator("li").first.evaluate("li => getComputedStyle(li).listStyleType") == "none"


def test_on_a_phone_the_drawer_opens_at_the_left_edge_and_closes(
    visit: Open, served_book: str
) -> None:
    visited = visit(served_book, "notebooks/06_shift.html", viewport=PHONE)
    visited.settle()
    page = visited.page
    links = page.locator(".bd-sidebar-primary .bd-links a")
    assert not links.first.is_visible()
    page.locator(".primary-toggle:visible").click()
    links.first.wait_for(state="visible")
    drawer = page.locator("#pst-primary-sidebar-modal")
    page.wait_for_function("document.getAnimations().every((each) => each.playState !== 'running')")
    box = drawer.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["height"]) == (0, 0, PHONE["height"])
    assert 200 < box["width"] < PHONE["width"], "the page can be seen, and touched, beside it"
    page.keyboard.press("Escape")
    links.first.wait_for(state="hidden")


def test_the_search_opens_above_the_page_as_one_field(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/06_shift.html", viewport=PHONE)
    visited.settle()
    page = visited.page
    page.locator(".search-button:visible").first.click()
    dialog = page.locator("#pst-search-dialog")
    dialog.wait_for(state="visible")
    field = dialog.locator("input[type=search]")
    assert field.evaluate("field => field === document.activeElement")
    box, inner = dialog.bounding_box(), field.bounding_box()
    assert box is not None
    assert inner is not None
    assert box["width"] > 0.8 * PHONE["width"]
    assert inner["width"] > 0.5 * box["width"], "the field and its button stand in one line"
    styles = "one => [getComputedStyle(one).display, getComputedStyle(one).borderTopStyle]"
    assert dialog.locator("form").evaluate(styles)[0] == "flex"
    assert field.evaluate(styles)[1] == "none", "the frame is the form's"


def test_of_a_figure_the_form_is_shown_that_fits_the_page(visit: Open, served_book: str) -> None:
    page = visit(served_book, "notebooks/05_near_and_far.html", color_scheme="light").page
    shown = "all => all.filter((each) => getComputedStyle(each).display !== 'none').length"
    light, dark = (page.locator(f"main article img.{each}-form") for each in ("light", "dark"))
    assert light.count() == dark.count() > 2

    def forms() -> tuple[int, int]:
        return light.evaluate_all(shown), dark.evaluate_all(shown)

    assert forms() == (light.count(), 0)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert forms() == (0, dark.count())
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(18, 18, 18)"
    corner = dark.first.evaluate(
        """async (image) => {
            image.loading = "eager";
            await image.decode();
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.drawImage(image, 0, 0);
            return [...canvas.getImageData(2, 2, 1, 1).data];
        }"""
    )
    assert corner == [18, 18, 18, 255], "no card is seen around it"
    page.emulate_media(media="print")
    assert forms() == (light.count(), 0)


def test_the_theme_button_turns_the_page_dark_and_light(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/intro.html", color_scheme="light", viewport=DESKTOP)
    page = visited.page
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "light"
    visited.settle()
    page.locator(".theme-switch-button").first.click()
    page.wait_for_function(f"{theme} === 'dark'")
    page.reload()
    assert page.evaluate(theme) == "dark"


def test_a_tab_forgets_what_a_page_writes_while_it_is_left(
    browser: Browser, served_book: str
) -> None:
    """Else a theme that one test has chosen is now and then the next one's."""
    for _ in range(3):
        with visiting(browser) as open_page:
            page = open_page(served_book, "404.html").page
            assert page.evaluate("localStorage.getItem('mine')") is None
            page.evaluate("setInterval(() => localStorage.setItem('mine', 'kept'), 0)")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_solution_is_folded_until_it_is_asked_for(
    visit: Open, served_book: str, scripts: bool
) -> None:
    path = "notebooks/03_step_by_step.html"
    page = visit(served_book, path, viewport=DESKTOP, java_script_enabled=scripts).page
    solution = page.locator("details.solution").first
    text = solution.locator("p").first
    assert not text.is_visible()
    solution.locator("summary").click()
    text.wait_for(state="visible")


def test_on_paper_nothing_is_folded(unscripted: Page) -> None:
    unscripted.emulate_media(media="print")
    folded = unscripted.locator("article details > :not(summary)")
    for _ in range(50):  # until the page has been drawn for paper
        hidden = folded.evaluate_all(
            """all => all.filter((each) => !each.checkVisibility({ contentVisibilityAuto: true })
                || each.getBoundingClientRect().height === 0).map((each) => each.outerHTML)"""
        )
        if not hidden:
            return
        unscripted.wait_for_timeout(100)
    assert hidden == []
