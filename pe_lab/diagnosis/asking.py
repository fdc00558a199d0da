"""The book's questions, answered in a notebook: ``check_answer("03-broadcast", "b")``."""

from __future__ import annotations

import re
from pathlib import Path

from pe_core.checks import describe
from pe_lab.diagnosis.questions import (
    FOLDER,
    LETTERS,
    Place,
    Question,
    diagnose_number,
    judge,
    load,
    place_of,
    shuffled,
)
from pe_lab.diagnosis.result import Diagnosis

PLACES = {
    "row": "A row of the table, 0 to {row},",
    "column": "A column of the table, 0 to {column},",
    "cell": "A pair (row, column) of the table, (0, 0) to ({row}, {column}),",
}
TYPED = re.compile(r"\s*[(\[]?\s*[0-9]+(\s*,\s*[0-9]+)?\s*[)\]]?\s*")  # 4, or (4, 1)
BETWEEN = " ,;-.()[]>→"  # what may stand between letters, or around them
UNANSWERED = "Put your answer in the place of the dots, and run the cell again."


def check_answer(question: str, answer: object = ..., *, folder: Path | str | None = None) -> None:
    """Print what there is to say to an answer.

    Args:
        question: the id of a question of the book.
        answer: a number, a letter, letters in order, or a row, a column or both, as a pair. The
            dots that stand in its place at first are no answer, and no mistake; nor is "".
        folder: where the files of questions are; by default those that come with this module.

    Raises:
        LookupError: there is no such question, or no folder of questions.
    """
    if answer is ... or (isinstance(answer, str) and not answer.strip()):
        print(UNANSWERED)
    else:
        print(diagnose_answer(question, answer, folder=folder))


def diagnose_answer(
    question: str, answer: object, *, folder: Path | str | None = None
) -> Diagnosis:
    """Say whether an answer of any kind is right, and if not, what it is the answer to.

    Args, errors: those of :func:`check_answer`.
    """
    bank = load(FOLDER if folder is None else Path(folder))
    if question not in bank or bank[question].kind == "number":
        return diagnose_number(question, answer, folder=folder)
    asked = bank[question]
    if asked.kind == "figure":
        place = read_place(asked, answer)
        if place is None:
            assert asked.table is not None
            row, column = (size - 1 for size in asked.table.shape)
            wanted_place = PLACES[asked.pick].format(row=row, column=column)
            says = f"{wanted_place} is asked for; that is {show(answer)}."
            return Diagnosis(False, "not-a-place", says)
        return judge(asked, place)
    letters = read_letters(answer)
    wanted = set(LETTERS[: len(asked.options)])
    if asked.kind == "choice":
        if letters is None or len(letters) != 1 or not set(letters) <= wanted:
            says = f"One of the letters a to {max(wanted)} is asked for; that is {show(answer)}."
            return Diagnosis(False, "not-a-letter", says)
        return judge(asked, LETTERS.index(letters))
    if letters is None or len(letters) != len(wanted) or set(letters) != wanted:
        says = f"The letters a to {max(wanted)}, each once, are asked for; that is {show(answer)}."
        return Diagnosis(False, "not-an-order", says)
    shown = shuffled(asked)
    return judge(asked, tuple(shown[LETTERS.index(letter)] for letter in letters))


def read_place(question: Question, answer: object) -> Place | None:
    """The place of a question's table that an answer names, if it is there."""
    assert question.table is not None
    if isinstance(answer, str) and TYPED.fullmatch(answer):
        numbers = [int(each) for each in re.findall("[0-9]+", answer)]
        answer = numbers if numbers[1:] else numbers[0]
    try:
        return place_of(question.pick, answer, tuple(question.table.shape))
    except (TypeError, ValueError):
        return None


def read_letters(answer: object) -> str | None:
    """The letters of a text, or of a list of texts, without what separates them."""
    if isinstance(answer, list | tuple) and all(isinstance(each, str) for each in answer):
        answer = "".join(answer)
    if not isinstance(answer, str):
        return None
    return "".join(sign for sign in answer.lower() if sign not in BETWEEN)


def show(answer: object) -> str:
    return f"{answer!r:.60}" if isinstance(answer, str) else describe(answer)
