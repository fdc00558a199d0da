r"""The texts of questions, Markdown with LaTeX between dollar signs, as the platforms read them.

Moodle's MathJax looks for ``\( … \)``. A QTI item is XML, in which a formula is MathML; its LaTeX
stays with it as an annotation.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from web.node import NODE

Formula = Callable[[str], str]
HERE = Path(__file__).resolve().parent


def moodle_formula(tex: str) -> str:
    return rf"\({escape(tex, quote=False)}\)"


def html(text: str, formula: Formula = moodle_formula) -> str:
    """One paragraph of Markdown as HTML that is well-formed XML, without the paragraph itself."""
    rendered: str = _parser().renderInline(text.strip(), {"formula": formula})
    return rendered


@cache
def _parser() -> MarkdownIt:
    def render(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
        formula: Formula = env["formula"]
        return formula(tokens[index].content.strip())

    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True})
    parser.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    parser.add_render_rule("math_inline", render)
    return parser


def formulas_in(texts: Iterable[str]) -> list[str]:
    """The LaTeX of all formulas of some texts, each once."""
    found: dict[str, None] = {}

    def note(tex: str) -> str:
        found[tex] = None
        return ""

    for text in texts:
        html(text, note)
    return list(found)


def mathml(formulas: list[str]) -> dict[str, str]:
    """Each formula as MathML, by KaTeX.

    Raises:
        RuntimeError: KaTeX cannot read one of them.
    """
    command = [str(NODE), str(HERE / "mathml.mjs")]
    said = subprocess.run(
        command, input=json.dumps(formulas), capture_output=True, text=True, check=False, timeout=60
    )
    if said.returncode:
        raise RuntimeError(said.stderr)
    return dict(zip(formulas, json.loads(said.stdout), strict=True))
