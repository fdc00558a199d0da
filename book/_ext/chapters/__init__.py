"""The form of a chapter: its questions, what is folded, and how long it takes.

- ``question``: a prediction that the reader is asked for (``questions``), and its ``answer``,
  folded (``answers``);
- results, code and solutions that a reader opens: native ``<details>`` (``folding``);
- the heading of a proof (``proofs``), and no id for two boxes (``ids``);
- what writes citations, found once (``citations``);
- ``time``: the chapter's minutes (``reading_time``), counted while building (``counting``);
- ``lesson`` and ``minutes``: those of other pages, added up (``lessons``).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from live_figures.writers import add_page_node
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from . import answers, citations, folding, ids, lessons, proofs, questions, reading_time

STATIC = Path(__file__).parent / "static"
ROOT = Path(__file__).parents[3]
# What pages are made by. The figures' code is not among it: a page depends on that of its own.
MAKERS = [ROOT / name for name in ("book/_ext", "web", "pe_lab/diagnosis")]


def copy_style(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(STATIC))


def version_of_makers() -> int:
    """Another number for other code: Sphinx, which looks at pages only, then makes all anew."""
    code = hashlib.sha256()
    for path in sorted(path for folder in MAKERS for path in folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            code.update(path.name.encode() + path.read_bytes())
    return int.from_bytes(code.digest()[:8])


def setup(app: Sphinx) -> ExtensionMetadata:
    for node, visit, depart in (
        (questions.question, questions.visit_html, questions.depart_html),
        (answers.answer, answers.visit_html, answers.depart_html),
        (folding.fold, folding.visit_html, folding.depart_html),
        (folding.summary, folding.visit_summary, folding.depart_summary),
    ):
        add_page_node(app, node, visit, depart)
    questions.setup(app)
    folding.setup(app)
    answers.setup(app)
    proofs.setup(app)
    ids.setup(app)
    citations.setup(app)
    reading_time.setup(app)
    lessons.setup(app)
    app.connect("config-inited", copy_style)
    app.add_css_file("chapters.css")
    return {
        "version": "1",
        "env_version": version_of_makers(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
