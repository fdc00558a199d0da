"""The guide's directives: each takes data of the course and writes Markdown in its place.

    ```{objectives}             of the chapter whose name the page has
    ```{plan} 50                a lesson by the minute; its steps must fill it
    ```{ask} 03-denominators    a question of the bank; below it, the reply to wrong answers
    ```{tasks}                  of the problem sets, about the chapter
    ```{workload}               lines "- what: minutes", summed; minutes are a number, ``read
                                06_shift`` or ``set set1``
    ```{map}                    every objective with what serves it

``{minutes}`06_shift``` is how long a chapter takes, ``{fact}`questions``` how many there are,
``{number}`0.87 = exp(-x)``` is a number that must be so, and
``[words](book:06_shift#live-turn?offset=10)`` leads into the book.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from course import objectives
from course.sets.tasks import read_sets
from pe_lab.diagnosis import questions
from pe_lab.yaml_file import read_yaml

from . import writing
from .book import ROOT, SCHEME, Book
from .plans import read_plan

logger = logging.getLogger(__name__)

ENTRY = re.compile(r"- (?P<what>\S.*?): (?P<minutes>\d+|read \S+|set \S+)")


course_objectives = cache(objectives.load)


def book_of(config: Config) -> Book:
    book: Book = config.guide_book
    return book


def chapter_of(docname: str) -> int:
    """The number of the chapter that a page of the guide is about: 6 for ``06_shift``."""
    return int(docname.partition("_")[0])


class Generated(SphinxDirective):
    """Parses the Markdown that ``markdown`` returns; what it refuses is an error of the page."""

    def run(self) -> list[nodes.Node]:
        try:
            text = self.markdown()
        except ValueError as error:
            raise self.error(str(error)) from error
        return self.parse_text_to_nodes(text, allow_section_headings=True)

    def markdown(self) -> str:
        raise NotImplementedError


class Objectives(Generated):
    def markdown(self) -> str:
        chapter = chapter_of(self.env.docname)
        found = course_objectives().values()
        return writing.objectives_list(each for each in found if each.chapter == chapter)


class Plan(Generated):
    required_arguments = 1
    has_content = True

    def markdown(self) -> str:
        length = int(self.arguments[0])
        return writing.plan_table(read_plan(length, list(self.content)))


class Ask(Generated):
    required_arguments = 1
    has_content = True
    # docutils states it so, of an instance: nobody changes it.
    option_spec = {"wrong": directives.positive_int}  # noqa: RUF012

    def markdown(self) -> str:
        self.assert_has_content()
        name = self.arguments[0]
        bank = questions.load()
        if name not in bank:
            raise ValueError(f"there is no question {name!r}")
        reply = "\n".join(self.content)
        return writing.asked(bank[name], reply, self.options.get("wrong", 3))

    def run(self) -> list[nodes.Node]:
        return [nodes.container("", *super().run(), classes=["asked"])]


class Tasks(Generated):
    def markdown(self) -> str:
        chapter = chapter_of(self.env.docname)
        return writing.tasks_table(
            {
                one.id: [task for task in one.tasks if chapter in task.chapters]
                for one in read_sets().values()
            }
        )


class Workload(Generated):
    has_content = True

    def markdown(self) -> str:
        return writing.workload([self.entry(line) for line in self.content if line.strip()])

    def entry(self, line: str) -> tuple[str, int]:
        match = ENTRY.fullmatch(line)
        if not match:
            raise ValueError(f"'- what: minutes', got {line!r}")
        kind, _, name = match["minutes"].rpartition(" ")
        if kind == "read":
            return match["what"], book_of(self.config).minutes(name)
        if kind == "set":
            if name not in (sets := read_sets()):
                raise ValueError(f"there is no set {name!r}")
            return match["what"], sets[name].minutes
        return match["what"], int(name)


class Map(Generated):
    def markdown(self) -> str:
        found = course_objectives()
        return writing.objectives_map(found, objectives.served(found, objectives.items()))


class Minutes(SphinxRole):
    """``{minutes}`06_shift```: how long a chapter takes, or one of its sections."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            text = str(book_of(self.config).minutes(self.text))
        except ValueError as error:
            logger.warning(str(error), location=self.get_location())
            text = "?"
        return [nodes.Text(text)], []


class Fact(SphinxRole):
    """How many questions, objectives, tasks or points there are; or the book's version."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        tasks = [task for one in read_sets().values() for task in one.tasks]
        facts = {
            "questions": len(questions.load()),
            "objectives": len(course_objectives()),
            "tasks": len(tasks),
            "points": f"{sum(task.points for task in tasks):g}",
            "version": read_yaml(ROOT / "CITATION.cff")["version"],
        }
        if self.text not in facts:
            known = ", ".join(facts)
            logger.warning(f"fact: {known}; not {self.text!r}", location=self.get_location())
        return [nodes.Text(str(facts.get(self.text, "?")))], []


class Number(SphinxRole):
    """``{number}`0.87 = exp(-x)```: the number, if it is that value, rounded."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            text = writing.claimed(self.text)
        except ValueError as error:
            logger.warning(str(error), location=self.get_location())
            text = "?"
        return [nodes.Text(text)], []


class LeadIntoTheBook(SphinxTransform):
    """Addresses that begin with ``book:``, checked and written out."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        for reference in list(self.document.findall(nodes.reference)):
            uri = html.unescape(reference.get("refuri", ""))
            if not uri.startswith(f"{SCHEME}:"):
                continue
            try:
                reference["refuri"] = book_of(self.config).address(uri)
            except ValueError as error:
                logger.warning(f"{uri}: {error}", location=reference)


def configure(app: Sphinx, config: Config) -> None:
    """Let MyST take ``book:`` for an address."""
    schemes = config.myst_url_schemes
    named = schemes if isinstance(schemes, dict) else dict.fromkeys(schemes)
    config.myst_url_schemes = {**named, SCHEME: None}


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("guide_book", None, "")
    for name, directive in {
        "objectives": Objectives,
        "plan": Plan,
        "ask": Ask,
        "tasks": Tasks,
        "workload": Workload,
        "map": Map,
    }.items():
        app.add_directive(name, directive)
    app.add_role("minutes", Minutes())
    app.add_role("fact", Fact())
    app.add_role("number", Number())
    app.add_transform(LeadIntoTheBook)
    app.connect("config-inited", configure)
    return {"version": "1", "parallel_read_safe": False}
