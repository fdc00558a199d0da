"""A style sheet cut to what some pages use: its rules, and the characters of its icon fonts."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from minify_html import minify

from web.fonts import as_address, cut_font
from web.node import NODE

CUT = Path(__file__).with_suffix(".mjs")

FONT_FACE = re.compile(r"@font-face\{[^}]*url\([^)]*/(fa-[\w-]+)\.woff2\)[^}]*\}")
LICENCE = re.compile(r"/\*!.*?\*/", re.DOTALL)
SOURCE = re.compile(r"src:[^;}]*")

# Icon fonts keep their characters in Unicode's private use area.
ESCAPED = re.compile(r"\\([ef][0-9a-f]{3})\b")
LITERAL = re.compile("[\ue000-\uf8ff]")


@dataclass
class Names:
    """What a selector can mean: the tags, classes, ids and attributes of pages."""

    tags: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)

    def add(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        self.tags.add(tag)
        self.classes |= set((attributes.get("class") or "").split())
        self.ids.add(attributes.get("id") or "")
        self.attributes |= set(attributes)
        self.values |= {value for value in attributes.values() if value}

    def for_purgecss(self) -> dict[str, object]:
        return {
            "tags": sorted(self.tags),
            "classes": sorted(self.classes),
            "ids": sorted(self.ids),
            "attributes": {"names": sorted(self.attributes), "values": sorted(self.values)},
            "undetermined": [],
        }


def cut(css: str, names: Names, scripts: list[Path]) -> str:
    """``css`` without the rules that nothing named here or in a script can meet.

    Comments go, but for those that state a licence (``/*!``).
    """
    request = {
        "css": css,
        "names": names.for_purgecss(),
        "scripts": [str(path) for path in scripts],
    }
    done = subprocess.run(
        [str(NODE), str(CUT)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def minified(css: str) -> str:
    """``css`` in fewer bytes, with each of its licences once, before everything."""
    licences = dict.fromkeys(LICENCE.findall(css))
    style = minify(f"<style>{LICENCE.sub('', css)}</style>", minify_css=True)
    return "".join(licences) + style.removeprefix("<style>").removesuffix("</style>")


def embed_icon_fonts(css: str, fonts: Path) -> str:
    """``css`` with every icon font replaced by the few characters of it that the sheet names.

    A font that no rule of the sheet sets anything in is left out.
    """
    characters = {chr(int(code, 16)) for code in ESCAPED.findall(css)} | set(LITERAL.findall(css))

    def embed(face: re.Match[str]) -> str:
        kind = face[1].split("-")[1]  # solid, regular, brands
        if f".fa-{kind}" not in css and f"var(--fa-font-{kind})" not in css:
            return ""
        font = cut_font(fonts / f"{face[1]}.ttf", characters)
        if not font:
            return ""
        return SOURCE.sub(f'src:url("{as_address(font)}") format("woff2")', face[0])

    return FONT_FACE.sub(embed, css)
