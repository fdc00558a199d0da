"""Maths rendered while building, by KaTeX on the Node of the environment."""

from __future__ import annotations

import re
import time
from subprocess import Popen
from typing import Any

import sphinxcontrib.katex as katex
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from .node import NODE, NODE_MODULES

KATEX = NODE_MODULES / "katex" / "dist"
PUNCTUATION = re.compile(r"[.,:;?!]+")

renderers: list[Popen[bytes]] = []


def setup(app: Sphinx) -> None:
    app.connect("config-inited", use_installed_katex)
    app.connect("builder-inited", start_katex_server, priority=900)
    app.connect("doctree-read", take_punctuation_along)
    app.connect("build-finished", stop_katex_server, priority=900)


def use_installed_katex(app: Sphinx, config: Config) -> None:
    katex.NODEJS_BINARY = str(NODE)
    katex.Popen = start_renderer
    # A formula that KaTeX does not know ends the build, instead of being printed in red.
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
    katex.KATEX_DEFAULT_OPTIONS["strict"] = "error"
    config["katex_js_path"] = str(KATEX / "katex.min.js")
    config["katex_css_path"] = "katex.min.css"


def take_punctuation_along(app: Sphinx, doctree: nodes.document) -> None:
    """Put the sign after a formula into it, or a browser may begin a line with the sign."""
    for formula in doctree.findall(nodes.math):
        after = formula.next_node(descend=False, siblings=True)
        if not isinstance(after, nodes.Text) or not (sign := PUNCTUATION.match(after)):
            continue
        formula[:] = [nodes.Text(f"{formula.astext()}{{{sign[0]}}}")]
        after.parent.replace(after, nodes.Text(after[sign.end() :]))


def start_katex_server(app: Sphinx) -> None:
    """Start the renderer. On a busy machine its socket can be there before anyone listens."""
    if app.builder.format != "html":
        return
    for _ in range(9):
        try:
            katex.KaTeXServer.get()
            return
        except ConnectionRefusedError:
            end_renderers()
            time.sleep(0.1)
    katex.KaTeXServer.get()


def stop_katex_server(app: Sphinx, exception: Exception | None) -> None:
    """End the renderer with the build: left alone, it outlives one that fails."""
    end_renderers()


def start_renderer(*arguments: Any, **options: Any) -> Popen[bytes]:
    """Popen, with a note of what it started: the library forgets one that does not answer."""
    renderers.append(Popen(*arguments, **options))
    return renderers[-1]


def end_renderers() -> None:
    while renderers:
        renderer = renderers.pop()
        renderer.kill()
        renderer.wait()
