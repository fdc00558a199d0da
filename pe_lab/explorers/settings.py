"""The settings of an explorer: traits with limits, which the front end gets from here."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable
from typing import Any

import traitlets

from pe_core.checks import check_base, check_d_model, check_integer, describe, in_digits

BASE = 10000.0  # the paper's
SMALLEST_BASE, LARGEST_BASE = 10, 1_000_000


class Whole(traitlets.Int[int, int]):
    """An integer trait between two limits, both allowed.

    Where ``below`` names another trait, the value must also lie below that one's value divided by
    ``per``: ``below="length"`` for a row, ``below="d_model", per=2`` for a pair. One that counts
    may be as large as that: ``counts=True`` for how many pairs there are. Where it is, it stays so
    when the other trait changes: all pairs remain all pairs.
    """

    step = 1

    def __init__(
        self,
        default: int,
        low: int,
        high: int,
        *,
        below: str | None = None,
        per: int = 1,
        counts: bool = False,
    ) -> None:
        super().__init__(default)
        self.low, self.high = low, high
        self.below, self.per, self.counts = below, per, counts
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> int:
        """Return ``value`` as an int, or say which trait it was, what it was, what is allowed."""
        try:
            number = self.check(value)
            check_limits(str(self.name), number, self.low, self.high)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"{type(obj).__name__}: {error}") from None
        return number

    def check(self, value: object) -> int:
        """Return ``value`` as an int, or raise TypeError."""
        return check_integer(value, str(self.name))

    def highest(self, obj: Any) -> int:
        """Return the largest value that is allowed beside the other settings of ``obj``."""
        if self.below is None:
            return self.high
        return self.highest_beside(getattr(obj, self.below))

    def highest_beside(self, other: Any) -> int:
        """Return the largest value that is allowed where the setting ``below`` is ``other``."""
        size = len(other.split(" ")) if isinstance(other, str) else other
        return min(self.high, math.ceil(size / self.per) - (not self.counts))

    def limits(self) -> dict[str, Any]:
        """Return the limits as the front end reads them."""
        limits = {"low": self.low, "high": self.high, "step": self.step}
        limits["start"] = self.default_value
        if self.below is None:
            return limits
        return {**limits, "below": self.below, "per": self.per, "counts": self.counts}


class Even(Whole):
    """An even integer trait between two limits: a width d_model."""

    step = 2

    def check(self, value: object) -> int:
        """Return ``value`` as an even int, or raise TypeError or ValueError."""
        return check_d_model(value)


class Base(traitlets.Float[float, float]):
    """The base of the frequencies, 10 to 1,000,000."""

    def __init__(self) -> None:
        super().__init__(BASE)
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> float:
        """Return ``value`` as a float, or say what it was and what is allowed."""
        try:
            base = check_base(value)
            check_limits("base", base, SMALLEST_BASE, LARGEST_BASE)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"{type(obj).__name__}: {error}") from None
        return base

    def limits(self) -> dict[str, Any]:
        """Return the limits as the front end reads them; step 0 means any number between."""
        start = self.default_value
        return {"low": SMALLEST_BASE, "high": LARGEST_BASE, "step": 0, "start": start}


class Sentence(traitlets.TraitType[str, str]):
    """A few words of a vocabulary, with single spaces between them."""

    def __init__(self, default: str, vocabulary: Iterable[str], fewest: int, most: int) -> None:
        super().__init__(default)
        self.vocabulary, self.fewest, self.most = list(vocabulary), fewest, most
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> str:
        """Return ``value``, or say which word or how many words are not allowed."""
        where = f"{type(obj).__name__}: {self.name}"
        if not isinstance(value, str):
            raise traitlets.TraitError(f"{where} must be a text, got {describe(value)}")
        words = value.split(" ")
        if unknown := [word for word in words if word not in self.vocabulary]:
            known = ", ".join(self.vocabulary)
            word = reprlib.repr(unknown[0])  # short, however long it is
            raise traitlets.TraitError(f"{where} has {word}; its words are {known}")
        if not self.fewest <= len(words) <= self.most:
            raise traitlets.TraitError(
                f"{where} must have {self.fewest} to {self.most} words, got {len(words)}"
            )
        return value

    def limits(self) -> dict[str, Any]:
        """Return the vocabulary and the limits as the front end reads them."""
        return {
            "vocabulary": self.vocabulary,
            "fewest": self.fewest,
            "most": self.most,
            "start": self.default_value,
        }


class Letters(traitlets.TraitType[str, str]):
    """A text of letters of an alphabet, none of them to so many."""

    def __init__(self, alphabet: str, most: int) -> None:
        super().__init__("")
        self.alphabet, self.most = alphabet, most
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> str:
        """Return ``value``, or say which letter or how many letters are not allowed."""
        where = f"{type(obj).__name__}: {self.name}"
        if not isinstance(value, str):
            raise traitlets.TraitError(f"{where} must be a text, got {describe(value)}")
        if unknown := [letter for letter in value if letter not in self.alphabet]:
            first, last = self.alphabet[0], self.alphabet[-1]
            raise traitlets.TraitError(
                f"{where} has {unknown[0]!r}; its letters are {first} to {last}"
            )
        if len(value) > self.most:
            raise traitlets.TraitError(
                f"{where} must have at most {self.most} letters, got {len(value)}"
            )
        return value

    def limits(self) -> dict[str, Any]:
        """Return the alphabet and the limit as the front end reads them."""
        return {"alphabet": self.alphabet, "most": self.most, "start": self.default_value}


class Choice(traitlets.Enum[Any]):
    """One of a few values: texts, or False and True."""

    def __init__(self, *values: str | bool) -> None:
        """The first value is the default."""
        super().__init__(values, values[0])
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> str | bool:
        """Return the choice, or say what is allowed: 1 is not True, in the front end neither."""
        choices: tuple[str | bool, ...] = tuple(self.values or ())
        for each in choices:
            if isinstance(value, type(each)) and value == each:
                return each
        allowed = " or ".join(map(repr, choices))
        raise traitlets.TraitError(
            f"{type(obj).__name__}: {self.name} must be {allowed}, got {describe(value)}"
        )

    def limits(self) -> dict[str, Any]:
        """Return the values as the front end reads them."""
        return {"values": list(self.values or ()), "start": self.default_value}


def check_limits(name: str, value: float, low: float, high: float) -> None:
    """Raise ValueError unless ``value`` lies between ``low`` and ``high``."""
    if not low <= value <= high:
        shown = in_digits(value) if isinstance(value, int) else value
        raise ValueError(f"{name} must lie between {low} and {high}, got {shown}")
