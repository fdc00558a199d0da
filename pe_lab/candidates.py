"""Encodings that fail, and functions that measure the properties an encoding should have.

A candidate takes (length, d_model), a number of rows and a positive even width, and returns a
table (length, d_model) in float64 and on the CPU, wherever torch is told to put things, one row
per position; of length 0, an empty one. An argument that is not a number of its kind is a
TypeError, one that has no table a ValueError.

A measure takes a table ``pe`` (L, d) or, where the length matters, an encoding: a function from a
length to a table. It returns a number; whether the number is good enough is for the reader to
say, and the chapter that uses it does. A table that is not a tensor of floating-point numbers is
a TypeError; one with too few rows, or with an entry that is not finite, a ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from pe_core.checks import (
    check_d_model,
    check_integer,
    check_length,
    check_real,
    check_tensor,
    describe,
)
from pe_lab.checks import check_seed

Encoding = Callable[[int], Tensor]


# Candidates


def raw_index(length: int, d_model: int) -> Tensor:
    """Return the position itself, in every column: entry (p, c) is p."""
    length, d_model = check_length(length, "length"), check_d_model(d_model)
    position = torch.arange(length, dtype=torch.float64, device="cpu").unsqueeze(1)  # (L, 1)
    return position.repeat(1, d_model)  # (L, d)


def scaled_index(length: int, d_model: int) -> Tensor:
    """Return the position divided by the last one: 0 for the first row, 1 for the last.

    A table of one row holds zeros.
    """
    return raw_index(length, d_model) / max(length - 1, 1)  # (L, d)


def binary_digits(length: int, d_model: int) -> Tensor:
    """Return the binary digits of the position, the lowest first: column c is digit 2^c.

    With d columns the rows repeat after 2^d positions.
    """
    length, d_model = check_length(length, "length"), check_d_model(d_model)
    position = torch.arange(length, device="cpu").unsqueeze(1)  # (L, 1)
    digit = torch.arange(d_model, device="cpu").clamp(max=62)  # (d,); an int64 has no higher ones
    return (position >> digit & 1).double()  # (L, d)


def one_sine(length: int, d_model: int, *, frequency: float = 1.0) -> Tensor:
    """Return one sine of the position, sin(frequency * p), in every column.

    The frequency is in radians per position.
    """
    return torch.sin(check_real(frequency, "frequency") * raw_index(length, d_model))  # (L, d)


def random_table(length: int, d_model: int, *, trained_length: int = 512, seed: int = 0) -> Tensor:
    """Return the first rows of a table of random numbers: a learned table before training.

    The numbers are drawn uniformly from [-1, 1). The table has ``trained_length`` rows; a larger
    length is a ValueError.
    """
    length, d_model = check_length(length, "length"), check_d_model(d_model)
    trained_length = check_length(trained_length, "trained_length")
    if length > trained_length:
        raise ValueError(f"length must be at most trained_length, {trained_length}; got {length}")
    generator = torch.Generator().manual_seed(check_seed(seed))
    size = (trained_length, d_model)
    table = torch.rand(size, generator=generator, dtype=torch.float64, device="cpu") * 2 - 1
    return table[:length]  # (L, d)


# Measures


def check_table(pe: object, name: str = "pe", *, rows: int = 1) -> Tensor:
    """Return ``pe``, a table of finite floating-point numbers with at least so many rows."""
    pe = check_tensor(pe, name, "L", "d")
    if not pe.is_floating_point():
        raise TypeError(f"{name} must hold floating-point numbers, got {describe(pe)}")
    if len(pe) < rows or pe.shape[1] < 1:
        least = f"{rows} row{'s' if rows > 1 else ''}"
        raise ValueError(
            f"{name} must have at least {least} and 1 column, got the shape {tuple(pe.shape)}"
        )
    unfit = ~pe.isfinite()
    if unfit.any():
        p, c = unfit.nonzero()[0].tolist()
        raise ValueError(f"{name} must be finite, got {float(pe[p, c])} in row {p}, column {c}")
    return pe if pe.dtype.itemsize > 2 else pe.float()  # torch measures nothing in 16 bits


def largest_entry(pe: Tensor) -> float:
    """Return the largest absolute value in the table. Bounded: it does not grow with L."""
    return float(check_table(pe).abs().max())


def length_dependence(encode: Encoding, short: int, long: int) -> float:
    """Return how much the rows of a short table change when the table is made longer.

    Args:
        encode: takes a length L and returns a table of shape (L, d).
        short: length of the short table, at least 1.
        long: length of the long one, at least ``short``.

    Returns:
        The largest absolute difference between the short table and the first rows of the long
        one. Same for every length: it is 0.
    """
    short, long = check_integer(short, "short"), check_integer(long, "long")
    if short < 1:
        raise ValueError(f"short must be a positive integer, got {short}")
    if long < short:
        raise ValueError(f"long must be at least short, {short}; got {long}")
    longer = check_table(encode(long), f"encode({long})", rows=long)
    shorter = check_table(encode(short), f"encode({short})", rows=short)
    if longer.shape[1] != shorter.shape[1]:
        raise ValueError(
            f"encode({long}) must be as wide as encode({short}), {shorter.shape[1]}; "
            f"got {longer.shape[1]}"
        )
    return float((longer[:short] - shorter[:short]).abs().max())


def rows_defined(encode: Encoding, asked: int) -> int:
    """Return how long a table the encoding gives, at most ``asked`` rows.

    Args:
        encode: takes a length L and returns a table of shape (L, d); raises ValueError for a
            length that it has no rows for.
        asked: largest length to try.

    Returns:
        The largest length that does not raise. Defined beyond the training length: it is
        ``asked`` for any ``asked``.
    """
    asked = check_length(asked, "asked")

    def gives(length: int) -> bool:
        try:
            return len(encode(length)) == length
        except ValueError:
            return False

    defined, refused = 0, asked + 1
    while refused - defined > 1:
        middle = (defined + refused) // 2
        defined, refused = (middle, refused) if gives(middle) else (defined, middle)
    return defined


def distances(pe: Tensor) -> Tensor:
    """Return the Euclidean distances of all rows of the table from all rows: (L, L)."""
    pe = check_table(pe)
    # By differences: the faster way, by dot products, loses the small distances to rounding.
    return torch.cdist(pe, pe, compute_mode="donot_use_mm_for_euclid_dist")


def nearest_rows(pe: Tensor) -> float:
    """Return the distance of the two most similar rows of the table, per column.

    Per column means the root of the mean of the squared differences, so that tables of different
    widths can be compared. Distinct: it is well above the rounding of the sum it goes into.
    """
    apart = distances(check_table(pe, rows=2))  # (L, L)
    apart.fill_diagonal_(torch.inf)
    return float(apart.min()) / math.sqrt(pe.shape[1])


def told_apart(pe: Tensor, *, word: float = 1.0) -> int:
    """Return how many rows of the table still differ when added to a word in bfloat16.

    Args:
        pe: table of shape (L, d).
        word: every entry of the word's vector; by default of the size that entries often have.

    Returns:
        The number of different rows of ``word + pe``, rounded to bfloat16. Distinct: it is L.
    """
    rounded = (check_real(word, "word") + check_table(pe)).to(torch.bfloat16)  # (L, d)
    return len(set(map(tuple, rounded.tolist())))


def nearer_than_neighbour(pe: Tensor) -> float:
    """Return the share of rows that are nearer to a row than its neighbour is.

    Counted are the rows apart from the row itself and its neighbours; the share is the mean over
    all rows of the table and the one or two neighbours of each. Close: it is 0. In a table whose
    rows know nothing of each other it is about one half. Of fewer than four rows, one may have
    none but neighbours.
    """
    length = len(check_table(pe, rows=4))
    apart = distances(pe)  # (L, L)
    position = torch.arange(length, device=pe.device)
    others = (position.unsqueeze(0) - position.unsqueeze(1)).abs() > 1  # (L, L)
    shares = []
    for rows, counted in ((apart[:-1], others[:-1]), (apart[1:], others[1:])):
        step = apart.diagonal(1).unsqueeze(1)  # (L - 1, 1): from row p to p + 1, and back
        nearer = (rows < step * (1 - 1e-9)) & counted  # (L - 1, L); not by rounding
        shares.append(nearer.sum(dim=1) / counted.sum(dim=1))
    return float(torch.cat(shares).double().mean())


def shift_residual(pe: Tensor, k: int, *, constant: bool = False) -> float:
    """Return how badly the best linear map from row p to row p + k does on rows it has not seen.

    The map is fitted by least squares to every second row p and tried on the others. With fewer
    fitted rows than columns any table can be fitted, so the rows must be many.

    Args:
        pe: table of shape (L, d).
        k: offset in positions, at least 1.
        constant: also allow a constant vector to be added.

    Returns:
        The root mean square error on the rows held out, divided by the root mean square of
        these rows: 0 where the shift is one linear map, about 1 where the map knows nothing.

    Raises:
        ValueError: ``k`` is not positive; there are fewer than two fitted rows per column; or the
            rows held out are zero, and no error is large or small beside them.
    """
    pe, k = check_table(pe), check_integer(k, "k")
    if k < 1:
        raise ValueError(f"k must be a positive integer, got {k}")
    before, after = pe[:-k], pe[k:]  # (L - k, d) each
    if constant:
        before = torch.cat([before, torch.ones_like(before[:, :1])], dim=1)  # (L - k, d + 1)
    if len(before[0::2]) < 2 * before.shape[1]:
        raise ValueError(
            f"pe must have more rows: fitting {before.shape[1]} columns at k = {k} needs "
            f"{4 * before.shape[1] + k - 1}, got {len(pe)}"
        )
    # gelsd, since the columns of a poor encoding may all be the same.
    fit = torch.linalg.lstsq(before[0::2], after[0::2], driver="gelsd").solution  # (d, d)
    held_out = after[1::2]
    if not held_out.any():
        raise ValueError("pe must not be zero in all the rows held out")
    error = before[1::2] @ fit - held_out
    return float(error.square().mean().sqrt() / held_out.square().mean().sqrt())


def offset_spread(scores: Tensor) -> float:
    """Return how much the scores of one offset differ, as a share of all differences.

    Args:
        scores: scores of every row with every row, of shape (L, L), not all equal.

    Returns:
        The largest range on one diagonal, divided by the range of all scores: 0 where the score
        depends on the offset alone, 1 where an offset says nothing.

    Raises:
        ValueError: ``scores`` is not square, or its entries are all equal.
    """
    check_table(scores, "scores")
    length = len(scores)
    if scores.shape[1] != length:
        raise ValueError(f"scores must have the shape (L, L), got {tuple(scores.shape)}")
    whole = float(scores.max() - scores.min())
    if whole == 0:
        raise ValueError(f"scores must not all be equal, got {float(scores[0, 0])} everywhere")
    ranges = [
        float(diagonal.max() - diagonal.min())
        for diagonal in (scores.diagonal(k) for k in range(1 - length, length))
    ]
    return max(ranges) / whole
