"""Chromium, the built book on localhost and on disk, and a network that is closed."""

from __future__ import annotations

import atexit
import functools
import http.server
import os
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import (
    Browser,
    Page,
    Request,
    Response,
    ViewportSize,
    sync_playwright,
)
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from web.chromium import QUIET, chromium_path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "_build" / "html"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = (Path(__file__).parent / "axe.js").read_text(encoding="utf-8").rstrip(";\n")
IN_CI = os.environ.get("CI", "").lower() in ("1", "true")

# All pages are ours, and all cores busy: a process for each page or for what is painted, and
# threads for what scripts leave to do, take a seventh more processor. No page stays long enough to
# pay for the slower two compilers of its scripts.
FEW_PROCESSES = [
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--in-process-gpu",
    "--js-flags=--single-threaded --no-opt --no-maglev",
]

USUAL: ViewportSize = {"width": 1280, "height": 720}

# The rules whose findings depend on the theme, by its colours or by what it shows.
OF_COLOURS = ["color-contrast", "link-in-text-block", "image-alt", "svg-img-alt", "role-img-alt"]


def missing(browser: str, variable: str) -> NoReturn:
    """Skip a test for want of a browser; where changes are checked, fail."""
    message = f"NO {browser.upper()}: install it, or name one: {variable}=/path/to/it make test"
    (pytest.fail if IN_CI else pytest.skip)(message)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = (str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    absent = Counter(reason for reason in reasons if reason.startswith("Skipped: NO "))
    for reason, count in absent.items():
        terminalreporter.write_sep(
            "!", "THE BUILT PAGES WERE NOT CHECKED IN EVERY BROWSER", red=True
        )
        terminalreporter.write_line(f"{count} tests were skipped. {reason.partition(': ')[2]}")


class Groups(LoadScopeScheduling):
    """Spreads tests by the engine or page that they share, else by file."""

    def _split_scope(self, nodeid: str) -> str:
        shared = re.search(r"(chromium|firefox|webkit)\b|[\w/]+\.html", nodeid.partition("[")[2])
        return f"{nodeid.partition('::')[0]} {shared[0] if shared else ''}"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Groups:
    return Groups(config, log)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            missing("Chromium", "CHROMIUM")
        browser = playwright.chromium.launch(executable_path=path, args=[*QUIET, *FEW_PROCESSES])
        yield browser
        browser.close()


@dataclass
class Site:
    """A folder on localhost: its address without a slash at the end, and what was not there."""

    address: str
    failed: list[str] = field(default_factory=list)


@contextmanager
def serving(folder: Path) -> Iterator[Site]:
    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # a connection for many files

        def log_message(self, format: str, *arguments: object) -> None:
            pass

        def send_error(self, *arguments: Any) -> None:
            site.failed.append(self.path)
            super().send_error(*arguments)

    handler = functools.partial(Handler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    site = Site(f"http://127.0.0.1:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield site
    server.shutdown()


@pytest.fixture(scope="session")
def served_book() -> Iterator[str]:
    """The address of the built book on localhost."""
    with serving(BOOK) as site:
        yield site.address


def built_pages() -> list[str]:
    """Every page of the built book, as paths below it, but those that are none of the theme's:
    the redirect at its root, and what is shown for an address that is none."""
    pages = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html"))
    others = ("index.html", "404.html")
    return [page for page in pages if page not in others and not page.startswith("_static")]


@functools.cache
def axe_address() -> str:
    """Where axe is on localhost, until the tests end."""
    open_until_then = ExitStack()
    atexit.register(open_until_then.close)
    return f"{open_until_then.enter_context(serving(AXE.parent)).address}/{AXE.name}"


# A script with an address is translated for the first page; one handed over, for each.
LOAD_AXE = """address => "axe" in window ? null : new Promise((loaded, failed) => {
    const script = document.createElement("script");
    Object.assign(script, { src: address, onload: () => loaded(), onerror: failed });
    document.head.append(script);
})"""


def axe(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe finds on a page, by all its rules or some; contrast is among both.

    The page loses what repeats itself: this is the last that is asked of it.
    """
    if page.url != "about:blank":
        page.evaluate(LOAD_AXE, axe_address())
    elif not page.evaluate("'axe' in window"):  # a blank page may ask for nothing
        page.add_script_tag(path=AXE)
    # Style sheets would be read again for a rule that axe leaves out unless it is named.
    options = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
    options |= {"runOnly": rules} if rules else {}
    seen = page.evaluate(RUN_AXE, options)
    assert seen["contrast"]
    found: list[str] = seen["found"]
    return found


# Stands before all scripts of a page; a script that has loaded has run.
LOADED = """
window.loadedScripts = new Set();
document.addEventListener("load", ({ target }) => loadedScripts.add(target.src), true);
"""
SETTLED = """() =>
  [...document.getElementById("late-scripts")?.content.querySelectorAll("script") ?? []]
    .every(({ src }) => loadedScripts.has(new URL(src, location).href))
"""


# A script that comes late would write again what the reader chose, for the next test to find.
FORGET = "Storage.prototype.setItem = () => {}, localStorage.clear(), sessionStorage.clear()"


@dataclass
class Visit:
    """A page, and what it has caused since it was opened."""

    page: Page
    origin: str = ""
    requested: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    thrown: list[str] = field(default_factory=list)
    messages: list[tuple[str, str]] = field(default_factory=list)  # kind and text
    asked: Counter[str] = field(default_factory=Counter)  # what has not been answered yet
    awake: bool = False  # whether all of it has been in sight

    @property
    def left(self) -> list[str]:
        """What was asked for elsewhere. Nothing comes from there: the network is closed."""
        ours = (f"{self.origin}/", "blob:", axe_address())
        return [url for url in self.requested if not url.startswith(ours)]

    @property
    def errors(self) -> list[str]:
        return self.thrown + [text for kind, text in self.messages if kind == "error"]

    def settle(self) -> None:
        """Wait until the page's late scripts have run, and what it asked for has come."""
        self.page.wait_for_function(SETTLED)
        while self.asked.total():
            self.page.wait_for_timeout(10)


class Tab:
    """A tab in a context of its own, which tests use one after another."""

    def __init__(self, browser: Browser, *, clock: bool = False, **options: Any) -> None:
        self.page = page = browser.new_context(**options).new_page()
        self.visit = Visit(page)
        self.loans = 0
        self.clock = clock
        if clock:
            # Time runs as ever, and can be told to run ahead; frames are the browser's own.
            page.add_init_script("window.frame = requestAnimationFrame")
            page.clock.install()
            page.add_init_script("requestAnimationFrame = window.frame")
        page.add_init_script(LOADED)
        page.on("request", self.ask)
        page.on("requestfinished", self.answer)
        page.on("requestfailed", self.answer)
        page.on("requestfailed", lambda request: self.visit.failed.append(request.url))
        page.on("response", self.hear)
        page.on("pageerror", lambda error: self.visit.thrown.append(str(error)))
        page.on("console", lambda said: self.visit.messages.append((said.type, said.text)))

    def ask(self, request: Request) -> None:
        self.visit.requested.append(request.url)
        self.visit.asked[request.url] += 1

    def answer(self, request: Request) -> None:
        self.visit.asked[request.url] -= 1

    def hear(self, response: Response) -> None:
        if response.status >= 400:
            self.visit.failed.append(response.url)

    def prepare(self, **media: Any) -> None:
        """As if it had just been opened, on a blank page."""
        self.loans += 1
        self.page.emulate_media(media="null", **media)
        self.visit = Visit(self.page)

    def forget(self) -> None:
        """Leave the page, and what it remembers."""
        self.page.unroute_all()
        self.page.set_default_timeout(30_000)
        if self.clock:
            self.page.clock.resume()
        if self.page.url != "about:blank":
            self.page.evaluate(FORGET)
        self.page.goto("about:blank")
        self.page.mouse.move(-1, -1)


class Tabs:
    """Lends tabs of one browser: to open one takes longer than most tests."""

    LOANS = 60  # of one tab: what its clock was told is told again to each page, and adds up

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: dict[frozenset[tuple[str, object]], list[Tab]] = {}

    @contextmanager
    def lend(
        self,
        *,
        viewport: ViewportSize = USUAL,
        color_scheme: str = "light",
        reduced_motion: str = "no-preference",
        **kind: Any,
    ) -> Iterator[Tab]:
        """A blank tab; one in which something is raised is not lent again."""
        free = self.free.setdefault(frozenset(kind.items()), [])
        tab = free.pop() if free else Tab(self.browser, **kind)
        if tab.page.viewport_size != viewport:
            tab.page.set_viewport_size(viewport)
        tab.prepare(color_scheme=color_scheme, reduced_motion=reduced_motion)
        try:
            yield tab
            tab.forget()
        except BaseException:
            tab.loans = self.LOANS
            raise
        finally:
            if tab.loans < self.LOANS:
                free.append(tab)
            else:
                tab.page.context.close()


@functools.cache
def tabs_of(browser: Browser) -> Tabs:
    return Tabs(browser)


@contextmanager
def visiting(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Opens ``origin/path`` in a tab, with the network closed."""
    with ExitStack() as tabs:

        def open_page(origin: str, path: str, **options: Any) -> Visit:
            tab = tabs.enter_context(tabs_of(browser).lend(**options))
            tab.visit.origin = origin
            tab.page.goto(f"{origin}/{path}", wait_until="load")
            return tab.visit

        yield open_page


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    with visiting(browser) as open_page:
        yield open_page
