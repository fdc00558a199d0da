"""The settings of an explorer: traits with limits, which the front end gets from here."""

from __future__ import annotations

import math
from typing import Any

import traitlets

from pe_core.checks import check_base, check_d_model, check_integer

SMALLEST_BASE, LARGEST_BASE = 10, 1_000_000


class Whole(traitlets.Int[int, int]):
    """An integer trait between two limits, both allowed.

    Where ``below`` names another trait, the value must also lie below that one's value divided by
    ``per``: ``below="length"`` for a row, ``below="d_model", per=2`` for a pair.
    """

    step = 1

    def __init__(
        self, default: int, low: int, high: int, *, below: str | None = None, per: int = 1
    ) -> None:
        super().__init__(default)
        self.low, self.high, self.below, self.per = low, high, below, per
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
        size: int = getattr(obj, self.below)
        return min(self.high, math.ceil(size / self.per) - 1)

    def limits(self) -> dict[str, Any]:
        """Return the limits as the front end reads them."""
        limits = {"low": self.low, "high": self.high, "step": self.step}
        limits["start"] = self.default_value
        return limits if self.below is None else {**limits, "below": self.below, "per": self.per}


class Even(Whole):
    """An even integer trait between two limits: a width d_model."""

    step = 2

    def check(self, value: object) -> int:
        """Return ``value`` as an even int, or raise TypeError or ValueError."""
        return check_d_model(value)


class Base(traitlets.Float[float, float]):
    """The base of the frequencies, 10 to 1,000,000."""

    def __init__(self) -> None:
        super().__init__(10000.0)
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


class Choice(traitlets.Enum):  # type: ignore[type-arg]
    """One of a few values: texts, or False and True."""

    def __init__(self, *values: str | bool) -> None:
        """The first value is the default."""
        super().__init__(values, values[0])
        self.tag(sync=True)

    def limits(self) -> dict[str, Any]:
        """Return the values as the front end reads them."""
        return {"values": list(self.values or ()), "start": self.default_value}


def check_limits(name: str, value: float, low: float, high: float) -> None:
    """Raise ValueError unless ``value`` lies between ``low`` and ``high``."""
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low} and {high}, got {value}")
