"""The built pages as a phone sees them: Lighthouse on every page, and a step of every slider.

    make lighthouse            (or: python -m benchmarks.pages [page ...])

Needs Chromium (``CHROMIUM``, or one on the PATH) and installs Lighthouse beside this file. The
pages are served compressed, as hosts of static pages do; ``--plain`` serves them as they are.
Figures printed here were measured just then, on a machine that should have nothing else to do.
"""

from __future__ import annotations

import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tools import node
from tools.serve import BOOK, Handler, server

HERE = Path(__file__).resolve().parent
LIGHTHOUSE = HERE / "node_modules" / "lighthouse" / "cli" / "index.js"
CHROME_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking "
    "--disable-component-update --disable-sync"
)
METRICS = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
    "kB": "total-byte-weight",
}
SLOW_DOWN = 4
STEPS = 30


class Plain(Handler):
    """Serves the pages as they are."""

    do_GET = http.server.SimpleHTTPRequestHandler.do_GET


def serve(handler: type[Handler]) -> str:
    running = server(0, handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{running.server_address[1]}"


def chromium() -> str:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("no Chromium found: set CHROMIUM to the path of one")
    return found


def install_lighthouse() -> None:
    # npm writes this file last, so it is not there after an installation that was interrupted.
    if not (HERE / "node_modules" / ".package-lock.json").exists():
        subprocess.run([sys.executable, node.__file__, "ci", "--silent"], cwd=HERE, check=True)


def lighthouse(address: str) -> dict[str, Any]:
    """Lighthouse's report of one page: an emulated phone, simulated slow 4G, 4x slower CPU."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [str(node.NODE), str(LIGHTHOUSE), address, "--quiet", "--output=json"]
        command += [f"--output-path={report}", "--only-categories=performance"]
        command += [f"--chrome-flags={CHROME_FLAGS}"]
        subprocess.run(command, check=True, env={**os.environ, "CHROME_PATH": chromium()})
        result: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return result


def measure_pages(origin: str, pages: list[str]) -> None:
    print(f"{'page':34} score " + " ".join(f"{name:>6}" for name in METRICS))
    for page in pages:
        report = lighthouse(f"{origin}/{page}")
        score = round(100 * report["categories"]["performance"]["score"])
        values = [report["audits"][audit]["numericValue"] for audit in METRICS.values()]
        values[-1] /= 1000
        shown = [
            f"{v:6.3f}" if n == "CLS" else f"{v:6.0f}" for n, v in zip(METRICS, values, strict=True)
        ]
        print(f"{page:34} {score:5} " + " ".join(shown), flush=True)


# One step of a slider, from the input event to the end of the drawing that it causes, layout and
# style included; what the browser then does to put it on the screen is not. Explorers gather the
# changes of one event and draw once, in a microtask.
STEP = """async ([slider, value]) => {
    const start = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    slider.closest(".live-view").getBoundingClientRect();
    return performance.now() - start;
}"""


def measure_sliders(page: Page, origin: str, path: str) -> None:
    page.goto(f"{origin}/{path}")
    figures = page.locator(".live-figure[data-model]")
    for index in range(figures.count()):
        figure = figures.nth(index)
        figure.scroll_into_view_if_needed()
        figure.locator(".live-view input[type=range]").first.wait_for()
        sliders = figure.locator("input[type=range]").element_handles()
        # The largest table that the figure shows: every slider of its size at its end.
        for slider in sliders:
            name = slider.evaluate("s => s.labels[0]?.textContent ?? ''").lower()
            if "d_model" in name or "length" in name:
                page.evaluate(STEP, [slider, slider.evaluate("s => s.max")])
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
        for slider in sliders:
            name = " ".join(slider.evaluate("s => s.labels[0]?.textContent ?? ''").split())
            low, high = (float(slider.evaluate(f"s => s.{end}")) for end in ("min", "max"))
            values = [low + (high - low) * step / STEPS for step in range(STEPS, -1, -1)]
            times = [page.evaluate(STEP, [slider, str(value)]) for value in values]
            times += [page.evaluate(STEP, [slider, str(high)])]
            print(
                f"{path:34} {name[:28]:28} median {statistics.median(times):5.1f} ms, "
                f"longest {max(times):5.1f} ms",
                flush=True,
            )
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def main(arguments: list[str]) -> None:
    named = [argument for argument in arguments if not argument.startswith("--")]
    everything = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.glob("*/*.html"))
    pages = named or [page for page in everything if page.startswith(("book/", "notebooks/"))]
    origin = serve(Plain if "--plain" in arguments else Handler)
    if "--sliders" not in arguments:
        install_lighthouse()
        measure_pages(origin, pages)
    print(f"\nOne step of each slider, CPU {SLOW_DOWN} times slower, tables at their largest:")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROME_FLAGS.split())
        page = browser.new_page(viewport={"width": 412, "height": 823})
        for path in pages:
            measure_sliders(page, origin, path)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
