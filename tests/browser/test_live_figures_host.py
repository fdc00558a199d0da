"""``live_figures.js`` on built pages, from a server and from ``file://``, with no network."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import toy_book as toy
from conftest import Visit, serving, visiting
from playwright.sync_api import Browser, Locator, Page, Route, expect

from pe_lab.explorers import ModelExplorer

LOG = "const log = (...words) => (window.log ??= []).push(words.join(' '));\n"

COUNTER = (
    LOG
    + """
export default {
  initialize({ model }) {
    log("initialize", model.get("label"));
    return () => log("uninitialize", model.get("label"));
  },
  async render({ model, el }) {
    log("render", model.get("label"));
    const add = document.createElement("button");
    const off = document.createElement("button");
    const mute = document.createElement("button");
    const count = document.createElement("output");
    add.textContent = "add";
    off.textContent = "off";
    mute.textContent = "mute";
    add.onclick = () => {
      model.set("value", model.get("value") + 1);
      model.save_changes();
    };
    const draw = () => {
      count.textContent = `${model.get("label")} ${model.get("value")}`;
      count.title = `${model.get("on")} ${model.get("step")}`;
    };
    model.on("change:value change:label", draw);
    off.onclick = () => model.off("change:value", draw);
    mute.onclick = () => model.off();
    draw();
    el.append(add, off, mute, count);
    return async () => log("unrender", model.get("label"));
  },
};
"""
)

EVENTS = (
    LOG
    + """
const show = (value) => (value instanceof DataView ? value.getUint8(0) : JSON.stringify(value));
export default async () => {
  const own = {};
  return {
    initialize({ model }) { own.model = model; },
    async render({ model, el, signal, experimental, ...rest }) {
      const on = (name) => model.on(name, (context, ...values) =>
        log(name, context === model, values.map(show).join(" ")));
      ["change:value", "change:list", "change:binary", "change"].forEach(on);
      log("own model", own.model !== model && own.model.get("value") === model.get("value"));
      log("signal", signal instanceof AbortSignal, signal.aborted);
      log("nothing", model.save_changes(), model.send({}));
      log("invoke", await experimental.invoke("x").catch((error) => error instanceof Error));
      log("binary", model.get("binary").byteLength, model.get("binary").getUint8(2));
      log("unknown", model.get("unknown"));
      window.model = model;
      el.textContent = "ready";
    },
  };
};
"""
)

MODEL = f"{ModelExplorer.__module__}.{ModelExplorer.__qualname__}"
MODEL_TRAITS = {name: getattr(ModelExplorer(), name) for name in ModelExplorer.settings}

# Asks for data when it is told to.
ASKS = """
const text = ([, [bytes]]) => new TextDecoder().decode(bytes);
const failed = (error) => `(${error.message})`;
export default {
  render({ el, experimental: { invoke } }) {
    el.textContent = "nothing yet";
    window.ask = async (...names) => {
      const asked = names.map((name) => invoke("file", name).then(text).catch(failed));
      el.textContent = (await Promise.all(asked)).join(" ");
    };
  },
};
"""

# Each fails in a way of its own; the figure keeps its still picture.
FAILURES = {
    "syntax": "export default {",
    "import": "throw new Error('import');",
    "nothing": "export const other = 1;",
    "factory": "export default async () => { throw new Error('factory'); };",
    "initialize": "export default { render() {}, initialize() { throw new Error('now'); } };",
    "initialize-later": """
        export default { render() {}, async initialize() { await 0; throw new Error('later'); } };
    """,
    "render": """
        export default {
          render({ el, model }) {
            el.textContent = "half";
            model.on("change:value", () => { window.zombie = true; });
            throw new Error("now");
          },
        };
    """,
    "render-later": """
        export default {
          async render({ el }) { el.textContent = "half"; await 0; throw new Error("later"); },
        };
    """,
    "no-render": "export default { initialize() {} };",
    "string": "export default { render() { throw 'a string'; } };",
}

CHILD = "export default { render({ model, el }) { el.textContent = model.get('value'); } };"
PARENT = """
export default {
  async render({ model, el }) {
    const id = model.get("child").slice("IPY_MODEL_".length);
    const child = await model.widget_manager.get_model(id);
    const draw = () => { el.textContent = `child ${child.get("value")}`; };
    child.on("change:value", draw);
    draw();
  },
};
"""
STATEFUL = """
let views = 0;
export function render({ el }) { views += 1; el.textContent = `view ${views}`; }
"""
SLOW = """
export default {
  async render({ el }) {
    window.width = el.getBoundingClientRect().width;
    el.style.height = "900px";
    el.textContent = "slow";
    await new Promise((resolve) => { window.finish = resolve; });
  },
};
"""
FRAGILE = """
export default {
  render({ model, el }) {
    model.on("change:value", () => { throw new Error("listener"); });
    el.textContent = "fragile";
  },
};
"""
STYLED = "export default { render({ el }) { el.innerHTML = '<p class=toy>styled</p>'; } };"
TALL = """
export default {
  render({ el }) { el.innerHTML = '<div style="height: 700px">tall</div>'; },
};
"""


SHORT = """
export default {
  render({ model, el }) {
    const draw = () => { el.textContent = `value ${model.get("value")}`; };
    el.style.height = "120px";
    el.style.background = "silver";
    model.on("change:value", draw);
    draw();
  },
};
"""


def filler(lines: int) -> object:
    return toy.words("\n\n".join(f"Line {line}." for line in range(lines)))


def sections(numbers: range) -> list[object]:
    """Sections of unlike height, each taller than a screen, with a word of its own at the end."""
    return [
        toy.words(
            f"## Section {n}\n\n"
            + "\n\n".join([f"Words of section {n}. " * (30 + n)] * 9)
            + f"\n\nNeedle{n}."
        )
        for n in numbers
    ]


def pages() -> dict[str, object]:
    counter = functools.partial(toy.anywidget, COUNTER)
    events = toy.anywidget(
        EVENTS, buffers={"binary": bytes([1, 2, 255])}, value=1, list=[1, 2], other=None
    )
    styled = toy.anywidget(STYLED, css="p.toy { color: rgb(1, 2, 3) }")
    return {
        "counter": toy.notebook(
            {"a": counter(value=1, label="A"), "b": counter(value=10, label="B")},
            toy.view("a", "first", alt="first still"),
            toy.view("a", "again", alt="again still"),
            toy.view("b", "other", alt="other still"),
            toy.words("[rename](live:first?label=C)"),
        ),
        "events": toy.notebook({"a": events}, toy.view("a")),
        "data": toy.notebook(
            {"a": toy.anywidget(ASKS) | {"files": {"one": "YWJj", "two": "ZGVm"}}},
            toy.view("a", "a"),
        ),
        "model": toy.notebook(
            {"a": toy.anywidget("", name=MODEL, **MODEL_TRAITS)}, filler(200), toy.view("a", "a")
        ),
        "failures": toy.notebook(
            {name: toy.anywidget(esm, value=1) for name, esm in FAILURES.items()}
            | {"good": counter(value=1, label="good")},
            *(toy.view(name, name, alt=f"{name} still") for name in FAILURES),
            toy.view("syntax", alt="a second view of it"),
            toy.view("good", "good"),
            toy.words("[set it](live:render?value=5)"),
        ),
        "family": toy.notebook(
            {
                "parent": toy.anywidget(PARENT, child="IPY_MODEL_child"),
                "child": toy.anywidget(CHILD, value=1),
                "plain": toy.anywidget(PARENT, child="IPY_MODEL_slider"),
                "slider": toy.ipywidget("IntSliderModel", value=77),
            },
            toy.view("parent", "parent"),
            toy.view("child", "child"),
            toy.view("plain", "plain"),
            toy.words("[nine](live:child?value=9)"),
        ),
        "modules": toy.notebook(
            {
                "a": toy.anywidget(STATEFUL),
                "b": toy.anywidget(STATEFUL),
                "c": styled,
                "d": styled,
            },
            *(toy.view(name, name) for name in "abcd"),
        ),
        "slow": toy.notebook({"a": toy.anywidget(SLOW)}, toy.view("a", "a")),
        "fragile": toy.notebook(
            {"a": toy.anywidget(FRAGILE, value=1)},
            toy.view("a", "a"),
            toy.words("[two](live:a?value=2)"),
        ),
        "links": toy.notebook(
            {"a": toy.anywidget(EVENTS.replace("own model", "x"), value=1, list=[], binary=0)}
            | {"b": counter(value=1, label="B", on=False, step=0.5)},
            toy.words("Now [move **it**](live:far?value=6&label=it%20moved&on=true&step=2) away."),
            filler(200),
            toy.view("b", "far"),
        ),
        "below": toy.notebook(
            {"a": toy.anywidget(TALL)}, filler(18), toy.view("a", "a"), toy.words("After.")
        ),
        "beside": toy.notebook(
            {"a": toy.anywidget(TALL, value=1)},
            toy.view("a", "a"),
            toy.words("[two](live:a?value=2)"),
            filler(60),
        ),
        "tall": toy.notebook(
            {"a": toy.anywidget(TALL, value=1)},
            toy.words("[two](live:a?value=2)"),
            filler(60),
            toy.view("a", "a"),
            filler(60),
        ),
        "near": toy.notebook(
            {"a": toy.anywidget(SHORT, value=1), "b": toy.anywidget(SHORT, value=1)},
            filler(60),
            toy.view("a", "above"),
            filler(5),
            toy.words("[up](live:above?value=2) or [down](live:below?value=2)"),
            filler(5),
            toy.view("b", "below"),
            filler(60),
        ),
        "long": toy.notebook(
            {"a": toy.anywidget(SHORT, value=1)},
            *sections(range(4)),
            toy.view("a", "a"),
            *sections(range(4, 8)),
            toy.view("a", alt="the last picture"),
            toy.words("[three](live:a?value=3)"),
        ),
        "slider": toy.notebook({"s": toy.ipywidget("IntSliderModel")}, toy.view("s", "s")),
    }


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output, warnings = toy.build(
        tmp_path_factory.mktemp("toys"), pages(), live_figures_packages=["pe_lab"]
    )
    assert warnings == []
    (output / "favicon.ico").touch()  # a browser asks for one
    return output


@pytest.fixture(scope="module")
def server(book: Path) -> Iterator[str]:
    with serving(book) as site:
        yield site.address


@pytest.fixture(scope="module", params=["server", "disk"])
def base(request: pytest.FixtureRequest, book: Path) -> str:
    return book.as_uri() if request.param == "disk" else request.getfixturevalue("server")


# Where a page came from is nothing to what it does once it is there.
once = pytest.mark.parametrize("base", ["disk"], indirect=True)

Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, base: str) -> Iterator[Open]:
    """Opens a page of the book. Requests that leave the book, and errors on the page, fail the
    test; the console's messages are in ``page.messages``."""
    visits: list[Visit] = []
    with visiting(browser) as visit:

        def open_page(name: str, **options: object) -> Page:
            visits.append(visit(base, f"{name}.html", **options))
            page = visits[-1].page
            page.set_default_timeout(10_000)
            page.messages = visits[-1].messages
            page.requested = visits[-1].requested
            return page

        yield open_page
        for visited in visits:
            assert visited.left == []
            assert visited.thrown == []


def figure(page: Page, name: str) -> Locator:
    return page.locator(f"#live-{name}")


def live(page: Page, *names: str) -> None:
    """Wait until the figures are live."""
    for name in names:
        figure(page, name).scroll_into_view_if_needed()
        expect(page.locator(f"#live-{name}.is-live")).to_have_count(1)


def log(page: Page) -> list[str]:
    return page.evaluate("window.log ?? []")


def press(page: Page, name: str, button: str) -> None:
    figure(page, name).get_by_role("button", name=button).click()


# A figure


def heard_not_seen(page: Page, words: str) -> None:
    """A still picture whose view is live: its alternative text tells more than the view says."""
    expect(page.get_by_role("img", name=words)).to_have_count(1)
    still = page.locator(".live-still", has=page.get_by_alt_text(words))
    assert still.bounding_box()["width"] <= 1
    assert still.evaluate("each => getComputedStyle(each).clipPath") == "inset(50%)"
    assert still.evaluate("each => getComputedStyle(each, '::before').content") == '"As it opens: "'


def test_a_live_view_replaces_the_still_picture_and_works(opened: Open) -> None:
    page = opened("counter")
    live(page, "first")
    heard_not_seen(page, "first still")
    press(page, "first", "add")
    expect(figure(page, "first").locator("output")).to_have_text("A 2")
    assert page.messages == []


@once
def test_two_views_of_one_model_stay_in_step_and_other_models_stay_put(opened: Open) -> None:
    page = opened("counter")
    live(page, "first", "again", "other")
    press(page, "first", "add")
    press(page, "again", "add")
    for name, text in {"first": "A 3", "again": "A 3", "other": "B 10"}.items():
        expect(figure(page, name).locator("output")).to_have_text(text)


def test_a_model_is_initialized_once_and_before_its_views_render(opened: Open) -> None:
    page = opened("counter")
    live(page, "first", "again", "other")
    assert sorted(log(page)) == sorted(
        ["initialize A", "render A", "render A", "initialize B", "render B"]
    )
    for label in "AB":
        assert log(page).index(f"initialize {label}") < log(page).index(f"render {label}")


def test_leaving_the_page_cleans_up_and_keeping_it_for_later_does_not(opened: Open) -> None:
    page = opened("counter")
    live(page, "first", "again", "other")
    before = len(log(page))
    leave = "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: %s }))"
    page.evaluate(leave % "true")
    assert len(log(page)) == before
    page.evaluate(leave % "false")
    assert sorted(log(page)[before:]) == sorted(
        ["uninitialize A", "unrender A", "unrender A", "uninitialize B", "unrender B"]
    )


@once
def test_off_stops_one_listener_of_one_view(opened: Open) -> None:
    page = opened("counter")
    live(page, "first", "again")
    press(page, "first", "off")
    press(page, "first", "add")
    expect(figure(page, "again").locator("output")).to_have_text("A 2")
    expect(figure(page, "first").locator("output")).to_have_text("A 1")
    # It listens to the label still.
    page.get_by_role("button", name="rename").click()
    expect(figure(page, "first").locator("output")).to_have_text("C 2")


@once
def test_off_leaves_the_listeners_of_other_views(opened: Open) -> None:
    page = opened("counter")
    live(page, "first", "again")
    press(page, "first", "mute")
    press(page, "first", "add")
    expect(figure(page, "again").locator("output")).to_have_text("A 2")
    expect(figure(page, "first").locator("output")).to_have_text("A 1")


@pytest.fixture
def events(opened: Open) -> Page:
    page = opened("events")
    expect(page.locator(".live-view")).to_have_text("ready")
    return page


def test_what_a_module_is_given(events: Page) -> None:
    assert log(events) == [
        "own model true",
        "signal true false",
        "nothing  ",
        "invoke true",
        "binary 3 255",
        "unknown ",
    ]


@once
@pytest.mark.parametrize(
    ("act", "heard"),
    [
        ("model.set('value', 2)", ["change:value true 2", "change true "]),
        ("model.set('value', 1)", []),
        ("model.set('value', '1')", ['change:value true "1"', "change true "]),
        ("model.set('list', [1, 2])", []),
        ("model.set('list', [2, 1])", ["change:list true [2,1]", "change true "]),
        (
            "model.set({ value: 2, list: [] })",
            ["change:value true 2", "change:list true []", "change true "],
        ),
        ("model.set('binary', model.get('binary'))", ["change:binary true 1", "change true "]),
        (
            "model.set('binary', new DataView(new Uint8Array([9]).buffer))",
            ["change:binary true 9", "change true "],
        ),
        ("model.set('other', 0)", ["change true "]),
        ("model.off('change'); model.set('value', 2)", ["change:value true 2"]),
        (
            "model.off('change change:list'); model.set({ value: 2, list: [] })",
            ["change:value true 2"],
        ),
        ("model.off(); model.set('value', 2)", []),
        ("model.off(null, null); model.set('value', 2)", []),
        (
            "model.off('change', () => 0); model.set('value', 2)",
            ["change:value true 2", "change true "],
        ),
        (
            "model.on('change:value', () => model.off()); model.set('value', 2)",
            ["change:value true 2"],
        ),
        (
            "model.on('change:value', () => model.set('value', 5)); model.set('value', 2);"
            "log.push(model.get('value'))",
            ["change:value true 2", "change:value true 5", "change true ", "change true ", 5],
        ),
    ],
)
def test_events(events: Page, act: str, heard: list[object]) -> None:
    before = len(log(events))
    events.evaluate(f"() => {{ {act}; }}")
    assert log(events)[before:] == heard


def test_a_model_is_found_through_its_reference(opened: Open) -> None:
    page = opened("family")
    live(page, "parent", "child", "plain")
    expect(figure(page, "parent")).to_contain_text("child 1")
    expect(figure(page, "plain")).to_contain_text("child 77")
    page.get_by_role("button", name="nine").click()
    expect(figure(page, "parent")).to_contain_text("child 9")
    expect(figure(page, "plain")).to_contain_text("child 77")


def test_each_model_has_a_module_of_its_own_and_each_file_is_loaded_once(opened: Open) -> None:
    page = opened("modules")
    live(page, *"abcd")
    assert [figure(page, name).locator(".live-view").inner_text() for name in "ab"] == [
        "view 1"
    ] * 2
    loaded = [url for url in page.requested if "/live_figures/" in url]
    assert len(loaded) == len(set(loaded)) == 2


def test_a_style_comes_with_its_module(opened: Open) -> None:
    page = opened("modules")
    live(page, "c", "d")
    expect(figure(page, "d").locator("p.toy")).to_have_css("color", "rgb(1, 2, 3)")
    assert page.locator("head style").count() == 1


def test_the_still_picture_stays_until_the_view_has_rendered(opened: Open) -> None:
    page = opened("slow")
    page.wait_for_function("window.finish !== undefined")
    still = page.get_by_alt_text("a grey still picture")
    expect(still).to_be_visible()
    expect(page.locator(".live-view")).to_be_hidden()
    height = figure(page, "a").evaluate("(figure) => figure.offsetHeight")
    assert height < 100
    assert page.evaluate("window.width") == figure(page, "a").evaluate("(f) => f.clientWidth")
    page.evaluate("window.finish()")
    live(page, "a")
    heard_not_seen(page, "a grey still picture")
    expect(page.locator(".live-view")).to_be_visible()


def test_a_figure_far_below_is_started_when_the_reader_comes_near(opened: Open) -> None:
    page = opened("links")
    page.wait_for_timeout(300)
    assert page.locator(".live-view").count() == 0
    assert not [url for url in page.requested if "/live_figures/" in url]
    live(page, "far")
    expect(figure(page, "far").locator("output")).to_have_text("B 1")


@once
def test_what_the_reader_sees_does_not_move_when_a_figure_below_grows(opened: Open) -> None:
    page = opened("below", viewport={"width": 360, "height": 640})
    page.evaluate(
        """() => {
          window.shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shift += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
        }"""
    )
    expect(page.locator("#live-a.is-live")).to_have_count(1)
    top = figure(page, "a").bounding_box()["y"]
    assert 640 < top < 1280
    page.wait_for_timeout(200)
    assert page.evaluate("window.shift") == 0


# Failures


def test_a_module_that_throws_leaves_the_picture_and_one_message(opened: Open) -> None:
    page = opened("failures")
    live(page, "good")
    for name in FAILURES:
        figure(page, name).scroll_into_view_if_needed()
    deadline = time.monotonic() + 10
    while len(page.messages) < len(FAILURES) and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    page.wait_for_timeout(200)  # for one message too many
    for name in FAILURES:
        expect(page.get_by_alt_text(f"{name} still", exact=True)).to_be_visible()
    expect(page.get_by_alt_text("a second view of it")).to_be_visible()
    assert page.locator(".live-view").count() == page.locator(".is-live").count() == 1
    assert [kind for kind, _ in page.messages] == ["error"] * len(FAILURES)
    assert all("[live figures]" in text for _, text in page.messages)
    press(page, "good", "add")
    expect(figure(page, "good").locator("output")).to_have_text("good 2")


@once
def test_a_failed_view_hears_no_more_and_a_link_to_it_says_nothing(opened: Open) -> None:
    page = opened("failures")
    figure(page, "render").scroll_into_view_if_needed()
    expect(page.locator(".is-live")).to_have_count(1)
    page.get_by_role("button", name="set it").click()
    page.wait_for_timeout(300)
    assert not page.evaluate("window.zombie ?? false")
    assert page.locator("#live-status").text_content() == ""


@once
def test_a_listener_that_throws_stops_nobody(opened: Open) -> None:
    page = opened("fragile")
    live(page, "a")
    page.get_by_role("button", name="two").click()
    expect(page.locator("#live-status")).to_have_text("a: value 2")
    assert [kind for kind, _ in page.messages] == ["error"]
    expect(page.locator(".live-view")).to_have_text("fragile")


# Links


SCREENS = pytest.mark.parametrize(
    "screen",
    [{"width": 360, "height": 740}, {"width": 1280, "height": 900}],
    ids=lambda s: s["width"],
)
# A bar at the top, as the theme has one, and the wish of a page to scroll smoothly.
BAR = """
  document.head.append(Object.assign(document.createElement("style"), { textContent: `
    html { scroll-padding-top: 64px; scroll-behavior: smooth }
    body::before { content: ""; position: fixed; inset: 0 0 auto; height: 64px; background: red }
  `}))
"""


def on_screen(page: Page, element: Locator) -> bool:
    """Whether all of it is below the bar and above the end of the screen, at this moment."""
    box = element.bounding_box()
    return box["y"] >= 64 and box["y"] + box["height"] <= page.viewport_size["height"]


@once
@SCREENS
def test_a_link_by_keyboard_leads_to_a_far_figure_and_back(opened: Open, screen: dict) -> None:
    page = opened("links", viewport=screen)
    page.evaluate(BAR)
    link = page.get_by_role("button", name="move it")
    back = page.get_by_role("button", name="Back to the text")
    expect(link.locator("strong")).to_have_text("it")
    expect(page.locator("#live-status")).to_have_text("")
    link.focus()
    before = link.bounding_box()["y"]
    page.keyboard.press("Enter")
    expect(figure(page, "far").locator("output")).to_have_text("it moved 6")
    expect(page.locator("#live-status[role=status]")).to_have_text(
        "far: value 6, label it moved, on true, step 2"
    )
    expect(back).to_be_focused()
    assert on_screen(page, back)
    assert on_screen(page, figure(page, "far"))
    page.keyboard.press("Tab")  # the figure comes next
    expect(figure(page, "far").get_by_role("button", name="add")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(link).to_be_focused()
    expect(back).to_have_count(0)
    assert link.bounding_box()["y"] == pytest.approx(before, abs=1)


@once
def test_the_way_back_leads_to_where_the_link_was_seen_before_a_fold_opened(opened: Open) -> None:
    page = opened("links", viewport={"width": 360, "height": 740})
    page.evaluate(
        """() => {  // above the link, a fold with the figure in it
            const fold = document.createElement("details");
            const link = document.querySelector(".live-link");
            const far = document.getElementById("live-far");
            const space = document.createElement("div");
            space.style.height = "3000px";
            fold.append(far);
            link.closest("p").before(fold, space);
            document.documentElement.style.overflowAnchor = "none";
        }"""
    )
    link = page.get_by_role("button", name="move it")
    link.evaluate("each => each.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = link.bounding_box()["y"]
    link.click()
    page.get_by_role("button", name="Back to the text").click()
    assert link.bounding_box()["y"] == pytest.approx(before, abs=1)


@once
def test_the_way_back_goes_when_the_reader_has_gone_it(opened: Open) -> None:
    page = opened("links", viewport={"width": 360, "height": 740})
    link = page.get_by_role("button", name="move it")
    back = page.get_by_role("button", name="Back to the text")
    link.click()
    expect(back).to_be_focused()
    page.evaluate("scrollTo(0, 0)")
    expect(back).to_have_count(0)
    expect(link).to_be_focused()
    link.click()
    expect(back).to_have_count(1)


@once
def test_the_way_back_stays_in_view_with_a_figure_larger_than_the_screen(opened: Open) -> None:
    page = opened("tall", viewport={"width": 360, "height": 500})
    page.evaluate(BAR)
    page.get_by_role("button", name="two").click()
    back = page.get_by_role("button", name="Back to the text")
    expect(back).to_be_focused()
    page.evaluate("scrollBy({ top: 250, behavior: 'instant' })")
    assert on_screen(page, back)


@once
@SCREENS
@pytest.mark.parametrize(("name", "words"), [("above", "up"), ("below", "down")])
def test_link_and_figure_are_seen_together_where_there_is_room(
    opened: Open, screen: dict, name: str, words: str
) -> None:
    page = opened("near", viewport=screen)
    page.evaluate(BAR)
    live(page, "above", "below")
    link = page.get_by_role("button", name=words)
    # As far from its figure as the screen allows: the figure is out of it.
    edge = screen["height"] - 40 if name == "below" else 70
    link.evaluate(
        "(e, y) => scrollBy({ top: e.getBoundingClientRect().top - y, behavior: 'instant' })", edge
    )
    assert not on_screen(page, figure(page, name))
    link.click()
    expect(figure(page, name)).to_contain_text("value 2")
    expect(page.locator("#live-status")).to_have_text(f"{name}: value 2")
    assert on_screen(page, link)
    assert on_screen(page, figure(page, name))
    expect(link).to_be_focused()
    assert page.get_by_role("button", name="Back").count() == 0
    before = page.evaluate("scrollY")
    link.click()
    page.wait_for_timeout(100)
    assert page.evaluate("scrollY") == before


@once
@SCREENS
@pytest.mark.parametrize(("name", "words"), [("above", "up"), ("below", "down")])
def test_a_link_that_its_figure_has_pushed_off_the_screen_comes_back(
    opened: Open, screen: dict, name: str, words: str
) -> None:
    """A figure may come to life, and grow, between a key that chose the link and one that uses it.

    What is enough of the figure is on the screen already.
    """
    page = opened("near", viewport=screen)
    page.evaluate(BAR)
    live(page, "above", "below")
    link = page.get_by_role("button", name=words)
    link.evaluate(
        """(e, y) => {
            scrollBy({ top: e.getBoundingClientRect().top - y, behavior: "instant" });
            e.focus({ preventScroll: true });
        }""",
        20 if name == "below" else screen["height"] + 20,
    )
    assert not on_screen(page, link)
    page.keyboard.press("Enter")
    expect(page.locator("#live-status")).to_have_text(f"{name}: value 2")
    assert on_screen(page, link)
    assert on_screen(page, figure(page, name))
    assert page.get_by_role("button", name="Back").count() == 0


@once
def test_most_of_a_figure_larger_than_the_screen_is_seen_with_its_link(opened: Open) -> None:
    page = opened("beside", viewport={"width": 360, "height": 640})
    page.evaluate(BAR)
    live(page, "a")
    link = page.get_by_role("button", name="two")
    link.evaluate(
        "(e) => scrollBy({ top: e.getBoundingClientRect().top - 80, behavior: 'instant' })"
    )
    link.click()
    expect(page.locator("#live-status")).to_have_text("a: value 2")
    assert on_screen(page, link)
    box = figure(page, "a").bounding_box()
    assert box["y"] + box["height"] - 64 > 2 / 3 * box["height"]
    assert page.get_by_role("button", name="Back").count() == 0


@once
def test_a_link_opens_the_folded_result_that_its_figure_is_in(opened: Open) -> None:
    page = opened("near")
    page.evaluate(
        """() => {
          const fold = document.createElement("details");
          const figure = document.getElementById("live-below");
          figure.replaceWith(fold);
          fold.append(figure);
        }"""
    )
    page.get_by_role("button", name="down").click()
    expect(figure(page, "below")).to_contain_text("value 2")
    expect(figure(page, "below")).to_be_in_viewport()


@once
def test_a_link_sets_again_and_says_again(opened: Open) -> None:
    page = opened("links")
    button = page.get_by_role("button", name="move it")
    button.click()
    expect(figure(page, "far").locator("output")).to_have_text("it moved 6")
    press(page, "far", "add")
    expect(figure(page, "far").locator("output")).to_have_text("it moved 7")
    page.evaluate(
        """() => new MutationObserver((list) => { window.said = list.length; })
          .observe(document.getElementById("live-status"), { childList: true })"""
    )
    button.click()
    expect(figure(page, "far").locator("output")).to_have_text("it moved 6")
    page.wait_for_function("window.said > 0")


# Sections far from the screen are not drawn, and nothing else is different

FAR = """(all) => all.map((each) => !each.checkVisibility({ contentVisibilityAuto: true }))"""
HEIGHT = "document.documentElement.scrollHeight"


@pytest.fixture
def long(opened: Open) -> Page:
    """Nine sections; the figures are in the fourth and the last."""
    page = opened("long", viewport={"width": 360, "height": 740})
    page.wait_for_selector("html.live-rest")
    return page


def drawn(page: Page) -> list[int]:
    far = page.locator("section > section > h2").evaluate_all(FAR)
    return [n for n, skipped in enumerate(far) if not skipped]


@once
def test_sections_far_from_the_screen_are_not_drawn_and_keep_their_size(long: Page) -> None:
    assert 0 in drawn(long)
    assert len(drawn(long)) < 4
    height = long.evaluate(HEIGHT)
    long.evaluate("document.documentElement.classList.remove('live-rest')")
    assert len(drawn(long)) == 8
    assert long.evaluate(HEIGHT) == height


@once
def test_sections_are_laid_out_anew_at_another_width(long: Page) -> None:
    before = long.evaluate(HEIGHT)
    long.set_viewport_size({"width": 700, "height": 740})
    long.wait_for_function(f"{HEIGHT} < {before * 0.8}")
    long.wait_for_selector("html.live-rest")
    assert len(drawn(long)) < 8
    height = long.evaluate(HEIGHT)
    long.evaluate("document.documentElement.classList.remove('live-rest')")
    assert long.evaluate(HEIGHT) == height


@once
def test_all_sections_are_printed(long: Page) -> None:
    long.emulate_media(media="print")
    assert len(drawn(long)) == 8


def test_a_far_section_is_found_by_its_address_and_by_its_words(long: Page) -> None:
    long.evaluate("location.hash = 'section-2'")
    long.wait_for_timeout(200)
    assert abs(long.locator("#section-2").bounding_box()["y"]) < 2
    # The words of one section stand at one place, whether it was drawn before or not.
    assert long.evaluate("find('Needle6')")
    expect(long.get_by_text("Needle6")).to_be_in_viewport()


def test_a_reader_who_comes_back_is_where_he_was(long: Page) -> None:
    long.locator("#section-3 > p").nth(4).evaluate("(p) => p.scrollIntoView()")
    long.wait_for_timeout(300)
    before = long.evaluate("scrollY")
    long.reload()
    long.wait_for_selector("html.live-rest")
    long.wait_for_timeout(300)
    assert long.evaluate("scrollY") == before > 1000
    assert abs(long.locator("#section-3 > p").nth(4).bounding_box()["y"]) < 2


@once
def test_nothing_that_the_reader_sees_moves_on_the_way_through(long: Page) -> None:
    long.evaluate(
        """() => {
          window.shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shift += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
        }"""
    )
    height = long.evaluate(HEIGHT)
    for step in [400] * 30 + [-400] * 30:
        long.evaluate(f"scrollBy(0, {step})")
        long.wait_for_timeout(60)
    last = long.get_by_alt_text("the last picture")
    assert last.evaluate("(image) => image.complete")
    assert long.evaluate("window.shift") == 0
    # Both pictures became figures of 120 px.
    assert abs(long.evaluate(HEIGHT) - height) < 300


def test_a_link_leads_across_far_sections_and_back(long: Page) -> None:
    link = long.get_by_role("button", name="three")
    link.scroll_into_view_if_needed()
    expect(long.locator(".live-figure").last).to_contain_text("value 1")
    before = link.bounding_box()["y"]
    link.press("Enter")
    back = long.get_by_role("button", name="Back to the text")
    expect(back).to_be_focused()
    expect(back).to_be_in_viewport()
    expect(figure(long, "a")).to_be_in_viewport()
    expect(figure(long, "a")).to_contain_text("value 3")
    back.press("Enter")
    expect(link).to_be_focused()
    assert link.bounding_box()["y"] == pytest.approx(before, abs=1)


# Data of a figure


def test_data_comes_when_it_is_asked_for_and_once(opened: Open) -> None:
    page = opened("data")
    live(page, "a")
    expect(figure(page, "a")).to_contain_text("nothing yet")
    before = len(page.requested)
    page.evaluate("ask('two', 'two', 'none')")
    expect(figure(page, "a")).to_contain_text("def def (no kernel)")
    page.evaluate("ask('two', 'one')")
    expect(figure(page, "a")).to_contain_text("def abc")
    assert len(page.requested) - before == 2


def test_the_weights_of_a_model_come_when_it_is_seen_and_each_once(opened: Open) -> None:
    page = opened("model")
    page.wait_for_load_state("load")
    assert len(scripts_of_figures(page)) == 0
    figure(page, "a").scroll_into_view_if_needed()
    live(page, "a")
    assert len(scripts_of_figures(page)) == 2, "the module, and one model"
    said = figure(page, "a").locator(".pex-sentence")
    for name, count in (("RoPE", 3), ("sinusoid", 3), ("none", 4), ("RoPE", 4)):
        figure(page, "a").get_by_label("Trained with").select_option(name)
        right = sum(ModelExplorer(name).right)
        expect(said).to_contain_text(f"{name}, 32 words: {right} of 29 answers are right.")
        assert len(scripts_of_figures(page)) == count
    assert page.messages == []


@pytest.mark.parametrize("instead", ["nothing", "something else"])
def test_a_model_that_cannot_be_loaded_is_said_to_be_missing(opened: Open, instead: str) -> None:
    page = opened("model")
    refused = False

    def answer(route: Route) -> None:
        if not refused:
            route.continue_()
        elif instead == "nothing":
            route.abort()
        else:
            route.fulfill(body="0;", content_type="text/javascript")

    page.route("**/live_figures/*.js", answer)
    page.reload()  # on disk a route holds for what is opened after it
    figure(page, "a").scroll_into_view_if_needed()
    live(page, "a")
    refused = True
    figure(page, "a").get_by_label("Trained with").select_option("RoPE")
    said = figure(page, "a").locator(".pex-sentence")
    missing = "The model trained with RoPE cannot be had; chosen again, it is asked for again."
    expect(said).to_have_text(missing)
    answers = figure(page, "a").locator(".pex-strip")
    expect(answers).not_to_be_visible()
    figure(page, "a").get_by_label("Trained with").select_option("sinusoid")
    expect(said).to_contain_text("sinusoid, 32 words")
    expect(answers).to_be_visible()
    figure(page, "a").get_by_label("Trained with").select_option("RoPE")
    expect(said).to_have_text(missing)
    refused = False
    for name in ("sinusoid", "RoPE"):
        figure(page, "a").get_by_label("Trained with").select_option(name)
        expect(said).to_contain_text(f"{name}, 32 words")


@pytest.mark.parametrize("sign", ["online", "a link"])
def test_a_module_that_did_not_come_is_asked_for_again(opened: Open, sign: str) -> None:
    page = opened("links")
    page.route("**/live_figures/*.js", lambda route: route.abort())
    page.reload()
    with page.expect_console_message(lambda message: "cannot load" in message.text):
        figure(page, "far").scroll_into_view_if_needed()
    assert page.locator(".is-live").count() == 0
    page.unroute_all()
    if sign == "online":
        page.evaluate("dispatchEvent(new Event('online'))")
    else:
        page.locator(".live-link[data-figure='live-far'] button").first.click()
    expect(page.locator("#live-far.is-live")).to_have_count(1)
    assert page.locator("#live-far .live-view").count() == 1


def test_a_model_without_its_first_weights_stays_a_still_picture(opened: Open) -> None:
    page = opened("model")
    data = page.evaluate("JSON.parse(document.getElementById('live-figures').textContent)")
    first = data[0][1]["files"]["sinusoid"]
    page.route(f"**/{first}", lambda route: route.abort())
    page.reload()
    with page.expect_console_message(lambda message: f"cannot load {first}" in message.text):
        figure(page, "a").scroll_into_view_if_needed()
    expect(page.get_by_alt_text("a grey still picture")).to_be_visible()
    assert page.locator(".pex").count() == 0


def scripts_of_figures(page: Page) -> list[str]:
    """The modules and data that were asked for."""
    return [url for url in page.requested if "/live_figures/" in url]


# Without scripts, on paper, without a module


def test_an_address_sets_a_figure_and_shows_it(opened: Open, base: str) -> None:
    page = opened("counter")
    page.goto(f"{base}/links.html#live-far?value=6&label=it%20moved&on=true&step=0.25")
    shown = figure(page, "far").locator("output")
    expect(shown).to_have_text("it moved 6")
    expect(shown).to_have_attribute("title", "true 0.25")
    expect(figure(page, "far")).to_be_in_viewport()
    page.evaluate("scrollTo(0, 0)")
    page.goto(f"{base}/links.html#live-far?value=7&label=a+b")  # on the page where it is
    expect(shown).to_have_text("a b 7")
    expect(figure(page, "far")).to_be_in_viewport()


def test_an_address_takes_nobody_back_who_reads_elsewhere(opened: Open, base: str) -> None:
    """A page that is loaded again is where it was left, after an address on the page itself too."""
    page = opened("counter")
    for address in ("links.html#live-far?value=6", "links.html#live-far?value=7"):
        page.goto(f"{base}/{address}")
        live(page, "far")
        expect(figure(page, "far")).to_be_in_viewport()
        page.wait_for_timeout(200)
        page.mouse.wheel(0, -10_000)
        page.wait_for_function("scrollY === 0")
        page.wait_for_timeout(200)
        page.reload()
        page.wait_for_timeout(500)
        assert page.evaluate("scrollY") == 0


@once
def test_an_address_sets_nothing_that_the_figure_has_not(opened: Open, base: str) -> None:
    page = opened("counter")
    wrong = "value=x&value=&value=Infinity&on=yes&label=L&list=1&_esm=import&toString=1"
    page.goto(f"{base}/links.html#live-far?{wrong}")
    shown = figure(page, "far").locator("output")
    expect(shown).to_have_text("L 1")
    expect(shown).to_have_attribute("title", "false 0.5")
    page.goto(f"{base}/links.html#live-far")
    expect(shown).to_have_text("L 1")
    page.goto(f"{base}/links.html#live-nothing?value=2")
    live(page, "far")
    expect(shown).to_have_text("B 1")
    assert page.messages == []


def test_without_scripts_there_are_pictures_and_words(opened: Open) -> None:
    page = opened("links", java_script_enabled=False)
    expect(page.get_by_alt_text("a grey still picture")).to_be_visible()
    expect(page.locator(".live-link")).to_have_text("move it")
    assert page.get_by_role("button").count() == 0


@once
def test_on_paper_there_are_pictures(opened: Open) -> None:
    page = opened("counter")
    live(page, "first")
    page.emulate_media(media="print")
    expect(page.get_by_alt_text("first still")).to_be_visible()
    expect(page.locator(".live-view").first).to_be_hidden()


def test_a_widget_without_a_module_is_a_picture_and_a_sentence(opened: Open) -> None:
    page = opened("slider")
    expect(page.get_by_alt_text("a grey still picture")).to_be_visible()
    expect(page.get_by_text("These controls need a running notebook.")).to_be_visible()
    assert not [url for url in page.requested if "live_figures" in url]
    assert page.messages == []
