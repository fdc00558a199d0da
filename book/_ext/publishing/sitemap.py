"""``sitemap.xml``: the addresses of all pages, where the book's is known."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from sphinx.application import Sphinx

SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write_sitemap(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    path = Path(app.outdir, "sitemap.xml")
    if not app.config.html_baseurl:
        path.unlink(missing_ok=True)  # of a build with an address
        return
    pages = ElementTree.Element("urlset", xmlns=SCHEMA)
    for docname in sorted(app.env.found_docs):
        address = ElementTree.SubElement(ElementTree.SubElement(pages, "url"), "loc")
        address.text = app.config.html_baseurl + app.builder.get_target_uri(docname)
    ElementTree.indent(pages)
    ElementTree.ElementTree(pages).write(path, encoding="utf-8", xml_declaration=True)


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write_sitemap)
