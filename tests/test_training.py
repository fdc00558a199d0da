"""pe_lab.training: a small model learns, is saved, and comes back bit for bit."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Generator, Tensor
from tqdm import notebook

from pe_lab.model import Transformer
from pe_lab.tasks import NO_ANSWER, WORDS
from pe_lab.training import (
    Run,
    accuracy,
    cross_entropy,
    load,
    round_weights,
    save,
    share_of_rate,
    step_of,
    train,
)

SMALL = Run(d_model=16, n_heads=2, d_ff=16, steps=20, batch=8, length=12)


def same(one: Transformer, other: Transformer) -> bool:
    a, b = one.state_dict(), other.state_dict()
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def trained(run: Run) -> tuple[Transformer, list[float]]:
    model = run.model()
    return model, train(model, run, progress=False)


def test_the_same_run_gives_the_same_numbers() -> None:
    (one, losses), (other, again) = trained(SMALL), trained(SMALL)
    assert losses == again
    assert same(one, other)
    _, another = trained(Run(**{**vars(SMALL), "seed": 1}))
    assert losses != another


def test_a_batch_that_asks_for_nothing_is_refused_not_trained_on() -> None:
    words = torch.zeros(2, 5, dtype=torch.long)
    with pytest.raises(ValueError, match=r"answers must ask for one at least; \(2, 5\) hold none"):
        cross_entropy(SMALL.model(), words, torch.full_like(words, NO_ANSWER))


def test_the_first_loss_is_that_of_the_model_before_training() -> None:
    _, losses = trained(SMALL)
    words, answers = SMALL.draw()(Generator().manual_seed(0), SMALL.batch, SMALL.length)
    logits = SMALL.model()(words)
    every = [
        -float(row.detach().log_softmax(-1)[answer])
        for row, answer in zip(logits.flatten(0, 1), answers.flatten().tolist(), strict=True)
        if answer != NO_ANSWER
    ]
    assert losses[0] == pytest.approx(sum(every) / len(every), abs=1e-5)
    assert len(losses) == SMALL.steps


def test_the_rate_rises_and_falls() -> None:
    shares = [share_of_rate(step, steps=100) for step in range(100)]
    assert shares[:5] == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert shares[5] == 1.0
    assert shares[5:] == sorted(shares[5:], reverse=True)
    assert shares[52] == pytest.approx(0.5, abs=0.02)
    assert 0 < shares[-1] < 0.001
    assert share_of_rate(0, steps=1) == 1.0


class Constant(torch.nn.Module):
    """Answers the same word everywhere."""

    def forward(self, words: Tensor) -> Tensor:
        return torch.nn.functional.one_hot(torch.full_like(words, 3), WORDS).float()


def test_accuracy_counts_the_answers_that_there_are() -> None:
    def task(generator: Generator, batch: int, length: int) -> tuple[Tensor, Tensor]:
        answers = torch.tensor([[3, 4, NO_ANSWER, 3, 5]]).expand(batch, 5)
        return torch.zeros(batch, length, dtype=torch.int64), answers

    assert accuracy(Constant(), task, 5) == 0.5  # type: ignore[arg-type]


def test_a_model_without_knowledge_has_the_loss_of_a_guess() -> None:
    model = SMALL.model()
    with torch.no_grad():
        model.answer.weight.zero_()
    words, answers = SMALL.draw()(Generator().manual_seed(0), 8, 12)
    assert cross_entropy(model, words, answers).item() == pytest.approx(math.log(WORDS), abs=1e-6)


def test_saved_is_loaded_bit_for_bit(tmp_path: Path) -> None:
    run = Run(**{**vars(SMALL), "settings": {"k": 2}, "options": {"base": 100.0}})
    model, _ = trained(run)
    save(tmp_path / "a.safetensors", model, run)
    loaded, its_run = load(tmp_path / "a.safetensors")
    assert same(model, loaded)
    assert its_run == run
    words = torch.arange(12).reshape(1, 12)
    assert torch.equal(model(words), loaded(words))
    save(tmp_path / "b.safetensors", loaded, its_run)
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_a_run_with_numbers_of_numpy_and_torch_is_saved_as_any_other(tmp_path: Path) -> None:
    numbers = {
        "d_ff": np.int64(SMALL.d_ff),
        "seed": np.int32(SMALL.seed),
        "rate": np.float64(SMALL.rate),
        "causal": np.bool_(SMALL.causal),
        "settings": {"k": np.int64(3)},
        "options": {"base": torch.tensor(100.0)},
    }
    run = Run(**{**vars(SMALL), **numbers})
    assert run == Run(**{**vars(SMALL), "settings": {"k": 3}, "options": {"base": 100.0}})
    save(tmp_path / "a.safetensors", run.model(), run)
    assert load(tmp_path / "a.safetensors")[1] == run


def test_a_file_with_an_option_that_no_encoding_has_is_no_saved_run(tmp_path: Path) -> None:
    run = Run(**{**vars(SMALL), "options": {"colour": 1}})
    save(tmp_path / "a.safetensors", SMALL.model(), run)
    with pytest.raises(ValueError, match=r"path must be a file that `save` wrote.*colour"):
        load(tmp_path / "a.safetensors")


def test_what_is_stored_narrower_is_rounded_first(tmp_path: Path) -> None:
    model, _ = trained(SMALL)
    with pytest.raises(ValueError, match=r"dtype must hold .* exactly, got torch.float16"):
        save(tmp_path / "a.safetensors", model, SMALL, torch.float16)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    round_weights(model, bits=12)
    for name, weight in model.state_dict().items():
        largest = float(before[name].abs().max())
        whole = weight / step_of(before[name], bits=12)
        assert torch.equal(whole, whole.round())
        assert (weight - before[name]).abs().max() <= 2**-11 * largest
        assert not torch.equal(weight, before[name]) or weight.eq(0).all() or weight.eq(1).all()
    save(tmp_path / "a.safetensors", model, SMALL, torch.float16)
    assert load_file(tmp_path / "a.safetensors")["embedding.weight"].dtype == torch.float16
    loaded, _ = load(tmp_path / "a.safetensors")
    assert same(model, loaded)


@pytest.mark.parametrize("largest", [1.0, 0.999, 1.001, 3.0, 2**-20, 0.0])
def test_the_step_of_a_tensor(largest: float) -> None:
    step = step_of(torch.tensor([0.1 * largest, -largest]), bits=12)
    assert math.frexp(step)[0] == 0.5
    assert abs(round(largest / step)) < 2**11
    assert largest == 0 or round(2 * largest / step) >= 2**11 - 1  # half the step would not do


def write(path: Path, weights: dict[str, Tensor], **changed: object) -> Path:
    run = {**vars(SMALL), **changed}
    save_file(weights, path, metadata={"run": json.dumps(run)})
    return path


def test_other_weights_are_refused(tmp_path: Path) -> None:
    weights = SMALL.model().state_dict()
    path = tmp_path / "a.safetensors"
    load(write(path, dict(weights)))
    missing = {name: weights[name] for name in weights if name != "norm.bias"}
    for others, message in [
        (missing, "must hold norm.bias of shape (16,), got None; 1 weights differ"),
        (weights | {"more": torch.ones(2)}, "must hold more of shape None, got (2,)"),
        (
            weights | {"norm.bias": torch.ones(17)},
            "must hold norm.bias of shape (16,), got (17,); 1",
        ),
    ]:
        with pytest.raises(ValueError, match=re.escape(f"a.safetensors {message}")):
            load(write(path, dict(others)))
    with pytest.raises(ValueError, match=r"must hold layers\.0\.attention\.W_K of shape \(4, 4,"):
        load(write(path, dict(weights), n_heads=4))


def test_files_that_are_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    with pytest.raises(FileNotFoundError, match=r"path must be a file of weights, got .*a\.safe"):
        load(path)
    whole = write(path, dict(SMALL.model().state_dict())).read_bytes()
    for broken in (b"", whole[:7], whole[:200], whole[:-1], b"\xff" * 64):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match="path must be a file that `save` wrote, got"):
            load(path)
    save_file({"a": torch.ones(1)}, path)
    with pytest.raises(ValueError, match=r"path must be a file that `save` wrote, got .*'run'"):
        load(path)
    save_file({"a": torch.ones(1)}, path, metadata={"run": '{"colour": 1}'})
    with pytest.raises(ValueError, match=r"path must be a file that `save` wrote, got .*colour"):
        load(path)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"task": "sort"}, ValueError, "task must be one of copy, reverse, which first, count"),
        ({"steps": 0}, ValueError, "steps must be a positive integer, got 0"),
        ({"batch": 2.0}, TypeError, "batch must be an integer, got 2.0"),
        ({"batch": -(10**5000)}, ValueError, "batch must be a positive integer, got an integer of"),
        ({"length": 2**63}, ValueError, "length must be less than 2**63, got 9223372036854775808"),
        (
            {"seed": 10**5000},
            ValueError,
            "seed must lie between 0 and 2**32 - 1, got an integer",
        ),
        ({"seed": 2**32}, ValueError, "seed must lie between 0 and 2**32 - 1, got 4294967296"),
        ({"rate": 0.0}, ValueError, "rate must be a positive number, got 0.0"),
        ({"rate": True}, TypeError, "rate must be a real number, got True"),
        ({"causal": "no"}, TypeError, "causal must be True or False, got 'no' of type str"),
        ({"settings": [3]}, TypeError, "settings must be a mapping, got [3] of type list"),
    ],
)
def test_runs_that_cannot_be(arguments: dict[str, object], error: type, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Run(**arguments)  # type: ignore[arg-type]


def test_the_bar_leaves_nothing_where_it_is_turned_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Trains twice, with the bar and without; tqdm reads the variable when it is imported."""
    said = []
    for off in ("", "1"):
        monkeypatch.setenv("TQDM_DISABLE", off)
        for name in [name for name in sys.modules if name.partition(".")[0] == "tqdm"]:
            monkeypatch.delitem(sys.modules, name)
        spec = importlib.util.find_spec("pe_lab.training")
        assert spec is not None
        assert spec.loader is not None
        training = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(training)
        run = Run(steps=3, batch=2)
        training.train(run.model(), run)
        said.append(capsys.readouterr())
    assert "0/3" in said[0].err
    assert (said[0].out, *said[1]) == ("", "", "")


def test_the_bar_of_a_notebook_is_turned_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    monkeypatch.setattr("pe_lab.training.tqdm", notebook.tqdm)
    monkeypatch.setattr(notebook, "display", shown.append)
    run = Run(steps=1, batch=1)
    monkeypatch.setenv("TQDM_DISABLE", "1")
    train(run.model(), run)
    assert shown == []
    monkeypatch.delenv("TQDM_DISABLE")
    train(run.model(), run)
    assert len(shown) == 1


def test_texts_that_ask_nothing_have_no_share_of_right_answers() -> None:
    run = Run(task="count", batch=1, length=4, d_model=8, n_heads=2, d_ff=8, max_length=8)
    with pytest.raises(ValueError, match="sequences must ask for an answer; 1 of 1 words do not"):
        accuracy(run.model(), run.draw(), 1, sequences=1)
