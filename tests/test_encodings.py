"""The family of encodings: where each acts, what it can say, and what its arguments may be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from pe_core import frequencies, offset_matrix, shift, sinusoidal_table, wavelengths
from pe_lab.candidates import random_table, raw_index, scaled_index
from pe_lab.encodings import (
    ENCODINGS,
    ALiBi,
    Encoding,
    RoPE,
    ScaledIndex,
    Shaw,
    Sinusoid,
    T5Bias,
    bucket,
    halves,
    make,
    slopes,
)
from pe_lab.encodings.angles import FAST, SLOW, yarn_ramp

D_MODEL, N_HEADS, MAX_LENGTH = 24, 3, 16
D_HEAD = D_MODEL // N_HEADS
METHODS = ("add", "turn", "scores", "values")
LEARNED = {"learned table": 1, "Shaw": 2, "T5 bias": 1}  # how many tensors of parameters
all_names = pytest.mark.parametrize("name", ENCODINGS)


def made(name: str, **more: Any) -> Encoding:
    return make(name, d_model=D_MODEL, n_heads=N_HEADS, max_length=MAX_LENGTH, **more)


def normal(*shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=dtype)


def inputs(length: int = 9, dtype: torch.dtype = torch.float64) -> dict[str, Tensor]:
    """What a model hands to each method: two texts of a batch."""
    q = normal(2, N_HEADS, length, D_HEAD, dtype=dtype)
    weights = normal(2, N_HEADS, length, length, dtype=dtype).softmax(dim=-1)
    x = normal(2, length, D_MODEL, dtype=dtype)
    return {"add": x, "turn": q, "scores": q, "values": weights}


def is_toeplitz(scores: Tensor) -> bool:
    """Whether every entry (..., p, r) depends on r - p alone."""
    return bool(torch.equal(scores[..., 1:, 1:], scores[..., :-1, :-1]))


# The interface


@all_names
def test_an_encoding_acts_where_it_says_and_nowhere_else(name: str) -> None:
    encoding, given = made(name), inputs()
    for method in METHODS:
        before = given[method].clone()
        result = getattr(encoding, method)(given[method])
        assert torch.equal(given[method], before), "what came in is left as it was"
        acts = result is not None and not torch.equal(result, given[method])
        assert acts == (method in encoding.acts)


@all_names
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_shape_dtype_and_device_are_those_of_what_came_in(name: str, dtype: torch.dtype) -> None:
    encoding = made(name)
    given = inputs(5, dtype)
    shapes = {
        "add": (2, 5, D_MODEL),
        "turn": (2, N_HEADS, 5, D_HEAD),
        "scores": (2 if name == "Shaw" else 1, N_HEADS, 5, 5),
        "values": (2, N_HEADS, 5, D_HEAD),
    }
    for method in encoding.acts:
        result = getattr(encoding, method)(given[method])
        assert (result.shape, result.dtype) == (shapes[method], dtype)
        away = getattr(encoding.to("meta"), method)(given[method].to("meta"))
        assert (away.shape, away.device.type) == (shapes[method], "meta")
        encoding = made(name)


@all_names
def test_torchs_default_device_and_dtype_change_nothing(name: str) -> None:
    given, encoding = inputs(5), made(name)
    expected = [getattr(encoding, method)(given[method]) for method in encoding.acts]
    with torch.device("meta"):
        for method, right in zip(encoding.acts, expected, strict=True):
            assert torch.equal(getattr(encoding, method)(given[method]), right)
    torch.set_default_dtype(torch.float64)
    try:
        again = made(name)
        for method, right in zip(encoding.acts, expected, strict=True):
            assert torch.equal(getattr(again, method)(given[method]), right)
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("name", ["learned table", "Shaw"])
def test_parameters_are_made_where_torch_is_told_to_put_things(name: str) -> None:
    with torch.device("meta"):
        encoding = made(name)
    assert {each.is_meta for each in encoding.parameters()} == {True}


@pytest.mark.parametrize("name", ["index", "scaled index", "sinusoid"])
def test_a_table_that_nobody_draws_compiles_whole(name: str) -> None:
    encoding, x = made(name), torch.ones(1, 5, D_MODEL)
    compiled = torch.compile(encoding.add, fullgraph=True, backend="eager")
    assert torch.equal(compiled(x), encoding.add(x))


@all_names
def test_only_what_is_learned_has_gradients(name: str) -> None:
    encoding, given = made(name), inputs()
    parameters = list(encoding.parameters())
    assert len(parameters) == LEARNED.get(name, 0)
    for method in encoding.acts:
        x = given[method].requires_grad_()
        result = getattr(encoding, method)(x)
        assert result.requires_grad == (name != "ALiBi"), "a fixed number for every offset"
        if result.requires_grad:
            result.square().sum().backward()
    for each in parameters:
        assert each.grad is not None
        assert each.grad.abs().max() > 0
    assert not dict(encoding.named_buffers())


@all_names
def test_all_but_the_learned_table_go_on_beyond_the_trained_length(name: str) -> None:
    encoding, given = made(name), inputs(3 * MAX_LENGTH)
    for method in encoding.acts:
        if name == "learned table":
            with pytest.raises(ValueError, match="at most max_length = 16 positions, got 48"):
                getattr(encoding, method)(given[method])
        else:
            assert getattr(encoding, method)(given[method]).isfinite().all()


@all_names
def test_a_seed_makes_the_same_encoding_again(name: str) -> None:
    given = inputs()
    for method in ENCODINGS[name].acts:
        one, again, other = (
            getattr(made(name, seed=seed), method)(given[method]) for seed in (1, 1, 2)
        )
        assert torch.equal(one, again)
        assert torch.equal(one, other) == (name not in {*LEARNED, "untrained table"})


# At the input


@pytest.mark.parametrize(
    ("name", "candidate"),
    [("index", raw_index), ("scaled index", scaled_index), ("untrained table", random_table)],
)
def test_the_simple_ones_are_the_candidates_of_chapter_2(name: str, candidate: Any) -> None:
    x = inputs(9)["add"]
    assert torch.equal(made(name).add(x), x + candidate(9, D_MODEL))


def test_a_row_depends_on_the_length_where_the_index_is_scaled_and_nowhere_else() -> None:
    for name in ("index", "scaled index", "untrained table", "learned table", "sinusoid"):
        short, long = (made(name).add(torch.zeros(1, n, D_MODEL))[0, :7] for n in (7, 13))
        assert torch.equal(short, long) == (name != "scaled index")
    assert ScaledIndex(d_model=2).add(torch.zeros(1, 5, 2))[0, :, 0].tolist() == [
        0.0,
        0.25,
        0.5,
        0.75,
        1.0,
    ]


@pytest.mark.parametrize("base", [10.0, 10000.0])
def test_the_sinusoid_is_the_exact_table(base: float) -> None:
    table = Sinusoid(d_model=D_MODEL, base=base).table(200)
    expected = sinusoidal_table(200, D_MODEL, base=base, dtype=torch.float64)
    assert torch.allclose(table, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("factor", [1.5, 4.0])
def test_interpolation_maps_position_f_p_to_p(factor: float) -> None:
    p = 2 * torch.arange(10)  # positions that are whole, and whole when stretched
    stretched = (factor * p).long()
    plain, interpolated = (Sinusoid(d_model=8, factor=f).table(100) for f in (1.0, factor))
    assert torch.allclose(interpolated[stretched], plain[p], rtol=0, atol=1e-12)
    q = normal(1, 1, 1, 8).expand(-1, -1, 100, -1)  # the same word everywhere
    turned = RoPE(d_model=8, n_heads=1).turn(q)
    slower = RoPE(d_model=8, n_heads=1, scaling="interpolation", factor=factor).turn(q)
    assert torch.allclose(slower[:, :, stretched], turned[:, :, p], rtol=0, atol=1e-12)


# RoPE


@pytest.mark.parametrize(
    "how",
    [{}, {"base": 100.0}]
    + [{"scaling": scaling, "factor": 3.0} for scaling in ("interpolation", "NTK-aware", "YaRN")],
)
def test_scores_of_turned_queries_and_keys_depend_on_the_offset_alone(how: dict[str, Any]) -> None:
    rope = made("RoPE", **how)
    q, k = (normal(2, N_HEADS, 1, D_HEAD).flip(f).expand(-1, -1, 40, -1) for f in ([3], [0]))
    scores = rope.turn(q) @ rope.turn(k).mT  # (2, heads, 40, 40)
    assert torch.allclose(scores[..., 1:, 1:], scores[..., :-1, :-1], atol=1e-12)
    assert scores.amax() - scores.amin() > 1
    assert (scores - scores.mT).abs().max() > 0.1, "before and after differ"


def test_the_turn_of_position_p_is_the_offset_matrix_of_minus_p() -> None:
    q = inputs(9)["turn"]
    turned = made("RoPE").turn(q)
    for p in range(9):
        assert torch.allclose(turned[:, :, p], q[:, :, p] @ offset_matrix(-p, D_HEAD).T)
        assert torch.allclose(turned[:, :, p], shift(q[:, :, p], -p))
    assert torch.allclose(turned.norm(dim=-1), q.norm(dim=-1))


def test_the_halves_of_other_libraries_are_the_same_turn() -> None:
    q = inputs(9)["turn"]
    order = halves(D_HEAD)
    assert order.tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    x, y = q[..., order].chunk(2, dim=-1)
    angle = torch.arange(9)[:, None] * frequencies(D_HEAD)
    other = torch.cat([x * angle.cos() - y * angle.sin(), y * angle.cos() + x * angle.sin()], -1)
    assert torch.allclose(made("RoPE").turn(q)[..., order], other)


def rope(scaling: str, factor: float, d: int = 64, max_length: int = 2048) -> RoPE:
    return RoPE(d_model=d, n_heads=1, max_length=max_length, scaling=scaling, factor=factor)


@pytest.mark.parametrize("factor", [2.0, 8.0])
def test_each_scaling_slows_the_pairs_that_it_says(factor: float) -> None:
    slowed = {
        scaling: frequencies(64) / rope(scaling, factor).frequencies  # (32,), 1: as before
        for scaling in ("interpolation", "NTK-aware", "YaRN")
    }
    assert torch.allclose(slowed["interpolation"], torch.full_like(slowed["YaRN"], factor))
    for name in ("NTK-aware", "YaRN"):
        ends = slowed[name][[0, -1]].tolist()
        assert ends == pytest.approx([1, factor]), "the fastest as it is, the slowest by the factor"
        assert (slowed[name].diff() > -1e-12).all()
    turns = 2048 / wavelengths(64)
    # One pair more or less: the ramp begins and ends at whole pairs.
    assert (slowed["YaRN"][turns > FAST] == 1).all()
    assert torch.allclose(slowed["YaRN"][turns < SLOW][1:], torch.tensor(factor).double())


def test_the_ramp_of_yarn_is_a_step_where_no_pair_is_between() -> None:
    for d, base, max_length in ((2, 10000.0, 2048), (8, 1e6, 6), (64, 2.0, 100000)):
        ramp = yarn_ramp(d, base=base, max_length=max_length)
        assert ramp.isfinite().all()
        assert ((ramp >= 0) & (ramp <= 1)).all()


@pytest.mark.parametrize("max_length", [1, 4, 6, 7, 40, 2048, 10**9])
@pytest.mark.parametrize(("d", "base"), [(2, 1e4), (16, 1e4), (64, 1e4), (64, 2.0), (64, 1e9)])
def test_yarn_keeps_the_pairs_above_fast_and_slows_those_below_slow(
    d: int, base: float, max_length: int
) -> None:
    kept = yarn_ramp(d, base=base, max_length=max_length)
    turns = max_length / wavelengths(d, base=base)
    assert (kept[turns > FAST] == 1).all()
    assert (kept[turns < SLOW] == 0).all()
    assert (kept.diff() <= 0).all()


def test_yarn_sharpens_the_scores_and_the_others_do_not() -> None:
    q = inputs(9)["turn"]
    for scaling in ("interpolation", "NTK-aware", "YaRN"):
        longer = made("RoPE", scaling=scaling, factor=4.0).turn(q).norm(dim=-1) / q.norm(dim=-1)
        by = 0.1 * math.log(4) + 1 if scaling == "YaRN" else 1.0
        assert torch.allclose(longer, torch.full_like(longer, by))


# Biases


def test_the_slopes_of_alibi_halve_from_head_to_head_of_eight() -> None:
    assert slopes(8).tolist() == [2.0**-n for n in range(1, 9)]
    assert slopes(4).tolist() == [2.0**-n for n in (2, 4, 6, 8)]
    between = [2.0 ** -(n + 0.5) for n in range(4)]
    assert slopes(12).tolist() == pytest.approx([2.0**-n for n in range(1, 9)] + between)
    assert slopes(1).tolist() == [2.0**-8]


def test_alibi_subtracts_a_multiple_of_the_distance_on_both_sides_alike() -> None:
    bias = ALiBi(n_heads=N_HEADS).scores(inputs()["scores"])
    assert is_toeplitz(bias)
    assert torch.equal(bias, bias.mT), "it cannot tell before from after"
    for h, slope in enumerate(slopes(N_HEADS)):
        assert bias[0, h, 0].tolist() == [-slope.item() * k for k in range(9)]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_a_bias_of_alibi_is_computed_wide_and_then_converted(dtype: torch.dtype) -> None:
    length = 600  # bfloat16 holds the distances to 256, and these slopes are no powers of two
    bias = ALiBi(n_heads=16).scores(torch.zeros(1, 16, length, 1, dtype=dtype))
    exact = -slopes(16)[:, None] * torch.arange(length)  # (heads, length), float64
    assert torch.equal(bias[0, :, 0], exact.to(dtype))
    assert is_toeplitz(bias)


@pytest.mark.parametrize("causal", [False, True])
def test_the_bias_of_t5_depends_on_the_offset_alone(causal: bool) -> None:
    bias = made("T5 bias", causal=causal).scores(inputs(40)["scores"])
    assert is_toeplitz(bias)
    assert torch.equal(bias, bias.mT) is False


def test_the_buckets_of_t5() -> None:
    k = torch.arange(-200, 201)
    both, before = bucket(k), bucket(k, causal=True)
    at = {offset: n for n, offset in enumerate(k.tolist())}
    assert [int(both[at[-n]]) for n in range(9)] == list(range(9)), "exact up to 8 back"
    assert [int(both[at[n]]) for n in range(1, 9)] == list(range(17, 25)), "and ahead"
    assert [int(before[at[-n]]) for n in range(17)] == list(range(17)), "causal: up to 16"
    assert set(before[at[0] :].tolist()) == {0}, "what comes after is not told apart"
    assert sorted(set(both.tolist())) == [n for n in range(32) if n != 16]
    assert sorted(set(before.tolist())) == list(range(32))
    assert int(both[at[-128]]) == int(both[at[-200]]) == 15
    assert int(both[at[-90]]) == 14


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16])
def test_a_bucket_does_not_depend_on_the_integers_type(dtype: torch.dtype) -> None:
    info = torch.iinfo(dtype)
    k = torch.arange(max(info.min, -300), min(info.max, 300) + 1)
    for causal in (True, False):
        found = bucket(k.to(dtype), buckets=512, max_distance=1000, causal=causal)
        assert torch.equal(found, bucket(k, buckets=512, max_distance=1000, causal=causal))


def test_the_farthest_offset_has_the_bucket_of_the_far() -> None:
    far = bucket(torch.tensor([-(2**63), -(2**62), 2**62, 2**63 - 1]))
    assert far.tolist() == [15, 15, 31, 31]


def test_a_bias_of_t5_is_that_of_its_bucket() -> None:
    t5 = T5Bias(d_model=D_MODEL, n_heads=N_HEADS, buckets=8, max_distance=10)
    bias = t5.scores(inputs()["scores"])[0]  # (heads, 9, 9)
    for p, r in ((4, 4), (4, 3), (4, 5), (0, 8), (8, 0)):
        row = int(bucket(torch.tensor(r - p), buckets=8, max_distance=10))
        assert torch.equal(bias[:, p, r], t5.bias[row].double())


# Shaw


def test_shaw_is_a_vector_of_the_clipped_offset_for_keys_and_values() -> None:
    shaw = Shaw(d_model=D_MODEL, n_heads=N_HEADS, clip=3)
    given = inputs()
    q, weights = given["scores"], given["values"]
    scores, values = shaw.scores(q), shaw.values(weights)
    for p in range(9):
        rows = [min(3, max(-3, r - p)) + 3 for r in range(9)]
        keys, added = shaw.keys_at.double()[rows], shaw.values_at.double()[rows]  # (9, d_head)
        assert torch.allclose(scores[:, :, p], q[:, :, p] @ keys.T / math.sqrt(D_HEAD))
        assert torch.allclose(values[:, :, p], weights[:, :, p] @ added)


# Bad input


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("sinusoid", {"d_model": 7}, "d_model must be a positive even integer, got 7"),
        ("sinusoid", {"base": 0}, "base must be a positive number, got 0"),
        ("sinusoid", {"factor": 0.5}, "factor must be at least 1, got 0.5"),
        ("index", {"d_model": 7}, "d_model must be a positive even integer, got 7"),
        ("untrained table", {"d_model": 7}, "d_model must be a positive even integer, got 7"),
        ("learned table", {"max_length": 0}, "max_length must be a positive integer, got 0"),
        ("Shaw", {"n_heads": 5}, "n_heads must divide d_model, 24; got 5"),
        ("Shaw", {"clip": 0}, "clip must be a positive integer, got 0"),
        ("ALiBi", {"n_heads": -1}, "n_heads must be a positive integer, got -1"),
        ("T5 bias", {"buckets": 5}, "buckets must be an even number of at least 4, got 5"),
        ("T5 bias", {"buckets": 1, "causal": True}, "a number of at least 2, got 1"),
        ("T5 bias", {"max_distance": 8}, "max_distance must be more than 8, got 8"),
        ("RoPE", {"n_heads": 8}, "d_model / n_heads must be even, got 24 / 8"),
        ("RoPE", {"scaling": "linear"}, "'NTK-aware', 'YaRN'; got 'linear' of type str"),
        ("RoPE", {"factor": 2}, "factor must be 1 without scaling, got 2"),
        ("RoPE", {"scaling": "YaRN", "base": 1}, "base must be more than 1 for YaRN, got 1"),
        ("RoPE", {"scaling": "YaRN", "max_length": 0}, "max_length must be a positive integer"),
        ("RoPE", {"scaling": "NTK-aware", "factor": 1e300}, "factor must give a base that float64"),
        ("learned table", {"seed": 2**64}, "seed must lie between"),
        ("untrained table", {"seed": -(2**63) - 1}, "seed must lie between"),
        ("rope", {}, "name must be one of 'none', 'index'.*got 'rope'"),
        ("RoPE", {"scaling": np.array(["YaRN", "x"])}, "scaling must be one of .* of type ndarray"),
        ("ALiBi", {"n_heads": -(10**5000)}, "n_heads must be .*, got an integer of 16610 bits"),
        ("ALiBi", {"n_heads": 2**70}, r"n_heads must be less than 2\*\*63, got"),
        ("learned table", {"max_length": 2**63}, r"max_length must be less than 2\*\*63, got"),
        ("Shaw", {"clip": 2**62}, r"clip must be less than 2\*\*62, got 4611686018427387904"),
        ("T5 bias", {"buckets": 2**70}, r"buckets must be less than 2\*\*63, got"),
        ("T5 bias", {"max_distance": 10**400}, r"max_distance must be less than 2\*\*63, got"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(name: str, how: dict[str, Any], words: str) -> None:
    sizes = {"d_model": D_MODEL, "n_heads": N_HEADS, "max_length": MAX_LENGTH}
    with pytest.raises(ValueError, match=words):
        make(name, **{**sizes, **how})


@all_names
def test_an_encoding_made_without_memory_has_its_numbers_when_it_gets_some(name: str) -> None:
    whole = made(name)
    with torch.device("meta"):
        encoding = made(name)
    encoding.to_empty(device="cpu").load_state_dict(whole.state_dict())
    for method in encoding.acts:
        given = inputs()[method]
        assert torch.equal(getattr(encoding, method)(given), getattr(whole, method)(given))


def test_numbers_of_other_libraries_become_pythons_own() -> None:
    rope = RoPE(d_model=np.int64(24), n_heads=torch.tensor(2))  # type: ignore[arg-type]
    assert (type(rope.n_heads), type(rope.d_head)) == (int, int)
    near = {"buckets": torch.tensor(8), "max_distance": np.int64(20), "causal": np.True_}
    k = torch.arange(-30, 5)
    expected = bucket(k, buckets=8, max_distance=20, causal=True)
    assert torch.equal(bucket(k, **near), expected)  # type: ignore[arg-type]


def test_yarn_asks_for_the_trained_length() -> None:
    with pytest.raises(ValueError, match="max_length must be given for YaRN"):
        RoPE(d_model=8, n_heads=1, scaling="YaRN", factor=2)


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("sinusoid", {"clip": 3}, "sinusoid takes base, d_model, factor; got clip"),
        ("none", {"base": 3}, "none takes nothing; got base"),
        ("T5 bias", {"causal": "no"}, "causal must be True or False, got 'no' of type str"),
        ("ALiBi", {"n_heads": "8"}, "n_heads must be an integer, got '8' of type str"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_named(name: str, how: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make(name, **{"d_model": D_MODEL, "n_heads": N_HEADS, "max_length": MAX_LENGTH, **how})


@all_names
def test_a_tensor_that_does_not_fit_is_refused(name: str) -> None:
    encoding = made(name)
    given = inputs()
    for method in encoding.acts:
        wrong = given[method][0] if method == "scores" else given[method][..., :-1]
        with pytest.raises(ValueError, match="must have"):
            getattr(encoding, method)(wrong)
        with pytest.raises(TypeError, match="dtype"):
            getattr(encoding, method)(given[method].long())
        with pytest.raises(TypeError, match="must be a tensor"):
            getattr(encoding, method)(given[method].tolist())
    if name in ("T5 bias", "ALiBi", "RoPE"):
        for method in encoding.acts:
            with pytest.raises(ValueError, match="n_heads = 3 heads"):
                getattr(encoding, method)(given[method][:, :2])


@pytest.mark.parametrize(
    ("offset", "how", "error", "message"),
    [
        (torch.tensor([0.5]), {}, TypeError, "offset must hold integers, got a tensor of shape"),
        ([1, 2], {}, TypeError, "offset must be a tensor"),
        (torch.tensor([3]), {"buckets": 1}, ValueError, "buckets must be an even number"),
        (torch.tensor([3]), {"max_distance": 8}, ValueError, "max_distance must be more than 8"),
        (
            torch.tensor([3]),
            {"max_distance": 2**80},
            ValueError,
            r"max_distance must be less than 2\*\*63",
        ),
        (
            torch.tensor([1], dtype=torch.uint64),
            {},
            TypeError,
            "offset must hold integers that int64 holds",
        ),
    ],
)
def test_a_bucket_of_what_has_none_is_an_error(
    offset: object, how: dict[str, int], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        bucket(offset, **how)  # type: ignore[arg-type]
