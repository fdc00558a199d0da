"""Live figures: the anywidgets of a notebook work on the built page, without a kernel.

While reading, a widget output becomes its still picture and the state of its model (``figures``,
``models``), and ``live:`` links are checked against the figures of their page (``links``). On a
page with a live figure, ``static/live_figures.js`` runs each widget's own front-end module. An
address may set a figure too, from anywhere (``static/figure_address.js``):
``06_shift.html#live-turn?offset=10``.

Left out on purpose: Jupyter's widget manager. An ipywidget that is not an anywidget keeps its
still picture and says that it needs a running notebook. There is no kernel, so ``send`` goes
nowhere; ``jslink`` is not followed; a module is text, not an address; ``Layout`` is not applied;
a module reaches other models by ``widget_manager.get_model``, not by anywidget's ``host``.

Configuration: ``live_figures_help``, the label of the section that tells how to open a notebook;
``live_figures_packages``, those whose figures' code comes from the package (``modules``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from . import figures, links
from .models import FOLDER
from .writers import add_page_node

STATIC = Path(__file__).parent / "static"


def configure(app: Sphinx, config: Config) -> None:
    """Let MyST take ``live:`` for an address, and copy the host's files."""
    schemes = config.myst_url_schemes
    if isinstance(schemes, dict):
        config.myst_url_schemes = {**schemes, links.SCHEME: None}
    else:
        config.myst_url_schemes = [*schemes, links.SCHEME]
    config.html_static_path.append(str(STATIC))


def add_host(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give a page with live figures their state, the host and its style; other pages nothing."""
    page = app.env.metadata.get(pagename, {}).get("live_figures")
    if page and app.builder.format == "html":
        data = json.dumps(page["data"], allow_nan=False, separators=(",", ":"))
        data = data.replace("<", r"\u003c")  # no value may end the script element
        context["body"] += (
            f'<script type="application/json" id="live-figures">{data}</script>\n'
            '<p id="live-status" role="status"></p>\n'
        )
        app.add_js_file("figure_address.js", loading_method="defer")
        app.add_js_file("live_figures.js", loading_method="defer")
        app.add_css_file("live_figures.css")


def write_modules(app: Sphinx, exception: Exception | None) -> None:
    """Write the front-end modules of all pages, each once."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    for old in static.glob(f"{FOLDER}/*.js"):
        old.unlink()
    for metadata in app.env.metadata.values():
        for name, text in metadata.get("live_figures", {}).get("scripts", {}).items():
            path = static / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.setup_extension("myst_nb")
    app.add_config_value("live_figures_help", "", "env", [str])
    app.add_config_value("live_figures_packages", [], "env", [list])
    for node, module in ((figures.live_figure, figures), (links.live_link, links)):
        add_page_node(app, node, module.visit_html, module.depart_html)
    app.add_transform(figures.MakeLiveFigures)
    app.add_transform(links.MakeLiveLinks)
    app.connect("config-inited", configure)
    app.connect("html-page-context", add_host)
    app.connect("build-finished", write_modules)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
