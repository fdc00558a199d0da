"""KaTeX's formulas written short: the same boxes, and of each only what its look needs.

KaTeX gives every box classes, of which its style sheet makes declarations, and many boxes some of
their own: a letter with an index takes 600 bytes. Here that sheet is asked while building. A box
keeps the declarations that hold for it; one without any is its content; one without content is
drawn by the box around it (``::before``, ``::after``). ``looks`` then names what is left. The
MathML, which a screen reader reads, loses its source and what tells a browser how to draw it; a
name in upright letters is one word there, not the product of its letters.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from html import escape
from typing import TypeGuard
from xml.etree import ElementTree

import cssselect2
import tinycss2

from web.node import NODE_MODULES

from .looks import Declarations, Look

KATEX_SHEET = NODE_MODULES / "katex" / "dist" / "katex.min.css"

# It says of every box what is so without it.
SAYS_NOTHING = ".katex *"

# What a child hands to its only parent, or a parent to its only child, without moving anything.
OF_LETTERS = {"font-family", "font-style", "font-weight", "margin-right"}
OF_LINES = {"text-align"}

# How MathML is drawn. Its meaning is in elements and text, and in letters that are bold.
DRAWING = {"xmlns", "stretchy", "fence", "separator", "lspace", "rspace", "minsize", "maxsize"}
DRAWING |= {"columnalign", "columnspacing", "columnlines", "rowspacing", "rowlines"}
DRAWING |= {"displaystyle", "scriptlevel"}
SHAPES = {"normal", "sans-serif"}  # of letters, as they are drawn

# Elements of MathML that take all that they hold as one row.
ROWS_BY_THEMSELVES = {"math", "mrow", "mstyle", "semantics", "mtd", "msqrt", "mpadded", "menclose"}

ZERO_WIDTH_SPACE = "\u200b"
INVISIBLE_SEPARATOR = "\u2063"  # KaTeX's negative space; read aloud it is a comma


@dataclass
class Box:
    own: Declarations
    content: list[Box | str] = field(default_factory=list)
    before: Declarations = field(default_factory=dict)
    after: Declarations = field(default_factory=dict)

    def __str__(self) -> str:
        look = escape(str(Look(self.own, self.before, self.after)))
        return f'<i data-look="{look}">{"".join(map(str, self.content))}</i>'


def short(html: str) -> tuple[str, str]:
    """Of KaTeX's HTML of a formula: its MathML, and its boxes."""
    formula = cssselect2.ElementWrapper.from_html_root(ElementTree.fromstring(html))
    mathml = formula.query(".katex-mathml").etree_element[0]
    drawn = formula.query(".katex-html")
    drawing = (str(box) for child in drawn.iter_children() for box in boxes(child))
    return spoken(mathml), "".join(drawing)


# What is drawn


@functools.cache
def katex_rules() -> cssselect2.Matcher:
    """KaTeX's style sheet: what each of its selectors declares."""
    matcher = cssselect2.Matcher()
    text = KATEX_SHEET.read_text(encoding="utf-8")
    for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule" and tinycss2.serialize(rule.prelude) != SAYS_NOTHING:
            declared = declarations(tinycss2.serialize(rule.content))
            for selector in cssselect2.compile_selector_list(rule.prelude):
                matcher.add_selector(selector, declared)
    return matcher


def declarations(css: str) -> Declarations:
    """Of a property that is declared several times, for several browsers, the last."""
    parsed = tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True)
    return {each.lower_name: number_short(tinycss2.serialize(each.value)) for each in parsed}


def number_short(value: str) -> str:
    value = re.sub(r"(?<![\d.])0(?:em|px)", "0", value.strip())
    return re.sub(r"(?<![\d.])0(?=\.\d)", "", value)


def declared(element: cssselect2.ElementWrapper) -> Declarations:
    """What holds for an element: the sheet's rules in their order, then its own."""
    found: Declarations = {}
    for *_, pseudo, rule in sorted(katex_rules().match(element), key=lambda match: match[:2]):
        if pseudo is None:
            found |= rule
    return found | declarations(element.etree_element.get("style", ""))


def boxes(element: cssselect2.ElementWrapper) -> list[Box | str]:
    """An element of the formula as one box, or as its content."""
    node = element.etree_element
    if local_name(node) == "svg":
        return [as_html(node)]
    content: list[Box | str] = [escape(node.text or "", quote=False)]
    for child in element.iter_children():
        content += [*boxes(child), escape(child.etree_element.tail or "", quote=False)]
    box = Box(declared(element), [part for part in content if part])
    shorten_rows(box)
    fold_ends(box)
    box = join_only(box)
    return box.content if not box.own else [] if is_nothing(box) else [box]


def shorten_rows(box: Box) -> None:
    """A table's last row of one cell is that cell: a browser puts a row around it."""
    last = box.content[-1] if box.content else ""
    if not (shown_as(box, "inline-table") and shown_as(last, "table-row")):
        return
    if len(last.content) == 1 and not (last.before or last.after):
        box.content[-1] = last.content[0]


def fold_ends(box: Box) -> None:
    """Let a box draw its first and its last part itself, where these are empty."""
    if shown_as(box, "table-row") and len(box.content) == 1:
        return  # shorten_rows sees to it
    if box.own and box.content and is_empty(first := box.content[0]):
        box.before = drawn_by_parent(first)
        del box.content[0]
    if box.own and box.content and is_empty(last := box.content[-1]):
        box.after = drawn_by_parent(last)
        del box.content[-1]


def join_only(box: Box) -> Box:
    """The box and its only part as one, where nothing moves by that."""
    if box.before or box.after or len(box.content) != 1 or isinstance(box.content[0], str):
        return box
    part = box.content[0]
    both = {**box.own, **part.own}
    if set(part.own) <= OF_LETTERS - set(box.own) and not (part.before or part.after):
        return Box(both, part.content)
    if set(box.own) <= OF_LINES - set(part.own):
        return Box(both, part.content, part.before, part.after)
    return box


def shown_as(part: Box | str, display: str) -> TypeGuard[Box]:
    return isinstance(part, Box) and part.own.get("display") == display


def is_empty(part: Box | str) -> TypeGuard[Box]:
    if isinstance(part, str) or part.before or part.after:
        return False
    return part.content in ([], [ZERO_WIDTH_SPACE])


def is_nothing(box: Box) -> bool:
    """An empty block without height."""
    return is_empty(box) and shown_as(box, "block") and box.own.get("height") == "0"


def drawn_by_parent(box: Box) -> Declarations:
    text = r"\200b" if box.content else ""
    return {"content": f'"{text}"', **box.own}


# What is read aloud


def spoken(node: ElementTree.Element) -> str:
    """MathML without what is for drawing: the same elements and texts for a screen reader."""
    kept = {name: value for name, value in node.attrib.items() if name not in DRAWING}
    if kept.get("mathvariant") in SHAPES:
        del kept["mathvariant"]
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in kept.items())
    content = escape(node.text or "", quote=False) + "".join(map(spoken, parts(node)))
    return f"<{local_name(node)}{attributes}>{content}</{local_name(node)}>"


def parts(node: ElementTree.Element) -> list[ElementTree.Element]:
    """The elements in this one; where it is a row by itself, those in the row that it holds."""
    found = [inmost(child) for child in words(node) if not is_silent(child)]
    if local_name(node) in ROWS_BY_THEMSELVES and len(found) == 1 and is_row(found[0]):
        return parts(found[0])
    return found


def words(node: ElementTree.Element) -> list[ElementTree.Element]:
    """The elements in this one; in a row, upright letters that follow one another are one name."""
    found: list[ElementTree.Element] = []
    for child in node:
        together = local_name(node) in ROWS_BY_THEMSELVES and is_upright(child)
        if together and found and is_upright(found[-1]):
            name = ElementTree.Element(child.tag, child.attrib)
            name.text = f"{found.pop().text}{child.text}"
            child = name
        found.append(child)
    return found


def is_upright(node: ElementTree.Element) -> bool:
    """Whether it is of letters that \\mathrm sets; capital Greek ones are upright by themselves."""
    text = node.text or ""
    upright = node.get("mathvariant") == "normal"
    return local_name(node) == "mi" and upright and text.isascii() and text.isalpha()


def is_silent(node: ElementTree.Element) -> bool:
    return local_name(node) == "annotation" or INVISIBLE_SEPARATOR in (node.text or "")


def inmost(node: ElementTree.Element) -> ElementTree.Element:
    """The one thing that rows around it hold."""
    while is_row(node) and len(inside := parts(node)) == 1:
        node = inside[0]
    return node


def is_row(node: ElementTree.Element) -> bool:
    return local_name(node) in ("mrow", "mstyle", "semantics")


def local_name(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def as_html(node: ElementTree.Element) -> str:
    """An element of SVG, which a page of HTML holds without the name of its kind."""
    for each in node.iter():
        each.tag = local_name(each)
    node.tail = None
    return ElementTree.tostring(node, encoding="unicode", method="html")
