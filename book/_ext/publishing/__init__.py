"""What a book needs to be found, opened and taken along, where it is published and where not.

- ``address``: where the book is, and where on GitHub its readers' notebooks are, if that is known;
- ``buttons``: above each page, its notebook: to download, and to open in Colab and on Binder;
- ``sitemap``: the addresses of all pages, for those who search;
- ``not_found``: the page that a host shows for an address that is none;
- ``offline``: the whole book as one file, which opens from disk.

The notebooks are those of ``readers``. Nobody is asked for anything before a reader follows a link.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from . import address, buttons, not_found, offline, sitemap


def setup(app: Sphinx) -> ExtensionMetadata:
    for module in (address, buttons, sitemap, not_found, offline):
        module.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
