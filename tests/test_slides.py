"""The slides: what a cell's metadata says, and the decks that `dist/slides` has.

How slides look in a browser is asked in ``browser/test_slides_shown.py``.
"""

from __future__ import annotations

import functools
import json
import math
import re
from pathlib import Path

import nbformat
import pytest
from chapters.counting import Effort, lines
from docutils import nodes
from nbformat import NotebookNode
from selectolax.lexbor import LexborHTMLParser, LexborNode
from slides.builder import prefixed
from slides.cutting import Slide, amount, joined, without_checks
from slides.decks import ASKED, Deck, Part, time_plan
from slides.texts import KEY, shown_of, slide_type, words_of
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "dist" / "slides"
SOURCES = sorted((ROOT / "notebooks").glob("[01]*_*.ipynb"))
STEMS = [path.stem for path in SOURCES]
LESSONS = ["lesson_60", "lesson_90"]
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


# Piece by piece


def words(text: str) -> nodes.paragraph:
    return nodes.paragraph("", text)


def listing(*lines: str) -> nodes.literal_block:
    return nodes.literal_block("", "\n".join(lines))


def test_a_cell_says_what_its_slide_shows() -> None:
    assert words_of({KEY: "short"}, "") == {"text": "short"}
    assert words_of({KEY: {"answer": "no"}}, "") == {"answer": "no"}
    assert words_of({}, "") == {}
    assert shown_of({KEY: "result"}, "") == "result"
    assert slide_type({"slideshow": {"slide_type": "skip"}}, "") == "skip"
    assert slide_type({}, "") == "-"


def test_metadata_that_means_nothing_ends_the_build() -> None:
    with pytest.raises(ExtensionError, match="cell 7: slides has \\['reply'\\]"):
        words_of({KEY: {"reply": "no"}}, "cell 7")
    with pytest.raises(ExtensionError, match="cell 7: slides is 'all'"):
        shown_of({KEY: "all"}, "cell 7")
    with pytest.raises(ExtensionError, match="cell 7: slide_type 'last'"):
        slide_type({"slideshow": {"slide_type": "last"}}, "cell 7")


def test_a_slide_without_anything_on_it_is_told_before_the_next() -> None:
    slides = [Slide([], frozenset()) for _ in range(4)]
    for number, slide in enumerate(slides):
        slide.notes = [words(str(number))]
        slide.effort = Effort(words=10**number)
    slides[2].blocks = [words("seen")]
    kept = list(joined(slides))
    assert kept == [slides[0], slides[2]]  # the first has the chapter's title
    assert [each.astext() for each in kept[1].notes] == ["1", "2", "3"]
    assert sum((each.effort for each in kept), Effort()).words == 1111


def test_what_may_share_a_slide_is_short() -> None:
    slide = Slide([], frozenset(), blocks=[words("x" * 600)])
    assert slide.has_room_for([words("x" * 200)])
    assert not slide.has_room_for([words("x" * 300)])
    assert amount([listing("a" * 70, "b")]) < amount([listing(*"abc")])
    matrix = nodes.math_block("", r"\begin{pmatrix} a \\ b \end{pmatrix}")
    assert amount([matrix]) == 3
    row = nodes.row("", *(nodes.entry("", words("cell")) for _ in range(4)))
    assert amount([nodes.tbody("", row, row.deepcopy())]) == 2


def test_code_is_shown_without_the_checks_at_its_end() -> None:
    shown = without_checks(listing("a = 1", "assert a", "b = a", "", "assert b == 1"))
    assert shown.astext() == "a = 1\nassert a\nb = a"


def test_names_of_a_chapter_are_told_apart_in_a_lesson() -> None:
    html = '<figure id="live-a" data-model="model-01"></figure><p aria-labelledby="x y"></p>'
    html += '<span data-figure="live-a"></span>'
    assert prefixed(html, "06-") == (
        '<figure id="06-live-a" data-model="06-model-01"></figure>'
        '<p aria-labelledby="06-x 06-y"></p><span data-figure="06-live-a"></span>'
    )


def test_a_time_plan_goes_on_where_it_stopped() -> None:
    parts = (Part("a", "", "A", 25), Part("b", "", "B", 23))
    assert time_plan(Deck("", "", 48, parts)) == [("0–25", "A"), ("25–48", "B")]
    assert time_plan(Deck("", "", 60, parts))[2:] == [("48–60", ASKED)]


# The decks of this book


@functools.cache
def deck(name: str) -> LexborHTMLParser:
    path = BUILT / f"{name}.html"
    assert path.exists(), "python -m course slides: there are no slides"
    return LexborHTMLParser(path.read_text(encoding="utf-8"))


@functools.cache
def chapter(name: str) -> NotebookNode:
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def told(name: str) -> str:
    """The Markdown of a chapter, without its exercises and what comes after them."""
    texts = [cell.source for cell in chapter(name).cells if cell.cell_type == "markdown"]
    return "\n\n".join(texts).partition("\n## Exercises")[0]


@pytest.mark.parametrize("name", [*STEMS, *LESSONS])
def test_a_deck_is_a_row_of_slides_under_one_heading(name: str) -> None:
    page = deck(name)
    slides = page.css(".slides > section")
    assert len(page.css("section")) == len(slides)  # reveal.js takes each for a slide
    assert len(page.css("h1")) == 1
    assert all(len(slide.css("h1, h2")) == 1 for slide in slides)
    assert all(slide.css_first(".body, table, h1") for slide in slides)
    names = [each.attributes["id"] for each in page.css("[id]")]
    assert len(names) == len({*names})
    assert not page.css("aside.notes .katex, aside.notes .live-link")


@pytest.mark.parametrize("name", [*STEMS, *LESSONS])
def test_a_deck_has_the_models_of_its_live_figures(name: str) -> None:
    page = deck(name)
    stored = [model for model, _ in json.loads(page.css_first("#live-figures").text())]
    shown = [each.attributes["data-model"] for each in page.css("[data-model]")]
    assert sorted(stored) == sorted(shown)
    assert len(stored) == len({*stored}) > 0
    figures = {each.attributes["id"] for each in page.css(".live-figure[id]")}
    assert {each.attributes["data-figure"] for each in page.css(".live-link")} <= figures


@pytest.mark.parametrize("name", STEMS)
def test_every_question_is_asked_before_it_is_answered(name: str) -> None:
    """Each on a slide; its answer on the same or a later one, and only after a key."""
    questions = re.findall(r"^```\{question\} ", told(name), flags=re.MULTILINE)
    answers = re.findall(r"^```\{answer\}", told(name), flags=re.MULTILINE)
    asked = 0
    answered = 0
    for slide in deck(name).css(".slides > section"):
        title = slide.css_first("h1, h2").text()
        if title == "Check yourself":
            continue
        asked += "question" in (slide.attributes["class"] or "").split()
        for answer in slide.css(".answer"):
            answered += 1
            assert "fragment" in (answer.attributes["class"] or "")
            assert answered <= asked
    assert asked == len(questions)
    assert answered == len(answers)


@pytest.mark.parametrize("name", STEMS)
def test_a_slide_asks_a_question_once_and_of_what_a_class_sees(name: str) -> None:
    for slide in deck(name).css(".slides > section"):
        asked = " ".join(each.text() for each in slide.css(".body .asked"))
        sentences = [each.strip() for each in re.findall(r"[^.?]+\?", asked)]
        assert len(sentences) == len({*sentences}), sentences
        assert not re.search(r"Below is|\bopen (it|the)\b|paragraph above", asked), asked


@pytest.mark.parametrize("name", STEMS)
def test_a_slide_begins_with_something_shown(name: str) -> None:
    for slide in deck(name).css(".slides > section"):
        parts = slide.css(".body > .shown, .body > .words > *")
        assert any("fragment" not in (each.attributes.get("class") or "") for each in parts)


@pytest.mark.parametrize("name", STEMS)
def test_every_slide_of_the_chapter_has_its_time(name: str) -> None:
    """Where a cell makes several slides, each has its share; what is said is not all for one."""
    for slide in deck(name).css(".slides > section")[1:]:
        title = slide.css_first("h2").text()
        if title != "Check yourself" and not title.startswith("Exercise: "):
            assert int(slide.attributes["data-timing"] or "") > 2, title


@pytest.mark.parametrize("name", STEMS)
def test_every_exercise_is_asked_in_words(name: str) -> None:
    texts = [cell.source for cell in chapter(name).cells if cell.cell_type == "markdown"]
    titles = re.findall(r"^```+\{exercise\} (.+)$", "\n".join(texts), flags=re.MULTILINE)
    prefix = "Exercise: "
    shown = [
        (slide.css_first("h2").text().removeprefix(prefix), slide.css_first(".body").text())
        for slide in deck(name).css(".slides > section")
        if slide.css_first("h1, h2").text().startswith(prefix)
    ]
    assert [title.replace("’", "'") for title, _ in shown] == titles
    assert all(len(asked.split()) > 20 for _, asked in shown)


@pytest.mark.parametrize("name", STEMS)
def test_the_slides_take_the_time_that_the_chapter_is_given(name: str) -> None:
    slides = deck(name).css(".slides > section")
    seconds = [int(slide.attributes["data-timing"] or "") for slide in slides]
    promised = re.search(r"(\d+) minutes", deck(name).css_first(".where").text())
    assert promised
    rounded = len(slides) / 2  # seconds that rounding may add or take
    assert math.ceil((sum(seconds) - rounded) / 60) <= int(promised[1])
    left_out = sum(map(minutes_left_out, chapter(name).cells))
    assert (sum(seconds) + rounded) / 60 > int(promised[1]) - 1 - left_out


def minutes_left_out(cell: NotebookNode) -> float:
    """What a class is not shown, and a reader of the page reads: some code."""
    if slide_type(cell.metadata, "") != "skip" or "hide-input" in cell.metadata.get("tags", []):
        return 0
    assert cell.cell_type == "code"
    return Effort(code_lines=lines(cell.source)).minutes


@pytest.mark.parametrize("name", STEMS)
def test_the_words_of_a_cell_stand_under_one_title(name: str) -> None:
    """Those of two would be told on the slide of the first."""
    of_their_own = [cell for cell in chapter(name).cells if KEY in cell.metadata]
    titles = {cell.id: len(re.findall(r"^## ", cell.source, re.M)) for cell in of_their_own}
    assert not [cell for cell, count in titles.items() if count > 1]


@pytest.mark.parametrize("name", STEMS)
def test_no_number_is_on_a_slide_alone(name: str) -> None:
    """What a cell's metadata puts on a slide, the chapter says too, and asserts."""
    said = {*NUMBER.findall(told(name).replace("{,}", ","))}
    for cell in chapter(name).cells:
        for output in cell.get("outputs", []):
            said |= {*NUMBER.findall(output.get("text", ""))}
    for cell in chapter(name).cells:
        for text in words_of(cell.metadata if cell.cell_type == "markdown" else {}, "").values():
            plain = re.sub(r"\]\(live:[^)]*\)", "]", text).replace("{,}", ",")
            plain = re.sub(r"^\d\. ", "", plain, flags=re.MULTILINE)
            alone = {*NUMBER.findall(plain)} - said
            assert not alone, f"{cell.id}: {alone}"


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_has_its_parts_in_their_order_and_no_exercises(name: str) -> None:
    page = deck(name)
    titles = [each.text() for each in page.css(".slides h2")]
    assert not [each for each in titles if each.startswith(("Check yourself", "Exercise"))]
    plan = [row.css("td")[1].text() for row in page.css(".plan tbody tr")]
    plan = [part for part in plan if part != ASKED]
    begins = [titles.index(next(each for each in titles if each == part)) for part in plan]
    assert begins == sorted(begins)
    ends = [row.css_first("td").text().partition("–")[2] for row in page.css(".plan tbody tr")]
    assert ends[-1] == name.removeprefix("lesson_")
    # Of a chapter that is there in part, other parts are not.
    assert "Could sines alone do it?" not in titles


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_shows_what_its_chapters_show(name: str) -> None:
    in_chapters = {seen(slide) for stem in STEMS for slide in deck(stem).css(".slides > section")}
    own = [each for each in deck(name).css(".slides > section") if seen(each) not in in_chapters]
    assert [each.attributes["class"] for each in own[:2]] == ["first", "plan"]
    assert {each.attributes["class"] for each in own} == {"first", "plan"}


def seen(slide: LexborNode) -> tuple[str, str, str, int]:
    """What tells a slide from others: its kind, its title, its words and its pictures."""
    body = slide.css_first(".body")
    kind = slide.attributes["class"] or ""
    title = slide.css_first("h1, h2").text()
    return (kind, title, body.text() if body else "", len(slide.css(".body img")))


def test_nothing_comes_from_elsewhere() -> None:
    for path in sorted(BUILT.glob("*.html")):
        page = LexborHTMLParser(path.read_text(encoding="utf-8"))
        for each in page.css("[src], link[href]"):
            address = each.attributes.get("src") or each.attributes.get("href") or ""
            assert address == "data:," or (BUILT / address).exists(), address


def test_the_index_names_every_deck() -> None:
    links = [each.attributes["href"] for each in deck("index").css("td:first-child a")]
    assert links == [f"{name}.html" for name in [*STEMS, *LESSONS]]
