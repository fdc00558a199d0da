"""Moodle XML: categories, and questions with a sentence for each answer.

Moodle has a question that asks for an order since version 4.4; for those before it the order is
asked as a match of lines and numbers.
"""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ET
from html import escape

from course.bank.items import ANY, Item
from course.bank.words import html


def moodle(items: list[Item], *, ordering: bool = True) -> str:
    """All questions as one file, each category before its first question."""
    quiz = ET.Element("quiz")
    category: tuple[str, ...] = ()
    for each in items:
        if each.category != category:
            category = each.category
            question = ET.SubElement(quiz, "question", type="category")
            path = "/".join(name.replace("/", "//") for name in ("$course$", "top", *category))
            _text(ET.SubElement(question, "category"), path)
        quiz.append(_question(each, ordering))
    ET.indent(quiz)
    return ET.tostring(quiz, encoding="unicode", xml_declaration=True) + "\n"


def _question(item: Item, ordering: bool) -> ET.Element:
    writers = {"number": _number, "choice": _choice, "order": _order if ordering else _match}
    kinds = {
        "number": "numerical",
        "choice": "multichoice",
        "order": "ordering" if ordering else "matching",
    }
    question = ET.Element("question", type=kinds[item.kind])
    _text(ET.SubElement(question, "name"), item.id)
    asked = ET.SubElement(question, "questiontext", format="html")
    _text(asked, f"<p>{html(item.text)}</p>{_image(item)}")
    if item.picture:
        file = ET.SubElement(asked, "file", name=item.picture.name, path="/", encoding="base64")
        file.text = base64.b64encode(item.picture.data).decode("ascii")
    _html(question, "generalfeedback", "".join(f"<p>{html(each)}</p>" for each in item.remarks))
    for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0")):
        ET.SubElement(question, name).text = value
    ET.SubElement(question, "idnumber").text = item.id
    writers[item.kind](question, item)
    tags = ET.SubElement(question, "tags")
    for tag in item.tags:
        _text(ET.SubElement(tags, "tag"), tag)
    return question


def _number(question: ET.Element, item: Item) -> None:
    for each in item.answers:
        answer = ET.SubElement(question, "answer", fraction="100" if each.right else "0")
        answer.set("format", "moodle_auto_format")
        ET.SubElement(answer, "text").text = each.text
        _html(answer, "feedback", html(each.says))
        if each.text != ANY:
            ET.SubElement(answer, "tolerance").text = each.tolerance
    for name, value in (("unitgradingtype", "0"), ("unitpenalty", "0.1"), ("showunits", "3")):
        ET.SubElement(question, name).text = value
    ET.SubElement(question, "unitsleft").text = "0"


def _choice(question: ET.Element, item: Item) -> None:
    mixed = "true" if item.mixed else "false"
    for name, value in (("single", "true"), ("shuffleanswers", mixed), ("answernumbering", "abc")):
        ET.SubElement(question, name).text = value
    _combined(question)
    for each in item.answers:
        answer = ET.SubElement(question, "answer", fraction="100" if each.right else "0")
        answer.set("format", "html")
        _text(answer, html(each.text))
        _html(answer, "feedback", html(each.says))


def _order(question: ET.Element, item: Item) -> None:
    for name, value in (
        ("layouttype", "VERTICAL"),
        ("selecttype", "ALL"),
        ("selectcount", "0"),
        ("gradingtype", "ABSOLUTE_POSITION"),
        ("showgrading", "SHOW"),
        ("numberingstyle", "none"),
    ):
        ET.SubElement(question, name).text = value
    _combined(question, item.praise)
    for number, each in enumerate(item.answers, 1):
        answer = ET.SubElement(question, "answer", fraction=f"{number}.0000000", format="html")
        _text(answer, html(each.text))
        _html(answer, "feedback", "")


def _match(question: ET.Element, item: Item) -> None:
    ET.SubElement(question, "shuffleanswers").text = "true"
    _combined(question, item.praise)
    for number, each in enumerate(item.answers, 1):
        pair = ET.SubElement(question, "subquestion", format="html")
        _text(pair, html(each.text))
        _text(ET.SubElement(pair, "answer"), str(number))


def _combined(question: ET.Element, praise: str = "") -> None:
    """What is said of the answer as a whole; a choice has a sentence of its own besides."""
    _html(question, "correctfeedback", html(praise))
    for name in ("partiallycorrectfeedback", "incorrectfeedback"):
        _html(question, name, "")


def _image(item: Item) -> str:
    if not item.picture:
        return ""
    return (
        f'<p><img src="@@PLUGINFILE@@/{item.picture.name}" '
        f'alt="{escape(item.picture.alternative)}" /></p>'
    )


def _html(parent: ET.Element, name: str, text: str) -> None:
    _text(ET.SubElement(parent, name, format="html"), text)


def _text(parent: ET.Element, text: str) -> None:
    ET.SubElement(parent, "text").text = text
