"""What a reader downloads, compressed as hosts of pages do or not, and what every page states."""

from __future__ import annotations

import functools
import gzip
import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from conftest import BOOK, built_pages
from fontTools.ttLib import TTFont

# Bytes after gzip: 4 to 30 thousand a page today, 25 the sheet, 18 to 30 the scripts.
PAGE, STYLE_SHEET, SCRIPTS, SEARCH_INDEX = 32_000, 27_000, 33_000, 60_000
# What is there before the first paint, from a server that does not compress: page and sheet. 257
# thousand today, in chapter 6; Lighthouse's 95 asks for about 270.
FIRST = 270_000
# All that a page loads before a reader has done anything: its figures with what they ask for first.
OPENED = 400_000
# The fonts of text and formulas, which are compressed already and are asked for at once.
FONTS, TEXT_LICENCE = 60_000, "fonts/source-serif-4-LICENSE.txt"
EARLY_FORMULA_FONTS = ["KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2"]
STATIC = BOOK / "_static"


@functools.cache
def compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes()))


@functools.cache
def parsed(path: str) -> BeautifulSoup:
    return BeautifulSoup((BOOK / path).read_text(encoding="utf-8"), "html.parser")


def files(page: BeautifulSoup, path: str, tag: str, attribute: str, **wanted: object) -> list[Path]:
    """The files below the book that tags of this page name."""
    found = page.find_all(tag, {attribute: True, **wanted})
    names = [unquote(each[attribute].partition("?")[0]) for each in found]
    return [(BOOK / path).parent / name for name in dict.fromkeys(names)]


@pytest.fixture(scope="module", params=built_pages())
def path(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def test_a_page_keeps_its_budget(path: str) -> None:
    page = parsed(path)
    (sheet,) = files(page, path, "link", "href", rel="stylesheet")
    scripts = files(page, path, "script", "src")
    index = [file for file in scripts if file.name == "searchindex.js"]
    scripts = [file for file in scripts if file not in index]
    sizes = {
        "page": (compressed(BOOK / path), PAGE),
        "style sheet": (compressed(sheet), STYLE_SHEET),
        "scripts": (sum(map(compressed, scripts)), SCRIPTS),
        "search index": (sum(map(compressed, index)), SEARCH_INDEX),
        "page and sheet, plain": (sum(f.stat().st_size for f in (BOOK / path, sheet)), FIRST),
    }
    print(path, *(f"{name} {size:,} B of {limit:,}" for name, (size, limit) in sizes.items()))
    assert {name for name, (size, limit) in sizes.items() if size > limit} == set()
    assert len(scripts) >= 5, "the scripts of the theme are among those that are counted"


def test_a_page_with_its_figures_keeps_its_budget(path: str) -> None:
    """A figure may have data: a trained model. It asks for one file, here for the largest."""
    page = parsed(path)
    figures = page.find(id="live-figures")
    models = [model for _, model in json.loads(figures.string)] if figures else []
    scripts = {model["file"] for model in models if "file" in model}
    data = [list(model["files"].values()) for model in models if "files" in model]
    first = {max(names, key=lambda name: compressed(STATIC / name)) for names in data}
    loaded = [
        BOOK / path,
        *files(page, path, "link", "href", rel="stylesheet"),
        *files(page, path, "script", "src"),
        *(STATIC / name for name in scripts | first),
    ]
    size = sum(map(compressed, loaded)) + FONTS
    every = sum(compressed(STATIC / name) for name in {each for names in data for each in names})
    print(path, f"{size:,} B of {OPENED:,}; data of all models {every:,} B")
    assert size <= OPENED
    assert len(loaded) > 5


def test_every_image_has_a_size_and_a_text(path: str) -> None:
    for image in parsed(path).select("main img"):
        assert int(image["width"]) > 0
        assert int(image["height"]) > 0
        assert image["alt"].strip()
        (file,) = files(BeautifulSoup(str(image), "html.parser"), path, "img", "src")
        assert file.is_file()


def test_live_figures_of_a_page_have_names_of_their_own(path: str) -> None:
    names = [each["aria-label"] for each in parsed(path).select("figure[data-model]")]
    assert len(names) == len(set(names))
    assert all(names)


def test_an_id_is_that_of_one_element(path: str) -> None:
    ids = Counter(each["id"] for each in parsed(path).select("[id]"))
    assert [name for name, count in ids.items() if count > 1] == []


def test_a_page_names_its_icon_and_what_it_is_about(path: str) -> None:
    page = parsed(path)
    (icon,) = files(page, path, "link", "href", rel="icon")
    assert icon.is_file()
    (description,) = page.select("meta[name=description]")
    assert len(description["content"]) > 20
    assert not page.select('meta[property="og:url"], link[rel=canonical]'), "no address is known"


def test_licences_of_what_others_wrote_stay_in_the_style_sheet() -> None:
    css = (BOOK / "_static" / "book.css").read_text(encoding="utf-8")
    for vendor in ("Bootstrap", "Font Awesome", "Source Serif"):
        assert any(vendor in comment for comment in css.split("/*!")[1:]), vendor
    assert "/* " not in css


def test_no_rule_of_the_style_sheet_asks_for_a_style() -> None:
    """With such a rule Chromium matches all rules anew for a cell that a live figure colours."""
    css = (BOOK / "_static" / "book.css").read_text(encoding="utf-8")
    assert re.findall(r"[^{}]*\[style[^{}]*", css) == []


def test_the_fonts_of_a_page_stay_small_and_few(path: str) -> None:
    """A page asks for those of its text and its formulas, no other, beside the sheet."""
    page = parsed(path)
    (sheet,) = files(page, path, "link", "href", rel="stylesheet")
    css = sheet.read_text("utf-8")
    expected = re.findall(r"url\(fonts/(source-serif[\w-]+\.woff2)\)", css)
    assert len(expected) == 3
    if page.select(".katex"):
        expected += EARLY_FORMULA_FONTS
    asked = re.findall(r'["`]([^"`]+\.woff2)["`]', str(page.head))
    assert [(BOOK / path).parent / name for name in asked] == [
        sheet.parent / "fonts" / name for name in expected
    ]
    assert sum((sheet.parent / "fonts" / name).stat().st_size for name in expected) <= FONTS
    assert "SIL OPEN FONT LICENSE" in (sheet.parent / TEXT_LICENCE).read_text("utf-8")


def test_every_character_of_a_formula_is_in_its_font(path: str) -> None:
    """In the letters and signs; those of the other fonts stand in the sheet."""
    fonts = BOOK / "_static" / "fonts"
    there = set()
    for name in EARLY_FORMULA_FONTS:
        there |= set(TTFont(fonts / name).getBestCmap())
    shown = "".join(each.get_text() for each in parsed(path).select(".katex > [aria-hidden]"))
    # Drawn by other fonts: large signs, and the letters that KaTeX has none for.
    assert {each for each in shown if ord(each) not in there} <= set("∑∫∣∥⎛⎝⎞⎠⎜⎟\u200b")
