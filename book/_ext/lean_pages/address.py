"""The book's address, where it is known: then pages name their own, and a card to share them by.

``BOOK_ADDRESS=https://… make book``, or ``html: baseurl`` in ``_config.yml``.
"""

from __future__ import annotations

import os

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError


def setup(app: Sphinx) -> None:
    app.connect("config-inited", use_address)


def use_address(app: Sphinx, config: Config) -> None:
    address = os.environ.get("BOOK_ADDRESS") or config.html_baseurl
    if address and not address.startswith(("https://", "http://")):
        raise ConfigError(f"BOOK_ADDRESS must begin with https:// or http://; got {address!r}")
    address = f"{address.rstrip('/')}/" if address else ""
    config.html_baseurl = address
    config.ogp_site_url = address
    config.ogp_social_cards = {**(config.ogp_social_cards or {}), "enable": bool(address)}
