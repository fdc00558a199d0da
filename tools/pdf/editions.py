"""What each edition shows of questions, results and solutions, and where.

Students predict before they look, so what a prediction folds on the page stands on paper at the
end of the chapter, with the number of its page where it was. Solutions, and the list of the right
answers to all questions of a chapter, are in the teachers' edition alone; there each result
stands below its question.
"""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .pages import Chapter, found

FOR_TEACHERS = ".solution, .answers"
RESULTS = "details.folded-result, details.folded-answer"


@dataclass(frozen=True)
class Edition:
    name: str
    title: str
    note: str


STUDENTS = Edition(
    "students",
    "Students’ edition",
    "The results of what you are asked to predict stand at the end of each chapter; where one was "
    "taken from, the number of its page is printed. They begin a page, so a class can be given a "
    "chapter without them. Exercises have hints. Their solutions, and the "
    "answers to the questions that you can check yourself on screen, are in the teachers’ edition.",
)
TEACHERS = Edition(
    "teachers",
    "Teachers’ edition",
    "Each result stands below the question that asks to predict it, each solution below its "
    "exercise, and the answers to all questions of a chapter at its end. The students’ edition "
    "has the results at the end of each chapter, and neither solutions nor answers.",
)
EDITIONS = (STUDENTS, TEACHERS)


def edit(chapter: Chapter, edition: Edition) -> None:
    """Make a chapter that of the edition."""
    if edition is STUDENTS:
        for node in chapter.article.css(FOR_TEACHERS):
            node.decompose()
        move_results(chapter)
    for summary in chapter.article.css(".answers > summary"):
        summary.inner_html = "Answers to the questions of this chapter"


def move_results(chapter: Chapter) -> None:
    """Put what predictions fold at the chapter's end, each with a link there and back."""
    results = chapter.article.css(RESULTS)
    if not results:
        return
    end = element(
        f'<section class="results" id="{chapter.key}--results"><h2>Results</h2></section>',
        "section",
    )
    moved = "".join(
        moved_result(chapter.key, number, result) for number, result in enumerate(results, 1)
    )
    end.inner_html = (end.inner_html or "") + moved
    for number, result in enumerate(results, 1):
        place = f"{chapter.key}--result-{number}"
        words = f"Result {number}: {page_of(place)}"
        result.replace_with(
            element(f'<p class="result-elsewhere" id="{place}-place">{words}</p>', "p")
        )
    found(chapter.article, "section").insert_child(end)


def moved_result(key: str, number: int, result: LexborNode) -> str:
    """A folded result without its fold, below its number and the page that it is from."""
    found(result, "summary").decompose()
    place = f"{key}--result-{number}"
    return (
        f'<div class="result" id="{place}"><div class="result-heading"><h3>Result {number}</h3>'
        f"<p>from {page_of(f'{place}-place')}</p></div>{result.inner_html}</div>"
    )


def page_of(place: str) -> str:
    """``page 12``, a link; the number is filled in when the pages have been made."""
    return f'<a href="#{place}">page&nbsp;<span data-page="{place}">000</span></a>'


def element(html: str, tag: str) -> LexborNode:
    return LexborHTMLParser(html).css(tag)[0]
