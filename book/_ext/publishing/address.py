"""Where the book is, if that is known: pages then name their address, and a card to share them by.

``BOOK_ADDRESS=https://… make book``, or ``html: baseurl`` in ``_config.yml``.

And where on GitHub its readers' notebooks are, which Colab and Binder open:
``BOOK_REPOSITORY=https://github.com/OWNER/REPOSITORY``, or ``publishing_repository`` in
``_config.yml`` (Jupyter Book's own ``repository`` is its own where none is stated). They are in
``download/`` on the branch ``readers``, which ``.github/workflows/publish.yml`` writes; on another
with ``/tree/BRANCH`` at the end.
"""

from __future__ import annotations

import os
import re

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

BRANCH = "readers"
ADDRESS = re.compile(r"https?://[^\s/?#\"'<>]+(/[^\s?#\"'<>]*)?")
REPOSITORY = re.compile(
    r"https://github\.com/(?P<name>[\w-]+/[\w.-]+?)/?(/tree/(?P<branch>[\w.-]+)/?)?", re.ASCII
)


def use_address(app: Sphinx, config: Config) -> None:
    address = os.environ.get("BOOK_ADDRESS") or config.html_baseurl
    if address and not ADDRESS.fullmatch(address):
        raise ConfigError(
            "BOOK_ADDRESS must begin with https:// or http:// and a host, and have no space, "
            f"quote, ? or #; got {address!r}"
        )
    address = f"{address.rstrip('/')}/" if address else ""
    config.html_baseurl = address
    config.ogp_site_url = address
    config.ogp_social_cards = {**(config.ogp_social_cards or {}), "enable": bool(address)}


def use_repository(app: Sphinx, config: Config) -> None:
    """Set ``publishing_branch``: OWNER/REPOSITORY and the branch, or nothing."""
    repository = os.environ.get("BOOK_REPOSITORY") or config.publishing_repository
    if not repository:
        return
    found = REPOSITORY.fullmatch(repository)
    if not found or found["name"].endswith(".git"):
        raise ConfigError(
            "BOOK_REPOSITORY must be https://github.com/OWNER/REPOSITORY, or that with "
            f"/tree/BRANCH, without a / in the branch; got {repository!r}"
        )
    if not config.html_baseurl:
        raise ConfigError(
            "BOOK_REPOSITORY needs BOOK_ADDRESS: from there a notebook in Colab fetches the "
            f"book's module; got {repository!r} and no address"
        )
    config.publishing_branch = [found["name"], found["branch"] or BRANCH]


def setup(app: Sphinx) -> None:
    app.add_config_value("publishing_repository", "", "html", [str])
    app.add_config_value("publishing_branch", [], "html", [list])
    app.connect("config-inited", use_address)
    app.connect("config-inited", use_repository)
