"""Mistakes that are easy to make, each planted in a copy: the test that holds it must fail.

On an unchanged copy it passes. The mistakes stand in ``mistakes_*.py``, how they are planted in
``planted.py``; those in front ends, which Node runs, in ``test_mutations_js.py``.
"""

from __future__ import annotations

import itertools

import mistakes_core
import mistakes_course
import mistakes_encodings
import mistakes_extensions
import mistakes_publishing
import pytest
from planted import Mutation, Outcome, Part, check_seen, mutate, run_all

# The first test waits for all copies, which have 600 seconds together (``planted``).
pytestmark = pytest.mark.timeout(900)

PARTS = (
    mistakes_extensions,
    mistakes_publishing,
    mistakes_encodings,
    mistakes_course,
    mistakes_core,
)
MUTATIONS = {each.PART: each.MUTATIONS for each in PARTS}
Outcomes = tuple[dict[Mutation, Outcome], dict[Part, Outcome]]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    return run_all(MUTATIONS, tmp_path_factory.mktemp("copies"))


@pytest.mark.parametrize(
    "mutation",
    list(itertools.chain(*MUTATIONS.values())),
    ids=lambda each: f"{each.file}: {each.name}",
)
def test_every_mistake_is_seen(outcomes: Outcomes, mutation: Mutation) -> None:
    planted, _ = outcomes
    check_seen(planted[mutation])


@pytest.mark.parametrize("part", MUTATIONS, ids=lambda each: each.copied[0])
def test_what_sees_a_mistake_passes_on_an_unchanged_copy(outcomes: Outcomes, part: Part) -> None:
    planted, unchanged = outcomes
    failed = {test for each in MUTATIONS[part] for test in planted[each].failures}
    assert unchanged[part].code == pytest.ExitCode.OK, unchanged[part].output
    assert set(unchanged[part].passed) == failed != set()


def test_a_mutation_that_no_longer_matches_is_an_error() -> None:
    with pytest.raises(AssertionError, match="occurs 0 times"):
        mutate("sin(x)", (("cos", "sin"),))
    with pytest.raises(AssertionError, match="occurs 2 times"):
        mutate("sin(x) sin(y)", (("sin", "cos"),))
    assert mutate("sin(x) cos(y)", (("sin", "cos"), ("cos", "sin"))) == "cos(x) sin(y)"
