"""Above a page, its readers' notebook: to download, and to open in Colab and on Binder.

The theme has places for such buttons, and would fill them with the page's own file, in MyST.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from docutils import nodes
from readers.builder import notebook_name
from readers.install import FOLDER
from sphinx.application import Sphinx

Button = dict[str, Any]

COLAB = "https://colab.research.google.com/github/{repository}/blob/{branch}/{path}"
BINDER = "https://mybinder.org/v2/gh/{repository}/{branch}?labpath={quoted}"


def set_buttons(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    groups: list[Button] = context.get("header_buttons", [])
    downloads = next((each for each in groups if each["label"] == "download-buttons"), None)
    if downloads is None:
        return
    source = "download-source-button"
    kept = [each for each in downloads["buttons"] if each["label"] != source]
    downloads["buttons"] = kept
    if pagename not in app.env.found_docs or pagename in app.config.readers_leave_out:
        return
    path = f"{FOLDER}/{notebook_name(pagename)}"
    downloads["buttons"] = [download(context["pathto"](path, 1)), *kept]
    if branch := app.config.publishing_branch:
        groups.insert(0, launch(branch[0], branch[1], path))


def download(address: str) -> Button:
    return {
        "type": "link",
        "url": address,
        "text": ".ipynb",
        "icon": "fas fa-code",
        "tooltip": "Download this page as a notebook",
        "label": "download-notebook-button",
    }


def launch(repository: str, branch: str, path: str) -> Button:
    """The services that open the notebook at ``path`` on this branch, as one button's menu."""

    def link(name: str, tooltip: str, form: str) -> Button:
        address = form.format(
            repository=repository, branch=branch, path=path, quoted=quote(path, safe="")
        )
        icon = "fas fa-arrow-up-right-from-square"  # it leads elsewhere
        return {"type": "link", "url": address, "text": name, "icon": icon, "tooltip": tooltip}

    return {
        "type": "group",
        "tooltip": "Run this page",
        "icon": "fas fa-rocket",
        "label": "launch-buttons",
        "buttons": [
            link("Colab", "Run this page in Google Colab", COLAB),
            link("Binder", "Run this page on mybinder.org", BINDER),
        ],
    }


def setup(app: Sphinx) -> None:
    # After the theme has set its own.
    app.connect("html-page-context", set_buttons, priority=600)
