"""While reading: ``[move to position 6](live:clock?position=6)`` becomes a live link."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator
from traitlets import TraitError

from .figures import MakeLiveFigures, element_id, live_figure
from .modules import widget_class

logger = logging.getLogger(__name__)

SCHEME = "live"
BOOLEANS = {"true": True, "false": False}


class live_link(nodes.inline):
    """Words that set traits of a live figure where scripts run, and are words elsewhere."""


def visit_html(self: HTML5Translator, node: live_link) -> None:
    attributes = {
        "data-figure": element_id(node["figure"]),
        "data-values": json.dumps(node["values"]),
        "data-says": node["says"],
    }
    self.body.append(self.starttag(node, "span", "", CLASS="live-link", **attributes))


def depart_html(self: HTML5Translator, node: live_link) -> None:
    self.body.append("</span>")


def typed(text: str, present: Any) -> bool | int | float | str:
    """``text`` as a value of the type that the trait has at present."""
    if isinstance(present, bool):
        if text.lower() not in BOOLEANS:
            raise ValueError(f"{text!r} is not true or false")
        return BOOLEANS[text.lower()]
    if isinstance(present, float) and not math.isfinite(float(text)):
        raise ValueError("it is not finite")
    if isinstance(present, (int, float, str)):
        return type(present)(text)
    raise ValueError("it is not a number, a text or true or false")


def parse(uri: str) -> tuple[str, list[tuple[str, str]]]:
    """``live:clock?position=6`` is the figure ``clock`` and the settings ``position`` = "6"."""
    parts = urlsplit(uri)
    settings = parts.query and parse_qsl(parts.query, strict_parsing=True, keep_blank_values=True)
    return parts.path, settings or []


class MakeLiveLinks(SphinxTransform):
    """Replace each ``live:`` reference, after a check that figure and traits exist on the page."""

    default_priority = MakeLiveFigures.default_priority + 1

    def apply(self, **kwargs: Any) -> None:
        figures = {node["name"]: node for node in self.document.findall(live_figure)}
        for reference in list(self.document.findall(nodes.reference)):
            if not reference.get("refuri", "").startswith(f"{SCHEME}:"):
                continue
            uri = html.unescape(reference["refuri"])
            try:
                link = make_link(uri, figures, self.config.live_figures_packages)
            except ValueError as error:
                logger.warning(
                    f"{uri}: {error}", location=reference, type="live_figures", subtype="link"
                )
                link = nodes.inline()
            link += reference.children
            reference.replace_self(link)


def make_link(uri: str, figures: dict[str, live_figure], packages: Collection[str]) -> live_link:
    """Raises ValueError when the page has no such figure, no such trait, or no such value.

    Which values there are, only the class of the figure knows; it is asked where it is of
    ``packages``.
    """
    name, settings = parse(uri)
    if name not in figures:
        raise ValueError(f"no live figure of this page is named {name!r}")
    traits = figures[name]["traits"]
    if not settings:
        raise ValueError("it sets nothing")
    values = {}
    for trait, text in settings:
        if trait not in traits:
            raise ValueError(f"{name} has no trait {trait!r}; it has {', '.join(sorted(traits))}")
        try:
            values[trait] = typed(text, traits[trait])
        except ValueError as error:
            raise ValueError(f"{trait} cannot be {text!r}: {error}") from error
    if figures[name]["widget"].partition(".")[0] in packages:
        set_traits(figures[name], values)
    counted = counted_from_1(figures[name], packages)
    shown = (
        (trait, int(values[trait]) + 1 if trait in counted else text) for trait, text in settings
    )
    says = ", ".join(f"{trait} {'empty' if text == '' else text}" for trait, text in shown)
    return live_link(figure=name, values=values, says=f"{name}: {says}")


def counted_from_1(figure: live_figure, packages: Collection[str]) -> set[str]:
    """The traits that count from 0, and that the figure shows counted from 1."""
    if figure["widget"].partition(".")[0] not in packages:
        return set()
    widget = widget_class(figure["widget"], figure["model"])
    return set(widget.class_trait_names(counted_from_1=True))


def set_traits(figure: live_figure, values: dict[str, Any]) -> None:
    """Set the values on a widget as it is stored, all at once. Raises ValueError for a bad one."""
    widget = widget_class(figure["widget"], figure["model"])()
    stored = {name: value for name, value in figure["traits"].items() if is_plain(value)}
    try:
        for traits in (stored, values):
            with widget.hold_trait_notifications():
                for name, value in traits.items():
                    widget.set_trait(name, value)
    except TraitError as error:
        raise ValueError(str(error)) from error
    finally:
        widget.close()


def is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str))
