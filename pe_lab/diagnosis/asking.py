"""The book's questions, answered in a notebook: ``check_answer("03-broadcast", "b")``."""

from __future__ import annotations

import random
from pathlib import Path

from pe_core.checks import describe
from pe_lab.diagnosis.questions import FOLDER, Question, diagnose_number, load
from pe_lab.diagnosis.result import Diagnosis

LETTERS = "abcdefghij"  # of choices, and of lines as they are shown
UNANSWERED = "Put your answer in the place of the dots, and run the cell again."


def check_answer(question: str, answer: object = ..., *, folder: Path | str | None = None) -> None:
    """Print what there is to say to an answer.

    Args:
        question: the id of a question of the book.
        answer: a number, a letter, or letters in order. The dots that stand in its place at
            first are no answer, and no mistake.
        folder: where the files of questions are; by default those that come with this module.

    Raises:
        LookupError: there is no such question, or no folder of questions.
    """
    if answer is ...:
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
    shown = shown_order(question, len(wanted))
    return judge(asked, tuple(shown[LETTERS.index(letter)] for letter in letters))


def judge(asked: Question, answer: int | tuple[int, ...]) -> Diagnosis:
    if asked.is_right(answer):
        return Diagnosis(True, "right", "Right.")
    if wrong := asked.foreseen(answer):
        return Diagnosis(False, f"foreseen-{asked.wrong.index(wrong) + 1}", wrong.says)
    return Diagnosis(False, "unknown", "That is not it, and no mistake that is known.")


def shown_order(question: str, length: int) -> list[int]:
    """The order in which the lines of a question are shown: not the right one."""
    order = list(range(length))
    while order == sorted(order):
        random.Random(question).shuffle(order)
    return order


def read_letters(answer: object) -> str | None:
    """The letters of an answer, without what separates them."""
    if not isinstance(answer, str):
        return None
    return "".join(sign for sign in answer.lower() if sign not in " ,;-")


def show(answer: object) -> str:
    return f"{answer!r:.60}" if isinstance(answer, str) else describe(answer)
