"""Answers on the page: a form below each prediction, judged where it is read.

The questions are those of the book's bank (``pe_lab.diagnosis.questions``; the folder is
``asking_folder``). A question that belongs to a prediction stands in its box; the others stand
where the page says ``{check}``, among the exercises.

- ``forms``: the questions of a page as forms, which are there before any script;
- ``answers``: the right answers, folded at the end of the page, for readers without scripts and
  on paper; with scripts they stay, so that nothing moves;
- ``folds``: what is folded below a prediction says that an answer may come first;
- ``progress``: the page that shows how far the reader has come;
- ``judging.js``: what is said of an answer, ``page.js``: the page. Joined they are one classic
  script, which a page on disk may load. What it needs of a page's questions (their answers and
  the sentences) is in a file of its own (``lean_pages``, ``data-late``), asked for at the first
  answer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from pe_lab.diagnosis.questions import SENTENCES
from pe_lab.explorers.module import join

from . import answers, folds, forms, progress

HERE = Path(__file__).parent
SCRIPT = "asking.js"

# What the page says beside the sentences about an answer.
TEXTS = {
    "none": "Nothing is chosen yet.",
    "no-number": "No number is given yet.",
    "next": "The next question is below.",
    "opened": "What is folded below is open now.",
    "shown": "The answer is {right}.",
    "broken": "The answers of this page could not be loaded.",
    "up": "Line {n} up",
    "down": "Line {n} down",
    "moved": "Line {n} of {all}: ",
    "value": "about {value} of the largest",
    "right-state": "right",
    "tried-state": "tried",
    "shown-state": "shown",
    "open-state": "open",
    "question": "Question {n}: {state}",
    "forgotten": "They are forgotten.",
}


def script() -> str:
    """Both files as a classic script: names of its own, nothing exported."""
    module = join(HERE, "page.js", {"SENTENCES": SENTENCES, "TEXTS": TEXTS})
    return "{\n" + re.sub(r"^export ", "", module, flags=re.MULTILINE) + "}\n"


def configure(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(HERE / "static"))


def add_script(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give a page with forms, or with the reader's progress, the script; others nothing."""
    if doctree is None or app.builder.format != "html":
        return
    if late := forms.late(pagename, doctree):
        context["body"] += late
    if late or any(doctree.findall(progress.progress)):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file("asking.css")


def write_script(app: Sphinx) -> None:
    """Before the pages, which name it with a digest of what it says."""
    if app.builder.name == "html" and app.config.asking_folder:
        path = Path(app.outdir, "_static", SCRIPT)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script(), encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    app.setup_extension("chapters")
    app.add_config_value("asking_folder", "", "env", [str])
    for module in (forms, answers, folds, progress):
        module.setup(app)
    app.connect("config-inited", configure)
    app.connect("html-page-context", add_script)
    app.connect("builder-inited", write_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
