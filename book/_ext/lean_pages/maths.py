"""Maths rendered while building, by KaTeX on the Node of the environment.

One Node process answers for a whole build, a line for each formula. It ends when its input does:
with the build, however that ends. (The server of sphinxcontrib-katex listens on a socket, where
on a busy machine it is called too early, and outlives a build that fails.)
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

from web.node import NODE

from .formulas import short

SERVER = Path(__file__).with_name("katex.mjs")
STATIC = Path(__file__).with_name("static")
PUNCTUATION = re.compile(r"[.,:;?!]+")
SIGN_OF_TEX = re.compile(r"\\[a-zA-Z]+|\\.|[^{}^_\s]")
UNBROKEN = 12  # signs of a formula that fit into a phone's line beside other words

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer(
        "katex", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None)
    )
    app.add_css_file("katex.min.css")
    app.add_css_file("formulas.css")
    app.connect("config-inited", add_static_files)
    app.connect("doctree-read", take_punctuation_along)


def add_static_files(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(STATIC))


def take_punctuation_along(app: Sphinx, doctree: nodes.document) -> None:
    """Put the sign after a formula into it, or a browser may begin a line with the sign."""
    for formula in doctree.findall(nodes.math):
        after = formula.next_node(descend=False, siblings=True)
        if not isinstance(after, nodes.Text) or not (sign := PUNCTUATION.match(after)):
            continue
        formula["sign"] = sign[0]
        after.parent.replace(after, nodes.Text(after[sign.end() :]))


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body += [
        translator.starttag(node, "span", "", CLASS="katex"),
        rendered(node, display=False),
        "</span>",
    ]
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Permalink to this equation")
        translator.body.append("</span>")
    formula = rendered(node, display=True)
    translator.body.append(
        f'<span class="katex-display"><span class="katex">{formula}</span></span></div>\n'
    )
    raise nodes.SkipNode


def rendered(node: nodes.Element, *, display: bool) -> str:
    """The formula's two halves, for the ear and for the eye.

    The sign after it is drawn within it, and read after it: it is no part of a number. A formula
    that KaTeX does not know is a warning, which ends the build.
    """
    tex = node.astext()
    if not display and len(SIGN_OF_TEX.findall(tex)) <= UNBROKEN:
        tex = f"{{{tex}}}"  # a group, within which no line ends
    try:
        mathml, drawing = halves(tex, display)
        if sign := node.get("sign"):
            mathml = f"<span>{mathml}{sign}</span>"
            _, drawing = halves(f"{tex}{{{sign}}}", display)
    except FormulaError as error:
        logger.warning("%s", error, location=node, type="katex")
        return f"<code>{escape(node.astext())}</code>"
    return f'{mathml}<span aria-hidden="true">{drawing}</span>'


class FormulaError(ValueError):
    """KaTeX does not know a formula."""


@functools.cache  # a chapter says the same few again and again
def halves(tex: str, display: bool) -> tuple[str, str]:
    answer = ask(os.getpid())({"tex": tex, "display": display})
    if "error" in answer:
        raise FormulaError(answer["error"])
    return short(answer["html"])


class Renderer:
    """KaTeX in a Node process: a request on its input, an answer on its output."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(NODE), str(SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __call__(self, request: dict[str, Any]) -> dict[str, str]:
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            answer: dict[str, str] = json.loads(self.process.stdout.readline())
        except (OSError, ValueError) as error:
            raise ExtensionError("KaTeX does not answer; is node_modules installed?") from error
        return answer


@functools.cache
def ask(process_id: int) -> Renderer:
    """The renderer of this process: a build in several of them needs one for each."""
    return Renderer()
