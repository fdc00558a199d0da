"""The Chromium of this machine, and what keeps it quiet.

Its headless shell comes first: the same engine without a browser's windows, in less time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

# Without these it asks its maker's servers for updates, at every start.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--font-render-hinting=none",  # letters as wide as on a phone, in the headless shell too
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def chromium_path(playwright: Playwright) -> str | None:
    """CHROMIUM if set, else the system's, else Playwright's own; None where there is none."""
    named = os.environ.get("CHROMIUM")
    found = [
        "/usr/bin/chromium-headless-shell",
        "/usr/bin/chromium",
        shutil.which("chromium"),
        shutil.which("google-chrome"),
        playwright.chromium.executable_path,
    ]
    candidates = [named] if named else found
    return next((path for path in candidates if path and Path(path).exists()), None)


def needed(playwright: Playwright) -> str:
    """The path of Chromium; ends the program where there is none."""
    path = chromium_path(playwright)
    if path is None:
        raise SystemExit("No Chromium: install it, or name one in the environment: CHROMIUM=/path")
    return path


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium, quiet, until the block ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=needed(playwright), args=QUIET)
        yield browser
        browser.close()
