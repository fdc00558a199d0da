"""The book on paper: what each edition says, that nothing is cut, and what a PDF has in it.

The whole book is laid out once; printed are two of its pages, for a whole PDF takes 15 seconds.
"""

from __future__ import annotations

import functools
import io
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from conftest import BOOK
from playwright.sync_api import Browser
from pypdf import PdfReader
from pypdf.generic import DictionaryObject
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tools.pdf.document import Document, document
from tools.pdf.editions import EDITIONS, STUDENTS, TEACHERS, Edition
from tools.pdf.formulas import in_line, tell
from tools.pdf.pages import key, listed
from tools.pdf.printing import finished, opened, with_page_numbers

PRINTED = ("notebooks/intro", "notebooks/09_family")

# What reaches over the edge of the column, or is cut by a box around it.
CUT = """() => {
  const { clientWidth } = document.documentElement;
  const cut = [...document.querySelectorAll("main *")].filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    const hides = getComputedStyle(each).overflowX !== "visible" && each.clientWidth > 1;
    const inside = each.closest("svg") ?? each;
    return (
      (width && inside === each && (left < -0.5 || right > clientWidth + 0.5)) ||
      (hides && each.scrollWidth > each.clientWidth + 1)
    );
  });
  return cut.map((each) => `${each.closest("[id]").id}: ${each.outerHTML.slice(0, 200)}`);
}"""
NOT_SHOWN = """() => [...document.images]
  .filter((each) => !each.naturalWidth || !each.getBoundingClientRect().width)
  .map((each) => each.src)"""


@functools.cache
def made(edition: Edition) -> tuple[Document, LexborHTMLParser]:
    book = document(edition)
    return book, LexborHTMLParser(book.html)


@functools.cache
def built(name: str) -> LexborHTMLParser:
    return LexborHTMLParser((BOOK / f"{name}.html").read_text(encoding="utf-8"))


def words(nodes: list[LexborNode]) -> list[str]:
    """The texts of nodes without formulas, which are not the same signs on paper."""
    copies = [LexborHTMLParser(node.html or "") for node in nodes]
    for copy in copies:
        for formula in copy.css(".katex"):
            formula.decompose()
    return [re.sub(r"\s+", " ", copy.text()).strip() for copy in copies]


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_every_link_and_label_leads_to_one_place(edition: Edition) -> None:
    _, page = made(edition)
    ids = Counter(node.attributes["id"] for node in page.css("[id]"))
    assert [name for name, count in ids.items() if count > 1] == []
    links = [link.attributes["href"] or "" for link in page.css("a[href]")]
    assert len(links) > 600
    assert [link for link in links if not link.startswith(("#", "https://"))] == []
    named = [link[1:] for link in links if link.startswith("#")]
    for attribute in ("for", "aria-labelledby"):
        named += [node.attributes[attribute] or "" for node in page.css(f"[{attribute}]")]
    assert sorted(set(named) - set(ids)) == []


def test_students_have_no_solution_and_teachers_have_all() -> None:
    solutions = answers = 0
    for name, _ in listed():
        (students,), (teachers,) = (
            words(made(edition)[1].css(f'[id="{key(name)}"]')) for edition in EDITIONS
        )
        boxes = built(name).css("article .solution")
        solutions += len(boxes)
        answers += len(built(name).css("article .answers"))
        for box in boxes:
            said = [text for text in words(box.css("p, pre")) if len(text) > 40]
            assert [text for text in said if text not in teachers] == []
            assert [text for text in said if text in students] == []
    assert solutions > 40
    assert answers >= 10, "every chapter has questions"
    for selector, count in ((".solution", solutions), (".answers", answers)):
        assert len(made(TEACHERS)[1].css(selector)) == count
        assert len(made(STUDENTS)[1].css(selector)) == 0


def test_students_find_results_at_the_end_of_the_chapter_and_teachers_in_their_places() -> None:
    _, page = made(STUDENTS)
    folded = 0
    for name, _ in listed():
        here = built(name).css("article :is(.folded-result, .folded-answer)")
        here = [fold for fold in here if not fold.css_matches(".solution *")]
        results = page.css(
            f'[id="{key(name)}"] .bd-article > section > .results:last-child > .result'
        )
        places = page.css(f'[id="{key(name)}"] .result-elsewhere')
        there = [place.css("a")[0].attributes["href"] for place in places]
        assert there == [f"#{result.attributes['id']}" for result in results]
        assert len(results) == len(here)
        for result, fold in zip(words(results), here, strict=True):
            assert all(text in result for text in words(fold.css("pre, .answer > p")))
        folded += len(here)
    assert folded > 80
    assert len(made(TEACHERS)[1].css(".folded-result, .folded-answer")) >= folded


def test_nothing_is_cut_and_every_figure_is_there(browser: Browser) -> None:
    book, page = made(TEACHERS)
    stills = [built(name).css("article img:not(.dark-form)") for name, _ in listed()]
    assert len(page.css("img")) == sum(map(len, stills)) > 40
    with opened(browser, book.html) as laid_out:
        assert laid_out.evaluate(CUT) == []
        assert laid_out.evaluate(NOT_SHOWN) == []
        assert laid_out.evaluate("[...document.fonts].every((each) => each.status === 'loaded')")
        # What is folded is open, and what only a script can do is not there.
        assert laid_out.locator("details:not([open]), button, script").count() == 0
        heights = laid_out.locator("details").evaluate_all(
            "all => all.map((each) => each.lastElementChild.getBoundingClientRect().height)"
        )
        assert len(heights) > 150
        assert min(heights) > 10


@pytest.fixture(scope="module")
def printed(browser: Browser) -> tuple[Document, PdfReader]:
    book = document(STUDENTS, PRINTED)
    return book, PdfReader(io.BytesIO(finished(with_page_numbers(browser, book.html), book)))


def outline(items: list[object]) -> Iterator[object]:
    for item in items:
        if isinstance(item, list):
            yield from outline(item)
        else:
            yield item


def test_the_contents_and_the_outline_name_the_pages(printed: tuple[Document, PdfReader]) -> None:
    book, pdf = printed
    items = list(outline(pdf.outline))
    assert [item.title for item in items] == [entry.title for entry in book.entries]
    texts = [re.sub(r"\s+", " ", page.extract_text()) for page in pdf.pages]
    contents = texts[1]
    for item, entry in zip(items, book.entries, strict=True):
        number = pdf.get_destination_page_number(item)
        assert entry.title in texts[number]
        if entry.kind != "part":
            assert f"{entry.title} {number + 1}" in contents
    for number, (text, page) in enumerate(zip(texts, pdf.pages, strict=True), 1):
        assert page.mediabox.width == pytest.approx(595, abs=1)
        assert number == 1 or str(number) in text.split()
        for link in page.get("/Annots", []):
            if "/Dest" in link.get_object():
                assert link.get_object()["/Dest"] in pdf.named_destinations


def test_a_pdf_says_what_it_is_and_can_be_read_aloud(printed: tuple[Document, PdfReader]) -> None:
    book, pdf = printed
    assert pdf.metadata is not None
    assert (pdf.metadata.title, pdf.metadata.author) == (book.title, book.author)
    assert "Students" in book.title
    assert "authors" in book.author
    assert pdf.pdf_header >= "%PDF-1.4"  # the first that can be read aloud in order
    root = pdf.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    tags = list(structure(root["/StructTreeRoot"]))
    kinds = Counter(tag["/S"] for tag in tags)
    assert kinds["/H1"] == 2 + len(PRINTED)
    assert kinds["/TH"] > 5
    told = [tag.get("/Alt", "") for tag in tags if tag["/S"] == "/Figure"]
    page = LexborHTMLParser(book.html)
    assert sorted(told) == sorted(
        node.attributes.get("alt") or node.attributes.get("aria-label") or ""
        for node in page.css("img, .katex")
    )
    assert all(told)


def structure(tag: DictionaryObject) -> Iterator[DictionaryObject]:
    """All tags below one."""
    below = tag.get("/K", [])
    for each in below if isinstance(below, list) else [below]:
        child = each.get_object()
        if isinstance(child, DictionaryObject) and "/S" in child:
            yield child
            yield from structure(child)


def test_every_font_is_in_the_pdf(printed: tuple[Document, PdfReader]) -> None:
    _, pdf = printed
    fonts = {
        str(font.get_object().get("/BaseFont", "")): font.get_object()
        for page in pdf.pages
        for font in page["/Resources"].get("/Font", {}).values()
    }
    assert len(fonts) > 5
    for font in fonts.values():
        if font["/Subtype"] != "/Type3":  # its letters are drawings
            (inner,) = font["/DescendantFonts"]
            assert {"/FontFile2", "/FontFile3"} & set(inner.get_object()["/FontDescriptor"])


@pytest.mark.parametrize(
    ("mathml", "line"),
    [
        ("<msub><mi>W</mi><mi>E</mi></msub>", "W_E"),
        ("<msup><mi>e</mi><mrow><mo>−</mo><mi>x</mi></mrow></msup>", "e^(− x)"),
        (
            "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mi>d</mi></msqrt></mfrac>",
            "(a + b)/(√d)",
        ),
        ("<mi>y</mi><mo>=</mo><mi>sin</mi><mo>\u2061</mo><mi>x</mi>", "y = sin x"),
        (
            "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr>"
            "<mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo>",
            "(1, 0; 0, 1)",
        ),
        ("<mi>a</mi><mphantom><mi>b</mi></mphantom>", "a"),
    ],
)
def test_a_formula_is_told_in_a_line(mathml: str, line: str) -> None:
    (math,) = LexborHTMLParser(f"<math>{mathml}</math>").css("math")
    assert " ".join(in_line(math).split()) == line


def test_the_sign_after_a_formula_is_said() -> None:
    drawn = '<span aria-hidden="true">p</span>'
    page = LexborHTMLParser(
        f"<i><math><mi>p</mi></math>{drawn}</i><i><span><math><mi>p</mi></math>,</span>{drawn}</i>"
    )
    formulas = page.css("i")
    for formula in formulas:
        tell(formula)
    assert [formula.attributes["aria-label"] for formula in formulas] == ["p", "p,"]
