"""Mistakes planted in a copy of the front ends: their numbers must no longer be torch's."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_explorers_numbers import CHECKS
from test_mutations import mutate

from pe_lab.explorers import ClockExplorer
from pe_lab.explorers.explorer import HERE, Explorer


@dataclass(frozen=True)
class Mutation:
    """A mistake: a text that occurs once in a file, and what stands there instead."""

    explorer: type[Explorer]
    name: str
    file: str
    old: str
    new: str


MUTATIONS = [
    Mutation(
        ClockExplorer,
        "the sine has the other sign",
        "clock.numbers.js",
        "sine: Math.sin(angle)",
        "sine: -Math.sin(angle)",
    ),
    Mutation(
        ClockExplorer,
        "the exponent counts twice",
        "kit/formula.js",
        "((2 * i) / d)",
        "((4 * i) / d)",
    ),
    Mutation(
        ClockExplorer,
        "the chord of the whole angle",
        "clock.numbers.js",
        "Math.sin(angle / 2)",
        "Math.sin(angle)",
    ),
]


@pytest.mark.parametrize(
    "mutation", MUTATIONS, ids=lambda each: f"{each.explorer.__name__}: {each.name}"
)
def test_every_mistake_is_seen(tmp_path: Path, mutation: Mutation) -> None:
    folder = tmp_path / "explorers"
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    check = CHECKS[mutation.explorer]
    file = folder / mutation.file
    text = file.read_text(encoding="utf-8")
    file.write_text(mutate(text, ((mutation.old, mutation.new),)), encoding="utf-8")
    with pytest.raises(AssertionError):
        check(mutation.explorer.module(folder))
