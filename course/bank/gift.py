"""GIFT, a format of plain text that Moodle and others read. Every text in it is HTML.

It has no order, which becomes a match of lines and numbers, and no files, so that a picture stands
in its text.
"""

from __future__ import annotations

import base64
import re
from html import escape

from course.bank.items import ANY, Item
from course.bank.words import html


def gift(items: list[Item]) -> str:
    """All questions as one text, each category before its first question."""
    parts: list[str] = []
    category: tuple[str, ...] = ()
    for each in items:
        if each.category != category:
            category = each.category
            path = "/".join(name.replace("/", "//") for name in ("$course$", "top", *category))
            parts.append(f"$CATEGORY: {path}")
        parts.append(_question(each))
    return "\n\n".join(parts) + "\n"


def quoted(text: str) -> str:
    """A text in one line, with a backslash before each sign that means something."""
    return re.sub(r"([\\~=#{}:])", r"\\\1", text.replace("\n", " "))


def _question(item: Item) -> str:
    writers = {"number": _numbers, "choice": _choices, "order": _pairs}
    tags = "".join(f" [tag:{tag}]" for tag in item.tags)
    image = ""
    if item.picture:
        data = base64.b64encode(item.picture.data).decode("ascii")
        alternative = escape(item.picture.alternative)
        image = f'<p><img src="data:image/png;base64,{data}" alt="{alternative}" /></p>'
    text = quoted(f"<p>{html(item.text)}</p>{image}")
    remarks = "".join(f"<p>{html(each)}</p>" for each in item.remarks)
    general = [f"\t####{quoted(remarks)}"] if remarks else []
    opening = "{#" if item.kind == "number" else "{"
    lines = [*writers[item.kind](item), *general]
    return "\n".join(
        [f"// [id:{item.id}]{tags}", f"::{item.id}::[html]{text}{opening}", *lines, "}"]
    )


def _numbers(item: Item) -> list[str]:
    return [
        f"\t~#{quoted(html(each.says))}"
        if each.text == ANY
        else f"\t=%{100 * each.right}%{each.text}:{each.tolerance}#{quoted(html(each.says))}"
        for each in item.answers
    ]


def _choices(item: Item) -> list[str]:
    return [
        f"\t{'=' if each.right else '~'}{quoted(html(each.text))}#{quoted(html(each.says))}"
        for each in item.answers
    ]


def _pairs(item: Item) -> list[str]:
    # An arrow divides a pair, and none may stand in a line.
    return [
        f"\t={quoted(html(each.text)).replace('->', '-&gt;')} -> {number}"
        for number, each in enumerate(item.answers, 1)
    ]
