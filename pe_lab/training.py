"""Training a small Transformer on a task, and keeping what came out.

A `Run` says everything that decides a result: task, model, encoding, seeds and schedule. The same
run on the same machine gives the same numbers; on another processor the last bits differ, and
with them the steps, so that only what holds with a margin may be said of it.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Generator, Tensor
from torch.nn import functional as F
from tqdm.auto import tqdm

from pe_core.checks import check_integer, check_real, describe, in_digits
from pe_lab.checks import check_bool, check_count
from pe_lab.encodings import make
from pe_lab.model import Transformer
from pe_lab.tasks import NO_ANSWER, TASKS, WORDS, Task

TEST_SEED = 2**32  # sequences that no training sees: those seeds are smaller
SIZES = ("d_model", "n_heads", "n_layers", "d_ff", "max_length", "length", "batch", "steps")
LARGEST_NORM = 1.0  # a longer gradient is cut to it


@dataclass(frozen=True, kw_only=True)
class Run:
    """What decides a result.

    ``options`` go to the encoding (``base``, ``factor``, …) and ``settings`` to the task (``k``).
    ``max_length`` is the length that the encoding is made for, ``length`` the one it is trained at.
    """

    encoding: str = "sinusoid"
    task: str = "copy"
    settings: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 1
    d_ff: int = 32
    causal: bool = False
    max_length: int = 32
    length: int = 32
    batch: int = 32
    steps: int = 1000
    rate: float = 2e-3
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.task, str) or self.task not in TASKS:
            raise ValueError(f"task must be one of {', '.join(TASKS)}; got {describe(self.task)}")
        for name in (*SIZES, "seed"):
            self._set(name, check_integer(getattr(self, name), name))
        for name in ("steps", "batch", "length"):
            check_count(getattr(self, name), name)
        if not 0 <= self.seed < TEST_SEED:
            raise ValueError(f"seed must lie between 0 and 2**32 - 1, got {in_digits(self.seed)}")
        self._set("rate", check_real(self.rate, "rate"))
        if not self.rate > 0:
            raise ValueError(f"rate must be a positive number, got {describe(self.rate)}")
        self._set("causal", check_bool(self.causal, "causal"))
        for name in ("settings", "options"):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise TypeError(f"{name} must be a mapping, got {describe(given)}")
            self._set(name, {key: _own(value) for key, value in given.items()})

    def _set(self, name: str, value: object) -> None:
        """Keep a value as Python's own: a file can hold no other, and NumPy's count as well."""
        object.__setattr__(self, name, value)

    def draw(self) -> Task:
        """The task with its settings."""
        return partial(TASKS[self.task], **self.settings)

    def model(self) -> Transformer:
        """The model before training."""
        encoding = make(
            self.encoding,
            d_model=self.d_model,
            n_heads=self.n_heads,
            max_length=self.max_length,
            seed=self.seed,
            **self.options,
        )
        return Transformer(
            WORDS,
            encoding=encoding,
            d_model=self.d_model,
            n_heads=self.n_heads,
            n_layers=self.n_layers,
            d_ff=self.d_ff,
            causal=self.causal,
            seed=self.seed,
        )


def _own(value: Any) -> Any:
    """Return a number of NumPy's or torch's as Python's own, and all else as it is."""
    single = isinstance(value, np.generic | np.ndarray | Tensor) and value.ndim == 0
    return value.item() if single else value


def train(model: Transformer, run: Run, *, progress: bool = True) -> list[float]:
    """Train the model in place; return the loss before each step, in nats per answer.

    AdamW; the rate rises over the first twentieth of the steps and falls to zero along a cosine.
    The bar is tqdm's: it disappears at the end, and TQDM_DISABLE=1 in the environment turns all
    of them off, as `make notebooks` does, so that nothing of it is stored.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=run.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, partial(share_of_rate, steps=run.steps))
    generator, draw = Generator().manual_seed(run.seed), run.draw()
    losses = []
    model.train()
    steps = range(run.steps)
    # In a notebook tqdm's own bar does not read this variable.
    off = not progress or os.environ.get("TQDM_DISABLE", "") not in ("", "0")
    for _ in tqdm(steps, leave=False, disable=off):
        loss = cross_entropy(model, *draw(generator, run.batch, run.length))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), LARGEST_NORM)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    model.eval()
    return losses


def share_of_rate(step: int, *, steps: int) -> float:
    """Return the factor on the rate: up in a straight line, then down along half a cosine."""
    rise = max(steps // 20, 1)
    if step < rise:
        return (step + 1) / rise
    return (1 + math.cos(math.pi * (step - rise) / max(steps - rise, 1))) / 2


def cross_entropy(model: Transformer, words: Tensor, answers: Tensor) -> Tensor:
    """Return the mean over all answers of -ln of what the model gives to the right one.

    Raises:
        ValueError: no answer is asked for.
    """
    if not (answers != NO_ANSWER).any():
        raise ValueError(f"answers must ask for one at least; {tuple(answers.shape)} hold none")
    logits = model(words)  # (batch, length, V)
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=NO_ANSWER)


@torch.no_grad()
def accuracy(model: Transformer, task: Task, length: int, *, sequences: int = 256) -> float:
    """Return the share of right answers, on sequences of this length that no training saw.

    Raises:
        ValueError: none of the sequences asks for an answer.
    """
    words, answers = task(Generator().manual_seed(TEST_SEED), sequences, length)
    asked = answers != NO_ANSWER
    if not asked.any():
        raise ValueError(f"sequences must ask for an answer; {sequences} of {length} words do not")
    right = model(words).argmax(dim=-1) == answers
    return float(right[asked].double().mean())


def round_weights(model: Transformer, *, bits: int) -> None:
    """Round every weight in place to a whole number of steps, a number of so many bits with sign.

    A tensor has one step, a power of two, as small as its largest weight allows. Whole numbers are
    short to write down, and float16 holds them exactly up to 12 bits.
    """
    for weight in model.state_dict().values():
        steps = step_of(weight, bits=bits)
        weight.copy_((weight / steps).round() * steps)


def step_of(weight: Tensor, *, bits: int) -> float:
    """Return the smallest power of two of which each number is less than 2^(bits - 1) steps."""
    largest = float(weight.abs().max())
    step = 2.0 ** (math.frexp(largest)[1] - (bits - 1))
    # Rounding up may reach the next power of two.
    return 2 * step if round(largest / step) >= 2 ** (bits - 1) else step


def save(path: Path, model: Transformer, run: Run, dtype: torch.dtype = torch.float32) -> None:
    """Write the weights and the run to a safetensors file.

    Raises:
        ValueError: a weight is changed by storing it in ``dtype``; `round_weights` comes first.
    """
    weights = {name: weight.detach().to(dtype) for name, weight in model.state_dict().items()}
    for name, weight in model.state_dict().items():
        if not torch.equal(weights[name].to(weight.dtype), weight):
            raise ValueError(f"dtype must hold {name} exactly, got {dtype}")
    # A single entry: several are written in an order that changes from run to run.
    metadata = {"run": json.dumps(asdict(run), sort_keys=True)}
    Path(path).write_bytes(to_bytes(weights, metadata))


def load(path: Path) -> tuple[Transformer, Run]:
    """Return the model that was saved, and its run.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not whole, holds no run, or its weights are not those of the
            run's model, by name and shape.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"path must be a file of weights, got {path}")
    try:
        with safe_open(path, framework="pt") as file:
            run = Run(**json.loads((file.metadata() or {})["run"]))
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        model = run.model()
    except (SafetensorError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"path must be a file that `save` wrote, got {path}: {error}") from error
    asked = {name: tuple(weight.shape) for name, weight in model.state_dict().items()}
    found = {name: tuple(weight.shape) for name, weight in weights.items()}
    if asked != found:
        differ = sorted(name for name in asked | found if asked.get(name) != found.get(name))
        name = differ[0]
        raise ValueError(
            f"{Path(path).name} must hold {name} of shape {asked.get(name)}, "
            f"got {found.get(name)}; {len(differ)} weights differ in all"
        )
    model.load_state_dict(weights)
    model.eval()
    return model, run
