"""What every explorer shares: its traits, the text of its module, its still picture.

An explorer is an anywidget. Its Python half holds the settings and the encoding; its front end,
one ES module, draws. The same module runs in a notebook and, without a kernel, on a built page.
"""

from __future__ import annotations

import base64
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets
from anywidget.experimental import command
from matplotlib.figure import Figure
from torch import Tensor

from pe_lab import figures
from pe_lab.explorers import colours
from pe_lab.explorers.module import join
from pe_lab.explorers.settings import Choice, Letters, Sentence, Whole

HERE = Path(__file__).parent

SIZES = ("length", "d_model", "sentence")  # settings on which the limit of another may depend
# Settings whose limit may depend on another.
CHOSEN = ("row", "column", "position", "pair", "pairs", "place", "other")


class Explorer(anywidget.AnyWidget):
    """A live figure of the encoding.

    Every explorer has traits, which are its settings; ``encoding``, the tensor behind the figure;
    and ``still()``, a matplotlib picture of it for paper and for pages without scripts.

    A setting outside its limits raises ``traitlets.TraitError`` and changes nothing. When
    ``length`` or ``d_model`` shrinks, a chosen ``row``, ``column``, ``position`` or ``pair`` that
    no longer exists moves to the last one that does, here and in the front end alike. ``pairs``
    that were all there are remain all at another ``d_model``.
    """

    _css = colours.style() + (HERE / "explorers.css").read_text(encoding="utf-8")
    front_end: ClassVar[str]  # the file of its drawing
    values: ClassVar[Mapping[str, object]] = {}  # what the front end gets beside limits and colours
    # Data that the front end asks for by name, when it needs it; on a page each is in a file.
    files: ClassVar[Mapping[str, Callable[[], bytes]]] = {}
    settings: ClassVar[tuple[str, ...]] = ()  # the names of its traits, as ``__init__`` has them
    _told: frozenset[str] = frozenset()  # the settings that the front end is setting just now

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make the module of the front end, with the limits of the traits in it."""
        if "front_end" in vars(cls):  # else it is the class that add_traits makes of an instance's
            cls.settings = tuple(inspect.signature(cls.__init__).parameters)[1:]
            cls._esm = cls.module()
        super().__init_subclass__(**kwargs)

    @classmethod
    def module(cls, folder: Path = HERE) -> str:
        """Return the text of the front end, from the files in ``folder``."""
        traits = {name: getattr(cls, name) for name in cls.settings}
        choices = {name: each for name, each in traits.items() if isinstance(each, Choice)}
        sentences = {name: each for name, each in traits.items() if isinstance(each, Sentence)}
        texts = {name: each for name, each in traits.items() if isinstance(each, Letters)}
        for name, each in traits.items():
            if (
                isinstance(each, Whole)
                and each.below
                and not (name in CHOSEN and each.below in SIZES)
            ):
                raise TypeError(f"explorer.py must know that {name} depends on {each.below}")
        constants = {
            "LIMITS": {
                name: each.limits()
                for name, each in traits.items()
                if name not in choices | sentences | texts
            },
            "CHOICES": {name: each.limits() for name, each in choices.items()},
            "SENTENCES": {name: each.limits() for name, each in sentences.items()},
            "TEXTS": {name: each.limits() for name, each in texts.items()},
            "COLOURS": colours.values(),
        }
        return join(folder, cls.front_end, {**constants, **cls.values})

    @property
    def encoding(self) -> Tensor:
        """The encoding at the present settings, one row per position, in float64."""
        raise NotImplementedError

    def still(self) -> Figure:
        """Return a matplotlib picture of what the explorer shows at the present settings."""
        raise NotImplementedError

    @command
    def file(self, name: str, buffers: list[bytes]) -> tuple[None, list[bytes]]:
        """Answer the front end, which asks for one of ``files``."""
        return None, [self.files[name]()]

    @traitlets.validate(*CHOSEN)
    def _check_inside(self, proposal: Any) -> int:
        name, value = proposal.trait.name, proposal.value
        lowest, highest = proposal.trait.low, proposal.trait.highest(self)
        if value > highest:
            raise traitlets.TraitError(
                f"{type(self).__name__}: {name} must lie between {lowest} and {highest}, "
                f"got {value}"
            )
        return int(value)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Set what the front end sends: settings that come together are all meant."""
        self._told = frozenset(sync_data)
        try:
            super().set_state(sync_data)
        finally:
            self._told = frozenset()

    @traitlets.observe(*SIZES)
    def _move_inside(self, change: Any) -> None:
        for name in set(CHOSEN) & set(self.settings):
            trait, value = self.traits()[name], getattr(self, name)
            highest = trait.highest(self)
            counted_all = (
                trait.counts
                and trait.below == change.name
                and change.old is not None  # else the explorer is being made
                and name not in self._told
                and value == trait.highest_beside(change.old)
            )
            if value > highest or counted_all:
                setattr(self, name, highest)

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
