"""``progress``: how far the reader has come, by chapter, with a link to each question.

    ```{progress}
    ```

The build writes the links; the script fills in what the browser remembers.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from live_figures.writers import add_page_node
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from .forms import KEY

STATES = ("right", "tried", "shown", "open")


class progress(nodes.General, nodes.Element):
    """The table; ``chapters``: page, title and questions of each, when the book has been read."""


class ProgressDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        node = progress()
        self.set_source_info(node)
        return [node]


class FillProgress(SphinxPostTransform):
    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        for node in self.document.findall(progress):
            node["chapters"] = [
                (page, title_of(self.env, page), asked)
                for page in sorted(self.env.found_docs)
                if (asked := self.env.metadata.get(page, {}).get(KEY))
            ]


def title_of(env: Any, page: str) -> str:
    """The chapter's title, after its number where it has one."""
    numbers = env.toc_secnumbers.get(page, {}).get("")
    title: str = env.titles[page].astext()
    return f"{numbers[0]}. {title}" if numbers else title


def visit_html(self: HTML5Translator, node: progress) -> None:
    heads = "".join(f'<th scope="col">{state.capitalize()}</th>' for state in STATES)
    rows = "".join(row(self, page, title, asked) for page, title, asked in node["chapters"])
    self.body.append(
        '<div class="progress-of-reader"><table class="table"><thead><tr>'
        f'<th scope="col">Chapter</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        '<p><button type="button" id="forget">Forget my answers</button> '
        '<output id="forgotten"></output></p></div>\n'
    )


def row(self: HTML5Translator, page: str, title: str, asked: list[str]) -> str:
    """A chapter: how many of its questions are in each state, and a link to each."""
    address = self.builder.get_relative_uri(self.builder.current_docname, page)
    links = " ".join(
        f'<a href="{address}#ask-{name}" data-ask="{name}">{n}</a>'
        for n, name in enumerate(asked, 1)
    )
    counts = "".join(
        f'<td data-count="{state}">{len(asked) if state == "open" else 0}</td>' for state in STATES
    )
    return (
        f'<tr><th scope="row"><a href="{address}">{title}</a></th>{counts}</tr>'
        f'<tr><td colspan="5" class="each-question">{links}</td></tr>'
    )


def depart_html(self: HTML5Translator, node: progress) -> None:
    pass


def setup(app: Sphinx) -> None:
    add_page_node(app, progress, visit_html, depart_html)
    app.add_directive("progress", ProgressDirective)
    app.add_post_transform(FillProgress)
