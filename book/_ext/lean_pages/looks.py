"""What the boxes of a page's formulas look like: each look once, under a name of a letter or two.

A box comes with its look in an attribute, ``data-look``. The page gets a style sheet of its own, in
which declarations that several looks share stand once; the names, in capitals, are nobody else's.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from string import ascii_uppercase

from selectolax.lexbor import LexborHTMLParser

Declarations = dict[str, str]

DISPLAY = "inline-block"  # of most boxes


@dataclass
class Look:
    own: Declarations
    before: Declarations
    after: Declarations

    def __str__(self) -> str:
        return json.dumps(asdict(self))


def name_looks(page: LexborHTMLParser) -> str:
    """Name the looks of a page's boxes; the style sheet that says what the names mean."""
    boxes = page.css("[data-look]")
    counts = Counter(box.attributes["data-look"] or "" for box in boxes)
    name_of = dict(zip((look for look, _ in counts.most_common()), names(), strict=False))
    for box in boxes:
        box.attrs["class"] = name_of[box.attributes["data-look"] or ""]
        del box.attrs["data-look"]
    return style_sheet({name: Look(**json.loads(look)) for look, name in name_of.items()})


def names() -> Iterator[str]:
    """A, B, ... Z, AA, AB, ..."""
    for length in itertools.count(1):
        yield from map("".join, itertools.product(ascii_uppercase, repeat=length))


def style_sheet(looks: dict[str, Look]) -> str:
    """Looks by their names: one rule for each group of declarations that the same looks share.

    What most boxes are, ``static/formulas.css`` says of all.
    """
    declared = {
        f".{name}{pseudo}": own_display(declarations)
        for name, look in looks.items()
        for pseudo, declarations in (
            ("", look.own),
            (":before", look.before),
            (":after", look.after),
        )
        if declarations or not pseudo
    }
    sharing: dict[tuple[str, str], list[str]] = defaultdict(list)
    for selector in sorted(declared, key=likeness(declared)):
        for declaration in declared[selector].items():
            sharing[declaration].append(selector)
    rules: dict[tuple[int, str], list[str]] = defaultdict(list)
    for (name, value), selectors in sharing.items():
        # A longer name stands later: border-top-width is a part of border.
        rules[name.count("-"), ",".join(selectors)].append(f"{name}:{value}")
    ordered = sorted(rules.items(), key=lambda rule: rule[0][0])
    return "".join(f"{selectors}{{{';'.join(body)}}}" for (_, selectors), body in ordered)


def own_display(declarations: Declarations) -> Declarations:
    """The declarations of a box among boxes that are displayed as ``DISPLAY`` by themselves."""
    if declarations.get("display") == DISPLAY:
        return {name: value for name, value in declarations.items() if name != "display"}
    return {"display": "inline", **declarations}


def likeness(declared: dict[str, Declarations]) -> Callable[[str], list[bool]]:
    """A key that brings like looks together: their names then follow each other in many lists,
    which compress well."""
    counts = Counter(each for look in declared.values() for each in look.items())
    frequent = [each for each, count in counts.most_common() if count > 1]
    return lambda selector: [each not in declared[selector].items() for each in frequent]
