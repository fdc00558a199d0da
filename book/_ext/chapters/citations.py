"""What writes citations, found once.

sphinxcontrib-bibtex asks pybtex for it at every citation, and pybtex then reads what every
installed package offers, unless a plugin of that name is registered.
"""

from __future__ import annotations

from pybtex.plugin import find_plugin, register_plugin
from sphinx.application import Sphinx
from sphinx.config import Config

KIND = "pybtex.backends"


def keep_writers(app: Sphinx, config: Config) -> None:
    if "sphinxcontrib.bibtex" in app.extensions:
        for name in ("docutils", "plaintext"):
            register_plugin(KIND, name, find_plugin(KIND, name), force=True)


def setup(app: Sphinx) -> None:
    app.connect("config-inited", keep_writers)
