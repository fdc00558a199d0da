"""The bank of questions as its files have it: each format read back into one form.

Nothing here is shared with what writes the files: they are parsed by the XML of the standard
library and, for GIFT, by the reader of the registry.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import dataclass
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from web.node import NODE

ROOT = Path(__file__).resolve().parents[1]
MATHML = "{http://www.w3.org/1998/Math/MathML}"
QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"


@dataclass(frozen=True)
class Read:
    """A question as a file has it; texts without markup, LaTeX between dollar signs.

    ``answers``: (what is compared, how far it may be off, whether it is right, what is said).
    ``pictures``: the bytes and the alternative text of each.
    """

    kind: str
    text: str
    answers: list[tuple[str, float | None, bool, str]]
    remarks: str = ""
    tags: tuple[str, ...] = ()
    category: str = ""
    pictures: tuple[tuple[bytes, str], ...] = ()


class Words(HTMLParser):
    """The words of an HTML text, and its images."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.images: list[tuple[str, str]] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            found = dict(attrs)
            self.images.append((found["src"] or "", found["alt"] or ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self.parts.append(" ")


def words(html: str) -> str:
    reader = Words()
    reader.feed(html)
    return tidy(re.sub(r"\\\((.*?)\\\)", r"$\1$", "".join(reader.parts)))


def images(html: str) -> list[tuple[str, str]]:
    reader = Words()
    reader.feed(html)
    return reader.images


def tidy(text: str) -> str:
    return " ".join(text.split())


def plain(markdown: str) -> str:
    """Markdown without its marks, which stand in no formula."""
    parts = re.split(r"(\$[^$]*\$|`[^`]*`)", tidy(markdown))
    marks = {"$": "", "`": "`"}
    return tidy(
        "".join(each.translate(dict.fromkeys(map(ord, marks.get(each[:1], "*")))) for each in parts)
    )


# Moodle XML


def read_moodle(path: Path) -> dict[str, Read]:
    found, category = {}, ""
    for question in ET.parse(path).getroot():
        if question.get("type") == "category":
            category = question.findtext("category/text") or ""
            continue
        name = question.findtext("name/text") or ""
        assert name not in found
        assert question.findtext("idnumber") == name
        found[name] = _moodle_question(question, category)
    return found


def _moodle_question(question: ET.Element, category: str) -> Read:
    asked = question.findtext("questiontext/text") or ""
    files = {
        f"@@PLUGINFILE@@/{file.get('name')}": base64.b64decode(file.text or "")
        for file in question.findall("questiontext/file")
    }
    shown = images(asked)
    assert [source for source, _ in shown] == list(files)
    return Read(
        question.get("type") or "",
        words(asked),
        [_moodle_answer(each) for each in question.findall("answer")]
        or [_moodle_pair(each) for each in question.findall("subquestion")],
        words(question.findtext("generalfeedback/text") or ""),
        tuple(tag.text or "" for tag in question.findall("tags/tag/text")),
        category,
        tuple((files[source], alternative) for source, alternative in shown),
    )


def _moodle_answer(answer: ET.Element) -> tuple[str, float | None, bool, str]:
    tolerance = answer.findtext("tolerance")
    return (
        words(answer.findtext("text") or ""),
        None if tolerance is None else float(tolerance),
        float(answer.get("fraction") or 0) > 0,
        words(answer.findtext("feedback/text") or ""),
    )


def _moodle_pair(pair: ET.Element) -> tuple[str, float | None, bool, str]:
    return words(pair.findtext("text") or ""), float(pair.findtext("answer/text") or 0), True, ""


# GIFT


def read_gift(path: Path) -> dict[str, Read]:
    done = subprocess.run(
        [str(NODE), str(ROOT / "tests" / "gift.mjs")],
        input=path.read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    found, category = {}, ""
    for question in json.loads(done.stdout):
        if question["type"] == "Category":
            category = question["title"]
            continue
        assert question["id"] == question["title"]
        assert question["title"] not in found
        found[question["title"]] = _gift_question(question, category)
    return found


def _gift_question(question: dict[str, Any], category: str) -> Read:
    readers = {"Numerical": _gift_number, "MC": _gift_choice}
    answers = [
        readers[question["type"]](each) if "subanswer" not in each else _gift_pair(each)
        for each in question.get("choices") or question["matchPairs"]
    ]
    stem = question["stem"]["text"]
    pictures = tuple(
        (base64.b64decode(source.removeprefix("data:image/png;base64,")), alternative)
        for source, alternative in images(stem)
    )
    remarks = question["globalFeedback"]
    return Read(
        question["type"],
        words(stem),
        answers,
        words(remarks["text"]) if remarks else "",
        tuple(question["tags"] or ()),
        category,
        pictures,
    )


def _gift_number(choice: dict[str, Any]) -> tuple[str, float | None, bool, str]:
    said, given = words(choice["feedback"]["text"]), choice["text"]
    if "number" not in given:
        return "*", None, False, said
    return repr(given["number"]), given["range"], choice["weight"] == 100, said


def _gift_choice(choice: dict[str, Any]) -> tuple[str, float | None, bool, str]:
    said = words(choice["feedback"]["text"])
    return words(choice["text"]["text"]), None, choice["isCorrect"], said


def _gift_pair(pair: dict[str, Any]) -> tuple[str, float | None, bool, str]:
    return words(pair["subquestion"]["text"]), float(pair["subanswer"]), True, ""


# QTI


def read_qti(path: Path) -> dict[str, Read]:
    with zipfile.ZipFile(path) as file:
        content = {name: file.read(name) for name in file.namelist()}
    manifest = ET.fromstring(content.pop("imsmanifest.xml"))
    listed = [each.get("href") or "" for each in manifest.iterfind(".//{*}resource/{*}file")]
    assert sorted(listed) == sorted(content), "the manifest lists what is there"
    found = {}
    for resource in manifest.iterfind(".//{*}resource"):
        href = resource.get("href") or ""
        item = ET.fromstring(content[href])
        name = (item.get("identifier") or "").removeprefix("i-")
        tags = tuple(each.text or "" for each in resource.iterfind(".//{*}keyword/{*}string"))
        found[name] = _qti_item(item, tags, content)
    return found


def _qti_item(item: ET.Element, tags: tuple[str, ...], content: dict[str, bytes]) -> Read:
    body = item.find(f"{QTI}itemBody")
    declared = item.find(f"{QTI}responseDeclaration")
    assert body is not None
    assert declared is not None
    interaction = next(each for each in body.iter() if each.tag.endswith("Interaction"))
    kind = interaction.tag.removeprefix(QTI)
    choices = {each.get("identifier"): _qti_words(each) for each in body.iter(f"{QTI}simpleChoice")}
    says = {
        each.get("identifier"): _qti_words(each) for each in item.iterfind(f"{QTI}modalFeedback")
    }
    correct = [value.text for value in declared.iter(f"{QTI}value")]
    answers = []
    for condition in item.iterfind(f"{QTI}responseProcessing/{QTI}responseCondition/*"):
        given, tolerance = _qti_test(condition[0], correct)
        scores = {each.get("identifier"): each[0].text for each in condition[1:]}
        shown = [choices[each] for each in given] if choices else given
        answers.append((" | ".join(shown), tolerance, "SCORE" in scores, says[scores["FEEDBACK"]]))
    pictures = tuple(
        (content[f"items/{image.get('src')}"], image.get("alt") or "")
        for image in body.iter(f"{QTI}img")
    )
    return Read(kind, _qti_words(body[0]), answers, "", tags, "", pictures)


def _qti_test(test: ET.Element, correct: list[str | None]) -> tuple[list[str], float | None]:
    """What a response is compared with."""
    if test.tag == f"{QTI}not":
        return ["*"], None
    given = [each.text or "" for each in test.iter(f"{QTI}baseValue")]
    if test.tag == f"{QTI}and":
        assert [each.tag for each in test] == [f"{QTI}gte", f"{QTI}lte"]
        low, high = map(Decimal, given)
        return [str((low + high) / 2)], float((high - low) / 2)
    return (
        [each or "" for each in correct] if test.find(f"{QTI}correct") is not None else given
    ), None


def _qti_words(element: ET.Element) -> str:
    """The words of an element; of a formula its LaTeX."""
    if element.tag == f"{MATHML}math":
        tex = element.findtext(f".//{MATHML}annotation")
        return f"${tex}$"
    parts = [element.text or ""]
    for child in element:
        parts += [_qti_words(child), child.tail or ""]
    return tidy("".join(parts)) if element.tag != f"{QTI}code" else "".join(parts)
