"""``question``: what the reader is asked to predict before the result is shown.

    ```{question} 03-row-zero
    One row of the table needs no calculator. Which one?
    ```

One that takes longer than most says how long, and the page's time counts it: ``:minutes: 3``.

The argument is the question's id, one of its kind in the book. It begins with the number of the
page's file, or with its name where it has no number. The page links to it as ``q-03-row-zero``.
"""

from __future__ import annotations

import math
import re
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains import Domain
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
HEADING = "Predict"


class question(nodes.General, nodes.Element):
    """A question; ``question_id`` is the id that the book knows it by.

    ``minutes``: how long it takes, or None: as long as most.
    """


class Questions(Domain):
    """The ids of all questions, each with its page."""

    name = "question"
    label = "Questions"
    initial_data = {"pages": {}}  # noqa: RUF012 (Sphinx copies it for each book)
    data_version = 1

    @property
    def pages(self) -> dict[str, str]:
        pages: dict[str, str] = self.data["pages"]
        return pages

    def clear_doc(self, docname: str) -> None:
        for question_id in [name for name, page in self.pages.items() if page == docname]:
            del self.pages[question_id]

    def merge_domaindata(self, docnames: list[str], otherdata: dict[str, Any]) -> None:
        for question_id, page in otherdata["pages"].items():
            if page in docnames:
                if (other := self.pages.get(question_id, page)) != page:
                    raise ExtensionError(
                        f"question {question_id!r}: {other} and {page} both have one of this id"
                    )
                self.pages[question_id] = page

    def resolve_any_xref(self, *args: Any, **kwargs: Any) -> list[tuple[str, nodes.Element]]:
        return []  # the standard domain knows the anchors


def minutes(argument: str | None) -> float:
    """A positive number of minutes, such as 3 or 1.5."""
    number = float(argument or "")
    if not 0 < number < math.inf:
        raise ValueError(f"minutes: a positive number, not {argument}")
    return number


class QuestionDirective(SphinxDirective):
    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"minutes": minutes}

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        question_id = self.arguments[0]
        prefix = page_prefix(self.env.docname)
        domain = self.env.domains["question"]
        assert isinstance(domain, Questions)
        if not ID.fullmatch(question_id) or not question_id.startswith(f"{prefix}-"):
            raise self.error(
                f"question {question_id!r}: an id on this page is {prefix!r}, then words of small "
                f"letters and digits, joined by hyphens: {prefix}-row-zero"
            )
        if page := domain.pages.get(question_id):
            raise self.error(f"question {question_id!r}: {page} has a question of this id")
        domain.pages[question_id] = self.env.docname

        node = question(
            question_id=question_id,
            minutes=self.options.get("minutes"),
            names=[f"q-{question_id}"],
        )
        self.set_source_info(node)
        self.state.document.note_explicit_target(node, node)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def page_prefix(docname: str) -> str:
    """``03`` for ``notebooks/03_step_by_step``, ``four-ways`` for ``notebooks/four_ways``."""
    stem = docname.rpartition("/")[2]
    number = re.match(r"\d+", stem)
    return number[0] if number else stem.replace("_", "-")


def open_box(translator: HTML5Translator, node: nodes.Element, title: str) -> None:
    """A box of questions, named by its title."""
    heading = f"{node['ids'][0]}-heading"
    tag = translator.starttag(
        node, "div", CLASS="question", role="group", **{"aria-labelledby": heading}
    )
    translator.body.append(f'{tag}<p class="question-heading" id="{heading}">{title}</p>\n')


def visit_html(self: HTML5Translator, node: question) -> None:
    open_box(self, node, HEADING)


def depart_html(self: HTML5Translator, node: question) -> None:
    self.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    app.add_domain(Questions)
    app.add_directive("question", QuestionDirective)
