"""The lecturer's guide: pages apart from the book, made as the book's are.

``pages/`` is what was written; ``extension`` has the directives that take the rest from the
course's data: objectives, questions with the answers to expect, tasks, minutes. A plan whose
minutes do not add up, a link to what the book has not, and a setting that a figure has not are
errors of the build.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

from jupyter_book.config import get_final_config
from sphinx.application import Sphinx
from sphinx.util.console import strip_colors
from sphinx.util.docutils import docutils_namespace, patch_docutils

from course import external_toc

from .boards import draw_boards
from .book import ROOT, Book, built_book

HERE = Path(__file__).resolve().parent

# What the book's pages have that the guide has none of.
NOT_HERE = {
    "sphinx_multitoc_numbering",
    "sphinxcontrib.bibtex",
    "sphinx_exercise",
    "sphinx_proof",
    "chapters",
    "asking",
    "live_figures",
    "readers",
    "publishing",
}


def build(into: Path) -> None:
    """Write the guide's pages.

    Raises:
        FileNotFoundError: the book has not been built.
        RuntimeError: a page has a mistake, or several; all are named.
    """
    make(HERE / "pages", ROOT / "_build" / "guide", into, built_book(into))


def make(pages: Path, work: Path, into: Path, book: Book, builder: str = "html") -> None:
    """Build ``pages``; what comes between is kept in ``work``."""
    for folder in (work, into):
        shutil.rmtree(folder, ignore_errors=True)
    source = work / "source"
    shutil.copytree(pages, source)
    draw_boards(source / "boards")
    said = io.StringIO()
    with patch_docutils(), docutils_namespace(), external_toc.spared():
        app = Sphinx(
            srcdir=source,
            confdir=None,
            outdir=into,
            doctreedir=work / "doctrees",
            buildername=builder,
            confoverrides=configuration(book),
            status=None,
            warning=said,
            warningiserror=True,
            keep_going=True,
        )
        app.build()
    if app.statuscode:
        raise RuntimeError(f"the guide has mistakes:\n{strip_colors(said.getvalue())}")


def configuration(book: Book) -> dict[str, object]:
    """The book's own configuration, for these pages."""
    config, _ = get_final_config(
        user_yaml=ROOT / "_config.yml", cli_config={"latex_individualpages": False}
    )
    named = [name for name in config["extensions"] if name not in NOT_HERE]
    ours = ("bibtex_", *(f"{name}_" for name in NOT_HERE))
    config = {name: value for name, value in config.items() if not name.startswith(ours)}
    return {
        **config,
        "extensions": [*named, "course.guide.extension"],
        "guide_book": book,
        "external_toc_path": "_toc.yml",
        "project": "The lecturer’s guide",
        "html_title": "The lecturer’s guide",
        "ogp_site_name": "The lecturer’s guide",
        "ogp_social_cards": {"enable": False},
        "exclude_patterns": [],
        "nitpicky": True,
        "templates_path": [str(ROOT / "book" / "_templates")],
        "html_static_path": [str(ROOT / "book" / "_static"), str(HERE / "static")],
        "html_css_files": ["style.css", "guide.css"],
        "html_theme_options": {**config["html_theme_options"], "use_download_button": False},
        "html_copy_source": False,
        "html_favicon": str(ROOT / "book" / "_static" / "icon.svg"),
        "suppress_warnings": [*config.get("suppress_warnings", []), "config.cache"],
    }
