"""The Chromium of this machine, and what keeps it quiet."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Playwright

# Without these it asks its maker's servers for updates, at every start.
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
