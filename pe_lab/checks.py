"""Checks of arguments that :mod:`pe_core` does not have."""

from __future__ import annotations

from pe_core.checks import check_countable, check_integer, describe, in_digits, is_bool


def check_count(value: object, name: str) -> int:
    """Return ``value``, a positive integer, as Python's own."""
    count = check_integer(value, name)
    if count < 1:
        raise ValueError(f"{name} must be a positive integer, got {in_digits(count)}")
    check_countable(count, name)
    return count


def check_seed(seed: object) -> int:
    """Return ``seed``, an integer that torch's generators take, as Python's own."""
    number = check_integer(seed, "seed")
    if not -(2**63) <= number < 2**64:
        raise ValueError(f"seed must lie between -2**63 and 2**64 - 1, got {in_digits(number)}")
    return number


def check_bool(value: object, name: str) -> bool:
    """Return ``value``, one truth value, as Python's own."""
    if not is_bool(value) or getattr(value, "shape", ()) != ():
        raise TypeError(f"{name} must be True or False, got {describe(value)}")
    return bool(value)
