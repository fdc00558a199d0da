"""The shipped models: they load, are what they say, and are found again by training anew."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import torch

from pe_lab.shifts import query_key, shift_cosine
from pe_lab.training import Run, accuracy, train
from pe_lab.weights import FOLDER, names, results, trained
from tools.train import PARTS, SHIPPED, described, heads_of

# Weights at the start that differ by 1e-4, a thousand times a rounding, change these cosines by
# 1e-4 at the end; another seed by 0.004 to 0.04.
MARGIN = 0.002


def test_what_there_is() -> None:
    assert names() == sorted(SHIPPED)
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 1_000_000
    assert sum(path.stat().st_size for path in FOLDER.glob("*.json")) < 200_000


def measured(name: str, length: int) -> float | None:
    """The accuracy before the weights were rounded, where it is among the results."""
    for row in results("matter")["rows"]:
        if row["run"] == described(SHIPPED[name]):
            return float(row["accuracy"][str(length)])
    return None


@pytest.mark.parametrize("name", SHIPPED)
def test_each_loads_with_its_run(name: str) -> None:
    model, run = trained(name)
    assert run == SHIPPED[name]
    for length in (32, 64):
        stored = measured(name, length)
        assert stored is None or accuracy(model, run.draw(), length) == pytest.approx(
            stored, abs=0.01
        )


def test_trained_again_it_finds_the_same() -> None:
    """The smallest run that is stored, as a whole."""
    row = next(each for each in results("matrix")["rows"] if each["run"].get("n_heads") == 1)
    run = Run(**{**results("matrix")["every run"], **row["run"]})
    model = run.model()
    losses = train(model, run, progress=False)
    assert losses[0] > 2.5
    assert losses[-1] < 0.05
    again = heads_of(run, model)
    assert again["accuracy"] == pytest.approx(row["accuracy"], abs=0.01)
    for part in ("all", "fast"):
        for one, other in zip(again[part], row[part], strict=True):
            assert one["k"] == other["k"] == -run.settings["k"]
            for cosine in ("cosine", "next cosine"):
                assert one[cosine] == pytest.approx(other[cosine], abs=MARGIN)


@pytest.mark.parametrize("name", ["sinusoid", "sinusoid, one head"])
def test_every_shipped_head_is_most_like_the_matrix_of_its_offset(name: str) -> None:
    model, run = trained(name)
    found = heads_of(run, model)
    assert found["accuracy"] > 0.99
    for head in found["all"] + found["fast"]:
        assert head["k"] == -3
        assert head["next cosine"] < head["cosine"] - 0.02


@pytest.mark.parametrize("part", sorted(path.stem for path in FOLDER.glob("*.json")))
def test_each_part_is_stored_with_what_made_it(part: str) -> None:
    assert part in PARTS
    stored = results(part)
    assert stored["made by"] == f"python -m tools.train {part}"
    usual = stored["every run"]
    for row in stored["rows"]:
        run = Run(**{**usual, **row["run"]})
        assert described(run) == row["run"]
    assert {row["run"].get("seed", 0) for row in stored["rows"]} == {0, 1, 2}


def heads(**run: object) -> list[tuple[int, dict[str, Any]]]:
    """The k of the run and what was found, for every head and seed of the runs that are such."""
    usual = results("matrix")["every run"]
    return [
        (row["run"]["settings"]["k"], head | {"of": part})
        for row in results("matrix")["rows"]
        if run.items() <= ({"before training": False} | usual | row["run"] | row).items()
        for part in ("all", "fast", "all, without the norm", "fast, without the norm")
        for head in row[part]
    ]


def test_every_trained_head_is_most_like_the_matrix_of_its_own_offset() -> None:
    found = heads(**{"before training": False, "encoding": "sinusoid"})
    assert len(found) == 4 * (4 * 2 * 3 * (1 + 4))  # k, d_model, seeds, heads; and ways to look
    for k, head in found:
        assert head["k"] == -k
        assert head["cosine"] > (0.35 if "fast" in head["of"] else 0.15)
        assert head["cosine"] - head["next cosine"] > 0.01
        if "norm" not in head["of"]:
            assert abs(head["next"] + k) == 1
            assert abs(head["between"] + k) <= (0.325 if k == 1 else 0.125)  # to 0.05
            assert head["share"] > 0.2


def test_no_other_head_is_like_a_shift() -> None:
    others = heads(encoding="untrained table") + heads(**{"before training": True})
    assert len(others) == 4 * 2 * 3 * (1 + 4)
    for _, head in others:
        assert head["cosine"] < (0.2 if "fast" in head["of"] else 0.05)
        assert head["share"] < (0.1 if "fast" in head["of"] else 0.03)


def test_before_training_no_head_is_like_a_shift() -> None:
    for seed in range(3):
        for A in query_key(replace(SHIPPED["sinusoid"], seed=seed).model()):
            assert max(abs(float(shift_cosine(A, k))) for k in range(-16, 17)) < 0.08


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match=re.escape("name must be one of ALiBi, RoPE, T5 bias")):
        trained("Sinusoid")
    with pytest.raises(ValueError, match=r"part must be one of family, hands, longer.*; got 'all'"):
        results("all")


def test_the_models_are_trained_in_single_precision() -> None:
    for name in SHIPPED:
        model, _ = trained(name)
        assert {weight.dtype for weight in model.parameters()} == {torch.float32}
