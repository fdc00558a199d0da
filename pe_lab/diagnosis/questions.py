"""The bank of questions: one file of them a page, which the page and the notebook both read.

A file is a list in YAML. Every question has

    id: 03-denominators      # begins with the page's number or name; one of its kind
    kind: number             # or choice, order, figure
    objectives: [3-entry]    # what it serves: ids of course/objectives.yml
    text: How many ...?      # Markdown, with LaTeX between dollar signs
    brief: How many?         # the text beside its prediction, which says the rest; if it has one
    alone: With d = 6, ...?  # the text away from its chapter, if it then needs more words
    predicts: 03-denominators  # the ``{question}`` of the chapter that it belongs to, if any
    refutes: read-column     # the entry of "I read that …" that it is about, if any
    why: There are ...       # why the right answer is right, for a learning platform, which has
                             # no chapter beside it; of all but numbers

and then, after its kind,

    right: len(denominator(6))       number: an expression; an answer is right within ``tolerance``
    tolerance: 0                     (an expression too; 0 for numbers that are counted)
    unit: columns                    what may be typed behind the number, if anything may
    wrong:                           foreseen answers, each with what was computed in its place
      - value: 6
        says: That is one for each column.
        within: 0                    how near to it an answer is taken for it, where ``tolerance``
                                     would take in answers of which the sentence is not true

    choices:                         choice: one of them is right
      - text: The first.
        when: PE(2, 6)[0, 0] == 0    an expression, true of the right one alone
      - text: The last.
        when: PE(2, 6)[1, 0] == 0
        says: What the reader who chooses it has overlooked.

    lines: [first, second, third]    order: the lines in the right order
    wrong:
      - order: [1, 0, 2]             by their numbers here
        says: ...

    table: PE(10, 6)                 figure: a row, a column or a cell of a table is chosen
    pick: cell
    right: (4, 1)                    an expression: one place, or a list of some that are right
    wrong:
      - at: (1, 4)                   likewise
        says: ...

A sentence says what was computed instead, and never the right answer. Expressions are Python; they
know ``torch``, the functions of ``math``, all of :mod:`pe_core`, :mod:`pe_lab.candidates` as
``candidates``, the short names of :func:`names`, and what is asked about trained models
(:mod:`pe_lab.diagnosis.trained_models`) and about the clinic (:mod:`pe_lab.clinic.asked`).
"""

from __future__ import annotations

import difflib
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from operator import index
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import pe_core
from pe_core.checks import is_bool
from pe_lab import attention, candidates
from pe_lab.diagnosis import trained_models
from pe_lab.diagnosis.answers import no_number, real, with_digits
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import Recipe
from pe_lab.diagnosis.result import Diagnosis, printed
from pe_lab.diagnosis.typed import BLANKS, parted, readings, words
from pe_lab.yaml_file import read_yaml

# In the book's folder, and in the package where it is installed without the book.
BESIDE = Path(__file__).resolve().parents[2] / "book" / "questions"
FOLDER = BESIDE if BESIDE.is_dir() else Path(__file__).resolve().parents[1] / "questions"

# What is said of an answer that no sentence of the file is about; the page says the same.
SENTENCES = {
    "right": "Right.",
    "right-number": "Right: {right}.",
    "sign": "{answer} has the wrong sign.",
    "near": "{answer} is near, and not near enough.",
    "unknown": "{answer} is not it, and not one of the known mistakes.",
    "unread": "A number is asked for; {answer} could not be read as one.",
    "ambiguous": (
        "{answer} may be two numbers. Which is meant? Write it with a point, or no separator."
    ),
    "no-unit": "A number without a unit is asked for; that is {answer}.",
    "other-unit": "A number of {unit} is asked for; that is {answer}.",
    "order": "This order",
    "row": "Row {row}",
    "column": "Column {column}",
    "cell": "Row {row}, column {column}",
}

COMMON = {"id", "kind", "text"}
KEYS = {
    "number": COMMON | {"right", "tolerance", "wrong"},
    "choice": COMMON | {"choices"},
    "order": COMMON | {"lines", "wrong"},
    "figure": COMMON | {"table", "pick", "right", "wrong"},
}
DECIMALS = ("no", "one", "two", "three", "four", "five")
ASKED = re.compile(rf"to (?:\w+ or )?({'|'.join(DECIMALS)}) decimals?\b")
WHOLE = re.compile(r"to the nearest (?:whole|degree)")
OPTIONAL = {"predicts", "refutes", "brief", "alone", "objectives", "why"}
OF_A_NUMBER = {"unit"}

# From the most to the least that is known of a number.
KNOWN = ("right", "foreseen", "sign", "near", "unknown")

# A row and a column of a table; None where any is meant.
Place = tuple[int | None, int | None]
PICKS: dict[str, Callable[[Any], Any]] = {
    "row": lambda row: (row, None),
    "column": lambda column: (None, column),
    "cell": lambda cell: cell,
}

LETTERS = "abcdefghij"  # of choices, and of lines as a page shows them


@dataclass(frozen=True)
class Wrong:
    """A foreseen wrong answer: what it is, and the sentence that it gets."""

    answer: Any  # a number, the number of a choice, an order of the lines, or a set of places
    says: str
    within: float = 0.0  # of a number, its own tolerance


@dataclass(frozen=True)
class Question:
    """A question with its answers evaluated.

    Attributes:
        id: such as "03-denominators".
        kind: "number", "choice", "order" or "figure".
        text: Markdown.
        brief: the same beside its prediction.
        alone: the same away from its chapter, as a learning platform asks it.
        predicts: the id of the chapter's prediction that it belongs to, or None.
        refutes: the label of the misconception that it is about, or None.
        objectives: the ids of the course's objectives that it serves.
        options: the texts of the choices, or the lines in the right order; empty for a number.
        right: a number, the number of a choice, the order 0, 1, 2, … of the lines, or places.
        tolerance: of a number, how far from the right one it is still right.
        wrong: the foreseen wrong answers.
        table: of a figure, the numbers that it shows: (rows, columns).
        pick: of a figure, "row", "column" or "cell".
        why: Markdown, why the right answer is right; empty where nothing is said.
        unit: of a number, in the plural; "" if it has none.
    """

    id: str
    kind: str
    text: str
    brief: str
    alone: str
    predicts: str | None
    refutes: str | None
    objectives: tuple[str, ...]
    options: tuple[str, ...]
    right: Any
    tolerance: float
    wrong: tuple[Wrong, ...]
    table: Tensor | None = None
    pick: str = ""
    why: str = ""
    unit: str = ""

    @property
    def near(self) -> float:
        """How far a number may be from the right one and still be called near."""
        return float(max(0.05 * abs(self.right), 3 * self.tolerance))

    def is_right(self, answer: Any) -> bool:
        return self._same(answer, self.right, self.tolerance)

    def foreseen(self, answer: Any) -> Wrong | None:
        """The foreseen wrong answer that this is."""
        same = (each for each in self.wrong if self._same(answer, each.answer, each.within))
        return next(same, None)

    def _same(self, one: Any, other: Any, within: float) -> bool:
        if self.kind == "number":
            return bool(abs(one - other) <= within + 1e-9 * abs(other))
        return one in other if self.kind == "figure" else bool(one == other)

    def right_in_words(self) -> str:
        """The right answer in the decimals that are asked for, or as many as the tolerance holds;
        choices and lines by letters.
        """
        if self.kind == "choice":
            return LETTERS[self.right]
        if self.kind == "order":
            shown = shuffled(self)
            return ", ".join(LETTERS[shown.index(line)] for line in self.right)
        if self.kind == "figure":
            return " or ".join(in_words(self, place) for place in sorted(self.right))
        if self.right == int(self.right):
            return _plain(self.right)
        asked = ASKED.search(self.text)
        held = math.ceil(-math.log10(self.tolerance or 1e-4))
        digits = DECIMALS.index(asked[1]) if asked else max(1, held)
        digits = 0 if WHOLE.search(self.text) else digits
        return f"{self.right:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def diagnose_number(question: str, x: object, *, folder: Path | str | None = None) -> Diagnosis:
    """Say whether a number answers a question of the book, and if not, what it is the answer to.

    Args:
        question: the id of a question that asks for a number, such as "03-denominators".
        x: the number; also a tensor or an array of one entry, or a text such as "1/3", "2π" or,
            where the question is about positions, "6.28 positions".
        folder: where the files of questions are; by default those of the clone that this is in.

    Returns:
        A diagnosis. A thing that is no finite number is one too.

    Raises:
        LookupError: there is no such question, or no folder of questions.
        ValueError: the question does not ask for a number.
    """
    bank = load(FOLDER if folder is None else Path(folder))
    if question not in bank:
        near = difflib.get_close_matches(question, bank, 3, 0.5)
        hint = f"; do you mean {' or '.join(near)}?" if near else ""
        raise LookupError(f"there is no question {question!r}{hint}")
    asked = bank[question]
    if asked.kind != "number":
        raise ValueError(f"question {question!r} asks for a {asked.kind}, not for a number")
    if isinstance(x, str):
        return judge_typed(asked, x)
    number = real(x)
    if number is None:
        says = no_number(x, with_digits(asked.right, asked.tolerance))
        return Diagnosis(False, "not-a-number", says)
    return judge(asked, number)


def judge_typed(question: Question, text: str) -> Diagnosis:
    """Judge a number that was typed, by the best known of its readings."""
    plain, unit = parted(text)
    cut = text.strip(BLANKS + "\ufeff")[:40]
    typed = cut.replace("-", "\N{MINUS SIGN}")
    found = [judge(question, number, typed) for number in readings(plain)]
    if not found or (unit and unit not in words(question.unit)):
        name = ("other-unit" if question.unit else "no-unit") if found else "unread"
        says = SENTENCES[name].format(answer=f"“{cut}”", unit=question.unit)
        return Diagnosis(False, "not-a-number" if name == "unread" else name, says)
    best = min(found, key=lambda each: KNOWN.index(each.name.partition("-")[0]))
    others = {each.name for each in found if each.name.startswith("foreseen")}
    if not best.ok and len(others) > 1 and "," in plain:
        return Diagnosis(False, "ambiguous", SENTENCES["ambiguous"].format(answer=typed))
    return best


def judge(question: Question, answer: Any, typed: str | None = None) -> Diagnosis:
    """Say whether an answer to a question is right, and if not, what it is the answer to.

    Args:
        question: the question.
        answer: a number, the number of a choice, an order of the lines, or a place.
        typed: how the number was typed, if it was.
    """
    if question.is_right(answer):
        name = "right-number" if question.kind == "number" else "right"
        return Diagnosis(True, "right", SENTENCES[name].format(right=question.right_in_words()))
    if wrong := question.foreseen(answer):
        return Diagnosis(False, f"foreseen-{question.wrong.index(wrong) + 1}", wrong.says)
    name = _how_it_is_wrong(question, answer)
    return Diagnosis(
        False, name, SENTENCES[name].format(answer=typed or in_words(question, answer))
    )


def _how_it_is_wrong(question: Question, answer: Any) -> str:
    """What can be said of an answer that is not foreseen."""
    if question.kind != "number":
        return "unknown"
    if question.right and question.is_right(-answer):
        return "sign"
    return "near" if abs(answer - question.right) <= question.near else "unknown"


def in_words(question: Question, answer: Any) -> str:
    """An answer as a sentence names it at its beginning."""
    if question.kind == "number":
        return _plain(answer)
    if question.kind == "figure":
        row, column = answer
        return SENTENCES[question.pick].format(row=row, column=column)
    return SENTENCES["order"]


def shuffled(question: Question) -> list[int]:
    """The order in which a page shows the lines of a question: not the right one."""
    order = list(range(len(question.options)))
    while order == sorted(order):
        random.Random(question.id).shuffle(order)
    return order


def load(folder: Path = FOLDER) -> dict[str, Question]:
    """All questions of a folder, by id.

    Raises:
        LookupError: there is no such folder, or no file in it.
        ValueError: a question is not of the form above, an expression fails, or two answers of
            one question coincide.
    """
    return _load(folder.resolve())


@cache
def _load(folder: Path) -> dict[str, Question]:
    files = sorted(folder.glob("*.yml"))
    if not files:
        raise LookupError(
            f"there are no questions in {folder}: they come with the book's repository "
            "and with its wheel"
        )
    bank: dict[str, Question] = {}
    for path in files:
        for raw in read_yaml(path) or []:
            question = parse(raw)
            if not question.id.startswith(path.stem.split("_")[0] + "-"):
                raise ValueError(f"question {question.id!r} does not belong in {path.name}")
            if question.id in bank:
                raise ValueError(f"question {question.id!r} is there twice")
            bank[question.id] = question
    return bank


def parse(raw: Mapping[str, Any]) -> Question:
    """A question from its entry in the file, evaluated and checked."""
    kind, name = raw.get("kind"), raw.get("id")
    if kind not in KEYS:
        raise ValueError(f"question {name!r}: kind must be {' or '.join(KEYS)}, got {kind!r}")
    if missing := KEYS[kind] - raw.keys():
        raise ValueError(f"question {name!r}: {', '.join(sorted(missing))} is missing")
    optional = OPTIONAL | (OF_A_NUMBER if kind == "number" else set())
    if extra := raw.keys() - KEYS[kind] - optional:
        raise ValueError(f"question {name!r}: a {kind} has no {', '.join(sorted(extra))}")
    parsers = {
        "number": _parse_number,
        "choice": _parse_choice,
        "order": _parse_order,
        "figure": _parse_figure,
    }
    question = parsers[kind](raw)
    _check_apart(question)
    return question


def _parse_number(raw: Mapping[str, Any]) -> Question:
    right, tolerance = _evaluate(raw, raw["right"]), _evaluate(raw, raw["tolerance"])
    wrong = tuple(
        Wrong(_evaluate(raw, each["value"]), each["says"], _within(raw, each, tolerance))
        for each in raw["wrong"]
    )
    return replace(_question(raw, (), right, tolerance, wrong), unit=raw.get("unit", ""))


def _within(raw: Mapping[str, Any], wrong: Mapping[str, Any], tolerance: float) -> float:
    """The tolerance of a foreseen wrong number: the question's, or one of its own."""
    if extra := wrong.keys() - {"value", "says", "within"}:
        raise ValueError(f"question {raw['id']!r}: a wrong answer has no {', '.join(extra)}")
    own = _evaluate(raw, wrong.get("within", tolerance))
    if not 0 <= own <= tolerance:
        raise ValueError(f"question {raw['id']!r}: within must be 0 to {tolerance}, got {own}")
    return own


def _parse_choice(raw: Mapping[str, Any]) -> Question:
    true = [n for n, each in enumerate(raw["choices"]) if _evaluate(raw, each["when"])]
    if len(true) != 1:
        raise ValueError(f"question {raw['id']!r}: one choice must be true, got {true}")
    silent = [n for n, each in enumerate(raw["choices"]) if "says" not in each]
    if silent != true:
        raise ValueError(
            f"question {raw['id']!r}: all choices but the right one have a sentence; "
            f"right is {true}, without a sentence {silent}"
        )
    wrong = [Wrong(n, each["says"]) for n, each in enumerate(raw["choices"]) if n != true[0]]
    options = tuple(str(each["text"]) for each in raw["choices"])
    return _question(raw, options, true[0], 0.0, tuple(wrong))


def _parse_order(raw: Mapping[str, Any]) -> Question:
    options = tuple(map(str, raw["lines"]))
    wrong = tuple(Wrong(tuple(each["order"]), each["says"]) for each in raw["wrong"])
    right = tuple(range(len(options)))
    for each in wrong:
        if sorted(each.answer) != list(right):
            raise ValueError(f"question {raw['id']!r}: {each.answer} is no order of the lines")
    return _question(raw, options, right, 0.0, wrong)


def _parse_figure(raw: Mapping[str, Any]) -> Question:
    table, pick = _value(raw, raw["table"]), raw["pick"]
    if pick not in PICKS:
        raise ValueError(f"question {raw['id']!r}: pick must be {' or '.join(PICKS)}, got {pick!r}")
    if not isinstance(table, Tensor) or table.ndim != 2:
        raise ValueError(f"question {raw['id']!r}: table must be (rows, columns)")
    sizes = tuple(table.shape)
    wrong = tuple(Wrong(_places(raw, each["at"], sizes), each["says"]) for each in raw["wrong"])
    question = _question(raw, (), _places(raw, raw["right"], sizes), 0.0, wrong)
    return replace(question, table=table.detach().double(), pick=pick)


def _places(raw: Mapping[str, Any], expression: Any, sizes: tuple[int, ...]) -> tuple[Place, ...]:
    """The places of a table that an expression gives: one, or a list of them."""
    value = _value(raw, expression)
    try:
        each = value if isinstance(value, list) else [value]
        return tuple(place_of(raw["pick"], place, sizes) for place in each)
    except (TypeError, ValueError) as error:
        raise ValueError(f"question {raw['id']!r}: {expression!r}: {error}") from error


def place_of(pick: str, answer: Any, sizes: tuple[int, ...]) -> Place:
    """The place in a table (rows, columns) that the number of a row or a column, or both, name.

    Raises:
        TypeError, ValueError: none is named, or it is not in the table.
    """
    row, column = PICKS[pick](answer)
    named = [each for each in (row, column) if each is not None]
    if len(named) < (2 if pick == "cell" else 1) or any(map(is_bool, named)):
        raise TypeError(f"{answer} is no {pick}")
    place = (None if row is None else index(row), None if column is None else index(column))
    if not all(at is None or 0 <= at < size for at, size in zip(place, sizes, strict=True)):
        raise ValueError(f"there is no {pick} {answer}")
    return place


def _question(
    raw: Mapping[str, Any],
    options: tuple[str, ...],
    right: Any,
    tolerance: float,
    wrong: tuple[Wrong, ...],
) -> Question:
    return Question(
        raw["id"],
        raw["kind"],
        raw["text"],
        raw.get("brief", raw["text"]),
        raw.get("alone", raw["text"]),
        raw.get("predicts"),
        raw.get("refutes"),
        tuple(raw.get("objectives", ())),
        options,
        right,
        tolerance,
        wrong,
        why=raw.get("why", ""),
    )


def _check_apart(question: Question) -> None:
    """Two answers of which one would be taken for the other are a mistake of the file."""
    answers = [(question.right, question.tolerance)]
    answers += [(wrong.answer, wrong.within) for wrong in question.wrong]
    for (one, within_one), (other, within_other) in combinations(answers, 2):
        if question.kind == "number":
            same = abs(one - other) <= within_one + within_other + 1e-9
        elif question.kind == "figure":
            same = bool({*one} & {*other})
        else:
            same = one == other
        if same:
            raise ValueError(f"question {question.id!r}: {one} and {other} cannot be told apart")


def _evaluate(raw: Mapping[str, Any], expression: Any) -> float:
    """The value of an expression as a float; of a comparison 0 or 1."""
    value: float = _value(raw, f"float({expression})")
    if not math.isfinite(value):
        raise ValueError(f"question {raw['id']!r}: {expression!r} is {value}")
    return value


def _value(raw: Mapping[str, Any], expression: Any) -> Any:
    try:
        return eval(str(expression), dict(_names()))
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise ValueError(f"question {raw['id']!r}: {expression!r} failed: {problem}") from error


@cache
def _names() -> dict[str, Any]:
    return dict(names())


def names() -> Iterator[tuple[str, Any]]:
    """What an expression knows beside Python itself. The files are the book's own: trusted."""
    yield from ((name, getattr(math, name)) for name in dir(math) if not name.startswith("_"))
    yield from ((name, getattr(pe_core, name)) for name in pe_core.__all__)
    yield from (("torch", torch), ("candidates", candidates), ("attention", attention))
    yield from (("PE", PE), ("s", s), ("omega", omega), ("mistake", mistake))
    yield from (("gliding", gliding), ("look_back", look_back))
    yield from ((each.__name__, each) for each in trained_models.ABOUT)
    from pe_lab.clinic import asked  # which itself imports the diagnosis

    yield from ((each.__name__, each) for each in asked.ABOUT)


def PE(length: int, d_model: int, *, base: float = 10000.0) -> Tensor:
    """The table in float64: (L, d)."""
    return pe_core.stepwise(length, d_model, base=base, dtype=torch.float64)


def omega(d_model: int) -> list[float]:
    """The frequencies, in radians per position."""
    frequencies: list[float] = pe_core.frequencies(d_model).tolist()
    return frequencies


def s(k: int, d_model: int) -> float:
    """The dot product of two rows that are k apart."""
    return sum(math.cos(frequency * k) for frequency in omega(d_model))


def mistake(name: str, length: int, d_model: int) -> Tensor:
    """The table with a known mistake in it: (L, d)."""
    return Recipe((BY_NAME[name],)).table(length, d_model)


def gliding(p: int) -> float:
    """How far the tips of four gliding hands, of wavelengths 2, 4, 8 and 16, go from p to p + 1."""
    angles = torch.tensor([p, p + 1]).double().unsqueeze(1) * math.pi / 2.0 ** torch.arange(4)
    tips = torch.cat([angles.sin(), angles.cos()], dim=1)  # (2, 8)
    return float((tips[1] - tips[0]).norm())


def look_back(d_model: int, *, k: int = 3, gain: float = 1.0, length: int = 200) -> float:
    """The mean weight that a head by hand, W_Q = gain M_-k and W_K = I, puts k positions back."""
    table = PE(length, d_model)  # (L, d)
    queries = gain * table @ pe_core.offset_matrix(-k, d_model).T  # (L, d)
    weights = attention.attention_weights(queries, table)  # (L, L)
    return float(weights.diagonal(-k).mean())


def _plain(number: float) -> str:
    return (
        f"{number + 0.0:,.0f}".replace("-", "\N{MINUS SIGN}")
        if number == int(number) and abs(number) < 1e15
        else printed(number)
    )
