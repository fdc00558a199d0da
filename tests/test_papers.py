"""Licence, citation and contributing notes agree with the project that they stand in."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
BOOK = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))


def test_the_citation_is_that_of_this_version_of_this_book() -> None:
    assert CITATION["title"] == BOOK["title"]
    assert CITATION["authors"] == [{"name": BOOK["author"]}] == PROJECT["authors"]
    assert CITATION["version"] == PROJECT["version"]
    assert CITATION["license"] == "BSD-3-Clause"
    assert PROJECT["license"] == "BSD-3-Clause AND CC-BY-4.0"


def test_the_licences_are_whole() -> None:
    code = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert f"(c) {BOOK['copyright']}, the authors of {BOOK['title']}\n" in code
    assert f"© {BOOK['copyright']}, the authors of {BOOK['title']}." in BOOK["html"]["extra_footer"]
    assert re.findall(r"^(\d)\. ", code, re.MULTILINE) == ["1", "2", "3"]
    assert code.endswith("EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.\n")
    text = (ROOT / "LICENSE-text").read_text(encoding="utf-8")
    assert text.startswith("Attribution 4.0 International\n")
    assert re.findall(r"^Section (\d) --", text, re.MULTILINE) == list("12345678")


def test_the_contributing_notes_name_what_exists() -> None:
    notes = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./-]+(?:/[\w.-]+|\.\w+))`", notes)
    assert len(named) >= 4
    assert [name for name in named if "mystnb" not in name and not (ROOT / name).exists()] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", notes):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
