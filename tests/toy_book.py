"""A small Sphinx book with toy widgets, for the tests of ``book/_ext/live_figures``.

The notebooks are written by hand in the stored form: outputs in the cells, the widget state in
the metadata. Nothing is executed.
"""

from __future__ import annotations

import base64
import io
import logging
import struct
import sys
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import FileSystemBytecodeCache
from nbformat import NotebookNode, v4

# In the system's folder for what may go.
COMPILED = FileSystemBytecodeCache(pattern=f"jinja2-{version('jinja2')}-%s")
EXTENSIONS = Path(__file__).resolve().parents[1] / "book" / "_ext"
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


def png(width: int = 60, height: int = 40, grey: int = 128) -> str:
    """A plain grey picture, in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([grey]) * width) * height
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    content = b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)
    return base64.b64encode(content).decode()


def anywidget(
    esm: str,
    css: str = "",
    buffers: dict[str, bytes] | None = None,
    name: str = "toy.Toy",
    **traits: Any,
) -> dict[str, Any]:
    """The stored model of an anywidget, as ipywidgets embeds it."""
    state = {
        "_anywidget_id": name,
        "_css": css,
        "_dom_classes": [],
        "_esm": esm,
        "_model_module": "anywidget",
        "_model_module_version": "~0.11.*",
        "_model_name": "AnyModel",
        "_view_module": "anywidget",
        "_view_name": "AnyView",
        "layout": "IPY_MODEL_layout",
        **traits,
    }
    stored = [
        {"path": [name], "encoding": "base64", "data": base64.b64encode(data).decode()}
        for name, data in (buffers or {}).items()
    ]
    return {
        "model_module": "anywidget",
        "model_module_version": "~0.11.*",
        "model_name": "AnyModel",
        "state": state,
        **({"buffers": stored} if stored else {}),
    }


def ipywidget(name: str, module: str = "@jupyter-widgets/controls", **state: Any) -> dict[str, Any]:
    """The stored model of a widget whose front end is Jupyter's own."""
    return {
        "model_module": module,
        "model_module_version": "2.0.0",
        "model_name": name,
        "state": {"_model_name": name, **state},
    }


def words(text: str) -> NotebookNode:
    return v4.new_markdown_cell(text)


def view(
    model_id: str,
    name: str | None = None,
    *,
    alt: str | None = "a grey still picture",
    picture: str | None = None,
    caption: str | None = None,
) -> NotebookNode:
    """A cell that shows a widget, with its still picture (``picture=""``: none)."""
    data = {VIEW: {"version_major": 2, "version_minor": 1, "model_id": model_id}}
    data["text/plain"] = "Toy()"
    if picture != "":
        data["image/png"] = picture or png()
    cell = v4.new_code_cell("toy", execution_count=1)
    cell.outputs = [v4.new_output("execute_result", data, execution_count=1)]
    if name:
        cell.metadata["live"] = {"name": name}
    if alt:
        cell.metadata["mystnb"] = {"image": {"alt": alt}}
    if caption:
        cell.metadata.setdefault("mystnb", {})["figure"] = {"caption": caption}
    return cell


def notebook(models: dict[str, Any], *cells: NotebookNode) -> NotebookNode:
    """A notebook with a title, ``cells``, and ``models`` as its widget state."""
    result = v4.new_notebook(cells=[words("# Toys"), *cells])
    result.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    if models:
        state = {"layout": ipywidget("LayoutModel", "@jupyter-widgets/base"), **models}
        result.metadata["widgets"] = {
            STATE: {"version_major": 2, "version_minor": 0, "state": state}
        }
    return result


def build(
    folder: Path, pages: dict[str, NotebookNode | str], builder: str = "html", **config: Any
) -> tuple[Path, list[str]]:
    """Build ``pages`` (a notebook, or Markdown) with Sphinx; the output folder, the warnings."""
    from sphinx.application import Sphinx
    from sphinx.util.console import strip_colors
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    sys.path.insert(0, str(EXTENSIONS))
    logging.disable(logging.DEBUG)  # hundreds of lines for each book, which nobody reads
    source = folder / "source"
    source.mkdir(parents=True, exist_ok=True)
    for name, page in {"index": contents(pages), **pages}.items():
        markdown, stored = source / f"{name}.md", source / f"{name}.ipynb"
        if isinstance(page, str):
            write(markdown, page)
            stored.unlink(missing_ok=True)
        else:
            write(stored, nbformat.writes(page))
            markdown.unlink(missing_ok=True)
    warnings = io.StringIO()
    output = folder / builder
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            srcdir=source,
            confdir=None,
            outdir=output,
            doctreedir=folder / "doctrees",
            buildername=builder,
            confoverrides={
                "extensions": ["myst_nb", "live_figures"],
                "nb_execution_mode": "off",
                "html_theme": "basic",
                "project": "toys",
                "nitpicky": True,
                **config,
            },
            status=None,
            warning=warnings,
        )
        templates = getattr(app.builder, "templates", None)
        if templates:  # compiled they are the same for every book, and take a third of its time
            templates.environment.bytecode_cache = COMPILED
        app.build()
    lines = strip_colors(warnings.getvalue()).splitlines()
    return output, [line for line in lines if line.strip()]


def contents(pages: dict[str, Any]) -> str:
    return "# Contents\n\n```{toctree}\n" + "\n".join(pages) + "\n```\n"


def write(path: Path, text: str) -> None:
    """Write only a change, so that a second build finds the rest up to date."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
