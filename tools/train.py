"""Train the small models of the chapters, and store what they showed in pe_lab/weights.

    python -m tools.train                 everything
    python -m tools.train matter matrix   some parts

Each part writes one file of results. All runs have three seeds, unless they say otherwise, and
one thread: more threads sum in another order, and a training carries the last bit far.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields, replace
from functools import cache, partial
from typing import Any

import torch
from torch import Generator, Tensor
from tqdm import tqdm

from pe_core import frequencies, stepwise
from pe_lab.diagnosis.mistakes import MISTAKES
from pe_lab.diagnosis.recipe import Recipe
from pe_lab.encodings import Encoding, RoPE, Shaw, T5Bias, bucket, make
from pe_lab.model import Transformer
from pe_lab.shifts import pair_turns, query_key, shift_cosine, shift_share
from pe_lab.tasks import NO_ANSWER, copy_back
from pe_lab.training import TEST_SEED, Run, accuracy, round_weights, save, train
from pe_lab.weights import FOLDER

Row = dict[str, Any]

SEEDS = (0, 1, 2)
LENGTHS = (32, 48, 64, 128, 256)
ROWS = 256  # of a learned table; those from 32 on are never trained
BITS = 12  # of a shipped weight
LEARNED = 1.0  # nats: from here on most answers are right; a guess has 2.77
EVERY = 20  # steps in one point of a curve


def of(encoding: str, **shape: Any) -> Run:
    """The run of an encoding, with what the encoding itself has to know."""
    options = {"causal": True} if encoding == "T5 bias" and shape.get("causal") else {}
    rows = ROWS if encoding == "learned table" else Run.length
    return Run(encoding=encoding, options=options, max_length=rows, **shape)


def copy_3(encoding: str, **shape: Any) -> Run:
    return of(encoding, settings={"k": 3}, **shape)


# The models that a page runs, and that the chapters load, by the names of their files.
SHIPPED = {
    name: copy_3(name)
    for name in ("none", "untrained table", "learned table", "sinusoid", "T5 bias", "ALiBi", "RoPE")
} | {"sinusoid, one head": copy_3("sinusoid", n_heads=1)}


@cache
def _trained(key: str) -> tuple[Transformer, list[float]]:
    run = Run(**json.loads(key))
    model = run.model()
    return model, train(model, run, progress=False)


def trained(run: Run) -> tuple[Transformer, list[float]]:
    """The model of a run and its losses; a run that several parts ask for is trained once."""
    return _trained(json.dumps(asdict(run), sort_keys=True))


def described(run: Run) -> Row:
    """What of a run is not as in every run."""
    usual = asdict(Run())
    return {name: value for name, value in asdict(run).items() if value != usual[name]}


def with_seeds(runs: Iterable[Run]) -> list[Run]:
    return [replace(run, seed=seed) for run in runs for seed in SEEDS]


def by_length(model: Transformer, run: Run, lengths: Iterable[int] = LENGTHS) -> dict[str, float]:
    """The share of right answers at each length."""
    return {str(n): round(accuracy(model, run.draw(), n), 4) for n in lengths}


def curve(losses: list[float]) -> list[float]:
    """The mean of each stretch of EVERY steps."""
    points = [losses[start : start + EVERY] for start in range(0, len(losses), EVERY)]
    return [round(sum(each) / len(each), 3) for each in points]


def final(losses: list[float]) -> float:
    """The mean loss of the last 50 steps."""
    return round(sum(losses[-50:]) / len(losses[-50:]), 4)


# --- does it matter --------------------------------------------------------------------------


def matter() -> list[Row]:
    """Copy three back with each way to say the position, or none; some with one head too."""
    encodings = ("none", "index", "scaled index", "untrained table", "learned table", "sinusoid")
    runs = [copy_3(name) for name in encodings]
    runs += [copy_3(name, n_heads=1) for name in ("untrained table", "sinusoid")]
    rows = []
    for run in tqdm(with_seeds(runs)):
        model, losses = trained(run)
        rows.append(
            {
                "run": described(run),
                "curve": curve(losses),
                "loss": final(losses),
                "accuracy": by_length(model, run, LENGTHS[:4]),
            }
        )
    return rows


# --- does it find the matrix -----------------------------------------------------------------

NEAR = range(-16, 17)  # the offsets that are compared
SHORT = 600  # steps: enough for these, and there are many


def matrix() -> list[Row]:
    """Every head's W_Qᵀ W_K beside M_k, for models that copy k back."""
    runs = [
        of("sinusoid", settings={"k": k}, d_model=d, n_heads=heads, steps=SHORT)
        for k in (1, 3, 5, 7)
        for d in (32, 64)
        for heads in (1, 4)
    ]
    controls = [copy_3("untrained table", n_heads=heads, steps=SHORT) for heads in (1, 4)]
    rows = []
    for run in tqdm(with_seeds([*runs, *controls])):
        rows.append(heads_of(run, trained(run)[0]))
    for run in with_seeds(copy_3("sinusoid", n_heads=heads, steps=SHORT) for heads in (1, 4)):
        rows.append({"before training": True, **heads_of(run, run.model())})
    return rows


def heads_of(run: Run, model: Transformer) -> Row:
    """What a model's heads look like, all pairs and the fastest three eighths of them."""
    fast = 3 * run.d_model // 16
    seen = {"all": None, "fast": fast}
    A = {norm: query_key(model, norm=norm) for norm in (True, False)}
    row: Row = {"run": described(run), "accuracy": by_length(model, run, (32,))["32"]}
    row["weight on p - k"] = [round(w, 3) for w in weight_on(model, run)]
    for name, pairs in seen.items():
        row[name] = [best(head, pairs) for head in A[True]]
        row[f"{name}, without the norm"] = [best(head, pairs) for head in A[False]]
    row["offset of each fast pair"] = [
        [round(e, 2) for e in head] for head in pair_offsets(A[True], run)[:, :fast].tolist()
    ]
    return row


def pair_offsets(A: Tensor, run: Run) -> Tensor:
    """By how many positions each pair turns; of those a whole turn apart the nearest to -k."""
    omega, wanted = frequencies(run.d_model), -run.settings["k"]
    beyond = pair_turns(A) * torch.exp(-1j * wanted * omega)
    return wanted + beyond.angle() / omega


def best(A: Tensor, pairs: int | None) -> Row:
    """The offset whose matrix is most like A, how much, the next best; the share of all shifts."""
    cosines = {k: float(shift_cosine(A, k, pairs=pairs)) for k in NEAR}
    first, second = sorted(cosines, key=lambda k: cosines[k], reverse=True)[:2]
    return {
        "k": first,
        "cosine": round(cosines[first], 4),
        "next": second,
        "next cosine": round(cosines[second], 4),
        "between": between(A, pairs, first),
        "share": round(float(shift_share(A, pairs=pairs)), 4),
    }


def between(A: Tensor, pairs: int | None, near: int) -> float:
    """The offset, no whole number, that is most like A within 1 of a whole one, to 0.05."""
    every = torch.arange(-20, 21) / 20 + near
    cosines = torch.stack([shift_cosine(A, k, pairs=pairs) for k in every.tolist()])
    return round(float(every[cosines.argmax()]), 2)


@torch.no_grad()
def weight_on(model: Transformer, run: Run) -> list[float]:
    """How much weight each head of the first layer has on p - k, in the mean."""
    k = run.settings["k"]
    words, _ = run.draw()(Generator().manual_seed(TEST_SEED), 64, run.length)
    weights = model.attention(words)[0]  # (batch, heads, length, length)
    on_target: list[float] = weights.diagonal(-k, dim1=-2, dim2=-1).mean(dim=(0, 2)).tolist()
    return on_target


# --- the family ------------------------------------------------------------------------------

FAMILY = ("none", "learned table", "sinusoid", "Shaw", "T5 bias", "ALiBi", "RoPE")
FAMILY_LENGTHS = (32, 64, 128)


def family() -> list[Row]:
    """Every encoding on every task; two of them causal, too, and copying with two layers."""
    copy: dict[str, Any] = {"task": "copy", "settings": {"k": 3}}
    shapes: list[dict[str, Any]] = [
        copy,
        copy | {"causal": True},
        copy | {"causal": True, "n_layers": 2},
        {"task": "which first"},
        {"task": "which first", "causal": True},
        {"task": "count"},
        {"task": "reverse"},
    ]
    rows = []
    for run in tqdm(with_seeds(of(name, **shape) for shape in shapes for name in FAMILY)):
        model, losses = trained(run)
        rows.append(
            {
                "run": described(run),
                "loss": final(losses),
                "accuracy": by_length(model, run, FAMILY_LENGTHS),
            }
        )
    return rows


# --- which of Shaw's vectors count -----------------------------------------------------------


class ShawAt(Shaw):
    """Shaw's vectors at one of their two places."""

    def __init__(self, place: str, **size: int) -> None:
        super().__init__(**size)
        self.place = place

    def scores(self, q: Tensor) -> Tensor:
        """Return those of Shaw, or 0."""
        return super().scores(q) * (self.place == "scores")

    def values(self, weights: Tensor) -> Tensor:
        """Return those of Shaw, or 0."""
        return super().values(weights) * (self.place == "values")


def shaw() -> list[Row]:
    """Count to the next marker with Shaw's vectors at the scores alone, and at the values alone."""
    rows = []
    for run in tqdm(with_seeds([of("Shaw", task="count")])):
        for place in Shaw.acts:
            model = run.model()
            model.encoding = ShawAt(place, d_model=run.d_model, n_heads=run.n_heads, seed=run.seed)
            losses = train(model, run, progress=False)
            rows.append(
                {
                    "run": described(run),
                    "acts in": place,
                    "loss": final(losses),
                    "accuracy": by_length(model, run, FAMILY_LENGTHS),
                }
            )
    return rows


# --- other starts ----------------------------------------------------------------------------


def starts() -> list[Row]:
    """Copy three back, all matrices behind attention beginning twice as large as usual."""
    rows = []
    encodings = ("learned table", "untrained table", "sinusoid")
    for run in tqdm(with_seeds(copy_3(name) for name in encodings)):
        model = run.model()
        network = model.layers[0].feed_forward
        with torch.no_grad():
            for each in (network[0], network[2], model.answer):
                each.weight *= 2
        losses = train(model, run, progress=False)
        rows.append(
            {
                "run": described(run),
                "curve": curve(losses),
                "loss": final(losses),
                "accuracy": by_length(model, run, (32,)),
            }
        )
    return rows


# --- longer than trained ---------------------------------------------------------------------


# Where T5's last bucket begins, at the latest: within the texts of the training. Its usual 128
# leaves buckets that no text of 32 words reaches.
REACHED = 24


def longer() -> list[Row]:
    """Models trained at 32 and read at up to eight times that, as they are and changed.

    T5's bias copies with buckets that the training reaches, too.
    """
    rows = []
    tasks: list[dict[str, Any]] = [
        {"task": "copy", "settings": {"k": 3}},
        {"task": "which first"},
        {"task": "count"},
    ]
    runs = [of(name, **shape) for shape in tasks for name in FAMILY]
    runs.append(replace(copy_3("T5 bias"), options={"max_distance": REACHED}))
    for run in tqdm(with_seeds(runs)):
        model, _ = trained(run)
        own = model.encoding
        for change, encoding in changes(run, own).items():
            model.encoding = encoding
            row = {
                "run": described(run),
                "change": change,
                "accuracy": by_length(model, run),
                "entropy": entropy(model, run),
            }
            rows.append(row)
        model.encoding = own
    return rows


def changes(run: Run, own: Encoding) -> dict[str, Encoding]:
    """The encoding as trained, and what may be put in its place without training again."""
    if run.options:  # trained otherwise
        return {" ".join(f"{name} {value}" for name, value in run.options.items()): own}
    with_options = partial(
        make, run.encoding, d_model=run.d_model, n_heads=run.n_heads, max_length=run.length
    )
    result = {"": own}
    if run.encoding == "sinusoid":
        result["base 100000"] = with_options(base=100000.0)
        result["interpolation by 4"] = with_options(factor=4.0)
    if run.encoding == "RoPE":
        result["base 100000"] = with_options(base=100000.0)
        for scaling in ("interpolation", "NTK-aware", "YaRN"):
            result[f"{scaling} by 4"] = with_options(scaling=scaling, factor=4.0)
    return result


@torch.no_grad()
def entropy(model: Transformer, run: Run) -> dict[str, float]:
    """The mean entropy of a row of weights in the first layer, in nats, at each length."""
    result = {}
    for length in LENGTHS:
        words, _ = run.draw()(Generator().manual_seed(TEST_SEED), 32, length)
        weights = model.attention(words)[0]
        each = -(weights * weights.clamp(min=1e-30).log()).sum(-1)
        result[str(length)] = round(float(each.mean()), 3)
    return result


# --- places and distances --------------------------------------------------------------------

STRETCH = 128  # places of a text, of which those from 32 on were in no training
FAST_PAIRS = 6  # of 32: those that go round within 32 positions
SIGHTS = {  # whom each place may see, (STRETCH, STRETCH)
    "all": torch.ones(STRETCH, STRETCH, dtype=torch.bool),
    "own 32": torch.eye(STRETCH // 32, dtype=torch.bool)
    .repeat_interleave(32, 0)
    .repeat_interleave(32, 1),
}


def places() -> list[Row]:
    """Copying at 128 places that see all words, or their own stretch of 32: no distance is new.

    Also with the slow pairs of the sinusoid, and the far buckets of T5, as the training knew them.
    """
    rows = []
    for run in tqdm(with_seeds(copy_3(name) for name in FAMILY)):
        model, _ = trained(run)
        rows += [seen(run, model, name) for name in SIGHTS]
        if run.encoding in ("sinusoid", "RoPE"):
            rows[-2]["weight"] = left_of_target(model, run)
        own = model.encoding
        if run.encoding == "sinusoid":
            model.encoding = SlowPairsKnown(run.d_model)
            rows.append({"known": "slow pairs", **seen(run, model, "own 32")})
        if isinstance(own, T5Bias):
            model.encoding = far_buckets_known(own, run)
            rows.append({"known": "far buckets", **seen(run, model, "all")})
        model.encoding = own
    return rows


def seen(run: Run, model: Transformer, sight: str) -> Row:
    return {"run": described(run), "sees": sight, "right": by_stretch(model, SIGHTS[sight])}


@torch.no_grad()
def by_stretch(model: Transformer, visible: Tensor) -> list[float]:
    """The share of right answers in each stretch of 32 places, but for its first three."""
    words, answers = copy_back(Generator().manual_seed(TEST_SEED), 256, len(visible), k=3)
    x = model.encoding.add(model.embedding(words))  # (256, length, d_model)
    for layer in model.layers:
        x = layer(x, model.encoding, visible, None)
    right = model.answer(model.norm(x)).argmax(dim=-1) == answers  # (256, length)
    stretches = right.double().mean(dim=0).view(-1, 32)  # (length / 32, 32)
    return [round(share, 4) for share in stretches[:, 3:].mean(dim=1).tolist()]


@torch.no_grad()
def left_of_target(model: Transformer, run: Run) -> list[float]:
    """The mean weight on the word so many places before the right one: 0, 1, 2, … places."""
    words, _ = run.draw()(Generator().manual_seed(TEST_SEED), 32, STRETCH)
    weights = model.attention(words)[0].mean(dim=(0, 1))  # (length, length)
    return [round(float(weights.diagonal(-k).mean()), 4) for k in range(3, STRETCH)]


@torch.no_grad()
def far_buckets_known(own: T5Bias, run: Run) -> T5Bias:
    """The bias where distances from 32 on, which no training saw, get that of 31."""
    known = T5Bias(d_model=run.d_model, n_heads=run.n_heads)
    known.load_state_dict(own.state_dict())
    far = torch.arange(run.length, STRETCH)
    for side in (-1, 1):
        known.bias[bucket(side * far)] = own.bias[bucket(torch.tensor(side * (run.length - 1)))]
    return known


class SlowPairsKnown(Encoding):
    """The sinusoid, whose pairs that do not go round within 32 positions begin anew every 32."""

    acts = ("add",)

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.d_model = d_model

    def add(self, x: Tensor) -> Tensor:
        table = stepwise(x.shape[1], self.d_model, dtype=torch.float64)  # (length, d_model)
        slow = table[torch.arange(x.shape[1]) % 32, 2 * FAST_PAIRS :]
        return x + torch.cat([table[:, : 2 * FAST_PAIRS], slow], dim=1).to(x)


# --- one hand at a time -----------------------------------------------------------------------


def hands() -> list[Row]:
    """RoPE with one pair at a time four times slower, none of it trained again: who pays?

    Which of two words came first is also asked by how far they stand apart, 8 distances together.
    """
    rows = []
    runs = [copy_3("RoPE"), of("RoPE", task="which first")]
    for run in tqdm(with_seeds(runs)):
        model, _ = trained(run)
        pairs = run.d_model // run.n_heads // 2
        for pair in (None, *range(pairs)):
            model.encoding = OneHandSlower(run, pair)
            row = {"run": described(run), "slower": pair}
            row["accuracy"] = by_length(model, run, (32, STRETCH))
            if run.task == "which first" and pair in (None, 2):
                row["by distance"] = by_distance(model, run)
            rows.append(row)
    return rows


class OneHandSlower(RoPE):
    """RoPE, with one pair four times slower, or none."""

    def __init__(self, run: Run, pair: int | None) -> None:
        super().__init__(d_model=run.d_model, n_heads=run.n_heads)
        self.pair = pair

    @property
    def frequencies(self) -> Tensor:
        """How fast each pair turns, in radians per position, float64: (d_head/2,)."""
        omega = super().frequencies.clone()
        if self.pair is not None:
            omega[self.pair] /= 4
        return omega


@torch.no_grad()
def by_distance(model: Transformer, run: Run) -> list[float]:
    """The share of right answers to which came first, 1 to 8 places apart, 9 to 16, …"""
    words, answers = run.draw()(Generator().manual_seed(TEST_SEED), 1024, STRETCH)
    right = torch.cat([model(part).argmax(dim=-1) for part in words.view(8, 128, -1)]) == answers
    asked = answers != NO_ANSWER  # at two places of each text
    first, last = asked.nonzero()[:, 1].view(-1, 2).T  # (1024,) each
    share = (right & asked).sum(dim=1) / 2  # (1024,)
    which = (last - first - 1) // 8
    return [round(float(share[which == n].mean()), 3) for n in range(STRETCH // 8 - 1)]


# --- mistakes --------------------------------------------------------------------------------

# Tables with a mistake that was met in public code or may be expected (pe_lab.diagnosis.mistakes).
WRONG = (
    "multiplied",
    "halves",
    "from-1",
    "pair-number-only",
    "base-1000",
    "half-minus-one",
    "sines-alone",
    "own-column",
    "precedence",
    "raw-column",
    "turns",
    "all-one",
    "power-exchanged",
    "degrees",
    "one-position",
    "no-wave",
    "doubled-exponent",
    "row-0-zero",
    "power-chain",
    "length-for-width",
)


class Mistaken(Encoding):
    """Adds the table of a recipe to the input."""

    acts = ("add",)

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.recipe = recipe

    def add(self, x: Tensor) -> Tensor:
        return x + self.recipe.table(*x.shape[1:]).to(x)  # (batch, length, d_model)


def mistakes() -> list[Row]:
    """The sinusoid's table with a mistake in its place: what it costs, how fast it is learned."""
    parts = {part.name: part for part in MISTAKES}
    recipes = [Recipe(), *(Recipe((parts[name],)) for name in WRONG)]
    rows = []
    for recipe in tqdm(recipes):
        for run in with_seeds([copy_3("sinusoid", steps=SHORT)]):
            model = run.model()
            model.encoding = Mistaken(recipe)
            losses = train(model, run, progress=False)
            points = curve(losses)
            learned = [EVERY * (n + 1) for n, loss in enumerate(points) if loss < LEARNED]
            row = {"mistake": recipe.name, "run": described(run), "loss": final(losses)}
            row["learned by step"] = learned[0] if learned else None
            rows.append(row | {"accuracy": by_length(model, run, LENGTHS[:4])})
    return rows


# --- writing ---------------------------------------------------------------------------------

PARTS: dict[str, Callable[[], list[Row]]] = {
    "matter": matter,
    "matrix": matrix,
    "family": family,
    "shaw": shaw,
    "starts": starts,
    "longer": longer,
    "places": places,
    "hands": hands,
    "mistakes": mistakes,
}


def store(part: str, rows: list[Row]) -> None:
    """Write a part's results, a row in a line."""
    head = {
        "made by": f"python -m tools.train {part}",
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "processor": platform.machine(),
        "seeds": SEEDS,
        "every run": {each.name: getattr(Run(), each.name) for each in fields(Run)},
    }
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    text = json.dumps(head, ensure_ascii=False)[:-1] + f', "rows": [\n{lines}\n]}}\n'
    (FOLDER / f"{part}.json").write_text(text, encoding="utf-8", newline="\n")


def ship() -> None:
    """Write the weights that pages and chapters load, rounded to BITS bits."""
    for name, run in SHIPPED.items():
        model, _ = trained(run)
        rounded = run.model()
        rounded.load_state_dict(model.state_dict())
        round_weights(rounded, bits=BITS)
        save(FOLDER / f"{name}.safetensors", rounded, run, torch.float16)
        print(f"{name}: {accuracy(rounded, partial(copy_back, k=3), 32):.4f}")


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - {*PARTS, "ship"})
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are: {', '.join([*PARTS, 'ship'])}")
        return 2
    torch.set_num_threads(1)
    for name in names or [*PARTS, "ship"]:
        start = time.monotonic()
        if name == "ship":
            ship()
        else:
            store(name, PARTS[name]())
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
