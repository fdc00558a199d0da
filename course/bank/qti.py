"""QTI 2.1: a package of one file for each question, with its pictures and a manifest.

A wrong answer is named by an outcome, FEEDBACK, and gets the sentence of that name.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from decimal import Decimal
from html import escape
from pathlib import Path

from course.bank.items import ANY, Item
from course.bank.words import formulas_in, html, mathml

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
LOM = "http://ltsc.ieee.org/xsd/LOM"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
SCHEMA = "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
STAMP = (2026, 1, 1, 0, 0, 0)  # of the files in the package, so that it is the same each time


def package(items: list[Item], path: Path) -> None:
    """Write all questions into one zip file."""
    formulas = mathml(formulas_in(text for each in items for text in each.texts()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:

        def add(name: str, data: str | bytes) -> None:
            file.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED)

        add("imsmanifest.xml", manifest(items))
        for each in items:
            add(f"items/{each.id}.xml", item(each, formulas))
            if each.picture:
                add(f"items/{each.picture.name}", each.picture.data)


def manifest(items: list[Item]) -> str:
    """What the package holds."""
    root = ET.Element("manifest", {"xmlns": PACKAGE, "identifier": "positional-encoding"})
    metadata = ET.SubElement(root, "metadata")
    ET.SubElement(metadata, "schema").text = "QTIv2.1 Package"
    ET.SubElement(metadata, "schemaversion").text = "1.0.0"
    ET.SubElement(root, "organizations")
    resources = ET.SubElement(root, "resources")
    for each in items:
        name = f"items/{each.id}.xml"
        resource = ET.SubElement(
            resources,
            "resource",
            {"identifier": f"r-{each.id}", "type": "imsqti_item_xmlv2p1", "href": name},
        )
        lom = ET.SubElement(ET.SubElement(resource, "metadata"), "lom", xmlns=LOM)
        general = ET.SubElement(lom, "general")
        for tag in each.tags:
            keyword = ET.SubElement(ET.SubElement(general, "keyword"), "string", language="en")
            keyword.text = tag
        ET.SubElement(resource, "file", href=name)
        if each.picture:
            ET.SubElement(resource, "file", href=f"items/{each.picture.name}")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def item(each: Item, formulas: dict[str, str]) -> str:
    """A question as an assessment item."""

    def words(text: str) -> str:
        return html(text, formulas.__getitem__)

    asked = f"<p>{words(each.text)}</p>"
    if each.picture:
        asked += f'<p><img src="{each.picture.name}" alt="{escape(each.picture.alternative)}"/></p>'
    declaration, interaction, conditions, says = WRITERS[each.kind](each, words)
    feedback = "".join(
        f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">'
        f"<p>{words(text)}</p></modalFeedback>"
        for name, text in says.items()
    )
    title = escape(" / ".join([*each.category[1:], each.id]))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<assessmentItem xmlns="{QTI}" xmlns:xsi="{XSI}" xsi:schemaLocation="{QTI} {SCHEMA}" '
        f'identifier="i-{each.id}" title="{title}" adaptive="false" timeDependent="false">\n'
        f"{declaration}\n"
        '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float">'
        "<defaultValue><value>0</value></defaultValue></outcomeDeclaration>\n"
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>\n'
        f"<itemBody>{asked}{interaction}</itemBody>\n"
        f"<responseProcessing>{conditions}</responseProcessing>\n"
        f"{feedback}\n</assessmentItem>\n"
    )


Words = Callable[[str], str]
Parts = tuple[str, str, str, dict[str, str]]


def _choice(each: Item, words: Words) -> Parts:
    names = {f"choice-{number}": answer for number, answer in enumerate(each.answers, 1)}
    right = next(name for name, answer in names.items() if answer.right)
    choices = "".join(
        f'<simpleChoice identifier="{name}">{words(answer.text)}</simpleChoice>'
        for name, answer in names.items()
    )
    interaction = (
        '<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1">'
        f"{choices}</choiceInteraction>"
    )
    tests = [(_equals(_base("identifier", name)), name, name == right) for name in names]
    says = {name: answer.says for name, answer in names.items()}
    return _declared("single", "identifier", [right]), interaction, _conditions(tests), says


def _number(each: Item, words: Words) -> Parts:
    names = {f"answer-{number}": answer for number, answer in enumerate(each.answers, 1)}
    interaction = '<p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="12"/></p>'
    tests = []
    for name, answer in names.items():
        if answer.text == ANY:
            test = '<not><isNull><variable identifier="RESPONSE"/></isNull></not>'
        else:
            test = _within(Decimal(answer.text), Decimal(answer.tolerance))
        tests.append((test, name, answer.right))
    says = {name: answer.says for name, answer in names.items()}
    right = [answer.text for answer in each.answers if answer.right]
    return _declared("single", "float", right), interaction, _conditions(tests), says


def _order(each: Item, words: Words) -> Parts:
    names = [f"line-{number}" for number in range(1, len(each.answers) + 1)]
    lines = "".join(
        f'<simpleChoice identifier="{name}">{words(answer.text)}</simpleChoice>'
        for name, answer in zip(names, each.answers, strict=True)
    )
    interaction = (
        f'<orderInteraction responseIdentifier="RESPONSE" shuffle="true">{lines}</orderInteraction>'
    )
    tests = [(_equals('<correct identifier="RESPONSE"/>'), "right", True)]
    says = {"right": each.praise}
    for number, (order, sentence) in enumerate(each.wrong_orders, 1):
        values = "".join(_base("identifier", names[line]) for line in order)
        tests.append((_equals(f"<ordered>{values}</ordered>"), f"wrong-{number}", False))
        says[f"wrong-{number}"] = sentence
    return _declared("ordered", "identifier", names), interaction, _conditions(tests), says


WRITERS = {"choice": _choice, "number": _number, "order": _order}


def _declared(cardinality: str, kind: str, right: list[str]) -> str:
    values = "".join(f"<value>{value}</value>" for value in right)
    return (
        f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" '
        f'baseType="{kind}"><correctResponse>{values}</correctResponse></responseDeclaration>'
    )


def _base(kind: str, value: str) -> str:
    return f'<baseValue baseType="{kind}">{value}</baseValue>'


def _within(number: Decimal, tolerance: Decimal) -> str:
    """Two bounds: not every player knows the tolerance of ``equal``."""
    low, high = (
        f'<{test}><variable identifier="RESPONSE"/>{_base("float", format(bound, "f"))}</{test}>'
        for test, bound in (("gte", number - tolerance), ("lte", number + tolerance))
    )
    return f"<and>{low}{high}</and>"


def _equals(value: str) -> str:
    return f'<match><variable identifier="RESPONSE"/>{value}</match>'


def _conditions(tests: list[tuple[str, str, bool]]) -> str:
    """The first test that holds says what the score and the sentence are."""
    parts: list[str] = []
    for test, name, right in tests:
        tag = "responseElseIf" if parts else "responseIf"
        score = '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue>'
        parts.append(
            f"<{tag}>{test}"
            + (f"{score}</setOutcomeValue>" if right else "")
            + f'<setOutcomeValue identifier="FEEDBACK">{_base("identifier", name)}'
            f"</setOutcomeValue></{tag}>"
        )
    return f"<responseCondition>{''.join(parts)}</responseCondition>"
