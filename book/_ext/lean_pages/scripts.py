"""The scripts of a page: those that it uses, and none that delays its first sight."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html._assets import _JavaScript

# thebe runs cells on a server elsewhere, sphinx-design's script turns tabs, and the options are
# those of a menu of versions and of a search that answers while one types.
UNUSED_FILES = ("sphinx-thebe.js", "design-tabs.js")
UNUSED_BODIES = ("THEBE_JS_URL", "DOCUMENTATION_OPTIONS.")


def setup(app: Sphinx) -> None:
    # After every extension that adds scripts to a page.
    app.connect("html-page-context", keep_used_scripts, priority=950)


def keep_used_scripts(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Drop what no page uses and what stands there twice; defer the rest.

    On the search page deferred scripts run in their order when the page has been read. The
    template of the others loads them, in the same order, after the page has been shown.
    """
    kept: list[_JavaScript] = []
    bodies: set[str] = set()
    for script in context["script_files"]:
        filename = str(script.filename or "")
        body = script.attributes.get("body", "")
        if filename.endswith(UNUSED_FILES) or any(word in body for word in UNUSED_BODIES):
            continue
        if filename:
            kept.append(deferred(script))
        elif body not in bodies:
            bodies.add(body)
            kept.append(script)
    context["script_files"] = kept


def deferred(script: _JavaScript) -> _JavaScript:
    attributes = {key: value for key, value in script.attributes.items() if key != "async"}
    return _JavaScript(
        script.filename, priority=script.priority, **{**attributes, "defer": "defer"}
    )
