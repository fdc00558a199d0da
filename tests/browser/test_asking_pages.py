"""The forms of the built pages: the keys, what is remembered and forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from answers import REMEMBERED, asked
from conftest import BOOK, Visit
from playwright.sync_api import Page, expect

from pe_lab.diagnosis.questions import FOLDER, load

BANK = load()
CHAPTERS = [path.stem for path in sorted(FOLDER.glob("*.yml"))]
PHONE = {"width": 360, "height": 740}
STORED = "Object.values(localStorage).join()"
# What stands beside a form's buttons about its state, which the style sheet says.
SAID = """name => getComputedStyle(
    document.querySelector(`#ask-${name} .ask-do`), "::after").content"""
LOOK = """box => {
    const look = getComputedStyle(box);
    return [look.backgroundColor, look.borderTopColor, look.borderTopStyle].join();
}"""

# What is read aloud of words with formulas.
HEARD = """words => {
    const heard = words.cloneNode(true);
    for (const drawn of heard.querySelectorAll("[aria-hidden]")) drawn.remove();
    return heard.textContent.trim();
}"""

Open = Callable[..., Visit]


def test_chromium_names_every_field_by_all_that_asks_for_it(visit: Open, served_book: str) -> None:
    """It leaves the formulas of a label out of the name that it makes of the label by itself."""
    visited = visit(served_book, "notebooks/06_shift.html")
    visited.settle()
    page = visited.page
    # It says nothing of what it has not drawn.
    page.add_style_tag(content="section > section { content-visibility: visible !important }")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    devtools = page.context.new_cdp_session(page)
    formulas = 0
    for field in page.locator("form.ask :is(input, fieldset)").all():
        label = page.locator(f"[id='{field.get_attribute('aria-labelledby')}']")
        field.evaluate("each => { window.field = each; }")
        found = devtools.send("Runtime.evaluate", {"expression": "field"})
        [node] = devtools.send(
            "Accessibility.getPartialAXTree",
            {"objectId": found["result"]["objectId"], "fetchRelatives": False},
        )["nodes"]
        assert plain(node["name"]["value"]) == plain(label.evaluate(HEARD))
        formulas += label.locator("math").count()
    assert formulas > 5


def plain(text: str) -> str:
    """Its letters, numbers and signs: between the parts of a formula there may be blanks."""
    return re.sub(r"[\s\u2061]", "", text)


def test_the_page_of_progress_counts_what_was_answered_on_others(visit: Open) -> None:
    """Pages from disk have one memory."""
    visited = visit(BOOK.as_uri(), "notebooks/03_step_by_step.html")
    page = visited.page
    all_right = [[str(len(asked(chapter.partition("_")[0]))), "0"] for chapter in CHAPTERS]

    def counts() -> list[list[str | None]]:
        rows = [
            page.locator("tr", has=page.locator(f"a[href$='{each}.html']")) for each in CHAPTERS
        ]
        kinds = [f"[data-count={kind}]" for kind in ("right", "open")]
        return [[row.locator(kind).text_content() for kind in kinds] for row in rows]

    for _ in range(10):  # a busy Chromium may give the next page from disk an empty memory
        page.evaluate(
            """([key, names]) => {
              const right = names.map((name) => [name, { state: "right", answer: 1 }]);
              localStorage.setItem(key, JSON.stringify(Object.fromEntries(right)));
            }""",
            [REMEMBERED, list(BANK)],
        )
        page.goto(f"{BOOK.as_uri()}/book/progress.html")
        visited.settle()
        if counts() == all_right:
            break
        page.goto(f"{BOOK.as_uri()}/notebooks/03_step_by_step.html")
    assert counts() == all_right


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_what_was_said_of_a_choice_goes_when_another_is_made(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/04_row_of_clocks.html")
    visited.settle()
    form = visited.page.locator("#ask-04-look")
    wrong = [each.answer for each in BANK["04-look"].wrong]
    said = form.locator("output")
    form.locator(f"input[value='{wrong[0]}']").check()
    form.get_by_text("Check").click()
    expect(said).not_to_have_text("")
    form.locator(f"input[value='{wrong[1]}']").check()
    expect(said).to_have_text("")


def test_a_reader_answers_by_keys_and_finds_the_answers_again(
    visit: Open, served_book: str
) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html", viewport=PHONE)
    visited.settle()
    page = visited.page

    def form(name: str) -> Any:
        return page.locator(f"#ask-{name}")

    # a picture: down to row 1, chosen and handed in; then row 0
    grid = form("03-row-zero-where").locator("[tabindex='0']")
    grid.focus()
    press(page, "ArrowDown", "Enter", "Tab", "Enter")
    says = form("03-row-zero-where").locator("output")
    expect(says).to_contain_text("That is position 1")
    expect(form("03-row-zero-where").get_by_role("gridcell").nth(2)).to_have_accessible_name(
        "Row 0, column 1, about 1.00 of the largest"
    )
    press(page, "Shift+Tab", "ArrowUp", " ", "Tab", "Enter")
    expect(says).to_have_text("Right. The next question is below.")
    press(page, "Shift+Tab", " ")  # it is chosen already
    expect(says).to_have_text("Right. The next question is below.")
    press(page, "ArrowDown", " ")
    expect(says).to_have_text("")

    # a number, then what is folded below is open
    fold = page.locator("[data-after='q-03-row-zero']")
    expect(fold.locator(".unanswered")).to_be_visible()
    form("03-row-zero").locator("input").focus()
    page.keyboard.type("6/2")
    press(page, "Enter")
    expect(form("03-row-zero").locator("output")).to_contain_text("open now")
    expect(fold).to_have_attribute("open", "")

    # lines: the first goes down, and the key stays with it
    lines = form("03-order").locator("li")
    first = lines.first.get_attribute("data-line")
    lines.first.locator("button").last.focus()
    press(page, "ArrowDown")
    assert lines.nth(1).get_attribute("data-line") == first
    press(page, "ArrowDown")
    assert lines.nth(2).get_attribute("data-line") == first
    words = lines.nth(2).locator("span").first
    said = f"Line 3 of 6: {words.evaluate(HEARD)}"
    assert form("03-order").locator("output").evaluate(HEARD) == said
    expect(page.locator(f"[id='{words.get_attribute('id')}']")).to_have_count(1)
    expect(lines.nth(2).locator("button").first).to_have_accessible_description(
        words.evaluate(HEARD)
    )

    # nothing, no number, and what is shown on request
    form("03-add").locator("input").focus()
    press(page, "Enter")
    says = form("03-add").locator("output")
    expect(says).to_have_text("No number is given yet.")
    page.keyboard.type("<b>x</b>")
    press(page, "Enter")
    expect(says).to_have_text("A number is asked for; “<b>x</b>” could not be read as one.")
    expect(form("03-add")).not_to_have_attribute("data-state", "tried")  # it was no answer
    press(page, "Tab", "Tab", "Enter")
    expect(says).to_contain_text("The answer is 27. What is folded below")

    page.reload()
    visited.settle()
    expect(form("03-row-zero")).to_have_attribute("data-state", "right")
    expect(form("03-row-zero").locator("input")).to_have_value("6/2")
    expect(form("03-add")).to_have_attribute("data-state", "shown")
    assert [page.evaluate(SAID, name) for name in ("03-row-zero", "03-add", "03-order")] == [
        '"✓ right"',
        '"shown"',
        "none",
    ]
    expect(form("03-row-zero").locator("output")).to_have_text("")

    page.goto(f"{served_book}/book/progress.html")
    visited.settle()
    row = page.locator("tr", has=page.locator("a[href$='03_step_by_step.html']"))
    counts = [row.locator(f"[data-count={each}]") for each in ("right", "tried", "shown")]
    for cell, count in zip(counts, ("2", "0", "1"), strict=True):
        expect(cell).to_have_text(count)
    boxes = [page.locator(f"[data-ask='{name}']") for name in ("03-row-zero", "03-add", "03-order")]
    looks = [box.evaluate(LOOK) for box in boxes]
    assert len({*looks}) == 3  # right, shown and open are told apart
    page.get_by_role("button", name="Forget my answers").click()
    expect(page.locator("#forgotten")).to_have_text("They are forgotten.")
    expect(counts[0]).to_have_text("0")
    assert "right" not in page.evaluate(STORED)
    assert visited.errors == []


def test_what_was_found_is_kept_with_its_answer(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    visited.settle()
    page = visited.page
    for answer, says in (("3", "Right"), ("7", "not one of the known mistakes")):
        page.locator("#ask-03-row-zero input").fill(answer)
        page.keyboard.press("Enter")
        expect(page.locator("#ask-03-row-zero output")).to_contain_text(says)
    page.reload()
    visited.settle()
    expect(page.locator("#ask-03-row-zero")).to_have_attribute("data-state", "right")
    expect(page.locator("#ask-03-row-zero input")).to_have_value("3")


def test_what_is_forgotten_in_another_tab_can_be_found_again(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    visited.settle()
    page = visited.page
    form = page.locator("#ask-03-row-zero")
    form.get_by_role("button", name="Show").click()
    expect(form).to_have_attribute("data-state", "shown")
    other = page.context.new_page()
    other.goto(f"{served_book}/book/progress.html")
    other.get_by_role("button", name="Forget my answers").click()
    expect(other.locator("#forgotten")).to_have_text("They are forgotten.")
    other.close()
    expect(form).not_to_have_attribute("data-state", "shown")
    page.locator("#ask-03-row-zero input").fill("3")
    page.keyboard.press("Enter")
    expect(form).to_have_attribute("data-state", "right")
    assert '"right"' in page.evaluate(STORED)


def test_what_the_browser_does_not_take_the_page_keeps(visit: Open, served_book: str) -> None:
    """Also when somebody comes back to it as it was left."""
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    visited.settle()
    page = visited.page
    page.evaluate("void (Storage.prototype.setItem = () => { throw new Error('full') })")
    page.locator("#ask-03-row-zero input").fill("3")
    page.keyboard.press("Enter")
    form = page.locator("#ask-03-row-zero")
    expect(form).to_have_attribute("data-state", "right")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(form).to_have_attribute("data-state", "right")


def test_answers_of_another_form_are_passed_over(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    page = visited.page
    stored = {
        "03-order": {"state": "tried", "answer": "7"},
        "03-row-zero-where": {"state": "right", "answer": 3},
        "03-row-zero": {"state": "right"},
        "03-add": {"state": "lost", "answer": "1"},
        "03-denominators": {"state": "tried", "answer": "6"},
    }
    page.evaluate("([key, all]) => localStorage[key] = JSON.stringify(all)", [REMEMBERED, stored])
    page.reload()
    visited.settle()
    states = {name: page.get_attribute(f"#ask-{name}", "data-state") for name in stored}
    assert states == {
        "03-order": None,
        "03-row-zero-where": None,
        "03-row-zero": "right",
        "03-add": None,
        "03-denominators": "tried",
    }
    values = [page.input_value(f"#ask-{name} input") for name in ("03-row-zero", "03-add")]
    assert values == ["", ""]
    assert visited.errors == []


def test_the_stop_of_tab_is_at_the_cell_that_was_chosen(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/02_clocks.html")
    page = visited.page
    stored = {"02-every-step": {"state": "tried", "answer": [None, 2]}}
    page.evaluate("([key, all]) => localStorage[key] = JSON.stringify(all)", [REMEMBERED, stored])
    page.reload()
    visited.settle()
    stop = page.locator("#ask-02-every-step td[tabindex='0']")
    expect(stop).to_have_count(1)
    expect(stop).to_have_attribute("aria-selected", "true")
    page.locator("#ask-02-every-step").get_by_role("button", name="Show").click()
    expect(stop).to_have_attribute("aria-label", re.compile("column 0"))  # when it has come
    expect(stop).to_have_attribute("aria-selected", "true")
    stop.focus()
    press(page, "ArrowRight")
    expect(stop).to_have_attribute("aria-selected", "false")


def test_answers_that_did_not_come_are_asked_for_again(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    visited.settle()
    page = visited.page
    page.route("**/_static/asking/*.js", lambda route: route.abort())
    page.locator("#ask-03-row-zero input").fill("3")
    says = page.locator("#ask-03-row-zero output")
    page.keyboard.press("Enter")
    expect(says).to_contain_text("could not be loaded")
    page.unroute_all()
    page.keyboard.press("Enter")
    expect(says).to_contain_text("Right")


def test_keys_of_the_browser_are_left_to_it(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    visited.settle()
    page = visited.page
    page.evaluate(
        """() => addEventListener("keydown", (event) => {
            if (event.key.startsWith("Arrow")) (window.taken ??= []).push(event.defaultPrevented);
            event.preventDefault();
        })"""
    )
    for place in ("#ask-03-row-zero-where [tabindex='0']", "#ask-03-order li button"):
        page.locator(place).first.focus()
        press(page, "Alt+ArrowDown", "Control+ArrowDown", "ArrowDown")
    assert page.evaluate("taken") == [False, False, True] * 2


def test_a_browser_that_remembers_nothing_still_judges(visit: Open, served_book: str) -> None:
    visited = visit(served_book, "notebooks/03_step_by_step.html")
    visited.settle()
    page = visited.page
    page.evaluate(
        "() => { Storage.prototype.getItem = Storage.prototype.setItem ="
        " () => { throw new Error('no') } }"
    )
    page.locator("#ask-03-denominators input").fill("6")
    page.locator("#ask-03-denominators button").first.click()
    expect(page.locator("#ask-03-denominators output")).to_contain_text("one for each column")
    assert visited.errors == []


def test_without_scripts_the_questions_are_there_and_the_answers_are_folded(
    visit: Open, served_book: str
) -> None:
    page = visit(served_book, "notebooks/06_shift.html", java_script_enabled=False).page
    expect(page.locator("#ask-06-compose li")).to_have_count(4)
    expect(page.locator("#ask-06-compose .ask-do")).not_to_be_visible()
    answers = page.locator("details.answers")
    expect(answers.locator("li").first).not_to_be_visible()
    answers.locator("summary").click()
    expect(answers.locator("li").first).to_be_visible()
    assert answers.locator("li").count() == page.locator("form.ask").count()
