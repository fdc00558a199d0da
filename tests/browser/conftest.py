"""Chromium, the built book on localhost and on disk, and a network that is closed."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "_build" / "html"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
IN_CI = os.environ.get("CI", "").lower() in ("1", "true")

# Without these Chromium asks its maker's servers for updates, at every start.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def chromium_path(playwright: Playwright) -> str | None:
    """CHROMIUM if set, else the system's, else Playwright's own; None when it is not there."""
    named = os.environ.get("CHROMIUM")
    found = [
        "/usr/bin/chromium",
        shutil.which("chromium"),
        shutil.which("google-chrome"),
        playwright.chromium.executable_path,
    ]
    candidates = [named] if named else found
    return next((path for path in candidates if path and Path(path).exists()), None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [
        r for r in terminalreporter.stats.get("skipped", []) if "Chromium" in str(r.longrepr)
    ]
    if skipped:
        terminalreporter.write_sep("!", "NO BROWSER: THE BUILT PAGES WERE NOT CHECKED", red=True)
        terminalreporter.write_line(
            f"{len(skipped)} browser tests were skipped. Install Chromium, or name one: "
            "CHROMIUM=/path/to/chromium make test"
        )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if path is None:
            message = "no Chromium found: set CHROMIUM to the path of one"
            (pytest.fail if IN_CI else pytest.skip)(message)
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def served_book() -> Iterator[str]:
    """The address of the built book on localhost, without a slash at the end."""
    handler = functools.partial(QuietHandler, directory=str(BOOK))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def built_pages() -> list[str]:
    """Every page of the built book but the redirect at its root, as paths below it."""
    pages = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html"))
    return [page for page in pages if page != "index.html" and not page.startswith("_static")]


@dataclass
class Visit:
    """A page, and what its opening caused."""

    page: Page
    left: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextmanager
def visiting(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Opens ``origin/path`` in a context of its own, with the network closed."""
    contexts: list[BrowserContext] = []

    def open_page(origin: str, path: str, **options: object) -> Visit:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        visit = Visit(context.new_page())

        def guard(route: Route) -> None:
            url = route.request.url
            if url.startswith(f"{origin}/"):
                route.continue_()
            else:
                visit.left.append(url)
                route.abort()

        context.route("**/*", guard)
        page = visit.page
        page.on("requestfailed", lambda request: visit.failed.append(request.url))
        page.on(
            "response",
            lambda answer: visit.failed.append(answer.url) if answer.status >= 400 else None,
        )
        page.on("pageerror", lambda error: visit.errors.append(str(error)))
        page.on(
            "console",
            lambda message: visit.errors.append(message.text) if message.type == "error" else None,
        )
        page.goto(f"{origin}/{path}", wait_until="load")
        return visit

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    with visiting(browser) as open_page:
        yield open_page
