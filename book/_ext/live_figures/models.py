"""Jupyter's embedded widget state, reduced to what one page needs. Pure functions of JSON.

The format is that of ``application/vnd.jupyter.widget-state+json``: a model is
``{"model_module": …, "state": {trait: value}, "buffers": [{"path", "data", "encoding"}]}``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

Model = dict[str, Any]

FOLDER = "live_figures"
REFERENCE = re.compile(r"IPY_MODEL_(.+)")
# What a front-end module has no use for: its own text, and the bookkeeping of a Jupyter page.
BOOKKEEPING = re.compile(r"_esm|_css|_anywidget_id|_model_.*|_view_.*|_dom_classes|layout")


def is_anywidget(model: Model) -> bool:
    """Whether the model has a front-end module of its own, stored with it or not."""
    return model.get("model_module") == "anywidget"


def traits(model: Model) -> dict[str, Any]:
    """The state that the front-end module works with."""
    return {
        name: value for name, value in model["state"].items() if not BOOKKEEPING.fullmatch(name)
    }


def references(value: Any) -> Iterator[str]:
    """The ids of the models that a JSON value names, in order, at any depth."""
    if isinstance(value, str):
        if match := REFERENCE.fullmatch(value):
            yield match[1]
    elif isinstance(value, dict):
        yield from references(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def reachable(models: dict[str, Model], roots: Iterable[str]) -> list[str]:
    """``roots`` and every model that they name, directly or through others; parents first."""
    found: dict[str, None] = {}
    waiting = list(roots)
    while waiting:
        model_id = waiting.pop(0)
        if model_id in models and model_id not in found:
            found[model_id] = None
            waiting += references(traits(models[model_id]))
    return list(found)


def script(model: Model) -> str:
    """A classic script that hands the model's module to the host and adds its style to the page."""
    text = f"document.currentScript.module = {json.dumps(model['state']['_esm'])};\n"
    if css := model["state"].get("_css"):
        text += (
            'document.head.append(Object.assign(document.createElement("style"), '
            f"{{ textContent: {json.dumps(css)} }}));\n"
        )
    return text


def data_script(data: str) -> str:
    """A classic script that hands data of a figure, in base64, to the host."""
    return f'document.currentScript.module = "{data}";\n'


def file_name(text: str) -> str:
    """Named by its content: two pages share it, and a browser may keep it for ever."""
    return f"{FOLDER}/{hashlib.sha256(text.encode()).hexdigest()[:16]}.js"


def page_data(
    models: dict[str, Model], roots: Iterable[str]
) -> tuple[list[tuple[str, Model]], dict[str, str]]:
    """What the host reads on one page: its models, and the scripts they need by file name."""
    data, scripts = [], {}
    for model_id in reachable(models, roots):
        model = models[model_id]
        entry: Model = {"state": traits(model), "buffers": model.get("buffers", [])}
        if is_anywidget(model):
            text = script(model)
            entry["file"] = file_name(text)
            scripts[entry["file"]] = text
        if files := model.get("files"):
            texts = {name: data_script(data) for name, data in files.items()}
            entry["files"] = {name: file_name(text) for name, text in texts.items()}
            scripts |= {file_name(text): text for text in texts.values()}
        data.append((model_id, entry))
    return data, scripts


def output_picture(models: dict[str, Model], root: str) -> tuple[str, str] | None:
    """The picture that an Output widget below ``root`` holds: its mime type and its data.

    An ipywidget has no picture of its own, but what ``interact`` drew is stored in its state.
    """
    for model_id in reachable(models, [root]):
        for output in models[model_id]["state"].get("outputs", []):
            for mime_type in ("image/svg+xml", "image/png"):
                if mime_type in output.get("data", {}):
                    return mime_type, "".join(output["data"][mime_type])
    return None
