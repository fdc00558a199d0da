"""One style sheet for the whole book, cut to the rules that some page uses."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from .icons import embed_icon_fonts
from .maths import KATEX
from .node import NODE

STYLE_SHEET = "book.css"
PURGE = Path(__file__).parent / "purge.mjs"

# The theme states these in its templates, before the sheets that extensions add.
THEME_SHEETS = ("basic.css", "styles/pydata-sphinx-theme.css")

# Of thebe and of sphinx-design, which no page uses.
UNUSED_SHEETS = ("sphinx-thebe.css", "sphinx-design.min.css")

# How a page states its sheets; see book/_templates/layout.html.
SHEETS = re.compile(r'data-sheets="([^"]*)"')


def setup(app: Sphinx) -> None:
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
    names = [
        str(sheet.filename).partition("?")[0].removeprefix("_static/")
        for sheet in context["css_files"]
    ]
    context["css_files"] = []
    context["style_sheet"] = STYLE_SHEET
    context["style_sheets"] = " ".join(name for name in names if name not in UNUSED_SHEETS)


def stated_sheets(pages: list[Path]) -> list[str]:
    """Every sheet that some page states, each once. It stands in the pages, because a second
    build writes only those that changed, and may write several at a time."""
    found = [SHEETS.search(page.read_text(encoding="utf-8")) for page in pages]
    return list(dict.fromkeys(name for stated in found if stated for name in stated[1].split()))


def write_style_sheet(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    pages = sorted(set(Path(app.outdir).rglob("*.html")) - set(static.rglob("*.html")))
    css = "\n".join(
        (KATEX / name if name == "katex.min.css" else static / name).read_text(encoding="utf-8")
        for name in dict.fromkeys([*THEME_SHEETS, *stated_sheets(pages)])
    )
    css = purge(css, pages, scripts_of(pages, static))
    css = embed_icon_fonts(css, fonts=static / "vendor" / "fontawesome" / "webfonts")
    (static / STYLE_SHEET).write_text(woff2_only(css), encoding="utf-8")
    copy_fonts(css, static)


def scripts_of(pages: list[Path], static: Path) -> list[Path]:
    """The scripts that pages load, without bootstrap's, which names every class that it has."""
    loaded = {
        name
        for page in pages
        for name in re.findall(r'<script[^>]* src="[^"]*_static/([^"?]+)', page.read_text("utf-8"))
    }
    return [static / name for name in sorted(loaded) if not name.endswith("bootstrap.js")]


def purge(css: str, pages: list[Path], scripts: list[Path]) -> str:
    """Leave out every rule whose names stand in no page's tags and in no script."""
    request = {"css": css, "content": [str(path) for path in [*pages, *scripts]]}
    done = subprocess.run(
        [str(NODE), str(PURGE)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise ExtensionError(f"the style sheet could not be cut: {done.stderr}")
    return re.sub(r"/\*.*?\*/", "", done.stdout, flags=re.DOTALL)


def woff2_only(css: str) -> str:
    """Every browser that runs the live figures reads woff2."""
    return re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)', "", css)


def copy_fonts(css: str, static: Path) -> None:
    for name in sorted(set(re.findall(r"url\(fonts/(KaTeX_[\w-]+\.woff2)\)", css))):
        (static / "fonts").mkdir(exist_ok=True)
        shutil.copyfile(KATEX / "fonts" / name, static / "fonts" / name)
