"""``book/_ext/live_figures``: what is written while building. The browser's part is tested in
``tests/browser/test_live_figures_host.py``."""

from __future__ import annotations

import copy
import gzip
import json
import sys
from pathlib import Path

import pytest
import toy_book as toy
from bs4 import BeautifulSoup
from nbformat import v4
from sphinx.errors import ExtensionError

from tools.notebooks import execute

sys.path.insert(0, str(toy.EXTENSIONS))
from live_figures import links, models, modules

from pe_lab.explorers import BuildExplorer, ClockExplorer, OrderExplorer
from pe_lab.explorers.explorer import Explorer

STATIC = toy.EXTENSIONS / "live_figures" / "static"
TOY = "export default { render({ model, el }) { el.textContent = model.get('value'); } };"


def page_of(folder: Path, name: str = "toys") -> BeautifulSoup:
    return BeautifulSoup((folder / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def page_data(page: BeautifulSoup) -> dict[str, dict]:
    return dict(json.loads(page.find(id="live-figures").string))


# The pure functions


def test_references_are_found_at_any_depth() -> None:
    value = {"a": "IPY_MODEL_one", "b": [{"c": ["x", "IPY_MODEL_model-02"]}, 3, None, True]}
    assert list(models.references(value)) == ["one", "model-02"]
    assert list(models.references("see IPY_MODEL_one")) == []


def test_reachable_models_are_closed_over_references_and_each_comes_once() -> None:
    state = {
        "a": toy.anywidget(TOY, other="IPY_MODEL_b", more=["IPY_MODEL_c"]),
        "b": toy.anywidget(TOY, back="IPY_MODEL_a"),
        "c": toy.ipywidget("IntSliderModel", style="IPY_MODEL_d"),
        "d": toy.ipywidget("StyleModel"),
        "e": toy.anywidget(TOY),
        "layout": toy.ipywidget("LayoutModel"),
    }
    assert models.reachable(state, ["a"]) == ["a", "b", "c", "d"]
    assert models.reachable(state, ["b", "a"]) == ["b", "a", "c", "d"]
    assert models.reachable(state, ["gone"]) == []


def test_a_page_keeps_traits_and_leaves_bookkeeping_and_module_text() -> None:
    state = {"a": toy.anywidget(TOY, css="p {}", value=1, _own="kept")}
    data, scripts = models.page_data(state, ["a"])
    assert data == [
        ("a", {"state": {"value": 1, "_own": "kept"}, "buffers": [], "file": next(iter(scripts))})
    ]


def test_a_page_keeps_the_buffers_of_a_model() -> None:
    (_, entry), *_ = models.page_data({"a": toy.anywidget(TOY, buffers={"data": b"abc"})}, ["a"])[0]
    assert entry["buffers"] == [{"path": ["data"], "encoding": "base64", "data": "YWJj"}]


def test_data_of_a_figure_is_in_a_script_for_each_name() -> None:
    figure = toy.anywidget(TOY) | {"files": {"one": "YWJj", "two": "ZGVm"}}
    [(_, entry), (_, other)], scripts = models.page_data(
        {"a": figure, "b": toy.anywidget(TOY)}, ["a", "b"]
    )
    assert "files" not in other
    assert entry["files"].keys() == {"one", "two"}
    assert scripts.keys() == {entry["file"], *entry["files"].values()}
    assert scripts[entry["files"]["two"]] == 'document.currentScript.module = "ZGVm";\n'


def test_equal_modules_share_one_script_and_another_style_is_another_script() -> None:
    state = {
        "a": toy.anywidget(TOY, value=1),
        "b": toy.anywidget(TOY, value=2),
        "c": toy.anywidget(TOY, css="p {}", value=3),
    }
    data, scripts = models.page_data(state, ["a", "b", "c"])
    files = [entry["file"] for _, entry in data]
    assert files[0] == files[1] != files[2]
    assert sorted(scripts) == sorted(set(files))
    assert all(name == models.file_name(text) for name, text in scripts.items())


@pytest.mark.parametrize(
    ("text", "present", "value"),
    [
        ("6", 3, 6),
        ("6", 2.5, 6.0),
        ("1e3", 1.0, 1000.0),
        ("6", "paper", "6"),
        ("true", False, True),
        ("False", True, False),
    ],
)
def test_a_link_sets_a_value_of_the_present_type(text: str, present: object, value: object) -> None:
    assert links.typed(text, present) == value
    assert type(links.typed(text, present)) is type(present)


@pytest.mark.parametrize(
    ("text", "present", "why"),
    [
        ("six", 3, "invalid literal"),
        ("6.5", 3, "invalid literal"),
        ("x", 1.0, "could not convert"),
        ("1", True, "true or false"),
        ("1", None, "not a number"),
        ("1", [2], "not a number"),
    ],
)
def test_a_link_refuses_a_value_of_another_type(text: str, present: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        links.typed(text, present)


def test_a_link_names_a_figure_and_its_settings() -> None:
    assert links.parse("live:clock?position=6&base=2.5") == (
        "clock",
        [("position", "6"), ("base", "2.5")],
    )
    assert links.parse("live:s?schedule=raw-exponent&t=a%20b") == (
        "s",
        [("schedule", "raw-exponent"), ("t", "a b")],
    )
    assert links.parse("live:order?sentence=I+love+India&positions=true") == (
        "order",
        [("sentence", "I love India"), ("positions", "true")],
    )
    with pytest.raises(ValueError, match="position"):
        links.parse("live:clock?position")


# The built page


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages with live figures, one with none, one with a widget that is not an anywidget."""
    models = {
        "a": toy.anywidget(TOY, value=1, step=0.5, on=True, label="</script><b>", none=None),
        "b": toy.anywidget(TOY, css="p { color: red }", value=2, child="IPY_MODEL_s"),
        "s": toy.ipywidget("IntSliderModel", value=3),
        "unused": toy.anywidget("export default {};", value=4),
    }
    output, warnings = toy.build(
        tmp_path_factory.mktemp("book"),
        {
            "toys": toy.notebook(
                models,
                toy.view("a", "one"),
                toy.words("Now [set `it`](live:one?value=4&step=2&on=false&label=x%20y)."),
                toy.view("b", caption="The second."),
                toy.view("b", alt=None, picture=""),
            ),
            "more": toy.notebook(models, toy.view("a", "one")),
            "plain": "# Plain\n\n(run-it)=\n\n## How to run it\n\nSo.\n",
            "slider": toy.notebook({"s": models["s"]}, toy.view("s", "dead")),
        },
        live_figures_help="run-it",
    )
    assert warnings == []
    return output


def test_a_figure_is_its_still_picture_with_its_alternative_text(book: Path) -> None:
    figure = page_of(book).find(id="live-one")
    assert figure.name == "figure"
    assert figure["class"] == ["live-figure"]
    assert figure["data-model"] == "a"
    assert figure["aria-label"] == "Toys"
    image = figure.select_one(".live-still img")
    assert image["alt"] == "a grey still picture"
    assert (book / image["src"]).exists()
    assert "Toy()" not in figure.text


def test_a_captioned_figure_is_not_a_figure_in_a_figure(book: Path) -> None:
    figure = page_of(book).select("[data-model=b]")[0]
    assert figure.name == "div"
    assert "aria-label" not in figure.attrs
    assert "The second." in figure.find_parent("figure").figcaption.text


def test_a_figure_with_no_picture_stands_as_its_text(book: Path) -> None:
    figure = page_of(book).select("[data-model=b]")[1]
    assert figure.select_one(".live-still").text.strip() == "Toy()"


def test_the_page_holds_the_models_that_it_needs_and_no_others(book: Path) -> None:
    data = page_data(page_of(book))
    assert list(data) == ["a", "b", "s"]
    assert data["a"]["state"]["label"] == "</script><b>"
    assert data["b"]["state"] == {"value": 2, "child": "IPY_MODEL_s"}
    assert "file" not in data["s"]


def test_modules_are_files_and_pages_share_them(book: Path) -> None:
    files = {entry["file"] for entry in page_data(page_of(book)).values() if "file" in entry}
    assert page_data(page_of(book, "more"))["a"]["file"] in files
    stored = {f"live_figures/{path.name}" for path in (book / "_static/live_figures").iterdir()}
    assert stored == files
    for name in ("toys", "more"):
        assert "model.get" not in (book / f"{name}.html").read_text(encoding="utf-8")


def test_nothing_of_jupyters_page_scripts_is_loaded(book: Path) -> None:
    for path in book.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        for word in ("require", "html-manager", "widget-state", "widget-view"):
            assert word not in text, (path.name, word)


@pytest.mark.parametrize(
    ("name", "loaded"), [("toys", 1), ("more", 1), ("plain", 0), ("slider", 0)]
)
def test_the_host_is_on_pages_with_a_live_figure_only(book: Path, name: str, loaded: int) -> None:
    page = page_of(book, name)
    scripts = page.select("script[src*=live_figures]")
    assert len(scripts) == len(page.select("link[href*=live_figures]")) == loaded
    assert len(page.select("#live-figures")) == loaded
    assert len(page.select("#live-status[role=status]")) == loaded
    assert all(script.has_attr("defer") for script in scripts)


def test_the_host_is_under_4_kb_compressed_and_fetches_nothing() -> None:
    text = (STATIC / "live_figures.js").read_text(encoding="utf-8")
    assert len(gzip.compress(text.encode())) < 4000
    assert "http" not in text
    assert "fetch" not in text


def test_a_link_is_words_with_the_values_beside_them(book: Path) -> None:
    link = page_of(book).select_one(".live-link")
    assert link.name == "span"
    assert link.decode_contents().startswith("set <code")
    assert link["data-figure"] == "live-one"
    assert json.loads(link["data-values"]) == {"value": 4, "step": 2.0, "on": False, "label": "x y"}
    assert link["data-says"] == "one: value 4, step 2, on false, label x y"


def test_a_step_is_told_by_the_number_that_the_figure_gives_it() -> None:
    """The trait counts from 0, and the figure says "8 of 9"."""
    explorer = BuildExplorer()
    traits = {name: getattr(explorer, name) for name in ("step", "row", "column", "d_model")}
    widget = f"{BuildExplorer.__module__}.BuildExplorer"
    figures = {"build": links.live_figure(name="build", widget=widget, model="m", traits=traits)}
    for packages, step in ((["pe_lab"], 8), ([], 7)):
        link = links.make_link("live:build?step=7&row=4", figures, packages)
        assert link["says"] == f"build: step {step}, row 4"
        assert link["values"] == {"step": 7, "row": 4}


def test_a_text_that_is_emptied_is_told() -> None:
    figure = links.live_figure(name="one", widget="toy.Toy", model="m", traits={"label": "x"})
    assert links.make_link("live:one?label=", {"one": figure}, [])["says"] == "one: label empty"


def test_a_widget_without_a_module_says_that_it_needs_a_notebook(book: Path) -> None:
    figure = page_of(book, "slider").select_one(".live-figure")
    assert not figure.has_attr("data-model")
    assert figure.img["alt"] == "a grey still picture"
    note = figure.select_one(".live-note")
    assert note.text == "These controls need a running notebook: how to open it."
    assert note.a["href"] == "plain.html#run-it"


def test_on_other_builders_there_is_the_picture_or_the_text_and_the_words(tmp_path: Path) -> None:
    page = toy.notebook(
        {"a": toy.anywidget(TOY, value=1)},
        toy.view("a", "one"),
        toy.words("[Go](live:one?value=2)."),
    )
    output, warnings = toy.build(tmp_path, {"toys": page}, "latex")
    tex = (output / "toys.tex").read_text(encoding="utf-8")
    assert warnings == []
    assert r"\sphinxincludegraphics" in tex
    assert "\nGo.\n" in tex.replace(r"\sphinxAtStartPar" + "\n", "\n")
    output, warnings = toy.build(tmp_path, {"toys": page}, "text")
    assert warnings == []
    assert "Go." in (output / "toys.txt").read_text(encoding="utf-8")


def test_a_second_build_keeps_the_modules_and_drops_those_of_a_removed_page(tmp_path: Path) -> None:
    one = toy.notebook({"a": toy.anywidget(TOY, value=1)}, toy.view("a"))
    two = toy.notebook({"a": toy.anywidget(TOY + "//", value=1)}, toy.view("a"))
    modules = tmp_path / "html/_static/live_figures"
    toy.build(tmp_path, {"one": one, "two": two})
    first = {path.name for path in modules.iterdir()}
    toy.build(tmp_path, {"one": one, "two": two})
    assert {path.name for path in modules.iterdir()} == first
    assert len(first) == 2
    toy.build(tmp_path, {"one": one, "two": "# No widget\n"})
    assert {path.name for path in modules.iterdir()} < first
    assert not page_of(tmp_path / "html", "two").select("script[src*=live_figures]")


def test_a_list_of_address_schemes_stays_a_list(tmp_path: Path) -> None:
    page = toy.notebook(
        {"a": toy.anywidget(TOY, value=1)},
        toy.view("a", "one"),
        toy.words("[Go](live:one?value=2) or [out](https://example.org)."),
    )
    output, warnings = toy.build(tmp_path, {"toys": page}, myst_url_schemes=["https"])
    assert warnings == []
    assert page_of(output).select_one("span.live-link").text == "Go"


# What a build complains about: with -W each of these stops it.

LIVE = {"a": toy.anywidget(TOY, value=1, none=None)}


def without(models: dict, *names: str) -> dict:
    models = copy.deepcopy(models)
    for name in names:
        del models["a"]["state"][name]
    return models


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        (
            toy.notebook(LIVE, toy.view("a", "one"), toy.words("[Go](live:two?value=2)")),
            "live:two?value=2: no live figure of this page is named 'two'",
        ),
        (
            toy.notebook(LIVE, toy.view("a", "one"), toy.words("[Go](live:one?size=2)")),
            "live:one?size=2: one has no trait 'size'; it has none, value",
        ),
        (
            toy.notebook(LIVE, toy.view("a", "one"), toy.words("[Go](live:one?value=x&none=1)")),
            "value cannot be 'x'",
        ),
        (
            toy.notebook(LIVE, toy.view("a", "one"), toy.words("[Go](live:one?none=1)")),
            "none cannot be '1'",
        ),
        (
            toy.notebook(LIVE, toy.view("a", "one"), toy.words("[Go](live:one)")),
            "live:one: it sets nothing",
        ),
        (
            toy.notebook(LIVE, toy.view("a", "one"), toy.view("a", "one")),
            "two live figures of this page are named 'one'",
        ),
        (toy.notebook(LIVE, toy.view("a", "my clock")), "live figure name 'my clock'"),
        (
            toy.notebook(LIVE, toy.view("b")),
            "the notebook does not store the state of widget b",
        ),
        (
            toy.notebook({"a": toy.anywidget(TOY, child="IPY_MODEL_c")}, toy.view("a")),
            "widget a refers to c, which is not stored",
        ),
        (
            toy.notebook({"a": toy.anywidget("https://example.org/x.js")}, toy.view("a")),
            "the module of widget a is an address",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_build_complains(tmp_path: Path, page: object, complaint: str) -> None:
    output, warnings = toy.build(tmp_path, {"toys": page})
    assert len(warnings) == 1, warnings
    assert complaint in warnings[0]
    assert "toys.ipynb" in warnings[0]
    assert page_of(output).select("img[alt='a grey still picture']")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("position=99999", "position must lie between 0 and 1000, got 99999"),
        ("pair=4", "pair must lie between 0 and 3, got 4"),
        ("d_model=4&pair=2", "pair must lie between 0 and 1, got 2"),
        ("d_model=5", "d_model must be a positive even integer, got 5"),
        ("base=nan", "base cannot be 'nan': it is not finite"),
        ("base=2", "base must lie between 10 and 1000000, got 2"),
    ],
)
def test_a_link_to_a_value_that_the_figure_does_not_have_is_a_complaint(
    tmp_path: Path, settings: str, complaint: str
) -> None:
    warnings = warnings_of_a_link(tmp_path, ClockExplorer(pair=3), settings)
    assert len(warnings) == 1, warnings
    assert complaint in warnings[0]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("sentence=cats", "sentence has 'cats'; its words are"),
        ("sentence=India+love+I", ""),
        ("positions=true", ""),
    ],
)
def test_a_sentence_of_unknown_words_is_a_complaint(
    tmp_path: Path, settings: str, complaint: str
) -> None:
    warnings = warnings_of_a_link(tmp_path, OrderExplorer(), settings)
    assert [complaint in warning for warning in warnings] == ([True] if complaint else [])


def test_a_link_may_set_what_the_figure_would_move(tmp_path: Path) -> None:
    """A narrower encoding has no pair 3: the figure shows its last one, here and in the front."""
    for settings in ("d_model=4", "d_model=16&pair=7", "position=1000&base=10"):
        assert warnings_of_a_link(tmp_path, ClockExplorer(pair=3), settings) == []


def warnings_of_a_link(folder: Path, explorer: Explorer, settings: str) -> list[str]:
    traits = {name: getattr(explorer, name) for name in explorer.settings}
    name = f"{type(explorer).__module__}.{type(explorer).__qualname__}"
    page = toy.notebook(
        {"a": toy.anywidget("", name=name, **traits)},
        toy.view("a", "one"),
        toy.words(f"[Go](live:one?{settings})"),
    )
    return toy.build(folder, {"toys": page}, live_figures_packages=["pe_lab"])[1]


def test_a_missing_help_label_is_a_complaint(tmp_path: Path) -> None:
    page = toy.notebook({"s": toy.ipywidget("IntSliderModel")}, toy.view("s"))
    _, warnings = toy.build(tmp_path, {"toys": page}, live_figures_help="nowhere")
    assert len(warnings) == 1
    assert "nowhere" in warnings[0]


# A figure whose code is not stored: from the class that its notebook names

PACKAGE = "toy_figures"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with a figure in a file of its own, one in a text, and no figure."""
    folder = tmp_path / "installed" / PACKAGE
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("LIMITS = [1, 9]\n", encoding="utf-8")
    (folder / "figures.py").write_text(
        "import pathlib\n"
        "import anywidget\n"
        "from toy_figures import LIMITS\n"
        "class Filed(anywidget.AnyWidget):\n"
        "    _esm = pathlib.Path(__file__).with_name('filed.js')\n"
        "    files = {'one': lambda: b'abc'}\n"
        "class Written(anywidget.AnyWidget):\n"
        "    _esm = f'// limits {LIMITS}'\n"
        "    _css = 'p { color: blue }'\n"
        "class Empty(anywidget.AnyWidget):\n"
        "    pass\n",
        encoding="utf-8",
    )
    (folder / "filed.js").write_text("// first\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder.parent)
    # Bytecode would stand for a source that is written anew in the same second, as long as before.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    forget(monkeypatch)
    return folder


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Import the package anew, as the next build does, which is another process."""
    for name in (PACKAGE, f"{PACKAGE}.figures"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def figure_of(name: str) -> object:
    model = toy.anywidget("// stored", name=f"{PACKAGE}.figures.{name}", value=1)
    return toy.notebook({"a": model}, toy.view("a"))


def build_with_package(folder: Path, **pages: object) -> Path:
    output, warnings = toy.build(folder, pages, live_figures_packages=[PACKAGE])
    assert warnings == []
    return output


def module_of(output: Path, name: str) -> str:
    """The script that a page has for its one figure."""
    return (output / "_static" / page_data(page_of(output, name))["a"]["file"]).read_text("utf-8")


def test_a_figure_of_a_package_has_its_class_s_module_and_depends_on_its_files(
    package: Path,
) -> None:
    figure = toy.anywidget("// stored", name=f"{PACKAGE}.figures.Written")
    other = toy.anywidget("// stored", name="elsewhere.Figure")
    files = modules.add_modules({"a": figure, "b": other}, [PACKAGE])
    assert figure["state"]["_esm"] == "// limits [1, 9]"
    assert figure["state"]["_css"] == "p { color: blue }"
    assert other["state"]["_esm"] == "// stored"
    assert files == {package / name for name in ("__init__.py", "figures.py", "filed.js")}


@pytest.mark.usefixtures("package")
def test_a_module_comes_from_the_package_and_not_from_the_notebook(tmp_path: Path) -> None:
    output = build_with_package(tmp_path, filed=figure_of("Filed"), written=figure_of("Written"))
    assert "// first" in module_of(output, "filed")
    assert "// limits [1, 9]" in module_of(output, "written")
    assert "p { color: blue }" in module_of(output, "written")
    assert "stored" not in module_of(output, "filed") + module_of(output, "written")
    data = page_data(page_of(output, "filed"))["a"]["files"]
    assert data.keys() == {"one"}
    assert '"YWJj"' in (output / "_static" / data["one"]).read_text("utf-8")
    assert "files" not in page_data(page_of(output, "written"))["a"]


@pytest.mark.usefixtures("package")
def test_a_module_of_another_package_comes_from_the_notebook(tmp_path: Path) -> None:
    output, _ = toy.build(tmp_path, {"filed": figure_of("Filed")}, live_figures_packages=["toy"])
    assert "// stored" in module_of(output, "filed")


def test_a_change_to_a_figures_code_reaches_the_next_build(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"filed": figure_of("Filed"), "written": figure_of("Written"), "plain": "# Plain\n"}
    output = build_with_package(tmp_path, **pages)
    plain = (output / "plain.html").stat().st_mtime_ns

    (package / "filed.js").write_text("// second\n", encoding="utf-8")
    forget(monkeypatch)
    build_with_package(tmp_path, **pages)
    assert "// second" in module_of(output, "filed")

    (package / "__init__.py").write_text("LIMITS = [2, 7]\n", encoding="utf-8")
    forget(monkeypatch)
    build_with_package(tmp_path, **pages)
    assert "// limits [2, 7]" in module_of(output, "written")
    assert len(list((output / "_static/live_figures").iterdir())) == 3
    assert (output / "plain.html").stat().st_mtime_ns == plain


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        (f"{PACKAGE}.figures.Gone", "has no attribute 'Gone'"),
        (f"{PACKAGE}.gone.Filed", f"No module named '{PACKAGE}.gone'"),
        (f"{PACKAGE}.figures.Empty", "has no module"),
        (f"{PACKAGE}.figures.pathlib", "has no module"),
    ],
)
def test_a_class_that_is_not_there_ends_the_build(
    tmp_path: Path, name: str, complaint: str
) -> None:
    page = toy.notebook({"a": toy.anywidget("", name=name)}, toy.view("a"))
    with pytest.raises(ExtensionError, match=complaint) as raised:
        build_with_package(tmp_path, toys=page)
    assert f"the class '{name}' of widget a" in str(raised.value)


def test_a_figure_that_nobody_has_the_code_of_ends_the_build(tmp_path: Path) -> None:
    model = toy.anywidget("", name="elsewhere.Figure")
    del model["state"]["_esm"]
    with pytest.raises(ExtensionError, match=r"'elsewhere\.Figure', is not in"):
        build_with_package(tmp_path, toys=toy.notebook({"a": model}, toy.view("a")))


# The real thing: what ipywidgets and nbclient store


def test_an_executed_notebook(tmp_path: Path) -> None:
    notebook = toy.notebook({})
    notebook.cells += [
        v4.new_code_cell(
            "import anywidget, traitlets\n"
            "class Toy(anywidget.AnyWidget):\n"
            f"    _esm = {TOY!r}\n"
            "    value = traitlets.Int(7).tag(sync=True)\n"
            "    data = traitlets.Bytes(b'abc').tag(sync=True)\n"
            "Toy()"
        ),
        v4.new_code_cell(
            "import base64, ipywidgets\nfrom IPython.display import Image, display\n"
            f"def draw(x=3): display(Image(base64.b64decode({toy.png()!r})))\n"
            "ipywidgets.interact(draw, x=(0, 9)); None",
            metadata={"mystnb": {"image": {"alt": "what interact drew"}}},
        ),
    ]
    execute(notebook, tmp_path)
    output, warnings = toy.build(tmp_path, {"toys": notebook})
    assert warnings == []
    page = page_of(output)
    live, dead = page.select(".live-figure")
    (entry,) = page_data(page).values()
    assert entry["state"]["value"] == 7
    assert entry["buffers"] == [{"encoding": "base64", "path": ["data"], "data": "YWJj"}]
    assert live["data-model"]
    assert dead.img["alt"] == "what interact drew"
    assert (output / dead.img["src"]).exists()
    assert "running notebook" in dead.text
