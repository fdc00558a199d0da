"""A front end is several files joined into one text; what Python says reaches it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from front_end import call
from test_explorers import ALL, every

from pe_lab import figures
from pe_lab.explorers import ClockExplorer, HeadExplorer, colours
from pe_lab.explorers.colours import COLOURS, style
from pe_lab.explorers.explorer import HERE, Explorer
from pe_lab.explorers.module import join
from pe_lab.explorers.settings import Whole

HEAD = {
    "offset": 3,
    "d_model": 64,
    "gain": 1,
    "pairs": 32,
    "words": False,
    "row": 30,
    "trained": False,
}
KINDS = ("LIMITS", "CHOICES", "SENTENCES", "TEXTS")
KIT = 'import { one } from "./kit/one.js";\n'


def folder(tmp_path: Path, **files: str) -> Path:
    """A folder with an entry a.js and with files below kit/."""
    (tmp_path / "kit").mkdir()
    for name, text in files.items():
        file = tmp_path / ("a.js" if name == "a" else f"kit/{name}.js")
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_file_comes_once_and_after_what_it_needs(tmp_path: Path) -> None:
    here = folder(
        tmp_path,
        a='import {\n  two,\n} from "./kit/two.js";\n'
        + KIT
        + 'import { LIMITS } from "./from_python.js";\nexport default [one, two, LIMITS];\n',
        two='import { one } from "./one.js";\nexport const two = 1 + one;\n',
        one="export const one = 1;\n",
    )
    assert join(here, "a.js", {"LIMITS": {"p": 3}}) == (
        'const LIMITS = {"p": 3};\n'
        "\nexport const one = 1;\n"
        "\nexport const two = 1 + one;\n"
        "\nexport default [one, two, LIMITS];\n"
    )


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a": KIT}, "a.js needs kit/one.js, which is not there"),
        ({}, "an explorer needs a.js, which is not there"),
        (
            {"a": KIT, "one": "const one = 1;\n"},
            "a.js imports one, which kit/one.js does not export",
        ),
        (
            {"a": 'import { STEPS } from "./from_python.js";\n'},
            "a.js imports STEPS, which from_python.js does not export",
        ),
        (
            {"a": KIT + "function one() {}\n", "one": "export const one = 1;\n"},
            "one is declared in kit/one.js and in a.js",
        ),
        ({"a": "const LIMITS = 1;\n"}, "LIMITS is declared in Python and in a.js"),
        (
            {
                "a": KIT,
                "one": 'import { two } from "./two.js";\nexport const one = two;\n',
                "two": 'import { one } from "./one.js";\nexport const two = one;\n',
            },
            "cyclic import: kit/one.js -> kit/two.js -> kit/one.js",
        ),
        ({"a": 'import * as all from "./kit/one.js";\n'}, "a.js has a line that cannot be joined"),
        ({"a": 'import { one } from "lodash";\n'}, "a.js has a line that cannot be joined: import"),
        ({"a": 'export { one } from "./kit/one.js";\n'}, "a.js has a line that cannot be joined"),
        ({"a": "const one = await import('x');\n"}, "a.js has a line that cannot be joined"),
        ({"a": "const { one } = { one: 1 };\n"}, "a.js has a line that cannot be joined: const {"),
        (
            {
                "a": 'import { one as two } from "./kit/one.js";\n',
                "one": "export const one = 1;\n",
            },
            "a.js imports one as two, which kit/one.js does not export",
        ),
    ],
)
def test_what_cannot_be_joined_is_refused(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        join(folder(tmp_path, **files), "a.js", {"LIMITS": {}})


def test_a_front_end_is_refused_a_limit_that_python_would_not_keep() -> None:
    with pytest.raises(TypeError, match="must know that start depends on position"):

        class Odd(ClockExplorer):
            front_end = "clock.js"
            pair = Whole(0, 0, 9, below="position")  # type: ignore[assignment]
            start = pair

            def __init__(self, position: int = 0, start: int = 0) -> None: ...


@every
def test_a_module_is_one_text_that_loads_nothing(make: type[Explorer]) -> None:
    text = make()._esm
    assert text.count("export default") == 1
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|XMLHttpRequest", text, re.MULTILINE)
    addresses = set(re.findall(r"https?://[^\s\"']+", text + make()._css))
    assert addresses <= {
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
    }


def check_clean(make: type[Explorer], module: str) -> None:
    """What ``clean`` returns is allowed by Python, and nearest to what was asked for."""
    explorer = make()
    start = {name: getattr(explorer, name) for name in explorer.settings}
    far = [-(10**7), 10**7, 7, 3.4, "none such", None, "NaN"]
    asked = [{}, *({**start, name: value} for name in start for value in far)]
    results = call(module, "clean", [[each] for each in asked])
    for wanted, found in zip(asked, results, strict=True):
        make(**found)  # Python allows it
        assert found.keys() == start.keys()
        sizes = make(**{size: found[size] for size in ("length", "d_model") if size in start})
        for name in wanted:
            trait = explorer.traits()[name]
            if isinstance(trait, Whole) and isinstance(wanted[name], int):
                low, high = trait.low, trait.highest(sizes)
                nearest = min(max(wanted[name], low), high)
                assert found[name] == nearest + nearest % trait.step, wanted


@every
def test_the_front_end_moves_a_setting_to_the_nearest_that_python_allows(
    make: type[Explorer],
) -> None:
    check_clean(make, make.module())


def test_every_file_belongs_to_some_front_end() -> None:
    texts = "".join(make.module() for make in ALL)
    for path in HERE.rglob("*.js"):
        last = path.read_text(encoding="utf-8").rstrip().splitlines()[-3:]
        assert "\n".join(last) in texts, f"no front end needs {path.name}"


def test_sizes_are_set_before_what_depends_on_them() -> None:
    limits = {
        "row": {"low": 0, "high": 99, "step": 1, "start": 0, "below": "length", "per": 1},
        "length": {"low": 1, "high": 100, "step": 1, "start": 10},
    }
    module = join(HERE, "kit/settings.js", {name: {} for name in KINDS} | {"LIMITS": limits})
    assert call(module, "clean", [[{"row": 40, "length": 10}]]) == [{"row": 9, "length": 10}]


def test_all_pairs_are_read_at_another_width_too() -> None:
    state = {**HEAD, "d_model": 64, "pairs": 32}
    for d_model in (4, 64, 512):
        [state] = call(HeadExplorer.module(), "after", [[state, {"d_model": d_model}]])
        assert state["pairs"] == d_model // 2
    for change, pairs in (
        ({"d_model": 128}, 20),
        ({"d_model": 8}, 4),
        ({"pairs": 7}, 7),
        ({"gain": 2}, 20),
    ):
        [found] = call(HeadExplorer.module(), "after", [[{**HEAD, "pairs": 20}, change]])
        assert found == {**HEAD, **change, "pairs": pairs}


def test_the_base_is_kept_within_its_limits() -> None:
    asked = [{"base": each} for each in (1, 10, 12.5, 1e6, 1e9)]
    found = call(ClockExplorer.module(), "clean", [[each] for each in asked])
    assert [each["base"] for each in found] == [10, 10, 12.5, 1e6, 1e6]


def test_the_colours_are_those_of_the_figures() -> None:
    names = {"sine": figures.SINE, "cosine": figures.COSINE, "ink": figures.INK}
    assert {name: COLOURS[name][0] for name in names} == names
    css = style()
    for name, (light, dark) in COLOURS.items():
        assert f"--{name}: light-dark({light}, {dark});" in css
    used = set(re.findall(r"var\(--(\w+)\)", ClockExplorer._css)) - {"side", "gap", "name"}
    assert used == set(COLOURS)


def test_the_shades_are_those_of_the_figures() -> None:
    count = figures.VALUES.N
    values = np.linspace(-1.0, 1.0, count)
    module = join(HERE, "kit/colours.js", {"COLOURS": colours.values()})
    [shades] = call(f"{module}export const all = () => SHADES;", "all", [[]])
    wanted = figures.VALUES(figures.UNIT(values), bytes=True)[:, :3].astype(int)
    assert np.abs(np.array(shades) - wanted).max() <= 1
    assert call(module, "shadeOf", [[value] for value in values]) == list(range(count))
