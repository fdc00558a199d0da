"""What the questions of the chapters ask about trained models, from what is stored of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Generator, Tensor

from pe_core import frequencies
from pe_lab.encodings import bucket, make
from pe_lab.shifts import pair_turns, query_key, shift_cosine
from pe_lab.tasks import WORDS
from pe_lab.training import Run
from pe_lab.weights import results, trained


def matter(encoding: str) -> list[dict[str, Any]]:
    """The runs of "matter" with an encoding and four heads, one for each seed."""
    rows: list[dict[str, Any]] = results("matter")["rows"]
    usual = {"encoding": "sinusoid", "n_heads": 4}
    return [
        row
        for row in rows
        if {**usual, **row["run"]}["encoding"] == encoding
        and {**usual, **row["run"]}["n_heads"] == 4
    ]


def learned_by(encoding: str, *, every: int = 20) -> int:
    """The step by which the loss is below 1 with all seeds."""
    first = [
        next(n for n, loss in enumerate(row["curve"], 1) if loss < 1) for row in matter(encoding)
    ]
    return every * max(first)


def share_right(encoding: str) -> float:
    """The share of right answers, the mean of the seeds."""
    rows = matter(encoding)
    return sum(float(row["accuracy"]["32"]) for row in rows) / len(rows)


def cosine_of_the_head(k: int) -> float:
    """The cosine of W_Qᵀ W_K with M_k, in the stored model that looks three back with one head."""
    return float(shift_cosine(_head(), -k))


def turn_error(start: int, stop: int) -> float:
    """How far the turns of these pairs are from 3 ω_i, the farthest, as a part of its ω_i."""
    turned = -pair_turns(_head()).angle() / frequencies(len(_head()))  # (d/2,) in positions
    return float((turned - 3).abs()[start:stop].max())


def heads_with_their_own_offset() -> int:
    """Of all heads trained on the sinusoid in "matrix", those most like the M_k of their task."""
    return sum(
        head["k"] == -row["run"]["settings"]["k"]
        for row in results("matrix")["rows"]
        if "encoding" not in row["run"] and not row.get("before training")
        for head in row["all, without the norm"]
    )


def family_shares(encoding: str, task: str, *, causal: bool = False) -> list[float]:
    """The shares of right answers in "family", one layer, one for each seed."""
    usual = {"encoding": "sinusoid", "task": "copy", "causal": False, "n_layers": 1}
    asked = {**usual, "encoding": encoding, "task": task, "causal": causal}
    return [
        float(row["accuracy"]["32"])
        for row in results("family")["rows"]
        if {key: {**usual, **row["run"]}[key] for key in usual} == asked
    ]


def learned_numbers(encoding: str) -> int:
    """How many numbers an encoding learns, at a width of 64, 4 heads and 32 positions."""
    made = make(encoding, d_model=64, n_heads=4, max_length=32)
    return sum(each.numel() for each in made.parameters())


def in_bucket_with(distance: int) -> int:
    """How many offsets share T5's bucket with this distance back, both sides visible."""
    buckets = bucket(-torch.arange(1000))
    return int((buckets == buckets[distance]).sum())


@cache
def same_backwards(encoding: str) -> bool:
    """Whether every word has the same scores in a text and in the text backwards."""
    model = Run(encoding=encoding).model().double()
    words = torch.randint(WORDS, (4, 32), generator=Generator().manual_seed(0))
    with torch.no_grad():
        there, back = model(words), model(words.flip(1)).flip(1)
    return torch.allclose(there, back, rtol=0, atol=1e-9)


def right_at(length: int, encoding: str, *, task: str = "copy", change: str = "") -> float:
    """The share of right answers in "longer", the mean of the seeds."""
    wanted = {"encoding": encoding, "task": task, "change": change}
    usual = {"encoding": "sinusoid", "task": "copy"}
    shares = [
        row["accuracy"][str(length)]
        for row in results("longer")["rows"]
        if wanted.items() <= {**usual, **row["run"], "change": row["change"]}.items()
    ]
    return float(sum(shares) / len(shares))


def changed(task: str, *, length: int = 128) -> float:
    """By how much interpolation by 4 changes what RoPE has right."""
    after = right_at(length, "RoPE", task=task, change="interpolation by 4")
    return after - right_at(length, "RoPE", task=task)


def right_in_stretch(encoding: str, stretch: int, *, sees: str = "all") -> float:
    """The share of right answers in 32 of the 128 places of "places", the mean of the seeds."""
    shares = [
        row["right"][stretch]
        for row in results("places")["rows"]
        if row["run"].get("encoding", "sinusoid") == encoding
        and row["sees"] == sees
        and "known" not in row
    ]
    return float(sum(shares) / len(shares))


def together(distance: int) -> float:
    """How much alike the three fastest hands of RoPE are at a distance: their mean cosine."""
    return float((distance * frequencies(16)[:3]).cos().mean())


@cache
def _head() -> Tensor:
    head: Tensor = query_key(trained("sinusoid, one head")[0], norm=False)[0]
    return head  # (d, d)


ABOUT = (
    learned_by,
    share_right,
    cosine_of_the_head,
    turn_error,
    heads_with_their_own_offset,
    family_shares,
    learned_numbers,
    in_bucket_with,
    same_backwards,
    right_at,
    changed,
    right_in_stretch,
    together,
)
