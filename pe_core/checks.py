"""Checks of arguments, shared by the whole package.

Each returns its argument in the type the caller computes with, or raises an error that names
the argument, what it was, and what is allowed: ``TypeError`` for the wrong kind of thing,
``ValueError`` for the right kind with a value that has no encoding.
"""

import math
import numbers
import operator

import torch
from torch import Tensor

FLOAT_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
WIDE_DTYPES = (torch.float32, torch.float64)

# float64 holds every integer up to this one; beyond it, neighbouring positions merge.
LARGEST_EXACT_INTEGER = 2**53


def check_integer(value: object, name: str) -> int:
    """Return ``value`` as an int; accept whatever Python accepts as an index, except a bool."""
    # Inside torch.compile and torch.export a length is symbolic, and has to stay so.
    if type(value) is int or isinstance(value, torch.SymInt):
        return value  # type: ignore[return-value]
    try:
        if is_bool(value):
            raise TypeError
        # operator.index refuses what is no index itself, by the TypeError that is caught below.
        return operator.index(value)  # type: ignore[arg-type]
    except (TypeError, RuntimeError):  # a tensor without a value here: on meta, or inside vmap
        raise TypeError(f"{name} must be an integer, got {describe(value)}") from None


def check_d_model(d_model: object) -> int:
    """Return ``d_model``, a positive even integer: its columns come in pairs."""
    d_model = check_integer(d_model, "d_model")
    if d_model <= 0 or d_model % 2:
        raise ValueError(f"d_model must be a positive even integer, got {in_digits(d_model)}")
    check_countable(d_model, "d_model")
    return d_model


def check_length(length: object, name: str = "max_sequence_length") -> int:
    """Return ``length``, a non-negative integer; zero stands for an empty table."""
    length = check_integer(length, name)
    if length < 0:
        raise ValueError(f"{name} must be zero or a positive integer, got {in_digits(length)}")
    check_countable(length, name)
    return length


def check_countable(count: int, name: str) -> None:
    """Refuse a count that torch does not reach: it says so in another language."""
    if type(count) is int and count >= 2**63:  # one that is symbolic is torch's own
        raise ValueError(f"{name} must be less than 2**63, got {in_digits(count)}")


def check_exact(count: int, dtype: torch.dtype, name: str) -> None:
    """Refuse a count whose integers 0 … count - 1 are not all exact in ``dtype``."""
    largest = round(2 / torch.finfo(dtype).eps)
    if count > largest + 1:
        raise ValueError(
            f"{name} must be at most {largest + 1} in {dtype}, "
            f"which merges neighbouring integers above {largest}; got {count}"
        )


def check_real(value: object, name: str) -> float:
    """Return ``value`` as a finite float.

    Accept the real numbers of Python and NumPy and what is an index, except a bool; a Decimal or a
    tensor of floats is neither.
    """
    try:
        # Inside torch.compile a number is symbolic, and can be asked for its type alone.
        if type(value) is not int and type(value) is not float:
            if is_bool(value):
                raise TypeError
            if not isinstance(value, numbers.Real):
                # Here too a TypeError is what is wanted of a value that is no index.
                value = operator.index(value)  # type: ignore[arg-type]
        real = float(value)
    except (TypeError, RuntimeError):  # as above
        raise TypeError(f"{name} must be a real number, got {describe(value)}") from None
    except OverflowError:
        raise ValueError(
            f"{name} must be a number that float64 holds, got {describe(value)}"
        ) from None
    if not abs(real) < math.inf:  # nan is not, either
        raise ValueError(f"{name} must be a finite number, got {describe(value)}")
    return real


def check_base(base: object, dtype: torch.dtype = torch.float64) -> float:
    """Return ``base``, a positive finite number whose powers ``dtype`` can divide by."""
    base = check_real(base, "base")
    if base <= 0:
        raise ValueError(f"base must be a positive number, got {base}")
    # Denominators lie between 1 and base. Outside these limits one of them, or the largest
    # position divided by it, overflows, and the encoding would be nan.
    finfo = torch.finfo(dtype)
    smallest, largest = 2 / finfo.eps / finfo.max, finfo.max
    if not smallest <= base <= largest:
        raise ValueError(
            f"base must lie between {smallest:.4g} and {largest:.4g} in {dtype}, got {base}"
        )
    return base


def check_offset(k: object) -> float:
    """Return the offset ``k`` in positions, a real number of either sign."""
    offset = check_real(k, "k") + 0.0  # no "-0."
    # The limit itself is refused too, because 2**53 + 1 has by now been rounded to it.
    if abs(offset) >= LARGEST_EXACT_INTEGER:
        raise ValueError(f"k must lie between -2**53 and 2**53, got {describe(k)}")
    return offset


def check_probability(value: object, name: str) -> float:
    """Return ``value`` as a float between 0 and 1, both included."""
    probability = check_real(value, name)
    if not 0 <= probability <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {probability}")
    return probability


def check_dtype(
    dtype: object, allowed: tuple[torch.dtype, ...] = FLOAT_DTYPES, name: str = "dtype"
) -> torch.dtype:
    """Return ``dtype``, one of the ``allowed`` floating-point types."""
    if not isinstance(dtype, torch.dtype) or dtype not in allowed:
        names = " or ".join(str(each) for each in allowed)
        raise TypeError(f"{name} must be {names}, got {describe(dtype)}")
    return dtype


def check_tensor(value: object, name: str, *axes: str) -> Tensor:
    """Return ``value``, a tensor with one axis for each name; a first "..." stands for any."""
    shape = f"({', '.join(axes)})"
    if not isinstance(value, Tensor) or value.is_nested:
        raise TypeError(f"{name} must be a tensor of shape {shape}, got {describe(value)}")
    rank_fits = value.ndim >= len(axes) - 1 if axes[0] == "..." else value.ndim == len(axes)
    if not rank_fits:
        raise ValueError(f"{name} must have the shape {shape}, got {tuple(value.shape)}")
    return value


def is_bool(value: object) -> bool:
    """Tell a truth value, Python's or NumPy's or a tensor's, from a number."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) in ("bool", "torch.bool")


def describe(value: object) -> str:
    """Return what an error message says of a value: short, and with its type."""
    if isinstance(value, Tensor):
        shape = "nested" if value.is_nested else f"of shape {tuple(value.shape)}"
        return f"a tensor {shape} and {value.dtype}"
    if isinstance(value, torch.dtype):
        return str(value)
    try:
        text = in_digits(value) if type(value) is int else repr(value)
    except Exception:  # of whoever wrote its class
        text = "something"
    return f"{text if len(text) <= 40 else text[:37] + '...'} of type {type(value).__name__}"


def in_digits(count: int) -> str:
    """Return an integer as text, or its size: so many digits nobody reads."""
    few = type(count) is not int or count.bit_length() <= 128
    return f"{count}" if few else f"an integer of {count.bit_length()} bits"
