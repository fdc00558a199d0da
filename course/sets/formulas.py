"""Formulas as MathML, which browsers draw by themselves: no script, and nothing is fetched."""

from __future__ import annotations

import re
from html import escape

from docutils.utils.math.latex2mathml import tex2mathml
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

CODE_OR_FORMULA = re.compile(r"`([^`]+)`|\$([^$]+)\$")


def formula(tex: str, *, block: bool = False) -> str:
    """LaTeX as MathML; as it is typed, in dollars, where it cannot be read."""
    try:
        made: str = tex2mathml(re.sub(r"\\dots\b", r"\\ldots", tex), as_block=block)
    except Exception:  # docutils raises several kinds for what a student mistyped
        return f"<code>{escape(f'$${tex}$$' if block else f'${tex}$')}</code>"
    return made


def marked_up(text: str) -> str:
    """A sentence with its `code` and $formulas$ as HTML; whatever a student wrote stays text."""
    made, last = [], 0
    for match in CODE_OR_FORMULA.finditer(text):
        made.append(escape(text[last : match.start()]))
        code, tex = match.groups()
        made.append(f"<code>{escape(code)}</code>" if code else formula(tex))
        last = match.end()
    return "".join([*made, escape(text[last:])])


def page(markdown: str) -> str:
    """Markdown of a notebook's cell as HTML."""
    return str(MarkdownWithMath(renderer=Renderer(escape=False)).render(markdown))


class Renderer(IPythonRenderer):
    """nbconvert's, which leaves formulas to a script."""

    def inline_math(self, body: str) -> str:
        return formula(body)

    def block_math(self, body: str) -> str:
        return formula(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return formula(rf"\begin{{{name}}}{body}\end{{{name}}}", block=True)
