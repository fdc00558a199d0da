"""What the book cites is in its bibliography, and the other way round."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.prose import CITED, prose, unsourced

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = dict(
    re.findall(
        r"^@\w+\{(\w+),\n(.*?)^\}",
        (ROOT / "book" / "references.bib").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
STATEMENTS = re.findall(
    r"^\((read-[\w-]+)\)=\n(.*?)(?=^\(read-|^## )",
    (ROOT / "book" / "misconceptions.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


def cited_in(text: str) -> set[str]:
    return {key.strip() for _, keys in CITED.findall(text) for key in keys.split(",")}


def test_every_citation_has_its_entry_and_every_entry_is_cited() -> None:
    cited = set[str]().union(*(cited_in(text) for _, text in prose()))
    assert cited == set(ENTRIES)


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_can_be_looked_up(key: str) -> None:
    assert re.search(r"^\s+url\s+= \{https://\S+\}$", ENTRIES[key], re.MULTILINE)


@pytest.mark.parametrize(("label", "body"), STATEMENTS, ids=[label for label, _ in STATEMENTS])
def test_a_statement_names_where_it_was_met(label: str, body: str) -> None:
    (where,) = re.findall(r"^Shown in .*?\. (Met .*)$", body, re.MULTILINE)
    assert cited_in(where)


def test_what_others_say_has_a_source() -> None:
    text = "It holds.\n\nIt is often said to hold.\n\nOne reads that it holds {cite}`somebody`."
    assert unsourced(text) == ["It is often said to hold."]
    assert [(path.name, part) for path, text in prose() for part in unsourced(text)] == []
