"""Ours against the libraries that people use: what they answered is kept in ``reference/``.

``python -m benchmarks.encodings`` asks them again, in the environment of ``make bench``. They
compute in float32, and so the angle of position p is off by about p * 1e-7 radians there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from benchmarks.encodings import FARTHEST, FILE, LENGTH, LIBRARIES, STEP, example, runs
from pe_lab.encodings import ALiBi, RoPE, Shaw, T5Bias, bucket, halves, slopes

REFERENCE = json.loads(FILE.read_text(encoding="utf-8"))
Case = dict[str, Any]


def cases_of(encoding: str) -> Callable[..., Any]:
    """Run a test for each case of an encoding, by its library and settings."""
    cases = [case for case in REFERENCE["cases"] if case["encoding"] == encoding]
    names = [f"{case['library']} {list(case['settings'].values())}" for case in cases]
    return pytest.mark.parametrize("case", cases, ids=names)


def close(ours: Tensor, theirs: object, *, allowed: float | Tensor = 1e-6) -> bool:
    """Whether all numbers agree: relatively where they are larger than 1."""
    expected = torch.tensor(theirs, dtype=torch.float64)
    assert ours.shape == expected.shape
    return bool(((ours - expected).abs() <= allowed * expected.abs().clamp(min=1)).all())


def heads(count: int, length: int = LENGTH, d: int = 2) -> Tensor:
    return torch.zeros(1, count, length, d)


def test_the_answers_are_those_of_the_pinned_versions() -> None:
    pins = (FILE.parents[2] / "benchmarks" / "requirements.txt").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^(\S+)==(\S+)$", pins, re.MULTILINE))
    assert REFERENCE["versions"] == {name: pinned[name] for name in LIBRARIES}


def test_every_encoding_is_compared_with_all_that_was_asked() -> None:
    asked = [(case["encoding"], case["library"].partition(",")[0]) for case in REFERENCE["cases"]]
    counts = {each: asked.count(each) for each in asked}
    assert counts == {
        ("RoPE", "transformers"): 20,
        ("RoPE", "x-transformers"): 6,
        ("T5 bias", "transformers"): 8,
        ("T5 bias", "x-transformers"): 8,
        ("ALiBi", "transformers"): 20,
        ("ALiBi", "x-transformers"): 11,
        ("Shaw", "transformers"): 3,
    }


@cases_of("RoPE")
def test_rope(case: Case) -> None:
    how = dict(case["settings"])
    d = how.pop("d")
    if how["scaling"] is None:
        del how["factor"]
    rope = RoPE(d_model=d, n_heads=1, **how)
    theirs = torch.tensor(case["frequencies"], dtype=torch.float64)
    assert torch.allclose(rope.frequencies, theirs, rtol=2e-6, atol=0)
    assert rope.sharpening == pytest.approx(case["sharpening"], rel=1e-8)

    order = halves(d) if case["halves"] else torch.arange(d)
    q = example(1, 1, LENGTH, d).double()  # (1, 1, LENGTH, d), in the library's order
    turned = rope.turn(q[..., order.argsort()])[0, 0, :, order]  # (LENGTH, d), and back in it
    p = torch.arange(LENGTH)[:, None]
    assert close(turned[::STEP], case["turned"], allowed=1e-6 * (1 + p[::STEP]))


@cases_of("T5 bias")
def test_t5(case: Case) -> None:
    how = case["settings"]
    offset = torch.arange(-FARTHEST, FARTHEST + 1)
    assert [list(each) for each in runs(bucket(offset, **how))] == case["buckets"]
    t5 = T5Bias(d_model=6, n_heads=3, **how)
    with torch.no_grad():
        t5.bias.copy_(example(*t5.bias.shape))
        bias = t5.scores(heads(3))[0]
    assert close(bias[:, 0], case["first row"])
    assert close(bias[:, -1], case["last row"])


@cases_of("ALiBi")
def test_alibi(case: Case) -> None:
    n_heads = case["settings"]["n_heads"]
    assert close(slopes(n_heads), case["slopes"])
    bias = ALiBi(n_heads=n_heads).scores(heads(n_heads))[0]
    assert close(bias[:: max(1, n_heads - 1), -1], case["last row"])
    if "first row" in case:
        assert close(bias[:: n_heads - 1, 0], case["first row"])


@cases_of("Shaw")
def test_shaw(case: Case) -> None:
    d, clip = case["settings"]["d"], case["settings"]["clip"]
    shaw = Shaw(d_model=d, n_heads=1, clip=clip)
    with torch.no_grad():
        shaw.keys_at.copy_(example(2 * clip + 1, d))
        assert close(shaw.scores(example(1, 1, LENGTH, d).double())[0, 0], case["scores"])
