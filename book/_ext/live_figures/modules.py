"""The front-end module of a figure whose notebook does not store it: from the installed package.

A notebook stores the class of an anywidget (``_anywidget_id``) beside its module. For a class of
``live_figures_packages`` that class is asked, so that a change to its code changes no notebook.

Such a class may have data too: ``files``, a function for each name that returns its bytes. The
front end gets them by ``experimental.invoke("file", name)``, from a command ``file`` of the class
where there is a kernel, and on a page from a script of its own, which is loaded when asked for.
"""

from __future__ import annotations

import importlib
import sys
from base64 import b64encode
from collections.abc import Collection
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

from .models import Model, is_anywidget


def add_modules(models: dict[str, Model], packages: Collection[str]) -> set[Path]:
    """Give each anywidget of ``packages`` the module and style of its class.

    Returns the files that these may be made from.
    """
    files: set[Path] = set()
    for model_id, model in models.items():
        state = model["state"]
        name = state.get("_anywidget_id", "")
        if is_anywidget(model) and name.partition(".")[0] in packages:
            widget = widget_class(name, model_id)
            # A text, or anywidget's view of a file, of which str() is the text.
            state["_esm"] = str(widget._esm)
            state["_css"] = str(getattr(widget, "_css", ""))
            if data := getattr(widget, "files", None):
                model["files"] = {key: b64encode(each()).decode() for key, each in data.items()}
            files |= package_files(widget)
        elif is_anywidget(model) and "_esm" not in state:
            raise ExtensionError(
                f"widget {model_id} is stored without a module, and its class, {name!r}, is not "
                f"in live_figures_packages ({', '.join(packages) or 'none'})"
            )
    return files


def widget_class(name: str, model_id: str) -> Any:
    """The class of this full name. Raises ExtensionError, which ends the build, without one."""
    module, _, attribute = name.rpartition(".")
    try:
        widget = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ExtensionError(f"the class {name!r} of widget {model_id}: {error}") from error
    if not hasattr(widget, "_esm"):
        raise ExtensionError(f"the class {name!r} of widget {model_id} has no module (_esm)")
    return widget


def package_files(widget: Any) -> set[Path]:
    """Every file of the package that the class is in: its text may be made from any of them."""
    package = sys.modules[widget.__module__.partition(".")[0]]
    return {
        path
        for folder in package.__path__
        for path in Path(folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
