"""Text as a page that runs no script and fetches nothing.

Formulas are MathML, which browsers draw by themselves, and pictures are in the page.
"""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import unquote

from docutils.utils.math.latex2mathml import tex2mathml
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

Pictures = dict[str, dict[str, str]]  # by name and type, in base64

LINKED = re.compile(r"https?://|mailto:|#|[^:]*$", re.IGNORECASE)
DRAWN = re.compile(r"data:image/(png|jpe?g|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*$")
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


def page(markdown: str, pictures: Pictures | None = None) -> str:
    """Markdown of a notebook's cell as HTML, with the pictures that are attached to it."""
    renderer = Renderer(escape=False, attachments=pictures)
    return str(MarkdownWithMath(renderer=renderer).render(markdown))


class Renderer(IPythonRenderer):
    """nbconvert's, which leaves formulas and diagrams to scripts, and follows every address."""

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link to a page; any other, such as a script, as text."""
        followed = re.sub(r"[\x00-\x20]", "", unescape(url))  # browsers pass over these
        if LINKED.match(followed):
            return str(super().link(text, url, title))
        return f"{text} (<code>{escape(url)}</code>)"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """A picture that is in the notebook; any other as text: an address would be told of it."""
        if url.startswith("attachment:"):
            name = unquote(unescape(url.removeprefix("attachment:")))
            for kind, data in self.attachments.get(name, {}).items():
                url = f"data:{kind};base64,{data}"
        if DRAWN.match(url):
            return str(super().image(text, url, title))
        return f"[picture: {text}] (<code>{escape(url)}</code>)"

    def block_mermaidjs(self, code: str) -> str:
        return f"<pre><code>{escape(code.strip())}</code></pre>"

    def inline_math(self, body: str) -> str:
        return formula(body)

    def block_math(self, body: str) -> str:
        return formula(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return formula(rf"\begin{{{name}}}{body}\end{{{name}}}", block=True)
