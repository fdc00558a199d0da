"""Chapter 3's picture shows the encoding as it is, and the front page the chapters as they are."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from lean_pages.dark import GROUND

from pe_core.steps import stepwise
from pe_lab.explorers import OrderExplorer
from tools.front_picture import D_MODEL, LENGTH, PICTURES, WORDS, front_picture

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
CHAPTERS = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=PICTURES, ids=lambda path: path.stem)
def picture(request: pytest.FixtureRequest) -> ElementTree.Element:
    """The picture on a light ground, and on a dark one."""
    return ElementTree.parse(request.param).getroot()


def by_hand(position: int, column: int) -> float:
    angle = position / 10000 ** ((column - column % 2) / 6)
    return math.cos(angle) if column % 2 else math.sin(angle)


def test_the_picture_prints_the_table(picture: ElementTree.Element) -> None:
    printed = [t.text or "" for t in picture.iter(f"{SVG}text")]
    numbers = [s.replace("\N{MINUS SIGN}", "-") for s in printed if "." in s]
    assert [float(n) for n in numbers] == [
        round(by_hand(p, c), 2) for p in range(10) for c in range(6)
    ]
    assert [s for s in printed if s in ("My", "name", "is", "John")] == ["My", "name", "is", "John"]


def test_the_hands_of_the_picture_point_where_they_should(picture: ElementTree.Element) -> None:
    ends = [
        [float(line.get(name, "")) for name in ("x1", "y1", "x2", "y2")]
        for line in picture.iter(f"{SVG}line")
    ]
    hands = [(x2 - x1, y1 - y2) for x1, y1, x2, y2 in ends]
    radius = float(next(picture.iter(f"{SVG}circle")).get("r", ""))
    expected = [
        (radius * by_hand(p, 2 * i), radius * by_hand(p, 2 * i + 1))
        for p in range(10)
        for i in range(3)
    ]
    assert np.allclose(hands, expected, atol=0.0051)  # written with two decimals


def test_the_picture_is_what_its_program_draws() -> None:
    table = stepwise(LENGTH, D_MODEL)
    for path, colours in PICTURES.items():
        assert path.read_text(encoding="utf-8") == front_picture(table, WORDS, colours)


def test_the_dark_picture_has_the_dark_ground_and_the_cells_of_the_light_one() -> None:
    light, dark = (ElementTree.parse(path).getroot() for path in PICTURES)
    grounds, cells = zip(
        *(
            (fills[0], fills[1:])
            for fills in (
                [box.get("fill") for box in each.iter(f"{SVG}rect")] for each in (light, dark)
            )
        ),
        strict=True,
    )
    assert grounds == ("white", f"#{GROUND:02x}{GROUND:02x}{GROUND:02x}")
    assert cells[0] == cells[1]


def prose(name: str) -> str:
    cells = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def numbers_with_two_places(text: str) -> list[str]:
    found = re.findall("\N{MINUS SIGN}?\\d\\.\\d\\d", text)
    return [number.replace("\N{MINUS SIGN}", "-") for number in found]


def test_the_alternative_text_tells_the_numbers_that_are_there() -> None:
    (alternative,) = re.findall(r"^:alt: (.*)$", prose("03_step_by_step.ipynb"), re.MULTILINE)
    places = [(0, 0), (0, 1), (9, 0), (9, 1), (9, 2), (9, 3), (9, 4), (9, 5)]
    assert numbers_with_two_places(alternative) == [f"{by_hand(p, c):.2f}" for p, c in places]


def test_the_front_page_begins_with_a_figure_that_moves() -> None:
    """No code before it; its still picture is told with the numbers that stand in it."""
    title, figure = json.loads((NOTEBOOKS / "intro.ipynb").read_text(encoding="utf-8"))["cells"][:2]
    assert "".join(title["source"]).startswith("# ")
    assert "\n" not in "".join(title["source"])
    assert figure["metadata"]["tags"] == ["remove-input"]
    (output,) = figure["outputs"]
    order = OrderExplorer()
    assert "".join(output["data"]["text/plain"]) == repr(order)
    words = {word: place for place, word in enumerate(order.words)}
    told = [*order.output[words["India"]], order.weights[words["I"], words["love"]]]
    told.append(order.weights[words["India"], words["I"]])
    alternative = figure["metadata"]["mystnb"]["image"]["alt"]
    assert numbers_with_two_places(alternative) == [f"{number:.2f}" for number in told]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_the_table_of_chapters_says_their_titles_and_asks_for_their_times(chapter: Path) -> None:
    (title,) = re.findall(r"^# (.*)$", prose(chapter.name), re.MULTILINE)
    line = (
        rf"^\| \[{int(chapter.stem[:2])}\. (.*)\]\({chapter.name}\) \|"
        rf" .*\? \| \{{minutes\}}`(.*)` \|$"
    )
    assert re.findall(line, prose("intro.ipynb"), re.MULTILINE) == [(title, chapter.name)]
