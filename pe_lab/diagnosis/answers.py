"""What Python has read in a cell, taken for an answer, and what is said where it is none.

The marking of the problem sets and the checks in their notebooks say the same of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import SupportsFloat

import numpy as np
from torch import Tensor

from pe_core.checks import describe, is_bool

COMMA = "Python writes a decimal point, not a comma"
SIGN, DECIMAL = r"[-+−]?", r"([0-9]+\.?[0-9]*|\.[0-9]+)"  # as a number is written in quotes
NO_ANSWER = "There is no answer yet."
NOT_A_NUMBER = "A number is asked for; that is {answer}."


def real(value: object) -> float | None:
    """A finite real number, from whatever holds just one."""
    try:
        # Of tensors and arrays the one entry; float() of an array with axes is an error.
        one = value.item() if hasattr(value, "item") else value
        if is_bool(one) or not isinstance(one, SupportsFloat):
            return None
        number = float(one)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def flat(value: object) -> Iterator[object]:
    """What stands in lists, in order, however deep."""
    if isinstance(value, Tensor | np.ndarray):
        with suppress(RuntimeError):  # of a tensor that is sparse, or nested
            value = value.reshape(-1).tolist()
    if isinstance(value, list | tuple):
        for each in value:
            yield from flat(each)
    else:
        yield value


def is_unanswered(value: object) -> bool:
    """Whether a part of an answer is still to be written."""
    return any(each is ... or each is None for each in flat(value))


def letters(value: object) -> str | None:
    """Letters in order, without what separates them: "b, a" and ["b", "a"] are "ba"."""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        value = "".join(value)
    if not isinstance(value, str):
        return None
    return "".join(sign for sign in value.lower() if sign.isalpha())


def with_digits(right: float, tolerance: float) -> int:
    """1 where what is right may have digits after the point, or a tolerance; else 0."""
    return 1 if right % 1 or tolerance else 0


def no_number(value: object, count: int = 1) -> str:
    """What is said of what is not just one number; ``count`` as in :func:`with_digits`."""
    if is_unanswered(value):
        return NO_ANSWER
    how = written(value, count) if count or isinstance(value, str) else ""
    return NOT_A_NUMBER.format(answer=describe(value)) + how


def written(value: object, count: int = 1) -> str:
    """A sentence, where numbers were written with a decimal comma, or in quotes.

    Args:
        count: how many numbers with digits after the point were asked for.
    """
    each = [value] if isinstance(value, str) or count == 1 else [*flat(value)]
    texts = [one for one in each if isinstance(one, str)]
    if count and any(re.fullmatch(rf"\s*{SIGN}[0-9]*,[0-9]+\s*", text) for text in texts):
        return f" {COMMA}."
    numbers = rf"\s*{SIGN}{DECIMAL}([eE]{SIGN}[0-9]+)?\s*"
    if quoted := [text for text in texts if re.fullmatch(numbers, text)]:
        sign = ", and write its minus sign as -" if "−" in "".join(quoted) else ""
        return f" A string is not a number: leave its quotes out{sign}."
    if not count or not isinstance(value, tuple if count == 1 else (list, tuple)):
        return ""
    halves = [one for each in value for one in (each if isinstance(each, tuple) else (each,))]
    whole = len(halves) == 2 * count and all(type(one) is int for one in halves)
    return f" {COMMA}." if whole else ""
