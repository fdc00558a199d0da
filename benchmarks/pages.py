"""The built pages as a phone sees them: Lighthouse on every page, a step of every control.

    make lighthouse            (or: python -m benchmarks.pages [page ...])

Needs Chromium (``web/chromium.py`` finds it) and installs Lighthouse beside this file. The
pages are served compressed, as hosts of static pages do; ``--plain`` serves them as they are.
Figures printed here were measured just then, on a machine that should have nothing else to do.
They depend on it: ``index`` is how quick Lighthouse found it, of a fast desktop computer 1,500 to
2,000 (its docs/throttling.md). Its phone is such a computer, 4 times slower.

A step is a key pressed on a control of a live figure, as the page opens, on the chapter's own
page. Its time runs from the time stamp of the ``input`` event (of a button or a box: ``click``; of
a word that the key moves: ``keydown``) to the moment the frame that shows it was presented, which
is the end of the key's entry in Chromium's Event Timing, read from a trace, where it is not
rounded. Chromium draws by software, its main thread slowed down. An idle frame is the same with a
slider on an empty page.
"""

from __future__ import annotations

import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page, sync_playwright

from tools.serve import BOOK, Handler, server
from web import node
from web.chromium import needed

HERE = Path(__file__).resolve().parent
LIGHTHOUSE = HERE / "node_modules" / "lighthouse" / "cli" / "index.js"
CHROME_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking "
    "--disable-component-update --disable-sync"
)
CATEGORIES = ["performance", "accessibility", "best-practices", "seo"]
METRICS = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
    "kB": "total-byte-weight",
}
SLOW_DOWN = 4
STEPS = 12
MARK = 50  # ms


class Plain(Handler):
    """Serves the pages as they are."""

    do_GET = http.server.SimpleHTTPRequestHandler.do_GET


def serve(handler: type[Handler]) -> str:
    running = server(0, handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{running.server_address[1]}"


def install_lighthouse() -> None:
    # npm writes this file last, so it is not there after an installation that was interrupted.
    if not (HERE / "node_modules" / ".package-lock.json").exists():
        subprocess.run([sys.executable, node.__file__, "ci", "--silent"], cwd=HERE, check=True)


def lighthouse(address: str, chromium: str) -> dict[str, Any]:
    """Lighthouse's report of one page: an emulated phone, simulated slow 4G, 4x slower CPU."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [str(node.NODE), str(LIGHTHOUSE), address, "--quiet", "--output=json"]
        command += [f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}"]
        command += [f"--chrome-flags={CHROME_FLAGS}"]
        subprocess.run(command, check=True, env={**os.environ, "CHROME_PATH": chromium})
        result: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return result


def measure_pages(origin: str, pages: list[str], chromium: str) -> None:
    """Print of each page its scores, what its speed is made of, and what keeps it from 100."""
    names = " ".join(f"{name:>6}" for name in (*METRICS, "index"))
    print(f"{'page':34} speed access best seo {names}")
    for page in pages:
        report = lighthouse(f"{origin}/{page}", chromium)
        scores = [round(100 * report["categories"][name]["score"]) for name in CATEGORIES]
        values = [report["audits"][audit]["numericValue"] for audit in METRICS.values()]
        values[-1] /= 1000
        shown = [
            f"{v:6.3f}" if n == "CLS" else f"{v:6.0f}" for n, v in zip(METRICS, values, strict=True)
        ]
        speed, access, best, seo = scores
        shown.append(f"{report['environment']['benchmarkIndex']:6.0f}")
        print(f"{page:34} {speed:5} {access:6} {best:4} {seo:3} " + " ".join(shown), flush=True)
        for name in CATEGORIES[1:]:
            for audit in failed(report, name):
                print(f"    {name}: {audit}", flush=True)


def failed(report: dict[str, Any], category: str) -> list[str]:
    """What a category's checks have found wrong, by their titles."""
    weighed = {each["id"] for each in report["categories"][category]["auditRefs"] if each["weight"]}
    audits = (report["audits"][name] for name in sorted(weighed))
    return [each["title"] for each in audits if each["score"] is not None and each["score"] < 1]


CONTROLS = "input[type=range], input[type=checkbox], select, button:not([tabindex='-1'])"
KEYS = {
    "range": ("ArrowRight", "ArrowLeft"),
    "select-one": ("ArrowDown", "ArrowUp"),
    "checkbox": ("Space",),
    "word": ("ArrowRight", "ArrowLeft"),
}
KIND = "each => each.classList.contains('pex-word') ? 'word' : each.type"
ROUNDING = 0.2  # ms: a page sees time stamps in tenths, the trace in full
PAUSE = 400  # ms between steps: the sentence about a figure is written at once after a rest
IDLE = "<!doctype html><title>idle</title><label>idle frame <input type=range></label>"
NAME = """each =>
    each.labels?.[0]?.firstChild.textContent || each.ariaLabel || each.textContent"""
NOTE_EVENTS = """() => {
    window.moved = [];
    const note = (event) => window.moved.push(event.timeStamp);
    addEventListener("click", note, true);
    addEventListener("input", (event) => {
        if (event.target.type !== "checkbox") note(event); // its click is the same step
    }, true);
    addEventListener("keydown", (event) => {
        if (event.target.classList.contains("pex-word")) note(event);
    }, true);
}"""


@contextmanager
def traced(session: CDPSession) -> Iterator[list[dict[str, Any]]]:
    """The events of Chromium's timeline; the list is filled when the block ends."""
    events: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    kinds = {"includedCategories": ["devtools.timeline"], "excludedCategories": ["*"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": kinds})
    yield events
    session.send("Tracing.end")
    while not ended:
        session.send("Runtime.evaluate", {"expression": "0"})  # lets messages arrive


def step_times(page: Page, control: Locator) -> list[float]:
    """How long steps of the control took, in ms: STEPS of them, there and back."""
    keys = KEYS.get(control.evaluate(KIND), ("Enter",))
    to_place = "Enter" in keys and goes_to_a_place(page, control)
    control.focus()
    page.wait_for_timeout(PAUSE)
    page.evaluate("window.moved.length = 0")
    session = page.context.new_cdp_session(page)
    with traced(session) as events:
        for step in range(STEPS):
            if control.is_disabled():
                undo(page, control)
            elif to_place:
                go_elsewhere(page, control)
            page.keyboard.press(keys[step % len(keys)])
            page.wait_for_timeout(PAUSE)
    session.detach()
    # When a key went down or up, and when what it did was on the screen.
    keys_moved = [
        (timing["timeStamp"], timing["timeStamp"] + timing["duration"])
        for timing in (each["args"]["data"] for each in events if is_begin_of_key(each))
    ]
    times = []
    for moved in page.evaluate("window.moved"):
        # A box is ticked when its key goes up, in the time of both its entries.
        frames = [painted for at, painted in keys_moved if at - ROUNDING <= moved < painted]
        times += [max(frames) - moved] if frames else []
    if not times:
        raise RuntimeError("no step was seen in the trace")
    return times


def undo(page: Page, control: Locator) -> None:
    """Press buttons beside a control that has come to its end, until it can be used again.

    Without such a button the step is not taken.
    """
    for button in control.locator("xpath=../button").all():
        if control.is_disabled() and button.is_enabled():
            press_uncounted(page, button)
    if control.is_enabled():
        control.focus()


def goes_to_a_place(page: Page, button: Locator) -> bool:
    """Whether a second press changes nothing: what was asked for is there already."""
    view = button.locator("xpath=ancestor::*[contains(@class, 'live-view')]")
    shown = []
    for _ in range(2):
        if button.is_disabled():  # at its end
            return False
        button.press("Enter")
        page.wait_for_timeout(PAUSE)
        shown.append(view.inner_html())
    return shown[0] == shown[1]


def go_elsewhere(page: Page, button: Locator) -> None:
    """Press another button beside one that goes to a place."""
    beside = "xpath=(preceding-sibling::button | following-sibling::button)[1]"
    press_uncounted(page, button.locator(beside))
    button.focus()


def press_uncounted(page: Page, button: Locator) -> None:
    button.press("Enter")
    page.wait_for_timeout(PAUSE)
    page.evaluate("window.moved.pop()")


def is_begin_of_key(event: dict[str, Any]) -> Any:
    begin = event["name"] == "EventTiming" and event["ph"] == "b"
    return begin and event["args"]["data"]["type"] in ("keydown", "keyup")


def print_step(path: str, name: str, times: list[float]) -> float:
    """Print one line of the table; the median."""
    median = statistics.median(times)
    print(f"{path:34} {name[:30]:30} {min(times):7.1f} {median:7.1f} {max(times):7.1f}", flush=True)
    return median


def measure_steps(page: Page, origin: str, path: str) -> list[float]:
    """Print the times of every control of a page's live figures; their medians."""
    page.goto(f"{origin}/{path}")
    page.evaluate(NOTE_EVENTS)
    slow = page.context.new_cdp_session(page)
    medians = []
    for figure in page.locator(".live-figure[data-model]").all():
        figure.evaluate("each => each.closest('details')?.setAttribute('open', '')")
        figure.scroll_into_view_if_needed()
        figure.locator(".live-view").locator(CONTROLS).first.wait_for()
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
        for control in figure.locator(".live-view").locator(CONTROLS).all():
            if control.is_visible() and control.is_enabled():
                name = control.evaluate(NAME)
                medians.append(print_step(path, name, step_times(page, control)))
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return medians


def measure_idle_frame(page: Page) -> None:
    page.set_content(IDLE)
    page.evaluate(NOTE_EVENTS)
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    print_step("", "idle frame", step_times(page, page.locator("input")))


def main(arguments: list[str]) -> None:
    named = [argument for argument in arguments if not argument.startswith("--")]
    everything = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.glob("*/*.html"))
    pages = named or [page for page in everything if page.startswith(("book/", "notebooks/"))]
    origin = serve(Plain if "--plain" in arguments else Handler)
    medians = []
    with sync_playwright() as playwright:
        chromium = needed(playwright)
        if "--steps" not in arguments:
            install_lighthouse()
            measure_pages(origin, pages, chromium)
        print(f"\nFrom the event to the frame that shows it, ms, CPU {SLOW_DOWN} times slower")
        print(f"{'page':34} {'control':30} fastest  median longest")
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROME_FLAGS.split())
        page = browser.new_page(viewport={"width": 412, "height": 823})
        measure_idle_frame(page)
        for path in pages:
            medians += measure_steps(page, origin, path)
        browser.close()
    if medians:
        within = sum(median <= MARK for median in medians)
        print(f"{within} of {len(medians)} controls within {MARK} ms, by their medians")


if __name__ == "__main__":
    main(sys.argv[1:])
