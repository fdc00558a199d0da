"""Mistakes planted in a copy of the encodings, which the tests or the libraries must see."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_mutations import ROOT, Outcome, check_passed, check_seen, mutate, run_all

# Stands in each copy, whose tests must import that copy.
CONFTEST = """\
from pathlib import Path

import benchmarks.encodings
import pe_lab.encodings

for each in (benchmarks.encodings, pe_lab.encodings):
    assert Path(each.__file__).is_relative_to(Path(__file__).parent)
"""

OURS, THEIRS = "test_encodings.py", "test_encodings_reference.py"


@dataclass(frozen=True)
class Mutation:
    """A mistake: a text that occurs once in a file, what stands there instead, who must see it."""

    name: str
    file: str
    old: str
    new: str
    tests: str


MUTATIONS = [
    Mutation(
        "RoPE turns the other way",
        "rope.py",
        "cosine * x - sine * y, sine * x + cosine * y",
        "cosine * x + sine * y, cosine * y - sine * x",
        THEIRS,
    ),
    Mutation(
        "the halves are taken for pairs",
        "rope.py",
        "view(d // 2, 2)",
        "view(2, d // 2)",
        THEIRS,
    ),
    Mutation(
        "YaRN does not sharpen",
        "rope.py",
        'if self.scaling == "YaRN" else 1.0',
        'if self.scaling == "yarn" else 1.0',
        THEIRS,
    ),
    Mutation(
        "the base is raised by the factor alone",
        "angles.py",
        "factor ** (d / (d - 2))",
        "factor",
        THEIRS,
    ),
    Mutation(
        "the ramp begins at 16 turns",
        "angles.py",
        "FAST, SLOW = 32.0, 1.0",
        "FAST, SLOW = 16.0, 1.0",
        THEIRS,
    ),
    Mutation(
        "the ramp begins between two pairs",
        "angles.py",
        "math.floor(pair_with(FAST))",
        "pair_with(FAST)",
        THEIRS,
    ),
    Mutation(
        "the ramp ends at the last pair",
        "angles.py",
        "pair_with(SLOW)), d - 1)",
        "pair_with(SLOW)), d // 2 - 1)",
        THEIRS,
    ),
    Mutation(
        "the fast pairs are interpolated",
        "angles.py",
        "kept * omega + (1 - kept) * omega / factor",
        "(1 - kept) * omega + kept * omega / factor",
        OURS,
    ),
    Mutation("an edge falls to the bucket before it", "t5.py", "+ 1e-9", "- 1e-9", THEIRS),
    Mutation("before and after are exchanged", "t5.py", "offset > 0", "offset < 0", THEIRS),
    Mutation("half a step becomes a whole one", "alibi.py", "(head - 0.5)", "head", THEIRS),
    Mutation("what comes after costs nothing", "alibi.py", ".abs()", ".clamp(max=0).abs()", OURS),
    Mutation(
        "the term is not divided by √d_head",
        "shaw.py",
        "self.keys_at.to(q).T / math.sqrt(self.d_head)",
        "self.keys_at.to(q).T",
        THEIRS,
    ),
    Mutation(
        "offsets count from the key",
        "encoding.py",
        "position[None, :] - position[:, None]",
        "position[:, None] - position[None, :]",
        OURS,
    ),
    Mutation("interpolation multiplies", "at_input.py", "/ self.factor", "* self.factor", OURS),
    Mutation("the last rows are added", "at_input.py", "rows[:length]", "rows[-length:]", OURS),
]
UNCHANGED = [Mutation("nothing is changed", "rope.py", "", "", each) for each in (OURS, THEIRS)]


def make_copy(mutation: Mutation, folder: Path) -> None:
    """Make a mutated copy of the encodings in ``folder``, with the tests that must see it."""
    skip = shutil.ignore_patterns("__pycache__")
    for each in ("pe_core", "pe_lab/encodings", "tests/reference"):
        shutil.copytree(ROOT / each, folder / each, ignore=skip)
    for each in ("pe_lab/__init__.py", "pe_lab/candidates.py"):
        shutil.copy(ROOT / each, folder / each)
    (folder / "benchmarks").mkdir()
    for each in ("benchmarks/encodings.py", "benchmarks/requirements.txt"):
        shutil.copy(ROOT / each, folder / each)
    shutil.copy(ROOT / "tests" / mutation.tests, folder)
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -k 'not named'\n", encoding="utf-8")
    if mutation.old:
        target = folder / "pe_lab" / "encodings" / mutation.file
        text = target.read_text(encoding="utf-8")
        target.write_text(mutate(text, ((mutation.old, mutation.new),)), encoding="utf-8")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[Mutation, Outcome]:
    folders = {each: tmp_path_factory.mktemp("copy") for each in [*UNCHANGED, *MUTATIONS]}
    for mutation, folder in folders.items():
        make_copy(mutation, folder)
    return dict(zip(folders, run_all(list(folders.values())), strict=True))


@pytest.mark.parametrize("mutation", UNCHANGED, ids=lambda each: each.tests)
def test_an_unchanged_copy_passes(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_passed(outcomes[mutation])


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: f"{each.file}: {each.name}")
def test_every_mistake_is_seen(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_seen(outcomes[mutation])
