"""What students get: no answers in it; and one set through the real nbgrader, there and back."""

from __future__ import annotations

import io
import logging
import os
import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from forked import run_module
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3
from nbgrader.utils import compute_checksum, determine_grade
from traitlets.config.loader import PyFileConfigLoader

import course.__main__ as course_parts
from course.sets import build
from course.sets.cells import ELSEWHERE, SHARED
from course.sets.marks import Mark, Result
from course.sets.nbgrading import (
    MISSING,
    UNCHANGED,
    Examine,
    Feedback,
    Grades,
    Restore,
    feedback,
    printed,
)
from course.sets.notebook import (
    MAKERS,
    answer_id,
    marked_id,
    restored,
    source,
    student_cells,
    text_id,
)
from course.sets.tasks import (
    COURSE,
    ProblemSet,
    Settings,
    Task,
    TaskError,
    read_sets,
    read_settings,
)
from pe_lab.diagnosis.reading import Problem

SETS = read_sets()
SETTINGS = read_settings()
LEAST = 12  # letters and digits of a line that would be known again


TASK = next(task for task in SETS["set1"].tasks if task.id == "set1-05-encode")


def handed_out() -> NotebookNode:
    return source(SETS["set1"], SETTINGS, solved=False)


def cell_of(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name
    )


def text(notebook: NotebookNode) -> str:
    return "\n".join(cell.source for cell in notebook.cells)


def lines(words: str) -> set[str]:
    """The lines that say something."""
    found = {line.strip(" -#,\"'") for line in words.splitlines()}
    return {line for line in found if len(re.sub(r"\W", "", line)) >= LEAST}


def secrets(task: Task) -> set[str]:
    """Lines of a task that belong to the marker: its solution, its checks, its mistakes."""
    given = task.drawn(SETTINGS.seed)
    raw = yaml.safe_load((task.folder / "task.yml").read_text(encoding="utf-8"))
    hidden = [each.get("ask", "") for each in [*raw["parts"], *raw.get("mistakes", [])]]
    files = [task.folder / name for name in ("marking.py", "draw.py") if task.has(name)]
    hidden += [path.read_text(encoding="utf-8") for path in files]
    hidden += [task.text(name, given) for name in ("solution.py", "rubric.md") if task.has(name)]
    found = lines("\n".join(hidden))
    usual = {line for line in found if re.match(r"(from|import) ", line)}
    starter = task.text("starter.py", given) if task.has("starter.py") else ""
    return found - usual - lines(starter)  # what is to be repaired is mostly right


@pytest.mark.parametrize("one", SETS.values(), ids=list(SETS))
def test_no_answer_stands_in_what_is_handed_out(one: ProblemSet) -> None:
    released = nbformat.writes(source(one, SETTINGS, solved=False))
    plain = text(source(one, SETTINGS, solved=False))
    solved = text(source(one, SETTINGS, solved=True))
    words = set(re.findall(r"[\w-]+", plain))
    for task in one.tasks:
        kept = secrets(task)
        assert not {line for line in kept if line in plain or line in released}, task.id
        assert not {each.name for each in task.mistakes if each.name.count("-") > 1} & words
    # The search finds what is there: solutions of a line are too short for it, the others are not.
    found = [any(line in solved for line in secrets(task)) for task in one.tasks]
    assert sum(found) > len(one.tasks) / 2


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("one", SETS.values(), ids=list(SETS))
def test_notebooks_are_valid_and_the_same_each_time(one: ProblemSet, solved: bool) -> None:
    notebook = source(one, SETTINGS, solved=solved)
    nbformat.validate(notebook)
    MetadataValidatorV3().validate_nb(notebook)
    assert nbformat.writes(notebook) == nbformat.writes(source(one, SETTINGS, solved=solved))
    points = [cell.metadata.nbgrader.get("points", 0) for cell in notebook.cells]
    assert sum(points) == 25
    assert text(notebook) != text(source(one, Settings(SETTINGS.seed + 1, ""), solved=solved))


def test_the_book_s_address_brings_the_module_and_no_address_asks_for_it() -> None:
    one = SETS["set1"]
    assert "%pip" not in text(source(one, SETTINGS, solved=False))
    there = text(source(one, Settings(1, "https://a.example/book/"), solved=False))
    assert "pe_core[lab] @ https://a.example/book/download/pe_core-" in there


def test_a_marked_cell_is_silent_for_students_and_gives_nothing_without_our_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cell = cell_of(handed_out(), marked_id(TASK)).source
    for kind in ("", "validate"):  # by hand, and by nbgrader's button
        monkeypatch.setenv("NBGRADER_EXECUTION", kind)
        exec(cell, {})
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match=r"mark with nbgrader_config\.py"):
        exec(cell, {})


# --- a submission in pieces ------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["deleted", "edited", "moved", "markdown", "no metadata"])
def test_a_damaged_notebook_is_put_together_again(damage: str) -> None:
    submitted = handed_out()
    cell_of(submitted, answer_id(TASK)).source = "answer = 7"
    marked = cell_of(submitted, marked_id(TASK))
    if damage == "deleted":
        submitted.cells = [cell_of(submitted, answer_id(TASK))]
    elif damage == "edited":
        marked.source, marked.metadata.nbgrader.points = "100", 100
    elif damage == "moved":
        submitted.cells.reverse()
    elif damage == "markdown":
        answer = cell_of(submitted, answer_id(TASK))
        answer.cell_type = "markdown"
    else:
        for cell in submitted.cells:
            if cell.metadata.nbgrader.grade_id != answer_id(TASK):
                cell.metadata = nbformat.from_dict({})
        submitted.cells = [each for each in submitted.cells if each.metadata]
    whole = restored(handed_out(), submitted)
    expected = handed_out()
    cell_of(expected, answer_id(TASK)).source = "answer = 7"
    assert text(whole) == text(expected)
    assert student_cells(TASK, whole)[1:] == ["answer = 7"]


def test_answers_without_metadata_are_found_by_their_ids() -> None:
    submitted = handed_out()
    cell_of(submitted, answer_id(TASK)).source = "answer = 7"
    for cell in submitted.cells:
        cell.metadata = nbformat.from_dict({})
    whole = restored(handed_out(), submitted)
    assert student_cells(TASK, whole)[1:] == ["answer = 7"]
    assert text(whole) == text(restored(handed_out(), whole))


def test_an_answer_that_was_not_handed_in_is_not_called_as_handed_out() -> None:
    submitted = handed_out()
    submitted.cells.remove(cell_of(submitted, answer_id(TASK)))
    other = next(task for task in SETS["set1"].tasks if task is not TASK and task.marked)
    said = examined(submitted)
    assert MISSING in said[TASK.id]
    assert UNCHANGED not in said[TASK.id]
    assert UNCHANGED in said[other.id]


def test_an_answer_that_lost_its_name_and_its_id_is_marked_where_it_stands() -> None:
    submitted = source(SETS["set1"], SETTINGS, solved=True)
    for task in (task for task in SETS["set1"].tasks if task.marked):
        answer = cell_of(submitted, answer_id(task))
        answer.metadata, answer.id = nbformat.from_dict({}), f"other-{task.id}"
    for task, said in zip(SETS["set1"].tasks, examined(submitted).values(), strict=True):
        total = sum(part.points for part in task.marked)
        assert f"{total:g} of {total:g} points" in said


def test_a_wrong_answer_in_an_added_cell_has_its_sentence() -> None:
    submitted = handed_out()
    answer = cell_of(submitted, answer_id(TASK))
    answer.metadata, answer.id, answer.source = nbformat.from_dict({}), "other", "a = [1, 2,"
    said = examined(submitted)[TASK.id]
    assert MISSING not in said
    assert "SyntaxError" in said


def examined(submitted: NotebookNode) -> dict[str, str]:
    """What is said of each task of set 1."""
    one = SETS["set1"]
    notebook = Examine().treat(Restore().treat(submitted, one), one)
    return {
        task.id: cell_of(notebook, marked_id(task)).outputs[0].data["text/html"]
        for task in one.tasks
        if task.marked
    }


def test_added_cells_belong_to_the_task_that_they_stand_in() -> None:
    submitted = handed_out()
    place = submitted.cells.index(cell_of(submitted, answer_id(TASK)))
    submitted.cells.insert(place, nbformat.v4.new_code_cell("before = 1"))
    submitted.cells.insert(place + 2, nbformat.v4.new_code_cell("after = 2"))
    submitted.cells.insert(0, nbformat.v4.new_code_cell("exit()"))
    whole = restored(handed_out(), submitted)
    starter = cell_of(handed_out(), answer_id(TASK)).source
    first = f"{SHARED}exit()"
    assert student_cells(TASK, whole)[1:] == [first, "before = 1", starter, "after = 2"]
    others = [task for task in SETS["set1"].tasks if task is not TASK and task.marked]
    assert all(student_cells(task, whole)[1:-1] == [first] for task in others)
    nbformat.validate(whole)


@pytest.mark.parametrize("where", ["head", "setup", "typed"])
def test_what_stands_before_the_first_task_runs_for_every_task(where: str) -> None:
    """And what fails there, such as a package that is not there, costs no task."""
    submitted = source(SETS["set1"], SETTINGS, solved=True)
    for task in (task for task in SETS["set1"].tasks if task.marked):
        cell_of(submitted, answer_id(task)).source += "\nassert helper() == sqrt(4)"
    own, line = "from math import *\nhelper = lambda: 2\nimport nowhere", 3
    if where == "typed":
        setup = cell_of(submitted, "set1-setup")
        line += len(setup.source.splitlines())
        setup.source += f"\n{own}"
    else:
        place = submitted.cells.index(cell_of(submitted, f"set1-{where}"))
        submitted.cells.insert(place + 1, nbformat.v4.new_code_cell(own))
    whole = Examine().treat(Restore().treat(submitted, SETS["set1"]), SETS["set1"])
    assert cell_of(whole, "set1-setup").source == cell_of(handed_out(), "set1-setup").source
    for task in (task for task in SETS["set1"].tasks if task.marked):
        total = sum(part.points for part in task.marked)
        said = cell_of(whole, marked_id(task)).outputs[0].data["text/html"]
        assert f"{total:g} of {total:g} points" in said, said
        assert cell_of(whole, answer_id(task)).outputs[0].text == (
            "Your cell before the first task raised ModuleNotFoundError: No module named 'nowhere' "
            f"(line {line}).\n"
        )


def test_a_name_of_another_task_is_told_as_one() -> None:
    one = SETS["set1"]
    submitted = handed_out()
    cell_of(submitted, answer_id(TASK)).source = "def helper():\n    return 1"
    uses, typo = (task for task in one.tasks if task.id in ("set1-03-hands", "set1-06-repair"))
    cell_of(submitted, answer_id(uses)).source = "helper()"
    cell_of(submitted, answer_id(typo)).source = "helpr()"
    said = {name: unescape(html) for name, html in examined(submitted).items()}
    assert f"NameError: name 'helper' is not defined (line 1). {ELSEWHERE}." in said[uses.id]
    assert "NameError: name 'helpr' is not defined (line 1)." in said[typo.id]
    assert "another cell" not in said[typo.id]


# --- a submission that a person has to see ------------------------------------------------------

WRITTEN = [(one, task) for one in SETS.values() for task in one.tasks if task.manual]


def points_by_itself(one: ProblemSet, task: Task, submitted: NotebookNode) -> float | None:
    """What nbgrader gives for a text; None where it asks a person."""
    cell = cell_of(restored(source(one, SETTINGS, solved=False), submitted), text_id(task))
    as_was = cell_of(source(one, SETTINGS, solved=False), text_id(task))
    cell.metadata.nbgrader.checksum = compute_checksum(as_was)
    points: float | None = determine_grade(cell)[0]
    return points


@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
@pytest.mark.parametrize("text_cell", ["left", "deleted"])
@pytest.mark.parametrize(("one", "task"), WRITTEN, ids=lambda each: each.id)
def test_a_proof_in_a_cell_of_the_student_s_own_is_for_a_person(
    one: ProblemSet, task: Task, text_cell: str, kind: str
) -> None:
    submitted = source(one, SETTINGS, solved=False)
    place = submitted.cells.index(cell_of(submitted, text_id(task)))
    own = nbformat.v4.new_raw_cell() if kind == "raw" else MAKERS[kind]()
    submitted.cells.insert(place + 1, own)
    if text_cell == "deleted":
        del submitted.cells[place]
    for written, points in (("", 0), ("The sum is a product.", None)):
        own.source = written
        assert points_by_itself(one, task, submitted) == points
    whole = restored(source(one, SETTINGS, solved=False), submitted)
    assert "The sum is a product." in text(whole)
    assert text(restored(source(one, SETTINGS, solved=False), whole)) == text(whole)


@pytest.mark.parametrize(("one", "task"), WRITTEN, ids=lambda each: each.id)
def test_a_text_that_was_left_or_doubled_has_no_points(one: ProblemSet, task: Task) -> None:
    submitted = source(one, SETTINGS, solved=False)
    assert points_by_itself(one, task, submitted) == 0
    again = nbformat.v4.new_markdown_cell(cell_of(submitted, text_id(task)).source)
    submitted.cells.insert(0, again)
    submitted.cells.append(again)
    assert points_by_itself(one, task, submitted) == 0


def stripped(notebook: NotebookNode) -> NotebookNode:
    """As a tool leaves it that knows neither metadata nor ids."""
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        del cell["id"]
    notebook.nbformat_minor = 4
    return nbformat.reads(nbformat.writes(notebook), 4)


def logged(submitted: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """Ada's set 1 after it was marked, and what the marker was told."""
    step, about = Examine(), {"nbgrader": {"notebook": "set1", "student": "ada"}}
    told, step.log = io.StringIO(), logging.Logger("marking")
    step.log.addHandler(logging.StreamHandler(told))
    whole, _ = step.preprocess(Restore().treat(submitted, SETS["set1"]), about)
    return whole, told.getvalue().splitlines()


def test_a_submission_without_names_is_marked_by_its_text_and_told() -> None:
    whole, told = logged(stripped(source(SETS["set1"], SETTINGS, solved=True)))
    got = [cell_of(whole, marked_id(task)).outputs[0].data for task in SETS["set1"].tasks]
    assert sum(float(data["text/plain"]) for data in got) == 25
    all_tasks = "task 1, task 2, task 3, task 4, task 5, task 6"
    assert told == [
        f"set1 of ada: cells for answers are missing in {all_tasks}. "
        f"Added cells count in their place in {all_tasks}: look at them."
    ]


def test_of_programs_alone_the_marker_is_told_and_the_student_what_to_do() -> None:
    """They run in order for every task: there may be points, and a name that two tasks have."""
    submitted = source(SETS["set1"], SETTINGS, solved=True)
    answers = [cell_of(submitted, answer_id(task)) for task in SETS["set1"].tasks]
    submitted.cells = answers
    whole, told = logged(stripped(submitted))
    assert told == [
        "set1 of ada: cells for answers are missing in task 1, task 2, task 3, task 4, task 5, "
        "task 6. Ask for the notebook that was handed out, with the answers in its own cells."
    ]
    got = [cell_of(whole, marked_id(task)).outputs[0].data for task in SETS["set1"].tasks]
    assert MISSING in got[0]["text/html"]
    assert got[4]["text/plain"] == f"{TASK.points:g}"


def test_a_proof_without_a_name_is_for_a_person() -> None:
    for one, task in WRITTEN:
        submitted = source(one, SETTINGS, solved=True)
        assert points_by_itself(one, task, stripped(submitted)) is None


def test_cells_for_answers_that_are_missing_are_told() -> None:
    submitted = handed_out()
    for name in ("set1-03-hands-answer", "set1-05-encode-answer"):
        submitted.cells.remove(cell_of(submitted, name))
    place = submitted.cells.index(cell_of(submitted, "set1-03-hands-statement"))
    submitted.cells.insert(place + 1, nbformat.v4.new_code_cell("speeds = 1"))
    _, told = logged(submitted)
    assert told == [
        "set1 of ada: cells for answers are missing in task 3, task 5. "
        "Added cells count in their place in task 3: look at them. "
        "Ask for the notebook that was handed out, with the answers in its own cells."
    ]
    assert logged(handed_out())[1] == []
    assert "Ask whoever marks it" in MISSING


@pytest.mark.parametrize("kind", ["text", "added", "code for text"])
def test_no_script_of_a_student_runs_where_it_is_marked(kind: str) -> None:
    proof = next(task for task in SETS["set2"].tasks if task.manual)
    own = source(SETS["set2"], SETTINGS, solved=False)
    submitted = source(SETS["set2"], SETTINGS, solved=False)
    written = "$a<b$ <script>alert(1)</script> <img src=x onerror=alert(1)> <!-- <?x"
    written += " <attachment:x onclick=alert(1)> <attachment:x <b <\ud800a>"
    answer = cell_of(submitted, text_id(proof))
    if kind == "added":
        submitted.cells.append(nbformat.v4.new_markdown_cell(written))
    else:
        answer.source = written
    if kind == "code for text":
        answer.cell_type = "code"
    whole = "\n".join(str(cell.source) for cell in restored(own, submitted).cells)
    assert "alert(1)" in whole
    assert not re.search(r"<[a-zA-Z/!?]", whole)


@pytest.mark.parametrize("added", [False, True])
def test_a_picture_of_a_student_comes_along_and_one_that_is_missing_is_no_error(
    added: bool,
) -> None:
    proof = next(task for task in SETS["set2"].tasks if task.manual)
    own, submitted = (source(SETS["set2"], SETTINGS, solved=False) for _ in range(2))
    cell = cell_of(submitted, text_id(proof))
    if added:
        cell = nbformat.v4.new_markdown_cell()
        submitted.cells.append(cell)
    cell.source = "![a](attachment:a%20b.png) ![gone](attachment:c.png) ![x](attachment:x.html)"
    cell.source += " ![a](<attachment:a b.png>)"
    cell.attachments = {
        "a b.png": {"image/png": "AAAA"},
        "x.html": {"text/html": "AAAA"},
        "half \ud800.png": {"image/jpg": ["AA", "AA"], "image/png": {}},
    }
    whole = restored(own, submitted)
    kept = whole.cells[-1] if added else cell_of(whole, text_id(proof))
    assert kept.source == cell.source
    assert kept.attachments == {
        "a b.png": {"image/png": "AAAA"},
        "x.html": {"text/html": "AAAA"},
        "half ?.png": {"image/jpg": "AAAA"},
    }
    nbformat.validate(whole)


@pytest.mark.parametrize(
    ("attached", "kept"),
    [
        (None, {}),
        (["p.png"], {}),
        ({"p.png": "AAAA"}, {}),
        ({"p.png": {"image/png": ["AA", 1]}}, {"p.png": {"image/png": "AA1"}}),
    ],
)
def test_what_is_attached_in_another_form_stops_nothing(attached: object, kept: object) -> None:
    submitted = handed_out()
    cell = nbformat.v4.new_markdown_cell("mine")
    cell["attachments"] = attached
    submitted.cells.append(cell)
    whole = restored(handed_out(), submitted)
    assert whole.cells[-1].get("attachments", {}) == kept
    nbformat.validate(whole)


def test_half_a_sign_is_written_as_a_question_mark() -> None:
    submitted = handed_out()
    cell_of(
        submitted, answer_id(TASK)
    ).source = "x = '\ud800'\nprint('\udc80')\nraise ValueError(x)"
    submitted.cells.append(nbformat.v4.new_markdown_cell("half \ud800"))
    whole = restored(handed_out(), submitted)
    nbformat.writes(whole).encode()
    problem = Problem("raises", "It raised \udc80.")
    marks = tuple(Mark(part.name, 0, "raises", "It raised \udc80.") for part in TASK.marked)
    result = Result(TASK, marks, printed="\ud800", problem=problem)
    for output in (*printed(result), feedback(result, SETTINGS)):
        assert "?" in str(output)
        str(output).encode()


# --- nbgrader --------------------------------------------------------------------------------

AUTOGRADE = """
import os, sys
from nbgrader.apps import NbGraderAPI
from traitlets.config.loader import PyFileConfigLoader

api = NbGraderAPI(config=PyFileConfigLoader("nbgrader_config.py", path=os.getcwd()).load_config())
for student in ("ada", "bob"):
    for step in (api.autograde, api.generate_feedback):
        done = step("set1", student)
        assert done["success"], done
"""


def in_a_fork(command: list[str], cwd: Path, **_: object) -> subprocess.CompletedProcess[str]:
    """Python's ``-m``, quicker, with the folder's own copy of what marks."""
    return run_module(command[2:], cwd, anew=("course",))


def submit(folder: Path, student: str, answers: dict[str, str]) -> None:
    notebook = nbformat.read(folder / "release" / "set1" / "set1.ipynb", 4)
    for name, answer in answers.items():
        cell_of(notebook, name).source = answer
    drawn = nbformat.v4.new_markdown_cell("![drawn](attachment:d.png) ![lost](attachment:l.png)")
    drawn.attachments = {"d.png": {"image/png": "AAAA"}}
    notebook.cells.append(drawn)
    path = folder / "submitted" / student / "set1" / "set1.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course folder after two submissions were marked: one right, one with mistakes."""
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("course.sets.subprocess", SimpleNamespace(run=in_a_fork))
        build(folder, ["set1"])
    tasks = {answer_id(task): task for task in SETS["set1"].tasks if task.marked}
    given = {name: task.drawn(SETTINGS.seed) for name, task in tasks.items()}
    right = {name: task.text("solution.py", given[name]) for name, task in tasks.items()}
    wrong = {name: task.cell(task.mistakes[0], given[name]) for name, task in tasks.items()}
    submit(folder, "ada", right)
    submit(folder, "bob", wrong)
    (folder / "autograde.py").write_text(AUTOGRADE, encoding="utf-8")
    done = in_a_fork([sys.executable, "-m", "autograde"], folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def test_nbgrader_hands_out_the_notebook_without_solutions(course: Path) -> None:
    released = nbformat.read(course / "release" / "set1" / "set1.ipynb", 4)
    assert text(released) == text(handed_out())
    assert [path.name for path in (course / "release").rglob("*") if path.is_file()] == [
        "set1.ipynb"
    ]
    assert all(cell.metadata.nbgrader.checksum for cell in released.cells)


def test_nbgrader_keeps_the_points(course: Path) -> None:
    tasks = [task for task in SETS["set1"].tasks if task.marked]
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        found = {
            name: {
                grade.name: grade.auto_score
                for grade in book.find_submission_notebook("set1", "set1", name).grades
            }
            for name in ("ada", "bob")
        }
    full = {marked_id(task): sum(part.points for part in task.marked) for task in tasks}
    assert found["ada"] == full
    assert found["bob"] == {marked_id(task): task.mistakes[0].points for task in tasks}


def test_feedback_names_the_mistake_and_gives_nothing_away(course: Path) -> None:
    page = (course / "feedback" / "bob" / "set1" / "set1.html").read_text(encoding="utf-8")
    plain = unescape(re.sub(r"<[^>]+>", "", page))
    assert "The base that is asked for" not in plain  # bob's mistake is another one
    assert "There every word asks and this word is asked" in plain
    assert "Who asks, and who is asked? Read: Chapter 1, Attention cannot see order." in plain
    assert "Right, given your own answer before it." in plain
    for task in SETS["set1"].tasks:
        given = task.drawn(SETTINGS.seed)
        own = lines(task.cell(task.mistakes[0], given) + task.text("starter.py", given))
        visible = task.text("visible.py", given) if task.has("visible.py") else ""
        hidden = lines(task.text("solution.py", given)) - own - lines(visible)
        assert not {line for line in hidden if line in plain}, task.id
        assert "def mark(" not in plain
    assert not re.search(r'(src|href)="https?://', page)
    assert '<img alt="drawn" src="data:image/png;base64,AAAA"' in page
    assert "[picture: lost]" in plain


def test_no_link_of_a_student_runs_a_script_where_a_person_marks(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of nbgrader's formgrader is nbconvert's exporter with the course's settings."""
    monkeypatch.setattr(sys, "path", [*sys.path])  # what the settings change goes back
    monkeypatch.setattr(os, "environ", os.environ.copy())
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    link = nbformat.v4.new_markdown_cell("[proof](javascript:alert(1))")
    notebook = nbformat.v4.new_notebook(cells=[link])
    for exporter, runs in ((HTMLExporter(), True), (HTMLExporter(config=settings), False)):
        html, _ = exporter.from_notebook_node(notebook)
        assert ('href="javascript:' in html) == runs


def test_feedback_draws_formulas_and_lists_tasks_by_their_parts(course: Path) -> None:
    page = (course / "feedback" / "bob" / "set1" / "set1.html").read_text(encoding="utf-8")
    listed = page[page.index('<div id="toc">') : page.index("</ol>")]
    for number, task in enumerate(SETS["set1"].tasks, 1):
        titles = "; ".join(part.title for part in task.marked)
        assert f">{escape(f'Task {number}, {task.title}: {titles}')}</a>" in listed
        assert f">{escape(f'Task {number}, {task.title}')}</span>" in page  # above the cell
    assert "Test cell" not in page
    assert "Grade cell" not in page
    assert "<math" in page
    assert "$" not in re.sub(r"<(style|script|pre|code).*?</\1>", "", page, flags=re.DOTALL)


PROOF = next(task for task in SETS["set2"].tasks if task.manual)
MARKED_BY_HAND = {"notebook": "set2", "assignment": "set2", "student": "ada"}


@pytest.fixture(scope="module")
def database(course: Path) -> str:
    """The gradebook, in which ada has handed in a proof, too."""
    name, address = text_id(PROOF), f"sqlite:///{course / 'gradebook.db'}"
    with Gradebook(address) as book:
        book.add_assignment("set2")
        book.add_notebook("set2", "set2")
        book.add_grade_cell(name, "set2", "set2", cell_type="markdown", max_score=2.5)
        book.add_solution_cell(name, "set2", "set2")
        book.add_submission("set2", "ada")
    return address


@pytest.mark.filterwarnings("ignore:Object of type <Submitted")  # as in nbgrader_config.py
@pytest.mark.parametrize(
    ("auto", "manual", "says"),
    [
        (None, None, "Not marked yet, of 2.5"),
        (None, 0.0, "Score: 0.0 / 2.5"),
        (0.0, None, "Score: 0.0 / 2.5"),  # nbgrader gives it to an answer that was left as it was
    ],
)
def test_a_proof_that_waits_for_its_points_has_no_number(
    database: str, auto: float | None, manual: float | None, says: str
) -> None:
    name = text_id(PROOF)
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [cell_of(source(SETS["set2"], SETTINGS, solved=False), name)]
    with Gradebook(database) as book:
        grade = book.find_grade(name, "set2", "set2", "ada")
        grade.auto_score, grade.manual_score = auto, manual
        book.db.commit()
    about = {"nbgrader": {**MARKED_BY_HAND, "db_url": database}}
    config = GenerateFeedback(coursedir=CourseDirectory()).config  # where its template stands
    exporter = Feedback(config=config, preprocessors=[Grades, CSSHTMLHeaderPreprocessor])
    page, _ = exporter.from_notebook_node(notebook, about)
    assert f"</a> ({says})</li>" in page  # in the table of contents
    assert f'{says} <a href="#top">' in page  # above the cell


def test_a_folder_with_submissions_is_not_built_again(course: Path) -> None:
    with pytest.raises(TaskError, match="holds submissions"):
        build(course, ["set1"])
    (course / "submitted").rename(course / "elsewhere")
    with pytest.raises(TaskError, match="or their marks"):
        build(course, ["set1"])
    assert (course / "gradebook.db").exists()


def test_a_part_that_cannot_be_built_is_told_in_a_line_and_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(into: Path) -> None:
        raise TaskError(f"{into.name} is full")

    monkeypatch.setattr(course_parts, "PARTS", ("sets", "bank"))
    monkeypatch.setattr("course.sets.build", refuse)
    monkeypatch.setattr("course.bank.build", lambda into: None)
    assert course_parts.main([]) == 1
    said = capsys.readouterr()
    assert said.err == "sets: sets is full\n"
    assert said.out == "bank: dist/bank\n"


def test_nbgrader_s_marking_keeps_the_course_from_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what Examine itself passes on."""
    seen: list[list[Path]] = []

    def note(task: Task, _: object, given: object, *, private: list[Path], **__: object) -> Result:
        seen.append(private)
        return Result(task, tuple(Mark(part.name, 0, "none") for part in task.marked))

    monkeypatch.setattr("course.sets.nbgrading.examine", note)
    Examine().treat(handed_out(), SETS["set1"])
    assert seen
    assert all({COURSE, COURSE.parent} <= {*private} for private in seen)
