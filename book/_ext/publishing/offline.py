"""The whole book as one file: a zip, which is unpacked and opened from disk.

    ```{offline-copy} The whole book, to read without a network
    ```

is a link to it, with its size. A page in the zip has no such link; a notebook has it where the
book's address is known. The bytes of the zip are those of the files: no time is in it.
"""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docutils import nodes
from readers.install import FOLDER
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # that a zip file can tell
UNIX = 3
READABLE = 0o100644 << 16

# What no page on disk asks for: the theme's styles, which the book's own sheet has replaced, its
# icons and Bootstrap as scripts, its templates, words of other languages, maps for developers; and
# what only a host of pages has a use for.
UNUSED = re.compile(
    r"_static/(vendor|styles|locales)/|_static/scripts/(fontawesome|bootstrap)|_static/.*\.(map|html)$"
    r"|_images/social_previews/|\.buildinfo$|404\.html$|sitemap\.xml$"
)

LINK = re.compile(r'<p class="?offline-copy"?>.*?</p>', re.DOTALL)
SIZE = re.compile(r'(<span id="?offline-size"?>)[^<]*')


class offline_copy(nodes.General, nodes.Element):
    """The place of the link, ``words``."""


class OfflineCopyDirective(SphinxDirective):
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        return [offline_copy(words=self.arguments[0])]


class WriteLink(SphinxPostTransform):
    default_priority = 5

    def run(self, **_: object) -> None:
        path = f"{FOLDER}/{zip_name(self.config.html_title)}"
        for place in list(self.document.findall(offline_copy)):
            if self.app.builder.format == "html":
                page = self.app.builder.get_target_uri(self.env.docname)
                size = nodes.inline(ids=["offline-size"])
                rest = [nodes.Text(" (zip, "), size, nodes.Text(")")]
                place.replace_self(link(place["words"], relative_uri(page, path), *rest))
            elif address := self.config.html_baseurl:
                place.replace_self(link(place["words"], address + path, nodes.Text(" (zip)")))
            else:
                place.parent.remove(place)


def link(words: str, address: str, *rest: nodes.Node) -> nodes.paragraph:
    reference = nodes.reference("", words, refuri=address)
    return nodes.paragraph("", "", reference, *rest, classes=["offline-copy"])


def zip_name(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.lower())) + ".zip"


def write_copy(app: Sphinx, exception: Exception | None) -> None:
    """Write the zip, and its size on the pages that lead to it."""
    if exception or app.builder.name != "html":
        return
    book = Path(app.outdir)
    path = book / FOLDER / zip_name(app.config.html_title)
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    pack(book, path)
    state_size(book, f"{path.stat().st_size / 1e6:.1f}\N{NO-BREAK SPACE}MB")


def pack(book: Path, path: Path) -> None:
    """All files of the book but the unused, in a folder of the zip's name; it is not there yet."""
    files = {file.relative_to(book).as_posix(): file for file in book.rglob("*") if file.is_file()}
    with ZipFile(path, "x", ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(files):
            if UNUSED.match(name):
                continue
            entry = ZipInfo(f"{path.stem}/{name}", FIRST_DAY)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, READABLE
            entry.create_system = UNIX  # wherever it is made
            content = files[name].read_bytes()
            if name.endswith(".html"):
                content = LINK.sub("", content.decode()).encode()
            packed.writestr(entry, content)


def state_size(book: Path, size: str) -> None:
    for path in book.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        stated = SIZE.sub(rf"\g<1>{size}", page)
        if stated != page:
            path.write_text(stated, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> None:
    app.add_node(offline_copy)
    app.add_directive("offline-copy", OfflineCopyDirective)
    app.add_post_transform(WriteLink)
    # After all others have written their files.
    app.connect("build-finished", write_copy, priority=990)
