"""The concept inventory: its two forms, and the gain of a class whose numbers are made up."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from read_bank import plain, read_moodle, words

from course.inventory import papers
from course.inventory.__main__ import main
from course.inventory.concepts import KEYS, PATH, Concept, load
from course.inventory.gain import Sheet, gain, header, matched, misconceptions, read, right
from course.objectives import load as load_objectives

CONCEPTS = load()
RIGHT = {form: ",".join(key) for form, key in KEYS.items()}
HEAD = ",".join(header(CONCEPTS))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inventory")
    papers.write(folder)
    return folder


def sheet(person: str, form: str, when: str, count: int) -> Sheet:
    """One with the first ``count`` answers right, and no others."""
    return Sheet(person, form, when, (*KEYS[form][:count], *[""] * (10 - count)))


# The concepts


def test_there_are_ten_in_two_forms_with_the_same_misconceptions() -> None:
    assert len(CONCEPTS) == len({concept.id for concept in CONCEPTS}) == 10
    known = load_objectives()
    for number, concept in enumerate(CONCEPTS):
        assert {*concept.objectives} <= known.keys()
        assert len(concept.misconceptions) == 3
        texts = {form: text for form, (text, _) in concept.forms.items()}
        assert texts["A"] != texts["B"]
        for form, (_, choices) in concept.forms.items():
            wrong = [choice.misconception for choice in choices if choice.misconception]
            assert {*wrong} == {*concept.misconceptions}
            assert choices["abcd".index(KEYS[form][number])].misconception is None
            assert len({choice.text for choice in choices}) == 4
        for each in concept.misconceptions:
            assert papers.place_in_words(each.place)


def test_no_letter_is_right_much_more_often_than_another() -> None:
    for key in KEYS.values():
        assert {*Counter(key)} == {*"abcd"}
        assert max(Counter(key).values()) <= 3


def change(raw: dict[str, Any], form: str, number: int, **values: Any) -> None:
    raw[form]["choices"][number].update(values)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda raw: raw.pop("title"), "has A, B, id"),
        (lambda raw: raw["A"]["choices"].pop(), "form A: four choices"),
        (lambda raw: change(raw, "B", 1, means="reads"), "form B: four choices"),
        (lambda raw: change(raw, "B", 0, means="reads"), "form B: four choices"),
        (lambda raw: change(raw, "A", 0, when="1 < 0"), "one choice must be true"),
        (lambda raw: change(raw, "A", 2, when="1 > 0"), "one choice must be true"),
        (
            lambda raw: (change(raw, "A", 0, when="1 < 0"), change(raw, "A", 2, when="1 > 0")),
            r"all choices but the right one have a sentence",
        ),
    ],
)
def test_a_concept_that_is_not_in_order_is_refused(tmp_path: Path, edit: Any, says: str) -> None:
    raw = yaml.safe_load(PATH.read_text(encoding="utf-8"))[:1]
    edit(raw[0])
    path = tmp_path / "concepts.yml"
    path.write_text(yaml.safe_dump(raw), encoding="utf-8")
    with pytest.raises(ValueError, match=says):
        load(path)


# The papers


@pytest.mark.parametrize("form", KEYS)
def test_a_form_has_all_questions_and_no_key(written: Path, form: str) -> None:
    name = f"form-{form.lower()}"
    page = (written / f"{name}.html").read_text(encoding="utf-8")
    text = (written / f"{name}.md").read_text(encoding="utf-8")
    assert page.count("<ol>") == 11
    assert page.count("<li>") == 50
    for concept in CONCEPTS:
        asked, choices = concept.forms[form]
        assert asked.strip() in text
        for choice in choices:
            assert f"- ({choice.letter}) {choice.text}" in text
            if "$" not in choice.text:
                assert plain(choice.text) in words(page)
        for each in concept.misconceptions:
            assert each.means not in page
            assert each.means not in text


def test_the_key_tells_each_letter_and_what_it_means(written: Path) -> None:
    text = (written / "key.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")][2:]
    assert len(rows) == 40
    for number, concept in enumerate(CONCEPTS):
        letters = "".join(sorted(re.findall(r"A ([a-d])", str(rows[4 * number : 4 * number + 4]))))
        assert letters == "abcd", concept.id
        assert rows[4 * number][-1].startswith("chapter ")
    assert not [row[-1] for row in rows if row[-1] in load_objectives()]
    assert rows[16][-1] == "chapter 2: From digits to clocks; chapter 6: A shift is a rotation"
    assert '“I read that …”: "Attention is permutation invariant"' in text


def test_moodle_asks_both_forms_and_says_nothing(written: Path) -> None:
    asked = read_moodle(written / "moodle.xml")
    assert len(asked) == 20
    text = (written / "moodle.xml").read_text(encoding="utf-8")
    assert text.count("<shuffleanswers>false</shuffleanswers>") == 20
    for form, key in KEYS.items():
        for number, concept in enumerate(CONCEPTS):
            one = asked[f"inventory-{form.lower()}-{number + 1:02}-{concept.id}"]
            assert one.text == plain(concept.forms[form][0])
            assert [said for *_, said in one.answers] == [""] * 4
            assert ["abcd"[n] for n, each in enumerate(one.answers) if each[2]] == [key[number]]
            assert one.category.endswith(f"/Concept inventory/Form {form}")


def test_the_sheet_for_answers_has_the_columns_that_are_read(written: Path) -> None:
    lines = (written / "answers.csv").read_text(encoding="utf-8").splitlines()
    assert read(lines, CONCEPTS) == ([], [])


# The gain


def test_the_gain_of_a_class_is_of_what_was_left() -> None:
    sheets = [
        *(sheet("k", "A", "before", 2), sheet("k", "B", "after", 6)),
        *(sheet("l", "B", "before", 6), sheet("l", "A", "after", 8)),
        sheet("m", "A", "before", 9),  # who was not there again
    ]
    found = gain(matched(sheets))
    assert found.persons == 2
    assert (found.before, found.after) == pytest.approx((0.4, 0.7))
    assert found.of_class[0] == pytest.approx(0.3 / 0.6)
    # Without one of the two the gains are 0.5 and 0.5: nothing is off.
    assert found.of_class[1] == pytest.approx(0)
    assert found.of_persons == pytest.approx((0.5, 0.0, 2))


def test_the_gains_of_persons_are_another_average() -> None:
    pairs = [
        (sheet("k", "A", "before", 0), sheet("k", "B", "after", 2)),  # 0.2
        (sheet("l", "A", "before", 8), sheet("l", "B", "after", 10)),  # 1.0
        (sheet("m", "A", "before", 10), sheet("m", "B", "after", 10)),  # not defined
    ]
    found = gain(pairs)
    assert found.of_class[0] == pytest.approx((22 - 18) / (30 - 18))
    assert found.of_persons == pytest.approx((0.6, math.sqrt(0.32), 2))
    # Leaving out each in turn: 2/2, 2/10, 4/12.
    rest = [1.0, 0.2, 1 / 3]
    mean = sum(rest) / 3
    error = math.sqrt(2 / 3 * sum((each - mean) ** 2 for each in rest))
    assert found.of_class[1] == pytest.approx(error)


def test_a_gain_that_there_is_not_is_not_made_up() -> None:
    with pytest.raises(ValueError, match="nobody answered both"):
        gain(matched([sheet("k", "A", "before", 3), sheet("l", "B", "after", 5)]))
    found = gain([(sheet("k", "A", "before", 10), sheet("k", "B", "after", 10))])
    assert math.isnan(found.of_class[0])
    assert found.of_persons[2] == 0


def test_a_misconception_is_counted_in_either_form() -> None:
    def chosen(form: str, concept: Concept, name: str) -> str:
        return next(
            choice.letter
            for choice in concept.forms[form][1]
            if choice.misconception and choice.misconception.id == name
        )

    rest = ("",) * 9
    sheets = [
        Sheet("k", "A", "before", (chosen("A", CONCEPTS[0], "reads"), *rest)),
        Sheet("l", "B", "before", (chosen("B", CONCEPTS[0], "reads"), *rest)),
        Sheet("l", "A", "after", (KEYS["A"][0], *rest)),
    ]
    assert misconceptions(sheets, CONCEPTS) == {("order", "reads", "before"): 2}
    assert [right(each)[0] for each in sheets] == [False, False, True]


# The file of answers


def test_rows_that_cannot_be_read_are_named_and_left_out() -> None:
    lines = [
        HEAD,
        f"k7,A,before,{RIGHT['A']}",
        f"k7,b,After,{RIGHT['B'].upper()}",
        "",
        f"k8,C,before,{RIGHT['A']}",
        f"k8,A,during,{RIGHT['A']}",
        f",A,before,{RIGHT['A']}",
        "k8,A,before,a,b",
        "k8,A,before,a,b,c,d,e,a,a,a,a,a",
        f"k7,B,before,{RIGHT['B']}",
        "k9, B ,before,a,,,,,,,,,d",
    ]
    sheets, complaints = read(lines, CONCEPTS)
    assert [(each.person, each.form, each.when) for each in sheets] == [
        ("k7", "A", "before"),
        ("k7", "B", "after"),
        ("k9", "B", "before"),
    ]
    assert all(right(sheets[1]))
    assert complaints == [
        "line 5: form must be A or B, got 'C'",
        "line 6: when must be before or after, got 'during'",
        "line 7: person is empty; a code that means nothing to others is needed",
        "line 8: 13 cells are needed, got 5",
        "line 9: answer 5 must be a to d or empty, got 'e'",
        "line 10: person 'k7' has a row before in line 2",
    ]


@pytest.mark.parametrize("lines", [[], ["person;form;when"], [HEAD.replace("when", "time")]])
def test_a_file_with_other_columns_is_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError, match="the first row must be person,form,when,1,2"):
        read(lines, CONCEPTS)


def test_the_command_prints_the_gain_and_names_bad_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.csv"
    none = "," * 9
    good = [HEAD, f"k,A,before,{none}", f"k,B,after,{RIGHT['B']}", f"l,B,before,{RIGHT['B']}"]
    path.write_text("\n".join(good), encoding="utf-8-sig")
    assert main([str(path)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "before: 2 sheets, 1 with form A, 1 with form B" in said.out
    assert "2 persons, 1 of them both before and after" in said.out
    assert "right before 0 %, after 100 %" in said.out
    assert "gain of the class   1.00" in said.out
    assert re.search(r"^order +0 % +100 % +0 % +100 %$", said.out, re.MULTILINE)
    assert said.out.count("Takes the number of the column for the number of the pair") == 1

    assert "standard error not defined" in said.out

    path.write_text("\n".join(good).replace("k,", "ü,"), encoding="cp1252")
    assert main([str(path)]) == 2
    assert "it must be saved as UTF-8" in capsys.readouterr().err
    path.write_text("\n".join([*good, "m,A,later"]), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "line 5: 13 cells are needed, got 3: left out" in capsys.readouterr().err
    assert main([str(tmp_path / "none.csv")]) == 2
    path.write_text(HEAD, encoding="utf-8")
    assert main([str(path)]) == 2
    assert "no row can be used" in capsys.readouterr().err
