"""The two forms to print, their key, how to use them, and the forms as Moodle reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from course.bank.items import BANK, Answer, Item, titles
from course.bank.moodle import moodle
from course.bank.words import formulas_in, html, mathml
from course.inventory.concepts import KEYS, Concept, load
from course.inventory.gain import header
from course.objectives import load as load_objectives

HERE = Path(__file__).resolve().parent
BOOK = HERE.parents[1] / "book"
HEADING = re.compile(r"^\((?P<label>read-[a-z-]+)\)=\n### (?P<heading>.+)$", re.MULTILINE)
NAME = "Concept inventory: sinusoidal positional encoding"

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 11pt/1.45 serif; max-width: 44em; margin: 2em auto; padding: 0 1em; }}
h1 {{ font-size: 1.4em; }}
ol > li {{ break-inside: avoid; margin-bottom: 1em; }}
ol ol {{ list-style: lower-alpha; margin-top: 0.4em; }}
ol ol > li {{ margin-bottom: 0.2em; }}
table {{ border-collapse: collapse; width: 100%; }}
tr {{ break-inside: avoid; }}
td:nth-child(3) {{ white-space: nowrap; }}
th, td {{ border: 1px solid #777; padding: 0.3em 0.5em; text-align: left; vertical-align: top; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""

Words = Callable[[str], str]


def write(into: Path) -> None:
    """Write all papers into a folder that is there."""
    concepts = load()
    formulas = mathml(formulas_in(_texts(concepts)))

    def words(text: str) -> str:
        return html(text, formulas.__getitem__)

    for form in KEYS:
        name = f"form-{form.lower()}"
        (into / f"{name}.html").write_text(form_as_html(concepts, form, words), encoding="utf-8")
        (into / f"{name}.md").write_text(form_as_markdown(concepts, form), encoding="utf-8")
    (into / "key.html").write_text(key_as_html(concepts, words), encoding="utf-8")
    (into / "key.md").write_text(key_as_markdown(concepts), encoding="utf-8")
    (into / "moodle.xml").write_text(moodle(items(concepts)), encoding="utf-8")
    (into / "answers.csv").write_text(",".join(header(concepts)) + "\n", encoding="utf-8")
    (into / "use.md").write_text((HERE / "use.md").read_text(encoding="utf-8"), encoding="utf-8")


def _texts(concepts: list[Concept]) -> Iterator[str]:
    for concept in concepts:
        yield concept.title
        for text, choices in concept.forms.values():
            yield text
            yield from (choice.text for choice in choices)


INTRODUCTION = "Ten questions, about fifteen minutes. Choose one answer to each, or none."
CODE = "Your code, known to nobody but you:"


def form_as_html(concepts: list[Concept], form: str, words: Words) -> str:
    asked = "\n".join(
        f"<li>{words(text)}<ol>"
        + "".join(f"<li>{words(choice.text)}</li>" for choice in choices)
        + "</ol></li>"
        for text, choices in (concept.forms[form] for concept in concepts)
    )
    body = f"<p>{INTRODUCTION}</p>\n<p>{CODE} ____________________</p>\n<ol>\n{asked}\n</ol>"
    return PAGE.format(title=f"{NAME}, form {form}", body=body)


def form_as_markdown(concepts: list[Concept], form: str) -> str:
    lines = [f"# {NAME}, form {form}", "", INTRODUCTION, "", f"{CODE} \\_\\_\\_\\_\\_\\_\\_\\_", ""]
    for number, concept in enumerate(concepts, 1):
        text, choices = concept.forms[form]
        lines += [f"**{number}.** {text.strip()}", ""]
        lines += [f"- ({choice.letter}) {choice.text}" for choice in choices]
        lines.append("")
    return "\n".join(lines)


KEY_HEADS = ("", "concept", "answer", "what it means", "where the book speaks of it")


def key_rows(concepts: list[Concept]) -> Iterator[tuple[str, ...]]:
    """The right letters of each concept, and below them those of each misconception."""
    for number, concept in enumerate(concepts, 1):
        rights = ", ".join(f"{form} {KEYS[form][number - 1]}" for form in KEYS)
        yield str(number), concept.title, rights, "right", chapters_in_words(concept.objectives)
        for each in concept.misconceptions:
            letters = ", ".join(
                f"{form} {choice.letter}"
                for form in KEYS
                for choice in concept.forms[form][1]
                if choice.misconception == each
            )
            yield "", "", letters, each.means, place_in_words(each.place)


def key_as_html(concepts: list[Concept], words: Words) -> str:
    heads = "".join(f'<th scope="col">{head or "number"}</th>' for head in KEY_HEADS)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{words(cell)}</td>" for cell in row) + "</tr>"
        for row in key_rows(concepts)
    )
    body = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return PAGE.format(title=f"{NAME}, key", body=body)


def key_as_markdown(concepts: list[Concept]) -> str:
    rows = "\n".join(f"| {' | '.join(row)} |" for row in key_rows(concepts))
    heads = f"| {' | '.join(KEY_HEADS)} |\n|{'---|' * len(KEY_HEADS)}"
    return f"# {NAME}, key\n\n{heads}\n{rows}\n"


def chapters_in_words(objectives: Iterable[str]) -> str:
    """The numbers and titles of the chapters that objectives belong to, each once."""
    known = load_objectives()
    chapters = dict.fromkeys(known[each].chapter for each in objectives)
    return "; ".join(chapter_in_words(chapter) for chapter in chapters)


def chapter_in_words(chapter: int) -> str:
    return f"chapter {chapter}: {titles()[f'{chapter:02}'].partition(' ')[2]}"


def place_in_words(place: str) -> str:
    """The entry of "I read that …" that has a label, or a page of the book."""
    if place.startswith("read-"):
        return f"“I read that …”: {_headings()[place]}"
    if place == "notation":
        return "Notation"
    return chapter_in_words(int(place.partition("_")[0]))


@cache
def _headings() -> dict[str, str]:
    text = (BOOK / "misconceptions.md").read_text(encoding="utf-8")
    return {match["label"]: match["heading"] for match in HEADING.finditer(text)}


def items(concepts: list[Concept]) -> list[Item]:
    """The forms as a platform asks them. Nothing is said of an answer: the form is asked again."""
    return [
        Item(
            f"inventory-{form.lower()}-{number:02}-{concept.id}",
            (BANK, "Concept inventory", f"Form {form}"),
            "choice",
            concept.forms[form][0],
            tuple(
                Answer(choice.text, choice.misconception is None, "")
                for choice in concept.forms[form][1]
            ),
            tags=(*concept.objectives, "concept-inventory"),
            mixed=False,  # the letters are those of the paper and of the file of answers
        )
        for form in KEYS
        for number, concept in enumerate(concepts, 1)
    ]
