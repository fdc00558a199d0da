"""The book unpacked from its zip, the page for none, and the notebook above each page."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from conftest import BOOK, Visit, axe
from playwright.sync_api import Page, expect

Open = Callable[..., Visit]

CHAPTER = "notebooks/03_step_by_step.html"
PHONE = {"width": 360, "height": 740}


def test_the_zip_opens_from_disk_and_its_first_figure_moves(visit: Open, tmp_path: Path) -> None:
    (packed,) = (BOOK / "download").glob("*.zip")
    with ZipFile(packed) as copy:
        copy.extractall(tmp_path)
    unpacked = visit((tmp_path / packed.stem).as_uri(), "index.html")
    page = unpacked.page
    page.wait_for_url("**/notebooks/intro.html")
    turn = page.get_by_role("button", name="Turn the order round")
    turn.wait_for()  # the figure is alive
    words = page.locator("#live-order .pex-word")
    assert words.all_inner_texts() == ["I", "love", "India"]
    turn.press("Enter")
    expect(words).to_have_text(["India", "love", "I"])
    unpacked.settle()
    assert page.locator(".offline-copy").count() == 0
    page.locator("a.button").first.click()
    page.wait_for_url("**/notebooks/01_order.html")
    assert unpacked.left == []
    assert unpacked.failed == []
    assert unpacked.errors == []


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """A host with the book at /repo/, which shows 404.html for what is not there."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return super().translate_path(path.removeprefix("/repo") if "/repo/" in path else "-")

        def send_error(self, code: int, *_: Any) -> None:
            body = (BOOK / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Handler, directory=str(BOOK))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def test_the_page_for_none_finds_the_book_from_any_depth(visit: Open, host: str) -> None:
    for path, scheme in (("repo/a/b/c", "light"), ("repo/notebooks/old.html", "dark")):
        page = visit(host, path, color_scheme=scheme).page
        page.locator("base").wait_for(state="attached")
        links = page.locator("a").evaluate_all("all => all.map((each) => each.href)")
        assert links == [f"{host}/repo/notebooks/intro.html", f"{host}/repo/search.html"]
        assert axe(page) == []
    page.locator("a").first.click()
    page.wait_for_url(links[0])


def open_menu(page: Page) -> None:
    """The menu of downloads, and its first entry, with the keyboard alone."""
    page.get_by_role("button", name="Download this page").press("Enter")
    page.keyboard.press("ArrowDown")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_s_notebook_is_saved_with_the_keyboard(
    visit: Open, served_book: str, scheme: str
) -> None:
    visited = visit(served_book, CHAPTER, viewport=PHONE, color_scheme=scheme)
    visited.settle()
    page = visited.page
    open_menu(page)
    link = page.get_by_role("link", name=".ipynb")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    with page.expect_download() as saving:
        page.keyboard.press("Enter")
    assert saving.value.suggested_filename == "03_step_by_step.ipynb"
    saved = Path(saving.value.path()).read_text(encoding="utf-8")
    assert json.loads(saved)["cells"][1]["id"] == "install"
    assert visited.left == []
    open_menu(page)
    expect(link).to_be_focused()
    assert [each for each in axe(page) if "dropdown" in each] == []


def test_a_page_s_notebook_is_there_without_scripts(visit: Open, served_book: str) -> None:
    page = visit(served_book, CHAPTER, viewport=PHONE, java_script_enabled=False).page
    link = page.get_by_role("link", name=".ipynb")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Download this page").focus()
    expect(link).to_be_in_viewport(ratio=1)
