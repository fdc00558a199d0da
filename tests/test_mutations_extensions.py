"""Mistakes planted in a copy of the book's extensions and of the cutter of its style sheet.

The test that holds a mistake runs on the copy and must fail; on a copy without one it passes.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_mutations import ROOT, Outcome, check_passed, check_seen, mutate, run_all, seeing

# Stands in each copy, whose tests must import that copy.
CONFTEST = """\
from pathlib import Path

import chapters
import lean_pages
import live_figures
import web

for each in (chapters, lean_pages, live_figures, web):
    assert Path(each.__file__).is_relative_to(Path(__file__).parent)
"""

# What the tests need: folders, and files of others.
COPIED = ("book/_ext", "book/_static/icon.svg", "tests/toy_book.py", "tools", "web")

LEAN_PAGES = "test_lean_pages.py"
LIVE_FIGURES = "test_live_figures.py"
CHAPTERS = "test_chapter_form.py"


@dataclass(frozen=True)
class Mutation:
    """A mistake: a text that occurs once in a file, what stands there instead, who must see it."""

    name: str
    file: str
    old: str
    new: str
    tests: str
    test: str


MUTATIONS = [
    Mutation(
        "width and height are exchanged",
        "book/_ext/lean_pages/pages.py",
        'image.attrs["width"], image.attrs["height"] =',
        'image.attrs["height"], image.attrs["width"] =',
        LEAN_PAGES,
        "test_every_image_has_a_size_and_the_second_waits_until_it_is_near",
    ),
    Mutation(
        "the first picture waits too",
        "book/_ext/lean_pages/pages.py",
        "        if number or ",
        "        if number >= 0 or ",
        LEAN_PAGES,
        "test_every_image_has_a_size_and_the_second_waits_until_it_is_near",
    ),
    Mutation(
        "the dark form has no text",
        "book/_ext/lean_pages/pages.py",
        'dark.attrs["src"] = address',
        'dark.attrs["src"], dark.attrs["alt"] = address, ""',
        LEAN_PAGES,
        "test_the_dark_form_stands_beside_the_light_one_with_the_same_text",
    ),
    Mutation(
        "numbers in code lose their colour",
        "book/_ext/lean_pages/pages.py",
        ".highlight span.w",
        ".highlight span.mi",
        LEAN_PAGES,
        "test_words_of_plain_code_lose_their_tags_and_no_others_do",
    ),
    Mutation(
        "the ground of the dark form stays white",
        "book/_ext/lean_pages/dark.py",
        "kept = tables(~(ground | ink)[index], ground[index])",
        "kept = tables(~(ground | ink)[index], ground[index]) | ground[index]",
        LEAN_PAGES,
        "test_ground_and_ink_change_places_and_a_table_stays",
    ),
    Mutation(
        "a table becomes dark with the ground",
        "book/_ext/lean_pages/dark.py",
        "np.where(kept[..., None],",
        "np.where(kept[..., None] & False,",
        LEAN_PAGES,
        "test_ground_and_ink_change_places_and_a_table_stays",
    ),
    Mutation(
        "a comma stays outside of its formula",
        "book/_ext/lean_pages/maths.py",
        '"[.,:;?!]+"',
        '"[.:;?!]+"',
        LEAN_PAGES,
        "test_a_formula_takes_along_the_sign_after_it",
    ),
    Mutation(
        "an index stands at the height of its letter",
        "book/_ext/lean_pages/formulas.py",
        'element.etree_element.get("style", "")',
        '""',
        LEAN_PAGES,
        "test_of_a_lower_index_the_boxes_remain_that_place_it",
    ),
    Mutation(
        "what a box draws before its content is its own look",
        "book/_ext/lean_pages/looks.py",
        'append(f".{name}{pseudo}")',
        'append(f".{name}")',
        LEAN_PAGES,
        "test_a_page_names_each_look_of_its_formulas_once",
    ),
    Mutation(
        "a font loses a letter that is shown",
        "book/_ext/lean_pages/styles.py",
        "found[family].update(",
        'found["KaTeX_Main"].update(',
        LEAN_PAGES,
        "test_the_characters_of_a_formula_go_to_the_fonts_that_draw_them",
    ),
    Mutation(
        "a page without an address has a card to share",
        "book/_ext/lean_pages/address.py",
        '"enable": bool(address)',
        '"enable": True',
        LEAN_PAGES,
        "test_without_an_address_no_card_is_made_and_a_wrong_one_is_refused",
    ),
    Mutation(
        "only the style sheets of the last page are joined",
        "book/_ext/lean_pages/styles.py",
        "for page in pages for link in page.css",
        "for page in pages[-1:] for link in page.css",
        LEAN_PAGES,
        "test_the_sheets_of_all_pages_come_once_each",
    ),
    Mutation(
        "PurgeCSS is switched off",
        "web/style_sheet.mjs",
        "postcss.parse(result.css)",
        "postcss.parse(css)",
        LEAN_PAGES,
        "test_the_sheet_keeps_what_a_page_or_a_script_names",
    ),
    Mutation(
        "the vendors' licences go",
        "web/style_sheet.mjs",
        "if (empty && !licence)",
        "if (empty)",
        LEAN_PAGES,
        "test_the_sheet_keeps_what_a_page_or_a_script_names",
    ),
    Mutation(
        "scripts are not read",
        "web/style_sheet.mjs",
        "content: [...scripts, {",
        "content: [{",
        LEAN_PAGES,
        "test_the_sheet_keeps_what_a_page_or_a_script_names",
    ),
    Mutation(
        "the classes of pages are not read",
        "web/style_sheet.py",
        'self.classes |= set((attributes.get("class") or "").split())',
        "",
        LEAN_PAGES,
        "test_the_names_of_a_page_are_its_tags_classes_ids_and_attributes",
    ),
    Mutation(
        "an icon that the sheet escapes is not in its font",
        "web/style_sheet.py",
        "([ef][0-9a-f]{3})",
        "(e[0-9a-f]{3})",
        LEAN_PAGES,
        "test_of_an_icon_font_the_characters_remain_that_the_sheet_names",
    ),
    Mutation(
        "a model that another needs is left out",
        "book/_ext/live_figures/models.py",
        "waiting += references(traits(models[model_id]))",
        "",
        LIVE_FIGURES,
        "test_reachable_models_are_closed_over_references_and_each_comes_once",
    ),
    Mutation(
        "the page carries the text of the module",
        "book/_ext/live_figures/models.py",
        '"_esm|_css|',
        '"_css|',
        LIVE_FIGURES,
        "test_a_page_keeps_traits_and_leaves_bookkeeping_and_module_text",
    ),
    Mutation(
        "buffers are dropped",
        "book/_ext/live_figures/models.py",
        'model.get("buffers", [])',
        "[]",
        LIVE_FIGURES,
        "test_a_page_keeps_the_buffers_of_a_model",
    ),
    Mutation(
        "a style is left out",
        "book/_ext/live_figures/models.py",
        'if css := model["state"].get("_css"):',
        'if css := model["state"].get("css"):',
        LIVE_FIGURES,
        "test_equal_modules_share_one_script_and_another_style_is_another_script",
    ),
    Mutation(
        "a link's number is a text",
        "book/_ext/live_figures/links.py",
        "return type(present)(text)",
        "return text",
        LIVE_FIGURES,
        "test_a_link_sets_a_value_of_the_present_type",
    ),
    Mutation(
        "a module comes from the notebook",
        "book/_ext/live_figures/modules.py",
        'state["_esm"] = str(widget._esm)',
        'state.setdefault("_esm", str(widget._esm))',
        LIVE_FIGURES,
        "test_a_figure_of_a_package_has_its_class_s_module_and_depends_on_its_files",
    ),
    Mutation(
        "a change to a figure's script changes no page",
        "book/_ext/live_figures/modules.py",
        'path.suffix != ".pyc"',
        'path.suffix == ".py"',
        LIVE_FIGURES,
        "test_a_figure_of_a_package_has_its_class_s_module_and_depends_on_its_files",
    ),
    Mutation(
        "two figures of a page may have one name",
        "book/_ext/live_figures/figures.py",
        'if any(figure["name"] == name for',
        'if False and any(figure["name"] == name for',
        LIVE_FIGURES,
        "test_a_build_complains and named",
    ),
    Mutation(
        "a question costs a tenth of its minutes",
        "book/_ext/chapters/counting.py",
        "MINUTES_A_QUESTION = 0.7",
        "MINUTES_A_QUESTION = 0.07",
        CHAPTERS,
        "test_minutes",
    ),
    Mutation(
        "a hard question takes no longer than any",
        "book/_ext/chapters/counting.py",
        "+ self.thinking",
        "+ 0 * self.thinking",
        CHAPTERS,
        "test_a_hard_question_takes_the_minutes_that_it_says",
    ),
    Mutation(
        "a proof is read like a story",
        "book/_ext/chapters/counting.py",
        "TIMES_A_PROOF_IS_READ = 3",
        "TIMES_A_PROOF_IS_READ = 1",
        CHAPTERS,
        "test_what_counts",
    ),
    Mutation(
        "an answer stands below the folded result",
        "book/_ext/chapters/answers.py",
        "result += node",
        "result.parent += node",
        CHAPTERS,
        "test_an_answer_is_folded_with_the_result_before_it",
    ),
    Mutation(
        "minutes are rounded down",
        "book/_ext/chapters/counting.py",
        "math.ceil(round(self.minutes, 6))",
        "math.floor(self.minutes)",
        CHAPTERS,
        "test_minutes",
    ),
    Mutation(
        "the words of exercises count",
        "book/_ext/chapters/counting.py",
        'SECTIONS_APART = {"Exercises", "More"}',
        'SECTIONS_APART = {"More"}',
        CHAPTERS,
        "test_what_counts",
    ),
    Mutation(
        "folded code counts",
        "book/_ext/chapters/counting.py",
        ' and "input" not in hidden:',
        ":",
        CHAPTERS,
        "test_what_counts",
    ),
    Mutation(
        "two questions may have one id",
        "book/_ext/chapters/questions.py",
        "domain.pages[question_id] = self.env.docname",
        "",
        CHAPTERS,
        "test_two_questions_of_one_id_are_an_error",
    ),
    Mutation(
        "what is folded is open",
        "book/_ext/chapters/folding.py",
        '"details", CLASS="fold")',
        '"details", CLASS="fold", open="open")',
        CHAPTERS,
        "test_the_result_of_a_prediction_is_folded_and_its_code_is_not",
    ),
    Mutation(
        "a lesson counts its last chapter only",
        "book/_ext/chapters/lessons.py",
        "together += taken",
        "together = taken",
        CHAPTERS,
        "test_the_minutes_of_a_lesson_add_up",
    ),
]


def unchanged(tests: str) -> Mutation:
    """No mistake, and every test that must see one."""
    return Mutation("", "", "", "", tests, seeing(MUTATIONS, tests))


UNCHANGED = [unchanged(tests) for tests in (LEAN_PAGES, LIVE_FIGURES, CHAPTERS)]


def make_copy(mutation: Mutation, folder: Path) -> None:
    """Make a mutated copy of the extensions in ``folder``, with the tests that must see it."""
    skip = shutil.ignore_patterns("__pycache__")
    for name in (*COPIED, f"tests/{mutation.tests}"):
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=skip)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    (folder / "node_modules").symlink_to(ROOT / "node_modules", target_is_directory=True)
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text(
        f"[pytest]\ntestpaths = tests\npythonpath = . book/_ext\naddopts = -k '{mutation.test}'\n",
        encoding="utf-8",
    )
    if mutation.file:
        target = folder / mutation.file
        text = target.read_text(encoding="utf-8")
        target.write_text(mutate(text, ((mutation.old, mutation.new),)), encoding="utf-8")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[Mutation, Outcome]:
    folders = {each: tmp_path_factory.mktemp("copy") for each in [*UNCHANGED, *MUTATIONS]}
    for mutation, folder in folders.items():
        make_copy(mutation, folder)
    return dict(zip(folders, run_all(list(folders.values())), strict=True))


@pytest.mark.parametrize("mutation", UNCHANGED, ids=lambda each: each.tests)
def test_an_unchanged_copy_passes(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_passed(outcomes[mutation])


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: f"{each.file}: {each.name}")
def test_every_mistake_is_seen(outcomes: dict[Mutation, Outcome], mutation: Mutation) -> None:
    check_seen(outcomes[mutation])
