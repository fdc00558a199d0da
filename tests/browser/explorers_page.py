"""A blank page with a model and no network, on which an explorer's own module is rendered.

The model has what the anywidget front-end contract gives a module and nothing else.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from conftest import tabs_of
from playwright.sync_api import Browser, Page

from pe_lab.explorers.explorer import Explorer

BLANK = """<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Explorer</title>
<style>body {{ margin: 0; padding: 8px; background: {ground}; color: {ink} }}</style>
<script>{script}</script></head>
<body><main><h1>A page</h1></main></body></html>"""
COLOURS = {"light": ("#ffffff", "#000000"), "dark": ("#121212", "#ffffff")}

HARNESS = """
class Model {
  constructor(state) { this.state = state; this.listeners = new Map(); this.saved = 0; }
  get(name) { return this.state[name]; }
  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    for (const listener of [...(this.listeners.get(`change:${name}`) ?? [])]) listener();
  }
  save_changes() { this.saved += 1; }
  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
  }
  off(event, listener) { this.listeners.get(event)?.delete(listener); }
  count() { return [...this.listeners.values()].reduce((n, each) => n + each.size, 0); }
}
window.figures = [];
window.show = async ({ esm, css, state, files }) => {
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const asked = [];
  const experimental = { async invoke(command, name) {
    asked.push([command, name]);
    await figure.until; // a test may have it wait
    return [null, [bytes(figure.files[name])]]; // an error, if there is none
  } };
  const module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  const figure = { model: new Model(state), views: [], asked, files };
  figure.view = async () => {
    const el = document.createElement("div");
    document.querySelector("main").append(el);
    const view = { el };
    figure.views.push(view);
    view.stop = await module.default.render({ model: figure.model, el, experimental });
  };
  figures.push(figure);
  await figure.view();
};
window.picture = (root) => {
  const copy = root.cloneNode(true);
  const controls = copy.querySelectorAll(".pex-slider, .pex-toggle, select, .pex-sentence");
  for (const each of controls) each.remove();
  for (const name of ["id", "aria-describedby"]) // random, so that no two are the same
    for (const each of copy.querySelectorAll(`[${name}]`)) each.removeAttribute(name);
  return copy.innerHTML + (root.querySelector("canvas")?.toDataURL() ?? "");
};
let pictures = [];
window.changed = () => {
  const now = [...document.querySelectorAll(".pex")].map(picture);
  const found = [...now.keys()].filter((n) => now[n] !== pictures[n]);
  pictures = now;
  return found;
};
"""


class Number(NamedTuple):
    """A number on the page: as it is printed, and in full."""

    text: str
    value: float

    @property
    def printed(self) -> float:
        return float(self.text.replace("−", "-").replace(",", ""))

    @property
    def rounding(self) -> float:
        """Half a unit of the last printed digit."""
        mantissa, _, exponent = self.text.replace("−", "-").partition("e")
        return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


@contextmanager
def blank_page(browser: Browser, *, theme: str = "light", **options: Any) -> Iterator[Page]:
    """A page with nothing on it; a request, a console message or an error fails the test."""
    ground, ink = COLOURS[theme]
    with tabs_of(browser).lend(clock=True, **options) as tab:
        tab.page.set_content(BLANK.format(theme=theme, ground=ground, ink=ink, script=HARNESS))
        yield tab.page
        asked = [url for url in tab.visit.requested if not url.startswith("blob:")]
        assert (asked, tab.visit.thrown, tab.visit.messages) == ([], [], [])


def show(page: Page, explorer: Explorer) -> None:
    """Render the explorer's own module with its own traits."""
    state = {name: getattr(explorer, name) for name in explorer.settings}
    files = {name: base64.b64encode(data()).decode() for name, data in explorer.files.items()}
    given = {"esm": explorer._esm, "css": explorer._css, "state": state, "files": files}
    page.evaluate("each => show(each)", given)


def set_traits(page: Page, figure: int = 0, **state: Any) -> None:
    """Set traits as Python or another view would, and wait until they are drawn."""
    page.evaluate(
        """async ([n, state]) => {
          for (const [name, value] of Object.entries(state)) figures[n].model.set(name, value);
          await new Promise((done) => setTimeout(done));
        }""",
        [figure, state],
    )


# An observer is told first in the next frame, after those that were there before it.
FRAME = """() => new Promise((done) => new ResizeObserver((_, observer) => {
  observer.disconnect();
  done();
}).observe(document.body))"""


def lay_out(page: Page) -> None:
    """Wait for a frame, in which what looks at sizes is told them, and the timers set in it."""
    page.evaluate(FRAME)
    page.evaluate("() => new Promise((done) => setTimeout(done))")


def traits(page: Page, figure: int = 0) -> dict[str, Any]:
    """The traits that the model holds now."""
    state: dict[str, Any] = page.evaluate("n => figures[n].model.state", figure)
    return state


def numbers(page: Page, selector: str) -> list[Number]:
    """The numbers that a selector finds and that are shown, in the order of the page."""
    found = page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
             .filter((each) => each.checkVisibility())
             .map((each) => [each.textContent, Number(each.dataset.value ?? each.value)])""",
        selector,
    )
    return [Number(text, value) for text, value in found]


def assert_shows(shown: list[Number], expected: list[float]) -> None:
    """Each number equals what is expected to 1e-6, and in print to its last digit."""
    assert len(shown) == len(expected)
    for number, value in zip(shown, expected, strict=True):
        allowed = 1e-6 * max(1.0, abs(value))
        assert abs(number.value - value) <= allowed, (number, value)
        assert abs(number.printed - value) <= number.rounding + allowed, (number, value)


def sentence(page: Page, figure: int = 0) -> str:
    """The sentence under a figure, once it rests."""
    page.clock.fast_forward(300)  # past the figure's own timer
    return page.locator(".pex-sentence").nth(figure).inner_text()


def drawn(page: Page, figure: int = 0) -> str:
    """All that a figure shows but its sliders: its elements, and its canvas as an address."""
    text: str = page.evaluate("n => picture(document.querySelectorAll('.pex')[n])", figure)
    return text


def changed(page: Page) -> list[int]:
    """The figures that show something else than when this was last asked."""
    found: list[int] = page.evaluate("changed()")
    return found
