"""Questions as a learning platform asks them: a text, and answers that are compared in order.

A platform has no figure whose cells can be chosen, so a question about one becomes a choice of the
places that are foreseen, beside its picture. Of a number the platform compares the answers one by
one; the first that is within its tolerance counts. So after the foreseen ones come the right number
with the wrong sign, a number that is near, and any other, as on the page. Of the right answer it is
said why it is right, since no chapter stands beside it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from course.bank.pictures import Picture, picture
from course.sets.chapters import NOTEBOOKS, title
from pe_lab.diagnosis.questions import FOLDER, SENTENCES, Question, in_words, load

MORE = Path(__file__).resolve().parent / "questions"
BANK, ASKED, NEW = "Positional encoding", "asked in the book", "new"
ANY = "*"  # the answer that any number matches
PLACE = "Choose one of the places."


@dataclass(frozen=True)
class Answer:
    """An answer, and what is said to it.

    Attributes:
        text: Markdown of a choice or a line; of a number its digits, or ``ANY``.
        right: whether it gets the point. Of an order all lines are, in the order of the answers.
        says: Markdown; empty for a line, where ``Item.praise`` is said of all together.
        tolerance: of a number, in digits.
    """

    text: str
    right: bool
    says: str
    tolerance: str = "0"


@dataclass(frozen=True)
class Item:
    """A question for a learning platform.

    Attributes:
        id: such as "03-denominators".
        category: where it stands, from the outermost: the bank, the chapter, and whether the book
            asks it.
        kind: "choice", "number" or "order".
        text: Markdown.
        answers: as they are compared; of an order the lines as they should stand.
        wrong_orders: of an order, those that are foreseen, by the numbers of the answers, and what
            is said to them.
        praise: of an order, what is said to the right one.
        tags: the objectives, and the misconception.
        picture: what stands below the text, or None.
        mixed: whether a platform may put the choices into another order.
    """

    id: str
    category: tuple[str, ...]
    kind: str
    text: str
    answers: tuple[Answer, ...]
    wrong_orders: tuple[tuple[tuple[int, ...], str], ...] = ()
    praise: str = ""
    tags: tuple[str, ...] = ()
    picture: Picture | None = None
    mixed: bool = True

    @property
    def remarks(self) -> list[str]:
        """What is said to everybody afterwards, where a platform cannot tell orders apart."""
        return [
            f"If your order was {', '.join(str(line + 1) for line in order)}, by the numbers of "
            f"the right one: {says}"
            for order, says in self.wrong_orders
        ]

    def texts(self) -> Iterator[str]:
        """All its Markdown."""
        yield self.text
        yield self.praise
        yield from (says for _, says in self.wrong_orders)
        for answer in self.answers:
            yield answer.says
            if self.kind != "number":
                yield answer.text


def bank() -> list[Item]:
    """The questions of the book and those beyond it, by chapter."""
    named = titles()
    asked = [(each, ASKED) for each in load(FOLDER).values()]
    new = [(each, NEW) for each in load(MORE).values()]
    by_chapter = sorted([*asked, *new], key=lambda each: list(named).index(prefix(each[0])))
    return [item(each, (BANK, named[prefix(each)], where)) for each, where in by_chapter]


def prefix(question: Question) -> str:
    return question.id.partition("-")[0]


@cache
def titles() -> dict[str, str]:
    """By the prefix of its questions, the title of each page that asks."""
    return dict(_titles())


def _titles() -> Iterator[tuple[str, str]]:
    for path in [*sorted(NOTEBOOKS.glob("[0-9]*.ipynb")), NOTEBOOKS / "clinic.ipynb"]:
        number = path.stem.partition("_")[0]
        yield number, f"{number} {title(path)}" if number.isdigit() else title(path)


def item(question: Question, category: tuple[str, ...]) -> Item:
    """A question of the book as a platform asks it."""
    makers = {
        "number": _number,
        "choice": _choice,
        "order": _order,
        "figure": _figure,
    }
    kind, text, answers = makers[question.kind](question)
    orders = (
        tuple((wrong.answer, wrong.says) for wrong in question.wrong) if kind == "order" else ()
    )
    praise = _praise(question) if kind == "order" else ""
    tags = (*question.objectives, *([question.refutes] if question.refutes else []))
    shown = None if question.table is None else picture(question.id, question.table)
    return Item(question.id, category, kind, text, answers, orders, praise, tags, shown)


Made = tuple[str, str, tuple[Answer, ...]]


def _praise(question: Question) -> str:
    """That an answer is right, and why."""
    name = "right-number" if question.kind == "number" else "right"
    says = SENTENCES[name].format(right=question.right_in_words())
    return f"{says} {question.why}".rstrip()


def _number(question: Question) -> Made:
    def shown(number: float, within: float = question.tolerance) -> str:
        return digits(number, within)

    right, tolerance = question.right, digits(question.tolerance)
    answers = [Answer(shown(right), True, _praise(question), tolerance)]
    answers += [
        Answer(shown(wrong.answer, wrong.within), False, wrong.says, digits(wrong.within))
        for wrong in question.wrong
    ]
    if right and question.foreseen(-right) is None:
        says = SENTENCES["sign"].format(answer="That")
        answers.append(Answer(shown(-right), False, says, tolerance))
    if question.near > question.tolerance:
        says = SENTENCES["near"].format(answer="That")
        answers.append(Answer(shown(right), False, says, shown(question.near)))
    answers.append(Answer(ANY, False, SENTENCES["unknown"].format(answer="That")))
    return "number", question.alone, tuple(answers)


def _choice(question: Question) -> Made:
    says = {question.right: _praise(question)} | {
        wrong.answer: wrong.says for wrong in question.wrong
    }
    answers = [
        Answer(text, number == question.right, says[number])
        for number, text in enumerate(question.options)
    ]
    return "choice", question.alone, _mixed(question, answers)


def _mixed(question: Question, answers: list[Answer]) -> tuple[Answer, ...]:
    """In an order that tells nothing; not every platform makes one."""
    random.Random(question.id).shuffle(answers)
    return tuple(answers)


def _order(question: Question) -> Made:
    answers = tuple(Answer(line, True, "") for line in question.options)
    return "order", question.alone, answers


def _figure(question: Question) -> Made:
    answers = [Answer(in_words(question, min(question.right)), True, _praise(question))]
    answers += [
        Answer(in_words(question, min(wrong.answer)), False, wrong.says) for wrong in question.wrong
    ]
    return "choice", f"{question.alone} {PLACE}", _mixed(question, answers)


def digits(number: float, tolerance: float = 0) -> str:
    """A number without an exponent, which GIFT does not know.

    It has the decimals that the tolerance has, and one more: whoever sees the answer sees no
    others. Without a tolerance it has ten digits that count.
    """
    decimals = math.ceil(-math.log10(tolerance)) + 1 if tolerance else 0
    shown = f"{number:.{max(decimals, 0)}f}" if tolerance else f"{number:.10g}"
    text = format(Decimal(shown), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
