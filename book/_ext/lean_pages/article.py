"""The article's own HTML: without scripts for thebe, with controls named by what they show."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    # After sphinx-thebe has put its scripts there.
    app.connect("html-page-context", clean_article, priority=950)


def clean_article(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    body = without_thebe(context.get("body", ""))
    # The label hides the text below it ("Show code cell source") from a screen reader.
    context["body"] = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")


def without_thebe(body: str) -> str:
    start = body.find('<script type="text/x-thebe-config">')
    if start < 0:
        return body
    end = body.index("</script>", body.index("kernelName", start)) + len("</script>")
    return body[:start] + body[end:]
