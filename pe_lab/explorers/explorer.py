"""What every explorer shares: validated traits, the text of its module, its still picture.

An explorer is an anywidget. Its Python half holds the settings and the encoding; its front end,
one ES module, draws. The same module runs in a notebook and, without a kernel, on a built page.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from matplotlib.figure import Figure
from torch import Tensor

from pe_core.checks import check_base, check_d_model, check_integer
from pe_lab import figures

HERE = Path(__file__).parent
SHARED_IMPORT = re.compile(r'^import \{[^}]*\} from "\./shared\.js";\n', re.MULTILINE)

SMALLEST_BASE, LARGEST_BASE = 10.0, 1_000_000.0


def module(name: str) -> str:
    """Return the one ES module that an anywidget wants: shared.js, then the explorer's own file.

    In the repository each file imports from ``./shared.js``, so that editors and linters follow
    it; a widget's module has no folder to import from, hence that line is left out here.
    """
    shared = (HERE / "shared.js").read_text(encoding="utf-8")
    own, imports = SHARED_IMPORT.subn("", (HERE / name).read_text(encoding="utf-8"))
    if imports != 1:
        raise ValueError(f"{name} must import from ./shared.js once, found {imports}")
    return f"{shared}\n{own}"


class Whole(traitlets.Int[int, int]):
    """An integer trait between two limits, both allowed."""

    def __init__(self, default: int, low: int, high: int) -> None:
        super().__init__(default)
        self.low, self.high = low, high
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> int:
        """Return ``value`` as an int, or say which trait it was, what it was, what is allowed."""
        try:
            number = self.check(value)
            if not self.low <= number <= self.high:
                raise ValueError(
                    f"{self.name} must lie between {self.low} and {self.high}, got {number}"
                )
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"{type(obj).__name__}: {error}") from None
        return number

    def check(self, value: object) -> int:
        """Return ``value`` as an int, or raise TypeError."""
        return check_integer(value, str(self.name))


class Even(Whole):
    """An even integer trait between two limits: a width d_model."""

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
            if not SMALLEST_BASE <= base <= LARGEST_BASE:
                raise ValueError(f"base must lie between 10 and 1000000, got {base}")
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"{type(obj).__name__}: {error}") from None
        return base


class Explorer(anywidget.AnyWidget):
    """A live figure of the encoding.

    Every explorer has traits, which are its settings; ``encoding``, the tensor behind the figure;
    and ``still()``, a matplotlib picture of it for paper and for pages without scripts.

    A setting outside its limits raises ``traitlets.TraitError`` and changes nothing. When
    ``length`` or ``d_model`` shrinks, a chosen ``row``, ``column`` or ``position`` that no longer
    exists moves to the last one that does, here and in the front end alike.
    """

    _css = (HERE / "shared.css").read_text(encoding="utf-8")
    settings: tuple[str, ...] = ()

    @property
    def encoding(self) -> Tensor:
        """The encoding at the present settings, one row per position, in float64."""
        raise NotImplementedError

    def still(self) -> Figure:
        """Return a matplotlib picture of what the explorer shows at the present settings."""
        raise NotImplementedError

    def largest(self) -> dict[str, int]:
        """Return the largest allowed value of each trait whose limit depends on another trait."""
        return {}

    @traitlets.validate("row", "column", "position")
    def _check_inside(self, proposal: Any) -> int:
        name, value = proposal.trait.name, proposal.value
        largest = self.largest().get(name, value)
        if value > largest:
            raise traitlets.TraitError(
                f"{type(self).__name__}: {name} must lie between 0 and {largest}, got {value}"
            )
        return int(value)

    @traitlets.observe("length", "d_model")
    def _move_inside(self, change: object) -> None:
        for name, largest in self.largest().items():
            if getattr(self, name) > largest:
                setattr(self, name, largest)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.settings)
        return f"{type(self).__name__}({shown})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        picture = base64.b64encode(figures.png(self.still())).decode("ascii")
        return {**data, "text/plain": repr(self), "image/png": picture}, metadata
