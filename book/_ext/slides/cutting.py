"""A chapter as slides.

A section is a slide. A question is one by itself; what answers it comes after, as a fragment, or
beside the figure that shows it. Formulas, tables and lists stand where they do on the page. Prose
is for reading: it is the speaker's, and a slide shows the words that its cell has for it
(``texts``).
Every part of the chapter is told on one slide, which takes the time that the page counts for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from asking.forms import alternative, check, form, prompt, says
from chapters.answers import answer
from chapters.counting import PROOF, SECTIONS_APART, Effort, count, heading
from chapters.questions import question
from docutils import nodes
from live_figures.figures import live_figure
from nbformat import NotebookNode

from pe_lab.diagnosis.questions import LETTERS

from .texts import Texts, shown_of, slide_type, words_of

LINES = 18  # of code and what it prints, on one slide
ROOM = 11  # lines of what may share a slide, which is then set in a size to be read from afar
WIDTH = 75  # characters of such a line
LINES_A_CELL = 10_000  # by which MyST-NB tells the cells of a notebook apart
UNTIMED = "reading-time"
PROOF_NODE = "proof_node"  # of sphinx-proof


@dataclass
class Slide:
    """What is shown, what is said, and how long it takes.

    Attributes:
        title: the nodes of its heading.
        sections: the anchors of the sections that it is in.
        kind: "text", "question", "figure", "live", "code" or "claim".
        blocks: what is shown; beside a figure, what stands under it.
        figure: the picture or the live figure that has most of the slide.
        notes: what the speaker reads.
        effort: what it takes, as the page counts it.
        extra: whether the chapter's time leaves it out.
    """

    title: list[nodes.Node]
    sections: frozenset[str]
    kind: str = "text"
    blocks: list[nodes.Node] = field(default_factory=list)
    figure: list[nodes.Node] = field(default_factory=list)
    notes: list[nodes.Node] = field(default_factory=list)
    effort: Effort = field(default_factory=Effort)
    extra: bool = False

    @property
    def empty(self) -> bool:
        return not self.blocks and not self.figure

    def has_room_for(self, blocks: Iterable[nodes.Node]) -> bool:
        """Whether these may stand on the slide beside what is there."""
        return not self.figure and amount([*self.blocks, *blocks]) <= ROOM


def cut(chapter: nodes.document, cells: list[NotebookNode], texts: Texts) -> list[Slide]:
    """The slides of a chapter, the first for its title. Takes the document's nodes apart."""
    cutter = Cutter(cells, texts)
    top = chapter.next_node(nodes.section)
    assert top is not None
    cutter.section(top, frozenset())
    cutter.spread()
    slides = list(joined(cutter.slides))
    for slide in slides:
        begin(slide)
    return slides


def begin(slide: Slide) -> None:
    """Show the first block at once where all of them wait for a key, unless it is an answer."""
    waiting = [each for each in slide.blocks if "fragment" in each.get("classes", [])]
    if slide.figure or len(waiting) < len(slide.blocks) or not waiting:
        return
    if "answer" not in waiting[0]["classes"]:
        waiting[0]["classes"].remove("fragment")


def joined(slides: list[Slide]) -> Iterator[Slide]:
    """The slides without those that show nothing: their words are said before what follows."""
    notes: list[nodes.Node] = []
    effort = Effort()
    before: Slide | None = None
    for slide in slides:
        if slide.empty and before is not None:
            notes += slide.notes
            effort += slide.effort
            continue
        slide.notes = notes + slide.notes
        slide.effort = effort + slide.effort
        notes, effort = [], Effort()
        before = slide
        yield slide
    if before is not None:
        before.notes += notes
        before.effort += effort


class Cutter:
    """The slides of one chapter while they are cut."""

    def __init__(self, cells: list[NotebookNode], texts: Texts) -> None:
        self.cells = cells
        self.texts = texts
        self.slides: list[Slide] = []
        self.cell = 0  # that the last block was in
        self.begun = -1  # the cell that has begun a slide by its metadata
        self.told = -1  # the cell whose words are on a slide
        self.several: list[Slide] = []  # slides that this cell's words are on, if more than one
        self.said: list[tuple[nodes.Node, Effort]] = []  # what that cell says to them
        self.parted: list[Slide] = []  # that has the code of what is printed on the next

    @property
    def slide(self) -> Slide:
        return self.slides[-1]

    # Where a slide begins

    def section(self, section: nodes.section, above: frozenset[str]) -> None:
        if heading(section) in SECTIONS_APART:
            self.exercises(section)
            return
        within = above | {*section["ids"], section.get("slug", "")}
        for block in section.children:
            if isinstance(block, nodes.section):
                self.section(block, within)
            elif isinstance(block, nodes.title):
                self.at(block)
                self.slides.append(Slide(block.children, within, effort=count(block)))
            else:
                self.block(block)

    def again(self) -> Slide:
        """Another slide of the same section; the one begun, if nothing stands on it."""
        if not self.slide.empty or len(self.slides) == 1:
            title = [each.deepcopy() for each in self.slide.title]
            self.slides.append(Slide(title, self.slide.sections))
        return self.slide

    def has_room_for(self, blocks: Iterable[nodes.Node]) -> bool:
        """Whether these may stand on the slide that there is, which is not the title's."""
        return len(self.slides) > 1 and self.slide.has_room_for(blocks)

    def plain(self) -> Slide:
        """A slide for words and formulas."""
        if self.slide.kind == "text" and len(self.slides) > 1:
            return self.slide
        return self.again()

    # What stands on it

    def block(self, block: nodes.Node) -> None:
        if not isinstance(block, nodes.Element) or isinstance(block, (nodes.target, nodes.comment)):
            return
        if UNTIMED in block["classes"]:
            return
        metadata, where = self.at(block)
        kind = slide_type(metadata, where)
        if kind == "skip":
            return
        if kind in ("slide", "subslide") and self.begun != self.cell:
            self.begun = self.cell
            self.again()
        is_code = block.get("nb_element") == "cell_code"
        taken = count(block)
        self.parted, said = [], len(self.said)
        if isinstance(block, (question, answer)):
            self.spread()  # what explains is said before what is asked
        if kind == "notes":
            if not is_code:
                self.slide.notes.append(block)
        elif isinstance(block, question):
            self.ask(block, words_of(metadata, where))
        elif isinstance(block, answer):
            self.answer(block, words_of(metadata, where))
        elif is_code:
            self.code(block, shown_of(metadata, where))
        elif PROOF in block["classes"] or block.tagname == PROOF_NODE:
            self.theorem(block)
        else:
            self.prose(block, words_of(metadata, where), fragment=kind == "fragment")
        if len(self.said) > said:
            return  # its time is told with its words
        for slide in self.parted:
            taken /= 2
            slide.effort += taken
        self.slide.effort += taken

    def at(self, block: nodes.Element) -> tuple[dict[str, Any], str]:
        """The metadata of the cell that a block is in, and its name."""
        lines = (each.line for each in block.findall(nodes.Element) if each.line)
        if line := next(lines, None):
            cell = line // LINES_A_CELL - 1
            if cell != self.cell:
                self.spread()
            self.cell = cell
        cell = self.cells[self.cell]
        return cell.metadata, f"cell {cell.get('id')}"

    def prose(self, block: nodes.Element, words: dict[str, str], *, fragment: bool) -> None:
        if "text" in words:
            self.write(words["text"], fragment=fragment)
            if self.several:
                self.said.append((block, count(block)))
            else:
                self.slide.notes.append(block)
        elif isinstance(block, nodes.paragraph) or len(self.slides) == 1:
            self.slide.notes.append(block)
        elif isinstance(block, (nodes.image, nodes.figure)):
            slide = self.again()
            slide.kind = "figure"
            slide.figure.append(block)
        else:
            self.plain().blocks.append(block)

    def write(self, text: str, *, fragment: bool) -> None:
        """The cell's own words, once."""
        if self.told == self.cell:
            return
        self.told = self.cell
        shown = []
        for number, content in enumerate(self.texts.slides(text)):
            is_title = len(self.slides) == 1
            short = self.slide.kind in ("question", "code") and self.slide.has_room_for(content)
            if fragment or (short and not number):
                self.slide.blocks.append(nodes.container("", *content, classes=["fragment"]))
            elif is_title:
                self.slide.blocks += content
            else:
                slide = self.again() if number else self.plain()
                slide.blocks += content
            shown.append(self.slide)
        self.several = shown if shown[-1] is not shown[0] else []

    def spread(self) -> None:
        """Of the cell that has several slides, say to each its share, in order."""
        for number, (block, taken) in enumerate(self.said):
            slide = self.several[number * len(self.several) // len(self.said)]
            slide.notes.append(block)
            slide.effort += taken
        self.several, self.said = [], []

    def ask(self, asked: question, words: dict[str, str]) -> None:
        """The question, with the choices that its form has; what is foreseen, for the speaker."""
        text = [block for block in asked.children if not isinstance(block, form)]
        forms = list(asked.findall(form))
        said = [part for each in forms for part in foreseen(each)]
        if "question" in words:
            said = [block.deepcopy() for block in text] + said
            text = self.texts.parsed(words["question"])
        content: list[nodes.Node] = [nodes.container("", *text, classes=["asked"])]
        if forms and forms[0]["kind"] == "choice":
            content += choices(forms[0], with_prompt=len(forms) > 1 and "question" not in words)
        short = self.slide.kind == "text" and self.has_room_for(content)
        slide = self.slide if short else self.again()
        slide.kind = "question"
        slide.blocks += content
        slide.notes += said

    def answer(self, told: answer, words: dict[str, str]) -> None:
        """The first words of the answer as a fragment; the others are the speaker's."""
        if self.slide.kind == "text" or lines_on(self.slide) > LINES - 6:
            self.again()
        content = list(told.children)
        if "answer" in words:
            self.slide.notes += content
            content = self.texts.parsed(words["answer"])
        else:
            first = 1 + next(
                (n for n, block in enumerate(content) if isinstance(block, nodes.paragraph)), 0
            )
            self.slide.notes += content[first:]
            content = content[:first]
        self.slide.blocks.append(nodes.container("", *content, classes=["answer", "fragment"]))

    def theorem(self, block: nodes.Element) -> None:
        """A theorem has a slide, and so has its proof; short ones come below what is there."""
        short = self.slide.kind in ("claim", "text") and self.has_room_for([block])
        slide = self.slide if short else self.again()
        slide.kind = "claim"
        slide.blocks.append(nodes.container("", block, classes=["fragment"]) if short else block)

    def code(self, cell: nodes.Element, shown: str) -> None:
        """A cell: the figure that it makes has a slide; code and what it prints share one."""
        hidden = cell.attributes.pop("hide_mode", "") or ""
        parts = {part.get("nb_element"): part for part in cell.children}
        source, output = parts.get("cell_code_source"), parts.get("cell_code_output")
        answering = "output" in hidden
        if not shown:
            shown = "result" if "input" in hidden else "both"
        results = list(output.children) if output else []
        figure = next((each for each in results if is_figure(each)), None)
        if figure is not None:
            self.show(figure)
            return
        if source is None or not (results or shown == "code"):
            return
        code = [without_checks(each) for each in source.children] if shown != "result" else []
        self.listing(code, results if shown != "code" else [], fragment=answering)

    def show(self, figure: nodes.Node) -> None:
        """A slide for a figure; beside a picture the question that it answers."""
        asked = [each.deepcopy() for each in self.slide.blocks if "asked" in each["classes"]]
        slide = self.again()
        slide.figure.append(figure)
        if any(figure.findall(live_figure)):
            slide.kind = "live"
        else:
            slide.kind = "figure"
            slide.blocks += asked[:1]

    def listing(self, code: list[nodes.Node], results: list[nodes.Node], *, fragment: bool) -> None:
        """Code and what it prints: on the slide that there is, on one of their own, or on two."""
        printed = [output_of(results, fragment=fragment)] if results else []
        if not code and self.slide.kind in ("text", "question") and not self.slide.empty:
            has_choices = any("choices" in each["classes"] for each in self.slide.blocks)
            if not has_choices and self.has_room_for(printed):
                self.slide.blocks += printed
                return
        if self.slide.kind != "text" or not self.has_room_for([*code, *printed]):
            self.again()
        self.slide.kind = "code"
        self.slide.blocks += code
        if code and printed and lines_on(self.slide, *printed) > LINES:
            self.parted = [self.slide]
            self.again().kind = "code"
        if not code or self.slide.empty:
            printed = [output_of(results)] if results else []
        self.slide.blocks += printed

    def exercises(self, section: nodes.section) -> None:
        """Of the check its choices; of each exercise what it asks; a hint is the speaker's."""
        title = section.next_node(nodes.title)
        if title is None or title.astext() != "Exercises":
            return
        for each in section.findall(check):
            for asked in each.findall(form):
                if asked["kind"] == "choice":
                    self.extra([nodes.Text("Check yourself")], "question").blocks += choices(asked)
                    self.slide.notes += foreseen(asked)
        for block in section.children:
            if is_exercise(block):
                self.exercise(block)
            elif isinstance(block, nodes.hint):
                self.slide.notes.append(block)

    def exercise(self, node: nodes.Element) -> None:
        name = node.next_node(nodes.subtitle)
        asked = node.next_node(nodes.section)
        assert name is not None
        assert asked is not None
        slide = self.extra([nodes.Text("Exercise: "), *name.children], "text")
        slide.blocks += asked.children

    def extra(self, title: list[nodes.Node], kind: str) -> Slide:
        self.slides.append(Slide(title, frozenset(), kind, extra=True))
        return self.slide


def is_exercise(node: nodes.Node) -> bool:
    return node.tagname in ("exercise_node", "exercise_enumerable_node")


def is_figure(node: nodes.Node) -> bool:
    """Whether a cell's result is to be looked at: a picture, a live figure or a table."""
    if any(node.findall(live_figure)) or any(node.findall(nodes.image)):
        return True
    kinds = [each.get("mime_type", "") for each in node.findall(nodes.container)]
    return any(kind.startswith(("image/", "text/markdown", "text/html")) for kind in kinds)


def printed_lines(node: nodes.Node) -> int:
    blocks = node.findall(nodes.literal_block)
    return sum(block.astext().rstrip().count("\n") + 1 for block in blocks)


def lines_on(slide: Slide, *more: nodes.Node) -> int:
    """How many lines of code, and of what it prints, are on a slide."""
    return sum(map(printed_lines, [*slide.blocks, *more]))


def amount(blocks: Iterable[nodes.Node]) -> float:
    """How much there is to see, in lines."""
    return sum(map(tall, (part for block in blocks for part in block.findall())))


def tall(part: nodes.Node) -> float:
    """The lines of a paragraph, a listing, a formula of its own or a row of a table."""
    if isinstance(part, nodes.literal_block):
        return 0.75 * printed_lines(part)
    if isinstance(part, nodes.math_block):
        return 2 + str(part.astext()).count(r"\\")
    if isinstance(part, nodes.paragraph) and not isinstance(part.parent, nodes.entry):
        return math.ceil(len(part.astext()) / WIDTH)
    return float(isinstance(part, nodes.row))


def without_checks(code: nodes.Node) -> nodes.Node:
    """Code as it is shown to a class: without the assertions that it ends with."""
    if isinstance(code, nodes.literal_block):
        lines = code.astext().rstrip().split("\n")
        while lines and (not lines[-1] or lines[-1].startswith("assert ")):
            lines.pop()
        shown = code.deepcopy()
        shown.children = [nodes.Text("\n".join(lines))]
        shown.rawsource = shown.astext()
        return shown
    return code


def output_of(results: Iterable[nodes.Node], *, fragment: bool = False) -> nodes.container:
    classes = ["cell_output", *(["fragment"] if fragment else [])]
    return nodes.container("", *results, classes=classes)


def choices(asked: form, *, with_prompt: bool = True) -> list[nodes.Node]:
    """The choices of a question by their letters; a mark at the right one comes as a fragment."""
    items = []
    for each in asked.findall(alternative):
        letter = nodes.strong("", f"{LETTERS[each['place']].upper()}. ")
        line = nodes.paragraph("", "", letter, *deepcopies(each))
        if each["number"] == asked["judged"]["right"]:
            line += nodes.inline("", " ✓ right", classes=["fragment", "is-right"])
        items.append(nodes.list_item("", line))
    shown: list[nodes.Node] = [nodes.bullet_list("", *items, classes=["choices"])]
    if with_prompt:
        shown.insert(0, nodes.container("", words(asked), classes=["asked"]))
    return shown


def words(asked: form) -> nodes.paragraph:
    """The words of a question, without the number that the page gives it."""
    node = asked.next_node(prompt)
    assert node is not None
    parts = [part.deepcopy() for part in node.children if not isinstance(part, nodes.strong)]
    return nodes.paragraph("", "", *parts)


def foreseen(asked: form) -> list[nodes.Node]:
    """For the speaker: the right answer, and what is said of wrong ones."""
    line = nodes.paragraph("", "", nodes.strong("", f"Right: {asked['answer']}. "))
    line += words(asked).children
    sentences = [each for each in asked.children if isinstance(each, says)]
    items = [
        nodes.list_item("", nodes.paragraph("", f"{wrong}: ", *deepcopies(each)))
        for wrong, each in zip(wrong_in_words(asked), sentences, strict=True)
    ]
    return [line, *([nodes.bullet_list("", *items)] if items else [])]


def wrong_in_words(asked: form) -> list[str]:
    """The foreseen wrong answers, as short as a speaker needs them."""
    found = asked["judged"]["wrong"]
    if asked["kind"] == "choice":
        places = {each["number"]: each["place"] for each in asked.findall(alternative)}
        return [LETTERS[places[number]].upper() for number in found]
    if asked["kind"] == "number":
        return [f"{value:.4g}" for value in found]
    return [f"wrong answer {number}" for number, _ in enumerate(found, 1)]


def deepcopies(node: nodes.Element) -> list[nodes.Node]:
    return [each.deepcopy() for each in node.children]
