"""Writes the notebooks of all pages, from the documents that Sphinx has read.

It is a builder (``-b readers``), and the build of the pages runs it at its end: what it needs has
been read by then. Each page is resolved anew, for references and links lead elsewhere here.
"""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urldefrag

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.errors import ExtensionError

from .cells import Source, notebooks
from .install import FOLDER, install_code
from .markdown import Markdown

SHORTENED = {"github", "gitlab", "bitbucket"}  # classes that the theme gives


class ReadersBuilder(Builder):
    """``headings``: of every id of every page the heading that it stands under, as its anchor."""

    name = "readers"
    format = "readers"
    epilog = "The readers' notebooks are in %(outdir)s."
    allow_parallel = False
    # Sphinx states it so, of an instance: nobody changes it.
    supported_image_types = ["image/svg+xml", "image/png", "image/jpeg"]  # noqa: RUF012

    def get_outdated_docs(self) -> set[str]:
        return self.env.found_docs

    def prepare_writing(self, docnames: set[str]) -> None:
        pass

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        raise NotImplementedError("all pages are written at once")

    def write(self, *_: object, **__: object) -> None:
        """Write every page's notebook, and remove those of pages that are no more."""
        pages = sorted(self.env.found_docs - {*self.config.readers_leave_out})
        names = {docname: notebook_name(docname) for docname in pages}
        if len({*names.values()}) < len(names):
            raise ExtensionError(f"two pages have notebooks of one name: {sorted(names.values())}")
        self.headings = {page: self.anchors(page) for page in pages}
        written: dict[str, NotebookNode] = {}
        for docname in pages:
            chapter, solutions = notebooks(self.source(docname))
            written[names[docname]] = chapter
            if solutions:
                written[solutions_name(docname)] = solutions
        write_notebooks(Path(self.outdir), written)

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        return f"/{docname}"  # ``link`` makes an address of it

    def get_relative_uri(self, from_: str, to: str, typ: str | None = None) -> str:
        return self.get_target_uri(to)

    def source(self, docname: str) -> Source:
        tree = self.env.get_doctree(docname)
        for outputs in list(tree.findall(is_output)):
            kept = list(outputs.findall(is_live)) + list(outputs.findall(nodes.caption))
            outputs.children = []
            for each in kept:
                outputs += emptied(each)
        self.env.apply_post_transforms(tree, docname)
        for reference in tree.findall(nodes.reference):
            # The bibliography's are those of the page, where the theme may have shortened them.
            if not SHORTENED.isdisjoint(reference["classes"]):
                reference.children = [nodes.Text(reference["refuri"])]
        path = Path(self.env.doc2path(docname))
        stored = path.suffix == ".ipynb"

        def number(kind: str, node: nodes.Element) -> str:
            numbers = self.env.toc_fignumbers.get(docname, {}).get(kind, {})
            found = next((numbers[name] for name in node["ids"] if name in numbers), ())
            return ".".join(map(str, found))

        def picture(image: nodes.image) -> str:
            if self.config.html_baseurl:
                _, name = self.env.images[image["uri"]]
                return f"{self.config.html_baseurl}_images/{name}"
            file = Path(self.app.srcdir, image["uri"])
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            # JupyterLab shows no SVG that is attached to a cell.
            return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"

        def writer(elsewhere: bool) -> Markdown:
            """Of the page, or of its solutions, from where the page is another notebook."""

            def link(reference: nodes.Element) -> str:
                address = self.link(docname, reference)
                return (
                    notebook_name(docname) + address
                    if elsewhere and address[:1] == "#"
                    else address
                )

            return Markdown(link, picture, number)

        return Source(
            title=self.title(docname),
            tree=tree,
            cells=nbformat.read(path, as_version=4).cells if stored else [],
            install=self.install,
            writer=writer,
            solutions=self.taken_along(solutions_name(docname)),
            page=self.taken_along(notebook_name(docname)),
        )

    def title(self, docname: str) -> str:
        numbers = self.env.toc_secnumbers.get(docname, {}).get("", ())
        number = ".".join(map(str, numbers))
        words = self.env.titles[docname].astext()
        return f"{number}. {words}" if number else words

    def link(self, docname: str, reference: nodes.Element) -> str:
        """Where a reference leads: on this page, on another, or elsewhere."""
        if "refid" in reference:
            return self.anchor(docname, reference["refid"])
        address, fragment = urldefrag(reference["refuri"])
        if not address:
            return self.anchor(docname, fragment)
        if not address.startswith("/"):
            return str(reference["refuri"])
        target = address.removeprefix("/")
        if self.config.html_baseurl:
            return f"{self.config.html_baseurl}{target}.html" + (fragment and f"#{fragment}")
        if target not in self.headings:
            return ""
        return notebook_name(target) + (fragment and self.anchor(target, fragment))

    def taken_along(self, name: str) -> str:
        """The address of a notebook: of the published one, since it may be the only one here."""
        address = self.config.html_baseurl
        return f"{address}{FOLDER}/{name}" if address else name

    def anchors(self, docname: str) -> dict[str, str]:
        """Of every id of a page the heading that it stands under; an exercise has its own."""
        found: dict[str, str] = {}
        numbers = self.env.toc_fignumbers.get(docname, {}).get("exercise", {})
        for node in self.env.get_doctree(docname).findall(nodes.Element):
            heading = heading_over(node)
            if node.tagname.startswith("exercise_") and node.get("label") in numbers:
                number = ".".join(map(str, numbers[node["label"]]))
                title = "".join(f" ({each.astext()})" for each in node[0].children[1:])
                heading = f"Exercise {number}{title}"
            found |= dict.fromkeys(node.get("ids", []), heading)
        return found

    def anchor(self, docname: str, name: str) -> str:
        """``#Its-heading``, as notebooks name the place; "" where no heading is plain words."""
        heading = self.headings[docname].get(name, "")
        return f"#{quote(heading.replace(' ', '-'))}" if heading else ""

    def install(self, checks: bool) -> str:
        return install_code(Path(self.app.srcdir), self.config.html_baseurl, checks=checks)


def is_output(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_output"


def emptied(node: nodes.Element) -> nodes.Element:
    """A live figure without its picture, or a figure that has a caption alone."""
    if is_live(node):
        node.children = []
        return node
    return nodes.figure("", node, ids=node.parent["ids"])


def is_live(node: nodes.Node) -> bool:
    return bool(node.tagname == "live_figure")


def notebook_name(docname: str) -> str:
    return f"{docname.rpartition('/')[2]}.ipynb"


def solutions_name(docname: str) -> str:
    return notebook_name(docname).replace(".ipynb", "-solutions.ipynb")


def heading_over(node: nodes.Node) -> str:
    while node is not None:
        if isinstance(node, nodes.section) and node.children:
            title = node[0]
            if isinstance(title, nodes.title):
                plain = all(isinstance(child, nodes.Text) for child in title.children)
                return title.astext() if plain else ""
        node = node.parent
    return ""


def write_notebooks(folder: Path, notebooks: dict[str, NotebookNode]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.ipynb"):
        if old.name not in notebooks:
            old.unlink()
    for name, notebook in notebooks.items():
        text = nbformat.writes(notebook) + "\n"
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def in_place_of_builder(app: Sphinx, builder: Builder) -> Iterator[None]:
    """While references are resolved, the application's builder says where they lead."""
    before, app.builder = app.builder, builder
    try:
        yield
    finally:
        app.builder = before
