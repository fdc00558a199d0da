"""What is shown as a deck: a chapter, or a lesson of several, and what it begins with."""

from __future__ import annotations

from dataclasses import dataclass

from chapters.lessons import lesson
from chapters.reading_time import KEY, required_chapters
from docutils import nodes
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

ASKED = "What the class asks"


@dataclass(frozen=True)
class Part:
    """A chapter, or a section of one, with the minutes that are counted for it."""

    docname: str
    section: str
    title: str
    minutes: int


@dataclass(frozen=True)
class Deck:
    """A deck of slides.

    Attributes:
        name: of its file.
        title: its heading.
        minutes: that it has.
        parts: what it is made of.
        number: of the chapter; "" for a lesson.
    """

    name: str
    title: str
    minutes: int
    parts: tuple[Part, ...]
    number: str = ""

    @property
    def counted(self) -> int:
        return sum(part.minutes for part in self.parts)


def all_decks(env: BuildEnvironment) -> list[Deck]:
    """A deck for each required chapter, then one for each lesson of the front page."""
    chapters = [chapter_deck(env, docname) for docname in required_chapters(env)]
    front = env.get_doctree(env.config.root_doc)
    return [*chapters, *(lesson_deck(env, each) for each in front.findall(lesson))]


def chapter_deck(env: BuildEnvironment, docname: str) -> Deck:
    title = env.titles[docname].astext()
    whole = part(env, docname, "", title)
    number = ".".join(map(str, env.toc_secnumbers[docname][""]))
    return Deck(stem(docname), title, whole.minutes, (whole,), number)


def lesson_deck(env: BuildEnvironment, node: lesson) -> Deck:
    parts = tuple(
        part(env, item["page"], item["section"], link_words(item)) for item in node[0].children
    )
    minutes: int = node["minutes"]
    return Deck(f"lesson_{minutes}", f"A lesson of {minutes} minutes", minutes, parts)


def part(env: BuildEnvironment, docname: str, section: str, title: str) -> Part:
    efforts = env.metadata[docname][KEY]
    if section not in efforts:
        raise ExtensionError(f"slides: no section {section!r} in {docname}")
    return Part(docname, section, title, efforts[section].printed_minutes)


def link_words(item: nodes.Element) -> str:
    """The words of the link that an entry of a lesson begins with."""
    first = item[0][0]
    return str(first.astext())


def stem(docname: str) -> str:
    return docname.rpartition("/")[2]


def carrying_questions(env: BuildEnvironment) -> dict[str, nodes.Element]:
    """By chapter the question that carries it, from the table of the front page."""
    found: dict[str, nodes.Element] = {}
    for row in env.get_doctree(env.config.root_doc).findall(nodes.row):
        cells = [entry for entry in row.children if isinstance(entry, nodes.entry)]
        for link in cells[0].findall():
            if isinstance(link, nodes.Element) and link.get("refdomain") == "doc":
                found[link["reftarget"]] = cells[1]
    return found


def time_plan(deck: Deck) -> list[tuple[str, str]]:
    """From which minute to which, and what; what is left belongs to the class."""
    plan, begun = [], 0
    for each in deck.parts:
        plan.append((f"{begun}–{begun + each.minutes}", each.title))
        begun += each.minutes
    if begun < deck.minutes:
        plan.append((f"{begun}–{deck.minutes}", ASKED))
    return plan
