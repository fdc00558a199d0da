"""Minutes of other pages: a ``lesson`` whose chapters fit into its time, and ``minutes`` in a line.

    ```{lesson} 60
    - [Attention cannot see order](../notebooks/01_order.ipynb)
    - [The formula](../notebooks/03_step_by_step.ipynb#the-formula), with the questions aloud
    ```

Each entry begins with a link to a page, or to one of its sections; the build adds its minutes,
and fails when they are more than the lesson's. ``{minutes}`` takes such an address as well, or
``required``: all numbered chapters.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from .counting import Effort
from .reading_time import KEY, required_chapters

logger = logging.getLogger(__name__)

REQUIRED = "required"


class lesson(nodes.General, nodes.Element):
    """``minutes``: how long the lesson is. Its list has a ``page`` and a ``section`` an item."""


class minutes(nodes.Inline, nodes.TextElement):
    """The place of a number: the minutes of ``page``, or of its ``section``."""


class LessonDirective(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        try:
            length = directives.positive_int(self.arguments[0])
        except ValueError:
            raise self.error(f"lesson: minutes, not {self.arguments[0]!r}") from None
        node = lesson(minutes=length)
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        if len(node) != 1 or not isinstance(node[0], nodes.bullet_list):
            raise self.error("lesson: its body is a list of links to chapters")
        for item in node[0].children:
            link = item.next_node(addnodes.pending_xref)
            if link is None or link.get("refdomain") != "doc":
                raise self.error(f"lesson: no link to a chapter in {item.astext()!r}")
            item["page"], item["section"] = link["reftarget"], link["reftargetid"] or ""
            self.env.note_dependency(self.env.doc2path(item["page"]))
        return [node]


class MinutesRole(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        place = minutes("", "", page=REQUIRED, section="")
        self.set_source_info(place)
        if self.text == REQUIRED:
            self.env.note_reread()
        else:
            address, _, place["section"] = self.text.partition("#")
            relative, path = self.env.relfn2path(address)
            place["page"] = self.env.path2doc(path) or relative
            self.env.note_dependency(path)
        return [place], []


class WriteMinutes(SphinxPostTransform):
    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        for place in list(self.document.findall(minutes)):
            place.parent.replace(place, nodes.Text(str(self.minutes_of(place))))
        for node in list(self.document.findall(lesson)):
            node.parent.replace(node, self.planned(node))

    def planned(self, node: lesson) -> nodes.container:
        """The list with the minutes of each entry, and their sum before it."""
        together = 0
        for item in node[0].children:
            taken = self.minutes_of(item)
            together += taken
            item[0] += nodes.inline("", f" ({taken} min)", classes=["minutes"])
        if together > node["minutes"]:
            logger.error(
                "lesson of %d minutes: its chapters take %d",
                node["minutes"],
                together,
                location=node,
            )
        title = nodes.strong("", f"A lesson of {node['minutes']} minutes")
        line = nodes.paragraph("", "", title, nodes.Text(f", {together} of them counted:"))
        return nodes.container("", line, *node.children, classes=["lesson"])

    def minutes_of(self, node: nodes.Element) -> int:
        page, section = node["page"], node["section"]
        if page == REQUIRED:
            return together(self.env)
        efforts: dict[str, Effort] = self.env.metadata.get(page, {}).get(KEY, {})
        if section not in efforts:
            name = f"{page}#{section}" if section else page
            logger.error("no page or section to count: %s", name, location=node)
            return 0
        return efforts[section].printed_minutes


def together(env: BuildEnvironment) -> int:
    """The required chapters, as their own pages print them."""
    pages = required_chapters(env)
    return sum(env.metadata[page][KEY][""].printed_minutes for page in pages)


def setup(app: Sphinx) -> None:
    app.add_directive("lesson", LessonDirective)
    app.add_role("minutes", MinutesRole())
    app.add_post_transform(WriteMinutes)
