"""pe_lab.shifts: the matrices of the theorem are found where they are, and nowhere else."""

from __future__ import annotations

import re

import pytest
import torch
from torch import Tensor

from pe_core import frequencies, offset_matrix, sinusoidal_table
from pe_lab.encodings import make
from pe_lab.model import Layer, Transformer
from pe_lab.shifts import pair_turns, query_key, shift_cosine, shift_share

D = 16


def normal(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def model(n_heads: int = 2) -> Transformer:
    sinusoid = make("sinusoid", d_model=D, n_heads=n_heads, max_length=8)
    return Transformer(5, encoding=sinusoid, d_model=D, n_heads=n_heads).double()


def first(built: Transformer) -> Layer:
    layer = built.layers[0]
    assert isinstance(layer, Layer)
    return layer


@pytest.mark.parametrize("k", [-3, 1, 5])
def test_a_head_made_by_hand_is_found_at_its_offset(k: int) -> None:
    built = model(n_heads=1)
    with torch.no_grad():
        first(built).attention.W_Q.copy_(4 * offset_matrix(k, D))
        first(built).attention.W_K.copy_(torch.eye(D))
    A = query_key(built, norm=False)
    assert A.shape == (1, D, D)
    cosines = {each: float(shift_cosine(A, each)) for each in range(-8, 9)}
    assert cosines[k] == pytest.approx(1)
    assert max(value for each, value in cosines.items() if each != k) < 0.97
    # And this head does look there: the row before is the query's, moved by k.
    pe = sinusoidal_table(40, D, dtype=torch.float64)
    looks = (pe @ A[0] @ pe.T).argmax(dim=1)[10:30]
    assert looks.tolist() == [p + k for p in range(10, 30)]


def test_with_the_norm_it_is_what_attention_does_to_the_input() -> None:
    built = model()
    layer = first(built)
    with torch.no_grad():
        layer.norm_1.weight.copy_(1 + 0.3 * normal(D))
        layer.norm_1.bias.copy_(normal(D, seed=1))
    # Rows of mean 3 and variance 1, so that the norm divides by the same.
    x = normal(4, D, seed=2)
    x = 3 + (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True, correction=0)
    n = layer.norm_1(x)
    for h, A in enumerate(query_key(built)):
        whole = n @ layer.attention.W_Q[h].T @ layer.attention.W_K[h] @ n.T  # (4, 4)
        # What depends on one of the two rows alone goes away with the means.
        parts = [whole, x @ A @ x.T]
        parts = [s - s.mean(0) - s.mean(1, keepdim=True) + s.mean() for s in parts]
        torch.testing.assert_close(*parts, rtol=1e-4, atol=1e-4)  # the norm adds 1e-5 to a variance
        assert parts[0].abs().max() > 0.1


def test_turns_of_pairs() -> None:
    stretch = torch.arange(1.0, D / 2 + 1, dtype=torch.float64)
    for k in (-3, 0.5, 7):
        A = offset_matrix(k, D).T * stretch.repeat_interleave(2)
        turns = stretch * torch.exp(1j * k * frequencies(D))
        torch.testing.assert_close(pair_turns(A), turns)
        assert float(shift_share(A)) == pytest.approx(1)
        assert float(shift_cosine(A, k, pairs=1)) == pytest.approx(1)
        assert float(shift_cosine(A, k)) < 0.95


def test_the_share_of_shifts_is_that_of_the_best_mixture() -> None:
    A = normal(3, D, D)
    far = [1.7**n for n in range(24)]  # so far that the slowest pair turns, too
    basis = torch.stack([offset_matrix(k, D).T.flatten() for k in far], dim=1)  # (D², 24)
    for each, share in zip(A, shift_share(A), strict=True):
        fitted = basis @ torch.linalg.lstsq(basis, each.flatten(), driver="gelsd").solution
        left = (each.flatten() - fitted).square().sum() / each.square().sum()
        torch.testing.assert_close(share, 1 - left, rtol=1e-6, atol=1e-9)


def test_a_random_matrix_is_no_shift() -> None:
    A = normal(200, 64, 64)
    assert float(shift_share(A).mean()) == pytest.approx(1 / 64, rel=0.1)
    assert float(shift_cosine(A, -3).abs().max()) < 0.07


def test_pairs_are_counted_from_the_fastest() -> None:
    A = torch.zeros(D, D, dtype=torch.float64)
    A[:6, :6] = offset_matrix(-3, D).T[:6, :6]
    A[6:, :] = normal(D - 6, D)
    assert float(shift_cosine(A, -3, pairs=3)) == pytest.approx(1)
    assert float(shift_share(A, pairs=3)) == pytest.approx(1)
    assert float(shift_cosine(A, -3, pairs=4)) < 0.9


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=re.escape("pairs must lie between 1 and d/2, 8; got 9")):
        shift_cosine(torch.eye(D), 1, pairs=9)
    with pytest.raises(ValueError, match=re.escape("(..., d, d) with d even, got (16, 15)")):
        shift_share(torch.eye(D)[:, 1:])
    with pytest.raises(TypeError, match=r"A must be a tensor of shape \(\.\.\., d, d\), got 3"):
        pair_turns(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="layer must lie between 0 and 0, got 1"):
        query_key(model(), layer=1)
    with pytest.raises(TypeError, match=r"model must be a pe_lab\.model\.Transformer, got 'x' of"):
        query_key("x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"dtype of A must be .*, got torch\.int64"):
        pair_turns(torch.eye(D, dtype=torch.int64))


def test_a_matrix_stays_on_its_device_whatever_the_default_is() -> None:
    A, built = normal(3, D, D), model()
    expected = shift_cosine(A, -3), query_key(built)
    with torch.device("meta"):
        assert torch.equal(shift_cosine(A, -3), expected[0])
        assert torch.equal(query_key(built), expected[1])
    assert shift_cosine(A.to("meta"), -3).device.type == "meta"
    assert query_key(built.to("meta")).device.type == "meta"


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_matrix_in_16_bits_is_measured_in_32(dtype: torch.dtype) -> None:
    A = normal(3, D, D).to(dtype)
    for measure in (pair_turns, shift_share):
        assert torch.equal(measure(A), measure(A.float()))


def test_no_matrix_has_no_direction() -> None:
    A = normal(2, D, D)
    A[1, :6, :6] = 0
    for measured in (shift_cosine(A, 1, pairs=3), shift_share(A, pairs=3)):
        assert measured.isnan().tolist() == [False, True]
