"""One style sheet for the whole book, cut to the rules that some page uses."""

from __future__ import annotations

import re
import shutil
import string
from collections import defaultdict
from pathlib import Path
from typing import Any

from docutils import nodes
from selectolax.lexbor import LexborHTMLParser
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from web.fonts import as_address, cut_font
from web.node import NODE_MODULES
from web.style_sheet import Names, cut, embed_icon_fonts, minified

from .pages import late_part

KATEX = NODE_MODULES / "katex" / "dist"
STYLE_SHEET = "book.css"

# What the book is set in: the letters of its language, upright, italic and bold.
TEXT_FONT = NODE_MODULES / "@fontsource" / "source-serif-4"
TEXT_CUTS = ("400-normal", "400-italic", "600-normal")
TEXT_FONTS = [f"source-serif-4-latin-{name}.woff2" for name in TEXT_CUTS]

# The letters and signs of nearly all formulas. The fonts of the others hold a few signs each, and
# stand in the sheet: asking for a file takes longer.
FORMULA_FONTS = ["KaTeX_Main-Regular.woff2", "KaTeX_Math-Italic.woff2"]
SMALL = 3_000

FACE = re.compile(r"@font-face\{[^}]*url\(fonts/(?P<name>[\w-]+\.woff2)\)[^}]*\}")
FAMILY = re.compile(r"([^{}]+)\{[^{}]*font-family:(KaTeX_\w+)")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")

# The theme states these in its templates, before the sheets that extensions add.
THEME_SHEETS = ["basic.css", "styles/pydata-sphinx-theme.css"]

# Libraries that no page loads.
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
    has_formulas = doctree is not None and any(doctree.findall(is_formula))
    context["early_fonts"] = [*TEXT_FONTS, *(FORMULA_FONTS if has_formulas else [])]
    context["style_sheets"] = " ".join(name.removeprefix("_static/") for name in names)


def is_formula(node: nodes.Node) -> bool:
    return isinstance(node, (nodes.math, nodes.math_block))


def write_style_sheet(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    static = Path(app.outdir) / "_static"
    # A page that a build before wrote may be the book's no more.
    paths = [Path(app.outdir, f"{name}.html") for name in sorted({*app.env.found_docs, "search"})]
    pages = [whole(path, static) for path in paths if path.exists()]
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
    css = minified(set_fonts(css, pages, static))
    (static / STYLE_SHEET).write_text(css, encoding="utf-8")


def whole(path: Path, static: Path) -> LexborHTMLParser:
    """A written page, with the parts that it gets later in their places."""
    page = LexborHTMLParser(path.read_text(encoding="utf-8"))
    for place in page.css("[data-late]"):
        place.inner_html = late_part(static / (place.attributes["data-late"] or ""))
    return page


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


def set_fonts(css: str, pages: list[LexborHTMLParser], static: Path) -> str:
    """Write the fonts that ``css`` names, with the characters that are set in them.

    Returns ``css`` with the small ones in it, and without those that no character is set in.
    """
    fonts = static / "fonts"
    fonts.mkdir(exist_ok=True)
    shutil.copyfile(TEXT_FONT / "LICENSE", fonts / "source-serif-4-LICENSE.txt")
    of_formulas = formula_characters(pages)
    named = formula_fonts(pages)
    live = "".join(path.read_text("utf-8") for path in static.glob("live_figures/*.js"))
    of_text = {*string.printable, *live}.union(*(page.text() for page in pages))

    def place(face: re.Match[str]) -> str:
        name = face["name"]
        if not name.startswith("KaTeX"):
            (fonts / name).write_bytes(cut_font(TEXT_FONT / "files" / name, of_text))
            return face[0]
        if name.removesuffix(".woff2") not in named:
            return ""
        characters = of_formulas[name.partition("-")[0]]
        font = cut_font(KATEX / "fonts" / name, characters, hinting=name in FORMULA_FONTS)
        if not font:
            return ""
        if len(font) < SMALL:
            return face[0].replace(f"fonts/{name}", as_address(font))
        (fonts / name).write_bytes(font)
        return face[0]

    return FACE.sub(place, css)


def formula_characters(pages: list[LexborHTMLParser]) -> dict[str, set[str]]:
    """By the family of their font, the characters of all formulas; those of the first, all."""
    found: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        found["KaTeX_Main"].update(*(each.text() for each in page.css(".katex")))
        for style in page.css("style"):
            for selectors, family in FAMILY.findall(style.text()):
                found[family].update(*(each.text() for each in page.css(selectors)))
    return found


def formula_fonts(pages: list[LexborHTMLParser]) -> set[str]:
    """The fonts of all formulas: of each family the cuts that some look has."""
    found = {"KaTeX_Main-Regular"}
    for page in pages:
        looks: dict[str, str] = defaultdict(str)
        for style in page.css("style"):
            for selectors, body in RULE.findall(style.text()):
                for selector in selectors.split(","):
                    looks[selector] += f"{body};"
        for look in looks.values():
            family = re.search(r"font-family:(\w+)", look)
            cut = (
                "Bold" * ("weight:700" in look) + "Italic" * ("style:italic" in look)
            ) or "Regular"
            found.add(f"{family[1] if family else 'KaTeX_Main'}-{cut}")
    return found
