"""Chromium, Firefox and WebKit behind three words: open an address, run a script, press a key.

Each is driven by what it speaks itself, so that nothing is downloaded: Chromium through
Playwright, Firefox by WebDriver BiDi over a socket, WebKitGTK by WebDriver over HTTP.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import websocket
from playwright.sync_api import Browser, Page

PATIENCE = 30  # seconds for one answer
WIDTH, HEIGHT = 1280, 900

WITNESS = (Path(__file__).parent / "witness.js").read_text(encoding="utf-8")

KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Enter": "\ue006"}

# Firefox otherwise asks its maker's servers for updates, and the reader for decisions.
FIREFOX_SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,none",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    # Nobody looks, and all pages are ours: frames and processes that they do without take a sixth
    # more processor.
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "layout.frame_rate": 30,
}


class Engine(Protocol):
    """One window of one browser."""

    def open(self, address: str) -> None:
        """Open a page and wait until it has loaded."""

    def run(self, script: str, argument: object = None) -> Any:
        """What an (async) JavaScript function returns for one argument; both are JSON."""

    def press(self, key: str) -> None:
        """Press and release a key, as a reader does."""


def keystrokes(key: str) -> list[dict[str, Any]]:
    """A key pressed and released, as both kinds of WebDriver want it."""
    strokes = [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keyboard", "actions": strokes}]


def wait_until_there(engine: Engine, address: str) -> None:
    """Wait until a page has loaded, also where the page that is left writes an address of its own
    meanwhile: then a browser's own wait may end too early."""
    there = [address.partition("#")[0], "complete"]
    deadline = time.monotonic() + PATIENCE
    while engine.run("() => [document.URL.split('#')[0], document.readyState]") != there:
        assert time.monotonic() < deadline, f"{type(engine).__name__} did not open {address}"
        time.sleep(0.02)


class Chromium:
    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address, wait_until="load")

    def run(self, script: str, argument: object = None) -> Any:
        return self.page.evaluate(script, argument)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)


class Firefox:
    def __init__(self, address: str) -> None:
        self.link = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self.asked = 0
        self.ask("session.new", capabilities={})
        # A new tab has the focus; in the first one, the address line has it.
        self.window = self.ask("browsingContext.create", type="tab")["context"]
        frame = "await new Promise(requestAnimationFrame)"
        self.run(f"async () => {{ while (!document.hasFocus()) {frame}; }}")

    def ask(self, method: str, **params: Any) -> Any:
        self.asked += 1
        self.link.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while (answer := json.loads(self.link.recv())).get("id") != self.asked:
            pass  # an event; none is subscribed to, but some come all the same
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        return answer["result"]

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")
        wait_until_there(self, address)

    def run(self, script: str, argument: object = None) -> Any:
        answer = self.ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script})({json.dumps(argument)})))()",
            target={"context": self.window},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def press(self, key: str) -> None:
        self.ask("input.performActions", context=self.window, actions=keystrokes(key))


class WebKit:
    def __init__(self, driver: str) -> None:
        self.session = f"{driver}/session"
        session = self.ask("", capabilities={})
        self.session += f"/{session['sessionId']}"
        self.ask("/window/rect", width=WIDTH, height=HEIGHT)

    def ask(self, command: str, method: str = "POST", **params: Any) -> Any:
        request = urllib.request.Request(
            self.session + command,
            method=method,
            data=json.dumps(params).encode() if method == "POST" else None,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{command}: {error.read().decode()}") from error

    def open(self, address: str) -> None:
        self.ask("/url", url=address)
        wait_until_there(self, address)

    def run(self, script: str, argument: object = None) -> Any:
        # A script's promise is awaited.
        return self.ask("/execute/sync", script=f"return ({script})(arguments[0])", args=[argument])

    def press(self, key: str) -> None:
        self.ask("/actions", actions=keystrokes(key))


def use(engine: Engine, *, every_link: bool = False) -> dict[str, int]:
    """Use what can be used on the open page, and wait each time until it has answered: every
    slider, and of folds and links one of a kind."""
    survey = engine.run("everyLink => witness.survey(everyLink)", every_link)
    counts = dict(zip(("figure", "slider", "fold", "link"), survey, strict=True))
    for kind in ("slider", "fold", "link"):  # a link may stand in a fold
        for n in range(counts[kind]):
            key = engine.run(f"n => witness.{kind}(n)", n) or "Enter"
            engine.press(key)
            engine.run("() => witness.happened()")
    engine.run("() => witness.theme()")
    engine.press("Enter")
    engine.run("() => witness.happened()")
    return counts


@contextmanager
def process(*command: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A program that ends when the tests do."""
    running = subprocess.Popen(command, text=True, **options)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


@contextmanager
def chromium(browser: Browser) -> Iterator[Engine]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    yield Chromium(context.new_page())
    context.close()


@contextmanager
def firefox(program: str) -> Iterator[Engine]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = (
            f'user_pref("{name}", {json.dumps(value)});' for name, value in FIREFOX_SETTINGS.items()
        )
        (Path(profile) / "user.js").write_text("\n".join(settings), encoding="utf-8")
        size = (f"--width={WIDTH}", f"--height={HEIGHT}")
        with process(
            *(program, "--headless", "--no-remote", "--remote-debugging-port=0", *size),
            *("--profile", profile, "about:blank"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "HOME": profile},
        ) as running:
            assert running.stderr is not None
            found = None
            for line in running.stderr:
                if found := re.search(r"BiDi listening on (ws://\S+)", line):
                    break
            assert found, f"{program} ended, or listens to nobody"
            threading.Thread(target=running.stderr.read, daemon=True).start()  # or it would block
            engine = Firefox(f"{found[1]}/session")
            yield engine
            engine.link.close()


@contextmanager
def screen(xvfb: str) -> Iterator[str]:
    """The name of a display that nobody looks at."""
    reads, writes = os.pipe()
    command = (xvfb, "-displayfd", str(writes), "-nolisten", "tcp", "-screen", "0")
    with process(*command, "1400x1000x24", pass_fds=[writes], stderr=subprocess.DEVNULL):
        os.close(writes)
        with os.fdopen(reads) as told:
            yield f":{told.readline().strip()}"


@contextmanager
def webkit(driver: str, xvfb: str) -> Iterator[Engine]:
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        environment = {
            **os.environ,
            "DISPLAY": stack.enter_context(screen(xvfb)),
            "HOME": home,
            # Nobody looks: to put layers together costs more than all that the pages do.
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            # Nothing is played: with a new home all plugins for media would be looked at first.
            "GST_PLUGIN_SYSTEM_PATH_1_0": "",
        }
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        port = free_port()
        stack.enter_context(process(driver, f"--port={port}", env=environment, **quiet))
        wait_for_port(port)
        engine = WebKit(f"http://127.0.0.1:{port}")
        yield engine
        engine.ask("", method="DELETE")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            assert time.monotonic() < deadline, f"nothing listens on port {port}"
            time.sleep(0.02)
        else:
            return
