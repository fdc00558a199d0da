"""Execute the chapters and store them in one normal form.

``python -m tools.notebooks`` re-executes every notebook; names or paths after it
(``03_step_by_step``) restrict it to those. Run twice, no byte changes: what differs from run
to run (widget ids, time stamps, the interpreter's version) is fixed or left out, and nothing
that a reader sees is touched. The code of this project's live figures is left out too: a notebook
would change with it. The book takes it from the class, and a running cell brings it along.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.output_widget import OutputWidget
from nbformat import NotebookNode

from tools.chapters import NOTEBOOKS, STEADY, chapters
from tools.warm import warm_kernels

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FINGERPRINT = "source_fingerprint"
OUR_FIGURES = "pe_lab."  # begins the full name of each class whose code is not stored
# What stands in for it: a front end that restores the state of a notebook wants a module.
STAND_IN = """export default {
  render({ el }) { el.textContent = "Run the notebook, and this figure moves."; },
};
"""


class StoredOutput(OutputWidget):
    """An output widget whose content is stored, and not sent back to the kernel.

    Nothing in a kernel reads it there, and what nbclient sends while it waits for the reply of a
    cell can make it miss that reply and wait for ever (github.com/jupyter/nbclient/issues/312).
    """

    def sync_state(self) -> None:
        return


def fingerprints(notebook: NotebookNode) -> list[str]:
    """One fingerprint for each code cell, of its source and of all code before it.

    An output is older than its code when the fingerprint stored with it is another one.
    """
    so_far = hashlib.sha256()
    result = []
    for cell in code_cells(notebook):
        so_far.update(cell.source.encode() + b"\0")
        result.append(so_far.hexdigest()[:16])
    return result


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def execute(notebook: NotebookNode, folder: Path = NOTEBOOKS) -> None:
    """Run every cell in a fresh kernel; the outputs and the widget state are stored in place."""
    os.environ.update(STEADY)
    notebook.metadata.pop("widgets", None)
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        store_widget_state=True,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.widget_registry = {"@jupyter-widgets/output": {"OutputModel": StoredOutput}}
    client.execute()


def normalise(notebook: NotebookNode) -> None:
    """Bring an executed notebook into the form that is stored."""
    for cell, fingerprint in zip(code_cells(notebook), fingerprints(notebook), strict=True):
        for transient in ("execution", "collapsed", "scrolled", "ExecuteTime"):
            cell.metadata.pop(transient, None)
        cell.metadata[FINGERPRINT] = fingerprint
    normalise_widgets(notebook)
    widgets = notebook.metadata.get("widgets")
    notebook.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    if widgets:
        notebook.metadata["widgets"] = widgets


def normalise_widgets(notebook: NotebookNode) -> None:
    """Keep the models that some output shows, under ids that are the same on every run."""
    embedded = notebook.metadata.get("widgets", {}).get(WIDGET_STATE)
    if not embedded:
        return
    state: dict[str, Any] = embedded["state"]
    shown = [
        output.data[WIDGET_VIEW]
        for cell in code_cells(notebook)
        for output in cell.outputs
        if WIDGET_VIEW in output.get("data", {})
    ]
    order: list[str] = []
    for view in shown:
        collect_models(view["model_id"], state, order)
    new_id = {old: f"model-{number:02d}" for number, old in enumerate(order, start=1)}

    text = json.dumps({new_id[old]: state[old] for old in order})
    for old, new in new_id.items():
        text = text.replace(f"IPY_MODEL_{old}", f"IPY_MODEL_{new}")
    embedded["state"] = json.loads(text)
    for model in embedded["state"].values():
        leave_out_code(model["state"])
    for view in shown:
        view["model_id"] = new_id[view["model_id"]]
    if not order:
        del notebook.metadata["widgets"]


def leave_out_code(state: dict[str, Any]) -> None:
    """Take the module and the style out of a live figure of this project."""
    if state.get("_anywidget_id", "").startswith(OUR_FIGURES):
        state |= {"_esm": STAND_IN, "_css": ""}


def collect_models(model_id: str, state: dict[str, Any], order: list[str]) -> None:
    """Append ``model_id`` and every model that it refers to, depth first, each once."""
    if model_id in order or model_id not in state:
        return
    order.append(model_id)
    for reference in references(state[model_id]["state"]):
        collect_models(reference, state, order)


def references(value: Any) -> list[str]:
    """The ids of the models that a widget's state refers to (``IPY_MODEL_…``), in order."""
    if isinstance(value, str):
        return [value.removeprefix("IPY_MODEL_")] if value.startswith("IPY_MODEL_") else []
    if isinstance(value, dict):
        return [found for key in sorted(value) for found in references(value[key])]
    if isinstance(value, list):
        return [found for item in value for found in references(item)]
    return []


def main(names: list[str]) -> None:
    for path in chapters(names):
        notebook = nbformat.read(path, as_version=4)
        execute(notebook)
        normalise(notebook)
        nbformat.validate(notebook)
        before = path.read_text(encoding="utf-8")
        after = nbformat.writes(notebook) + "\n"
        path.write_text(after, encoding="utf-8", newline="\n")
        print(f"{path.name}: {'unchanged' if after == before else 'written'}")


if __name__ == "__main__":
    with warm_kernels():
        main(sys.argv[1:])
