"""``book/_ext/lean_pages`` and the style sheet's cutter: what is written while building."""

from __future__ import annotations

import io
import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pydata_sphinx_theme
import pytest
import toy_book as toy
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw
from selectolax.lexbor import LexborHTMLParser
from sphinx.errors import ExtensionError

sys.path.insert(0, str(toy.EXTENSIONS))
from lean_pages import dark, maths, pages, styles
from lean_pages.formulas import short
from lean_pages.looks import Look, names, style_sheet

from web.fonts import cut_font
from web.style_sheet import Names, cut, embed_icon_fonts, minified

ICON = toy.EXTENSIONS.parent / "_static" / "icon.svg"
ICON_FONTS = next(Path(pydata_sphinx_theme.__file__).parent.rglob("fa-solid-900.ttf")).parent


late: dict[str, str] = {}  # the parts of pages that were taken out of them


def lean(body: str, picture: Path | None = None) -> BeautifulSoup:
    html = f"<!DOCTYPE html><html><head><title>t</title></head><body><main>{body}</main></body>"
    written = pages.lean(
        html, lambda address: picture, lambda address, source: "dark.png", late.__setitem__
    )
    return BeautifulSoup(written, "html.parser")


# A finished page


def test_every_image_has_a_size_and_the_second_waits_until_it_is_near(tmp_path: Path) -> None:
    picture = tmp_path / "one.png"
    Image.new("RGB", (60, 40)).save(picture)
    first, first_dark, second, second_dark = lean(
        '<p><img src="a.png" alt="one"><img src="b.png" alt="two"></p>', picture
    ).find_all("img")
    for image in (first, first_dark, second, second_dark):
        assert (image["width"], image["height"]) == ("60", "40")
    assert "loading" not in first.attrs
    assert {each["loading"] for each in (first_dark, second, second_dark)} == {"lazy"}


def test_a_drawn_dark_form_is_taken_as_it_is(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4">%s</svg>'
    light, drawn = tmp_path / "a.svg", tmp_path / "a.dark.svg"
    light.write_text(svg % "light", encoding="utf-8")
    assert len(lean('<img src="x/a.svg">', light).find_all("img")) == 1
    drawn.write_text(svg % "dark", encoding="utf-8")
    images = lean('<img src="x/a.svg">', light).find_all("img")
    assert [each["src"] for each in images] == ["x/a.svg", "dark.png"]
    written = pages.LeanPages()
    written.image_folder = tmp_path / "images"
    written.image_folder.mkdir()
    assert written.write_dark_form("x/a.svg", light) == "x/a.dark.svg"
    assert "dark" in (written.image_folder / "a.dark.svg").read_text(encoding="utf-8")


def test_the_dark_form_stands_beside_the_light_one_with_the_same_text(tmp_path: Path) -> None:
    picture = tmp_path / "one.png"
    Image.new("RGB", (60, 40)).save(picture)
    light, other = lean('<img src="a.png" class="wide" alt="one">', picture).find_all("img")
    assert (light["src"], other["src"]) == ("a.png", "dark.png")
    assert (light["class"], other["class"]) == (
        ["wide", "light-form"],
        ["wide", "dark-form", "dark-light"],
    )
    assert light["alt"] == other["alt"] == "one"


def test_a_drawing_has_the_size_of_its_view_box() -> None:
    (image,) = lean('<img src="icon.svg" alt="a clock">', ICON).find_all("img")
    assert (image["width"], image["height"]) == ("32", "32")


def test_a_drawing_without_a_view_box_is_named(tmp_path: Path) -> None:
    drawing = tmp_path / "one.svg"
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    with pytest.raises(ExtensionError, match=r"one\.svg has no viewBox"):
        lean('<img src="one.svg" alt="">', drawing)


def test_an_author_may_leave_out_what_a_browser_can_do_without() -> None:
    page = lean("<math><mi>x</mi></math><img alt='a place for a picture'>")
    assert str(page.math) == "<math><mi>x</mi></math>"
    assert page.img.attrs == {"alt": "a place for a picture"}


def test_a_citation_is_titled_without_the_address() -> None:
    page = lean('<a title="Somebody. A text. 2019. URL: https://x.org/">a</a><a title="b">b</a>')
    assert [each["title"] for each in page.find_all("a")] == ["Somebody. A text. 2019.", "b"]


def test_words_of_plain_code_lose_their_tags_and_no_others_do() -> None:
    code = (
        '<div class="highlight"><pre><span class="n">x</span><span class="p">[</span>'
        '<span class="mi">0</span><span class="nb">len</span></pre></div><span class="n">y</span>'
    )
    page = lean(code)
    assert page.pre.decode_contents() == ('x[<b class="mi">0</b><b class="nb">len</b>')
    assert page.find("span", class_="n").string == "y"


def test_a_page_names_each_look_of_its_formulas_once() -> None:
    shared, other = {"display": "block", "top": "1em"}, {"display": "block", "top": "2em"}
    looks = [Look(shared, {}, {}), Look(other, {"content": '""'}, {}), Look(shared, {}, {})]
    boxes = "".join(f"<i data-look='{look}'></i>" for look in looks)
    page = lean(f'<span class="katex">{boxes}</span>')
    assert [each["class"] for each in page.find_all("i")] == [["A"], ["B"], ["A"]]
    assert [each.attrs.keys() for each in page.find_all("i")] == [{"class"}] * 3
    assert page.head.style.string == (
        '.A,.B{display:block}.A{top:1em}.B{top:2em}.B:before{display:inline;content:""}'
    )
    assert lean("<p>no formula</p>").style is None


def test_what_is_part_of_a_declaration_comes_after_it() -> None:
    first, second = {"border-top-width": "1em"}, {"border-top-width": "1em", "border": "0 solid"}
    sheet = style_sheet({"A": Look(first, {}, {}), "B": Look(second, {}, {})})
    assert sheet == ".A,.B{display:inline}.B{border:0 solid}.A,.B{border-top-width:1em}"


def test_what_most_boxes_are_is_said_of_all_boxes_once() -> None:
    block, plain = {"display": "inline-block", "top": "1em"}, {"color": "red"}
    sheet = style_sheet({"A": Look(block, block, {}), "B": Look(plain, {}, {})})
    assert sheet == ".A,.A:before{top:1em}.B{display:inline;color:red}"
    formulas = (toy.EXTENSIONS / "lean_pages" / "static" / "formulas.css").read_text("utf-8")
    said = formulas.partition(":where(.katex) i,")[2].partition("}")[0]
    assert "display: inline-block;" in said


def test_names_go_on_after_the_last_letter() -> None:
    found = list(itertools.islice(names(), 28))
    assert (found[0], found[25:]) == ("A", ["Z", "AA", "AB"])


def test_what_a_screen_reader_says_is_what_is_shown() -> None:
    page = lean(
        '<details><summary aria-label="Toggle hidden content">Draw</summary></details>'
        '<div role="doc-biblioentry">Vaswani</div>'
    )
    assert page.summary.attrs == {}
    assert page.find("div")["role"] == "listitem"


def test_what_is_there_for_the_eye_alone_is_not_read() -> None:
    page = lean(
        '<ul class="bd-links"><li><a href="a.html">A</a></li>'
        '<li><a class="current reference" href="#">B</a></li></ul>'
        '<button title="Menu"><span class="fa-solid fa-bars"></span></button>'
        '<h2>Head<a class="headerlink" href="#head">#</a></h2>'
    )
    assert [each.get("aria-current") for each in page.select("li a")] == [None, "page"]
    assert page.button.span["aria-hidden"] == page.h2.a["aria-hidden"] == "true"


def test_a_notebook_is_saved_and_not_shown() -> None:
    link = lean(
        '<a class="btn btn-download-notebook-button" href="a.ipynb" target="_blank">n</a>'
    ).a
    assert "download" in link.attrs
    assert "target" not in link.attrs


# The dark form of a figure


def drawing() -> Image.Image:
    """A white ground; a table of two cells with ink in each; a curve in ink and one in blue."""
    image = Image.new("RGB", (120, 80), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 10, 39, 39), fill="#f7f7f7")
    draw.rectangle((42, 10, 71, 39), fill="#1b7837")
    draw.line((20, 20, 28, 28), fill="black", width=2)
    draw.line((50, 20, 58, 28), fill="white", width=2)
    draw.line((10, 60, 110, 60), fill="#1a1a1a", width=3)
    draw.line((10, 70, 110, 70), fill="#0072b2", width=3)
    return image


def lightness(colour: tuple[int, int, int]) -> float:
    return sum(colour) / 3


def test_ground_and_ink_change_places_and_a_table_stays() -> None:
    light, made = drawing(), dark.dark_form(drawing())
    at = made.getpixel
    assert at((2, 2)) == (dark.GROUND,) * 3
    assert lightness(at((60, 60))) > 200
    for cell in ((15, 15), (24, 24), (45, 15), (54, 24)):
        assert at(cell) == light.getpixel(cell)


def test_a_blue_curve_stays_blue_and_can_be_seen_on_the_dark_ground() -> None:
    red, green, blue = dark.dark_form(drawing()).getpixel((60, 70))
    assert red < green < blue
    assert lightness((red, green, blue)) > lightness((0, 0x72, 0xB2))


def test_lightness_is_turned_round_and_grey_stays_grey() -> None:
    greys = np.repeat(np.arange(256)[:, None], 3, axis=1)
    turned = dark.other_lightness(greys).astype(int)
    assert (np.diff(turned[:, 0]) <= 0).all()
    assert np.ptp(turned, axis=1).max() <= 1
    assert tuple(turned[255]) == (dark.GROUND,) * 3


def test_the_dark_ground_is_that_of_the_dark_page() -> None:
    sheets = Path(__import__("sphinx_book_theme").__file__).parent.rglob("sphinx-book-theme.css")
    text = next(sheets).read_text(encoding="utf-8").replace(" ", "")
    assert f"--pst-color-background:#{dark.GROUND:02x}{dark.GROUND:02x}{dark.GROUND:02x}" in text


# Maths


def test_katex_renders_and_says_what_it_does_not_know() -> None:
    ask = maths.Renderer()
    assert 'class="katex"' in ask({"tex": r"\omega_i", "display": False})["html"]
    assert 'class="katex-display"' in ask({"tex": "p", "display": True})["html"]
    assert "foo" in ask({"tex": r"\foo", "display": False})["error"]
    assert "katex" in ask({"tex": "k", "display": False})["html"]
    ask.process.stdin.close()
    assert ask.process.wait(timeout=10) == 0, "it ends when nobody can ask any more"


def shown(tex: str, *, display: bool = False) -> tuple[str, BeautifulSoup]:
    """A formula's MathML, and what is drawn."""
    mathml, drawn = short(maths.ask(0)({"tex": tex, "display": display})["html"])
    return mathml, BeautifulSoup(drawn, "html.parser")


def looks_of(drawn: BeautifulSoup) -> list[Look]:
    return [Look(**json.loads(box["data-look"])) for box in drawn.select("i")]


def test_a_letter_is_one_box_in_one_and_says_what_katex_sheet_says() -> None:
    mathml, drawn = shown("p")
    assert mathml == "<math><mi>p</mi></math>"
    base, letter = looks_of(drawn)
    strut = {"display": "inline-block", "height": ".625em", "vertical-align": "-.1944em"}
    assert base.before == {"content": '""', **strut}
    assert base.own["display"] == "inline-block"
    assert letter == Look({"font-family": "KaTeX_Math", "font-style": "italic"}, {}, {})
    assert drawn.get_text() == "p"


def test_of_a_lower_index_the_boxes_remain_that_place_it() -> None:
    mathml, drawn = shown(r"\omega_i")
    assert mathml == "<math><msub><mi>ω</mi><mi>i</mi></msub></math>"
    _, _, table, row, cell, shifted, index = looks_of(drawn)
    assert table.own["display"] == "inline-table"
    assert table.after == {
        "content": '""',
        "display": "table-cell",
        "position": "relative",
        "vertical-align": "bottom",
        "height": ".15em",
    }
    assert row.after["content"] == '"\\200b"', "Safari wants something in the first row"
    assert cell.own["height"] == ".3117em"
    assert (shifted.own["top"], shifted.before["height"]) == ("-2.55em", "2.7em")
    assert (index.own["font-size"], index.own["font-family"]) == (".7em", "KaTeX_Math")


def test_a_bold_letter_is_bold_in_what_is_read_too() -> None:
    mathml, _ = shown(r"\mathbf{1} + \mathsf{T}")
    page = BeautifulSoup(mathml, "html.parser")
    assert page.mn.attrs == {"mathvariant": "bold"}
    assert page.mi.attrs == {}


def test_a_formula_keeps_its_meaning_and_loses_its_source() -> None:
    mathml, _ = shown(r"\mathrm{A} \le \begin{pmatrix} 1 & 2 \end{pmatrix}^{a b}", display=True)
    page = BeautifulSoup(mathml, "html.parser")
    assert not page.select("annotation, semantics, mstyle, [xmlns], [stretchy], [rowspacing]")
    assert page.mi.attrs == {}, "its letter is upright only for the eye"
    assert page.mo.get_text() == "≤"
    assert len(page.select("mtable > mtr > mtd")) == 2
    (power,) = page.select("msup")
    assert [each.name for each in power.find_all(recursive=False)] == ["mrow", "mrow"]


@pytest.mark.parametrize(
    "tex", [r"\frac{a}{b}", r"\sqrt{x}", r"\left(\sum_i x_i\right)^2", r"\overline{z}", "a<b"]
)
def test_what_is_drawn_has_the_text_that_katex_gives_it(tex: str) -> None:
    whole = BeautifulSoup(maths.ask(0)({"tex": tex, "display": True})["html"], "html.parser")
    _, drawn = shown(tex, display=True)
    text = whole.select_one(".katex-html").get_text().replace("\u200b", "")
    assert drawn.get_text() == text
    assert len(drawn.select("svg path")) == len(whole.select("svg path"))


def built(folder: Path, text: str) -> tuple[BeautifulSoup, list[str]]:
    extensions = ["myst_nb", "lean_pages.maths"]
    output, warnings = toy.build(
        folder,
        {"page": text},
        extensions=extensions,
        html_math_renderer="katex",
        myst_enable_extensions=["dollarmath"],
    )
    html = (output / "page.html").read_text(encoding="utf-8")
    return BeautifulSoup(html, "html.parser"), warnings


def test_a_formula_takes_along_the_sign_after_it(tmp_path: Path) -> None:
    page, warnings = built(tmp_path, "# T\n\nWith $p$, $q$ and $r$.\n")
    assert warnings == []
    paragraph = page.find("p")
    assert [each.get_text()[-1] for each in paragraph.select("[aria-hidden]")] == [",", "q", "."]
    assert paragraph.find_all(string=True, recursive=False) == ["With ", " ", " and "]
    # What is read aloud has the sign beside the formula: it is no part of a number.
    heard = paragraph.select(".katex > :first-child")
    assert [each.get_text() for each in heard] == ["p,", "q", "r."]
    assert [each.get_text() for each in paragraph.select("math")] == ["p", "q", "r"]


@pytest.mark.parametrize(
    ("tex", "heard"),
    [
        (r"\mathrm{PE}(p)", ["PE", "(", "p", ")"]),
        (r"b_{\mathrm{base}}", ["b", "base"]),
        (r"\mathrm{P}_{\mathrm{E}}", ["P", "E"]),
        (r"PE", ["P", "E"]),
        (r"\Delta\Omega", ["Δ", "Ω"]),
        (r"\operatorname{softmax}\!\left(x\right)", ["softmax", "\u2061", "(", "x", ")"]),
    ],
)
def test_a_name_in_upright_letters_is_read_as_one_word(tex: str, heard: list[str]) -> None:
    mathml = BeautifulSoup(maths.halves(tex, display=False)[0], "html.parser")
    assert list(mathml.stripped_strings) == heard


def test_a_line_ends_within_a_long_formula_only(tmp_path: Path) -> None:
    page, _ = built(tmp_path, "# T\n\nIf $1 - 2/d = u$, $a + b + c + d + e + f = g$.\n")
    drawn = page.find("p").select("[aria-hidden]")
    pieces = [len(each.find_all("i", recursive=False)) for each in drawn]
    assert pieces == [1, 7], "between two pieces a line may end"


def test_a_formula_that_katex_does_not_know_is_a_warning_at_its_place(tmp_path: Path) -> None:
    page, warnings = built(tmp_path, "# T\n\nOne.\n\n$$\\foo{p}$$\n")
    assert len(warnings) == 1
    assert "page.md" in warnings[0]
    assert "foo" in warnings[0]
    assert page.select_one("div.math code").string == "\\foo{p}"


# The style sheet

SCRIPT = """// A remark, whose one ` begins no string.
/* Nor does a reader's apostrophe. */ mark('after-a-remark');
form.dataset.isAnswered = "by-hand"; link.href.match(/^https?:\\/\\//);
let variable = add('named-by-a-script');
throw "a word of-a-sentence"; find("p > .asked-for"); write('<p class="in-a-tag">');
// Nor does the ` of another remark end one."""

NAMES = Names(tags={"p", "html"}, classes={"used"}, attributes={"data-theme"}, values={"dark"})


RULES = {  # whether the sheet keeps them
    ".used{color:red}": True,
    ".unused{color:red}": False,
    "html[data-theme=dark] p{color:red}": True,
    "html[data-theme=dark] .unused{color:red}": False,
    ".named-by-a-script{color:red}": True,
    ".variable{color:red}": False,
    ".unused-dropdown{color:red}": False,
    ".of-a-sentence{color:red}": False,
    ".asked-for{color:red}": True,
    ".in-a-tag{color:red}": True,
    ".after-a-remark{color:red}": True,
    "[data-is-answered=by-hand]{color:red}": True,
    "[data-is-open]{color:red}": False,
    "/*! a licence */": True,
    "/* a remark */": False,
}


def test_the_sheet_keeps_what_a_page_or_a_script_names(tmp_path: Path) -> None:
    script = tmp_path / "script.js"
    script.write_text(SCRIPT, encoding="utf-8")
    kept = (rule for rule, used in RULES.items() if used)
    assert cut("".join(RULES), NAMES, [script]) == "".join(kept)


def test_a_sheet_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="Unclosed block"):
        cut("p {", NAMES, [])


def test_the_sheets_of_all_pages_come_once_each() -> None:
    stated = ("a.css b.css", "a.css c.css b.css")
    made = [LexborHTMLParser(f'<link data-sheets="{sheets}">') for sheets in stated]
    assert styles.stated_sheets(made) == ["a.css", "b.css", "c.css"]


def test_the_names_of_a_page_are_its_tags_classes_ids_and_attributes() -> None:
    names = styles.names_of([LexborHTMLParser('<p id="one" class="two three" title="four">')])
    assert names.tags == {"html", "head", "body", "p"}
    assert names.classes == {"two", "three"}
    assert "one" in names.ids
    assert {"title", "data-theme"} <= names.attributes
    assert {"four", "dark"} <= names.values


def test_of_an_icon_font_the_characters_remain_that_the_sheet_names() -> None:
    faces = "".join(
        f'@font-face{{font-family:{name};src:url(../webfonts/{name}.woff2) format("woff2")}}'
        for name in ("fa-solid-900", "fa-brands-400", "fa-regular-400")
    )
    rules = '.fa-solid,.fa-brands{font-weight:900}.sun:before{content:"\\f185"}'
    css = embed_icon_fonts(faces + rules, ICON_FONTS)
    assert "fa-brands-400" not in css, "the sheet names none of its characters"
    assert "fa-regular-400" not in css, "nothing is set in it"
    assert 'font-family:fa-solid-900;src:url("data:font/woff2;base64,' in css
    assert "webfonts" not in css
    assert css.endswith(rules)
    assert len(css) < 2000


def test_a_sheet_made_small_states_each_licence_once() -> None:
    css = "/*! one */p{color:red}/*! two */p{margin:0}/*! one */"
    assert minified(css) == "/*! one *//*! two */p{color:red;margin:0}"


def test_a_font_keeps_the_characters_that_are_shown_and_loses_its_name() -> None:
    source = styles.TEXT_FONT / "files" / styles.TEXT_FONTS[0]
    cut_down = TTFont(io.BytesIO(cut_font(source, "pk\u4e00")))
    assert {chr(code) for code in cut_down.getBestCmap()} == {"p", "k"}
    copyright_notice, *others = map(str, cut_down["name"].names)
    assert "Reserved Font Name" in copyright_notice
    assert not [name for name in others if "Source" in name]
    assert cut_font(source, "\u4e00") == b""


def test_a_font_keeps_what_a_browser_does_unasked() -> None:
    source = styles.TEXT_FONT / "files" / styles.TEXT_FONTS[0]
    whole, cut_down = TTFont(source), TTFont(io.BytesIO(cut_font(source, "AVfi1")))
    features = [
        {
            each.FeatureTag
            for table in ("GPOS", "GSUB")
            for each in font[table].table.FeatureList.FeatureRecord
        }
        for font in (whole, cut_down)
    ]
    assert {"kern", "liga", "frac"} <= features[0]
    assert features[1] == {"kern", "liga", "locl"}


def test_the_characters_of_a_formula_go_to_the_fonts_that_draw_them() -> None:
    page = LexborHTMLParser(
        "<style>.A,.B{font-family:KaTeX_Math;top:0}.C{top:0;font-family:KaTeX_Size1}</style>"
        "<p>w <span class=katex>1 <i class=A>x</i><i class=B>y</i><i class=C>(</i></span>"
    )
    found = styles.formula_characters([page])
    assert found == {
        "KaTeX_Main": set("1 xy("),
        "KaTeX_Math": set("xy"),
        "KaTeX_Size1": {"("},
    }


def test_small_fonts_stand_in_the_sheet_and_fonts_of_nothing_go(tmp_path: Path) -> None:
    def face(name: str) -> str:
        return f"@font-face{{font-family:x;src:url(fonts/{name}.woff2)}}"

    page = LexborHTMLParser(
        "<style>.A{font-family:KaTeX_Size1}</style><p class=katex>p<i class=A>(</i></p>"
    )
    text, main, size = styles.TEXT_FONTS[0][:-6], "KaTeX_Main-Regular", "KaTeX_Size1-Regular"
    faces = map(face, (text, main, size, "KaTeX_Main-Bold", "KaTeX_Fraktur-Regular"))
    css = styles.set_fonts("".join(faces), [page], tmp_path)
    assert css.count("@font-face") == 3
    assert face(text) in css
    assert css.count("url(data:font/woff2;base64,") == 2, "two fonts of a few signs"
    assert (tmp_path / "fonts" / f"{text}.woff2").stat().st_size > styles.SMALL
    assert not (tmp_path / "fonts" / f"{size}.woff2").exists()
