"""Readers' notebooks: every page as a notebook in plain Markdown, its solutions in another.

``notebooks/`` is written in MyST, which JupyterLab, VS Code and Colab show as it is typed. This
extension makes from the documents that Sphinx has read, with all references resolved, what these
can show: formulas between dollars, theorems as quotations, answers and hints in ``<details>``;
code cells as they are, without outputs; solutions apart.

They are written to ``readers/`` beside the folder of the pages, and with the wheel of the book's
module (``wheel``) to ``download/`` in it, for whoever takes a page along. Their links lead to the
book where its address is known (``html_baseurl``), and else from notebook to notebook.

Configuration: ``readers_leave_out``, pages that are nothing without the pages' scripts.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from .builder import ReadersBuilder, in_place_of_builder
from .install import FOLDER
from .wheel import make_wheel


def write_beside_pages(app: Sphinx, exception: Exception | None) -> None:
    """Write the notebooks and the wheel when the pages have been written."""
    if exception or app.builder.name != "html":
        return
    pages = Path(app.outdir)
    builder = ReadersBuilder(app, app.env)
    builder.outdir = type(builder.outdir)(pages.parent / "readers")
    with in_place_of_builder(app, builder):
        builder.write()
    taken_along = pages / FOLDER
    shutil.rmtree(taken_along, ignore_errors=True)
    shutil.copytree(builder.outdir, taken_along)
    shutil.copy(make_wheel(Path(app.srcdir), pages.parent / "wheel"), taken_along)


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_builder(ReadersBuilder)
    app.add_config_value("readers_leave_out", [], "", [list])
    app.connect("build-finished", write_beside_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
