"""One style sheet for the whole book, cut to the rules that some page uses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from selectolax.lexbor import LexborHTMLParser
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from web.node import NODE_MODULES
from web.style_sheet import Names, cut, embed_icon_fonts

KATEX = NODE_MODULES / "katex" / "dist"
STYLE_SHEET = "book.css"

# What the book is set in: the letters of its language, upright, italic and bold.
TEXT_FONT = NODE_MODULES / "@fontsource" / "source-serif-4"
TEXT_CUTS = ("400-normal", "400-italic", "600-normal")
TEXT_FONTS = [f"source-serif-4-latin-{name}.woff2" for name in TEXT_CUTS]

# The theme states these in its templates, before the sheets that extensions add.
THEME_SHEETS = ["basic.css", "styles/pydata-sphinx-theme.css"]

# Libraries that no page loads, or that name every class they have.
SILENT_SCRIPTS = {"fontawesome.js", "bootstrap.js"}


def setup(app: Sphinx) -> None:
    # After every extension that adds a sheet to a page.
    app.connect("html-page-context", take_style_sheets, priority=950)
    app.connect("build-finished", write_style_sheet, priority=950)


def take_style_sheets(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """State the page's sheets beside its link to the one that replaces them all."""
    names = [str(sheet.filename).partition("?")[0] for sheet in context["css_files"]]
    context["css_files"] = []
    context["style_sheet"] = STYLE_SHEET
    context["text_fonts"] = TEXT_FONTS
    context["style_sheets"] = " ".join(name.removeprefix("_static/") for name in names)


def write_style_sheet(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    pages = [
        LexborHTMLParser(path.read_text(encoding="utf-8"))
        for path in sorted(set(Path(app.outdir).rglob("*.html")) - set(static.rglob("*.html")))
    ]
    sheets = [*THEME_SHEETS, *stated_sheets(pages)]
    css = "\n".join(
        (KATEX / name if name == "katex.min.css" else static / name).read_text(encoding="utf-8")
        for name in dict.fromkeys(sheets)
    )
    scripts = [path for path in static.rglob("*.js") if path.name not in SILENT_SCRIPTS]
    try:
        css = cut(css, names_of(pages), sorted(scripts))
    except RuntimeError as error:
        raise ExtensionError(f"the style sheet could not be cut: {error}") from error
    css = embed_icon_fonts(css, fonts=static / "vendor" / "fontawesome" / "webfonts")
    (static / STYLE_SHEET).write_text(css, encoding="utf-8")
    copy_fonts(css, static)


def stated_sheets(pages: list[LexborHTMLParser]) -> list[str]:
    """Every sheet that some page states, each once. It stands in the pages, because a second
    build writes only those that changed, and may write several at a time."""
    links = [link for page in pages for link in page.css("link[data-sheets]")]
    stated = [(link.attributes["data-sheets"] or "").split() for link in links]
    return list(dict.fromkeys(name for names in stated for name in names))


def names_of(pages: list[LexborHTMLParser]) -> Names:
    """What a selector can mean in these pages, and in what scripts make of them."""
    names = Names(attributes={"data-theme", "data-mode"}, values={"light", "dark", "auto"})
    for page in pages:
        for element in page.css("*"):
            names.add(element.tag or "", element.attributes)
    return names


def copy_fonts(css: str, static: Path) -> None:
    fonts = static / "fonts"
    fonts.mkdir(exist_ok=True)
    for name in sorted(set(re.findall(r"url\(fonts/(KaTeX_[\w-]+\.woff2)\)", css))):
        shutil.copyfile(KATEX / "fonts" / name, fonts / name)
    for name in TEXT_FONTS:
        shutil.copyfile(TEXT_FONT / "files" / name, fonts / name)
    shutil.copyfile(TEXT_FONT / "LICENSE", fonts / "source-serif-4-LICENSE.txt")
