"""Mistakes that are easy to make, each planted in a copy: the test that holds it must fail.

On an unchanged copy it passes. The mistakes stand in ``mistakes_*.py``, how they are planted in
``planted.py``; those in front ends, which Node runs, in ``test_mutations_js.py``.
"""

from __future__ import annotations

import mistakes_core
import mistakes_course
import mistakes_encodings
import mistakes_extensions
import mistakes_publishing
import pytest
from planted import (
    Mutation,
    Outcome,
    check_passed,
    check_seen,
    make_copy,
    mutate,
    run_all,
    unchanged,
)

# The first test waits for all copies, which have 600 seconds together (``planted``).
pytestmark = pytest.mark.timeout(900)

PARTS = (
    mistakes_extensions,
    mistakes_publishing,
    mistakes_encodings,
    mistakes_course,
    mistakes_core,
)
UNCHANGED = {mutation: each.PART for each in PARTS for mutation in unchanged(each.MUTATIONS)}
MUTATIONS = {mutation: each.PART for each in PARTS for mutation in each.MUTATIONS}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[Mutation, Outcome]:
    copies = {each: tmp_path_factory.mktemp("copy") for each in UNCHANGED | MUTATIONS}
    for mutation, part in (UNCHANGED | MUTATIONS).items():
        make_copy(part, mutation, copies[mutation])
    return dict(zip(copies, run_all(list(copies.values())), strict=True))


@pytest.mark.parametrize("mutation", UNCHANGED, ids=lambda each: each.tests)
def test_an_unchanged_copy_passes(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_passed(outcomes[mutation])


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: f"{each.file}: {each.name}")
def test_every_mistake_is_seen(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_seen(outcomes[mutation])


def test_a_mutation_that_no_longer_matches_is_an_error() -> None:
    with pytest.raises(AssertionError, match="occurs 0 times"):
        mutate("sin(x)", (("cos", "sin"),))
    with pytest.raises(AssertionError, match="occurs 2 times"):
        mutate("sin(x) sin(y)", (("sin", "cos"),))
    assert mutate("sin(x) cos(y)", (("sin", "cos"), ("cos", "sin"))) == "cos(x) sin(y)"
