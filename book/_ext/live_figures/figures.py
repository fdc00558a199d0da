"""While reading: widget outputs of a notebook become live figures."""

from __future__ import annotations

import hashlib
import json
import os
import re
from binascii import a2b_base64
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from myst_nb.core.render import WIDGET_VIEW_MIMETYPE
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.nodes import clean_astext
from sphinx.writers.html5 import HTML5Translator

from .models import Model, is_anywidget, output_picture, page_data, reachable, references, traits
from .modules import add_modules

logger = logging.getLogger(__name__)

NAME = re.compile(r"[A-Za-z][\w-]*")


class live_figure(nodes.General, nodes.Element):
    """A still picture, and the model that a script may bring to life in its place."""


def heading(node: nodes.Node) -> str | None:
    """The heading under which a node stands."""
    while node := node.parent:
        if isinstance(node, nodes.section):
            return clean_astext(node[0])
    return None


def visit_html(self: HTML5Translator, node: live_figure) -> None:
    attributes = {"data-model": node["model"]} if node["model"] else {}
    if isinstance(node.parent, nodes.figure):
        # A captioned cell is in a <figure> already, which its caption names.
        node["tag"] = "div"
    else:
        node["tag"] = "figure"
        # A view has the name of its explorer, of which a page may have two.
        if node["model"] and (name := heading(node)):
            attributes["aria-label"] = name
    self.body.append(self.starttag(node, node["tag"], CLASS="live-figure", **attributes))


def depart_html(self: HTML5Translator, node: live_figure) -> None:
    self.body.append(f"</{node['tag']}>\n")


def element_id(name: str) -> str:
    """The HTML id of the figure that prose calls ``name``."""
    return f"live-{name}"


class MakeLiveFigures(SphinxTransform):
    """Put a ``live_figure`` round every widget output, and keep what the page's script needs."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        models = self.take_widget_state()
        roots: list[str] = []
        for bundle in list(self.document.findall(is_mime_bundle)):
            if (model_id := take_view(bundle)) is None:
                continue
            if model_id not in models:
                self.warn(f"the notebook does not store the state of widget {model_id}", bundle)
                continue
            figure = self.make_figure(bundle, models, model_id)
            if figure["model"]:
                roots.append(model_id)
        needed = {model_id: models[model_id] for model_id in reachable(models, roots)}
        for path in add_modules(needed, self.config.live_figures_packages):
            self.env.note_dependency(str(path))
        for model_id, model in needed.items():
            if model["state"].get("_esm", "").startswith(("http://", "https://")):
                self.warn(f"the module of widget {model_id} is an address; only a text is run")
            for other in references(traits(model)):
                if other not in models:
                    self.warn(f"widget {model_id} refers to {other}, which is not stored")
        if roots:
            data, scripts = page_data(models, roots)
            page = {"data": data, "scripts": scripts}
            self.env.metadata[self.env.docname]["live_figures"] = page

    def take_widget_state(self) -> dict[str, Model]:
        """The page's widget state, taken from MyST-NB so that it loads no widget manager."""
        notebook = NbMetadataCollector.get_doc_data(cast(Any, self.env))[self.env.docname]
        scripts = notebook.get("js_files", {})
        state = scripts.get("ipywidgets_state")
        for name in [name for name in scripts if name.startswith("ipywidgets_")]:
            del scripts[name]
        return json.loads(state[1]["body"])["state"] if state else {}

    def make_figure(
        self, bundle: nodes.Element, models: dict[str, Model], model_id: str
    ) -> live_figure:
        cell = cell_metadata(bundle)
        alive = is_anywidget(models[model_id])
        name = self.checked_name(cell.get("live", {}).get("name"), bundle)
        figure = live_figure(model=model_id if alive else None, name=name)
        if name:
            figure["ids"] = [element_id(name)]
            figure["traits"] = traits(models[model_id]) if alive else {}
            figure["widget"] = models[model_id]["state"].get("_anywidget_id", "")
        bundle.replace_self(figure)
        figure.append(nodes.container("", bundle, classes=["live-still"]))
        if not alive:
            if picture := output_picture(models, model_id):
                bundle.insert(0, self.image(*picture, cell))
            figure.append(self.needs_notebook())
        return figure

    def checked_name(self, name: Any, where: nodes.Element) -> str | None:
        """``live: {name: …}`` of the cell; one figure of a page has it."""
        if name is None:
            return None
        if not isinstance(name, str) or not NAME.fullmatch(name):
            self.warn(f"live figure name {name!r}: a letter, then letters, digits, - or _", where)
            return None
        if any(figure["name"] == name for figure in self.document.findall(live_figure)):
            self.warn(f"two live figures of this page are named {name!r}", where)
            return None
        return name

    def image(self, mime_type: str, data: str, cell: dict[str, Any]) -> nodes.container:
        """A picture as MyST-NB stores it: in its output folder, named by its content."""
        png = mime_type == "image/png"
        content = a2b_base64(data) if png else data.encode()
        folder = Path(cast(Any, self.env).mystnb_config.output_folder)
        path = folder / (hashlib.sha256(content).hexdigest() + (".png" if png else ".svg"))
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        image = nodes.image(uri="/" + Path(os.path.relpath(path, self.app.srcdir)).as_posix())
        if alt := cell.get("mystnb", {}).get("image", {}).get("alt"):
            image["alt"] = alt
        return nodes.container("", image, mime_type=mime_type)

    def needs_notebook(self) -> nodes.paragraph:
        """The sentence below a widget that has no module of its own."""
        note = nodes.paragraph("", "These controls need a running notebook", classes=["live-note"])
        if label := self.config.live_figures_help:
            link = addnodes.pending_xref(
                "",
                nodes.inline("", "how to open it"),
                refdomain="std",
                reftype="ref",
                reftarget=label,
                refexplicit=True,
                refwarn=True,
                refdoc=self.env.docname,
            )
            note += [nodes.Text(": "), link]
        note += nodes.Text(".")
        return note

    def warn(self, message: str, where: nodes.Element | None = None) -> None:
        logger.warning(message, location=where or self.env.docname, type="live_figures")


def is_mime_bundle(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "mime_bundle"


def take_view(bundle: nodes.Element) -> str | None:
    """Remove the widget view from the alternatives of one output; the id of its model."""
    for alternative in bundle.children:
        if alternative["mime_type"] == WIDGET_VIEW_MIMETYPE:
            bundle.remove(alternative)
            script = alternative.astext()
            view = json.loads(script[script.index(">") + 1 : script.rindex("</script>")])
            return cast(str, view["model_id"])
    return None


def cell_metadata(node: nodes.Element) -> dict[str, Any]:
    """The metadata of the notebook cell that ``node`` stands in."""
    while node.get("nb_element") != "cell_code":
        node = node.parent
    return cast(dict[str, Any], node["cell_metadata"])
