"""``book/_ext/asking``: the page's judgement of an answer, compared with Python's."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
import toy_book as toy
from front_end import call
from planted import mutate

sys.path.insert(0, str(toy.EXTENSIONS))
import asking
from asking.forms import judged
from test_questions import BANK, places
from toy_questions import NUMBER

from pe_lab.diagnosis import diagnose_number
from pe_lab.diagnosis.questions import SENTENCES, Question, judge, judge_typed, parse
from pe_lab.diagnosis.typed import parted, readings, words
from pe_lab.explorers.module import join

JUDGING = join(asking.HERE, "judging.js", {"SENTENCES": SENTENCES})
# Both readings of 36^1/2 are foreseen.
ROOTS = parse({
    **NUMBER,
    "right": "5",
    "wrong": [{"value": "6", "says": "The root."}, {"value": "18", "says": "The half."}],
})  # fmt: skip


def asked_on_the_page(question: Question) -> dict[str, Any]:
    return {**judged(question), "says": [wrong.says for wrong in question.wrong]}


def handed_in(question: Question) -> list[Any]:
    """Answers to a question: right, foreseen, and others of every sort."""
    known = [question.right, *(wrong.answer for wrong in question.wrong)]
    answers = [each for answer in known for each in places(question, answer)]
    if question.kind == "number":
        right = question.right
        near = [right * 1.03 + 2.5 * question.tolerance, right - 0.6 * abs(right)]
        within = right + 0.9 * question.tolerance
        odd = [
            -right,
            within,
            *near,
            0.03125,
            -0.09375,
            12345.678,
            -98765.4321,
            123456789,
            -1e-9,
            2.0**70,
        ]
        beside = [wrong.answer + 0.9 * question.tolerance for wrong in question.wrong]
        return [*answers, *odd, *beside]
    if question.kind == "order":
        return [*answers, *list(permutations(range(len(question.options))))[:40:7]]
    if question.kind == "figure" and question.table is not None:
        rows, columns = question.table.shape
        cells = [(row, column) for row in range(rows) for column in range(columns)]
        only = {"row": 0, "column": 1}.get(question.pick)
        keep = lambda cell: tuple(  # noqa: E731
            None if only is not None and at != only else each for at, each in enumerate(cell)
        )
        return [*answers, *map(keep, cells)]
    return answers


def typed(question: Question) -> list[str]:
    """Texts: no number, a number with a unit or without, and the right one by way of π."""
    right = f"{question.right:.12g}"
    own = [f"{right} {word}" for word in words(question.unit)]
    return [
        *(
            "",
            "seven",
            "1/0",
            "3 m",
            "x" * 60,
            "2**3",
            "-0",
            "2 pie",
            "two pi",
            "pi pi",
            "(2",
            "1/3",
            " 50 % ",
        ),
        *("10000.5", "12000.25", "9" * 15, "9" * 16, "-" + "9" * 300),
        *("2π", "2*pi", "π/4", "-3 · π", "0.1 rad", "6.28 Positions", "30°", "12 DEG", "4 rows"),
        *(f"({right}*π)/π", f"{right}*pi/pi", f"{right}", *own, f"{right} per cent"),
    ]


def check_judgement(module: str, questions: Sequence[Question]) -> list[str]:
    """Every sort of answer, in one process; numbers are typed as texts. The names that are said."""
    calls, expected = [], []
    for question in questions:
        asked = asked_on_the_page(question)
        for answer in handed_in(question):
            calls.append([asked, repr(answer) if question.kind == "number" else answer])
            number = question.kind == "number"
            found = judge_typed(question, repr(answer)) if number else judge(question, answer)
            expected.append((found.name, found.message))
        if question.kind == "number":
            for text in typed(question):
                calls.append([asked, text])
                found = diagnose_number(question.id, text)
                expected.append((found.name, found.message))
    said = [
        (each["name"], each.get("html") or each["text"]) for each in call(module, "judge", calls)
    ]
    assert said == expected
    return [name for name, _ in said]


def test_the_page_says_what_the_notebook_says() -> None:
    said = check_judgement(JUDGING, list(BANK.values()))
    known = {"right", "foreseen-1", "sign", "near", "unknown"}
    assert {*said} >= {*known, "not-a-number", "no-unit", "other-unit"}
    assert len(said) > 3000


def test_a_number_is_right_in_its_own_unit_and_refused_in_another() -> None:
    for name, answer, verdict in (
        ("04-longest", "628.32 positions", "right"),
        ("04-longest", "200π", "right"),
        ("04-longest", "2*pi*100 pos", "right"),
        ("04-longest", "628.3 radians", "other-unit"),
        ("04-longest", "628.3 apples", "other-unit"),
        ("04-hand-zero-6", "16.2°", "right"),
        ("04-hand-zero-6", "0.283 rad", "other-unit"),
        ("06-slow-angle", "0.00862 rad", "right"),
        ("10-together", "101/(2π)", "right"),
        ("02-second-of-10", "1/9", "right"),
        ("02-second-of-10", "1/9 words", "no-unit"),
        ("01-by-hand-weight", "4/7", "right"),
        ("07-gain", "58 percent", "right"),
        ("01-shapes-columns", "6 columns", "right"),
        ("01-shapes-columns", "1 column", "unknown"),
    ):
        found = diagnose_number(name, answer)
        assert found.name == verdict, (name, answer, found.message)
    said = str(diagnose_number("04-longest", "628.3 radians"))
    assert said == "A number of positions is asked for; that is “628.3 radians”."
    said = str(diagnose_number("02-second-of-10", "1/9 words"))
    assert said == "A number without a unit is asked for; that is “1/9 words”."


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0,5", [0.5]),
        (" 1e-4 ", [1e-4]),
        ("\N{MINUS SIGN}3", [-3]),
        ("-.25", [-0.25]),
        ("+2.", [2]),
        ("1/3", [1 / 3]),
        ("\N{MINUS SIGN}1,5 / 2", [-0.75]),
        ("31 %", [0.31]),
        ("62,832", [62832, 62.832]),
        ("0,464", [0.464]),
        ("1,234,567.5", [1234567.5]),
        ("1E3", [1000]),
        ("1 3/7", [10 / 7]),
        ("10 000/3", [10000 / 3]),
        ("2 048/2", [1024]),
        ("1,234/2", [617, 0.617]),
        ("- 2 1/4", [-2.25]),
        ("10 000", [10000]),
        ("1 000 00", []),
        ("1 000/2 5", []),
        ("1 000/2 500", [0.4]),
        ("2 5/1 000", []),
        ("3*10 000", [30000]),
        ("0.5 123", []),
        ("1e1 000", []),
        ("1e-1 000", []),
        ("2π", [2 * math.pi]),
        ("2 pi", [2 * math.pi]),
        ("2*PI", [2 * math.pi]),
        ("−π", [-math.pi]),
        ("π/21,5", [math.pi / 21.5]),
        ("1/(2π)", [1 / (2 * math.pi)]),
        ("3 × 4", [12]),
        ("2.5 percent", [0.025]),
        ("20,000π", [20000 * math.pi, 20 * math.pi]),
        ("2π*10,000", [20000 * math.pi, 20 * math.pi]),
        ("10,000 * 2π/3,000.5", [20000 * math.pi / 3000.5]),
        ("2*-3", [-6]),
        ("≈ 0.5", [0.5]),
        ("= 1/9", [1 / 9]),
        ("~\N{MINUS SIGN}3.", [-3]),
        ("2π.", [2 * math.pi]),
        ("1,458.", [1458, 1.458]),
        ("4 rows.", [4]),
        ("10^4", [10000]),
        ("10**4", [10000]),
        ("2 ** 3", [8]),
        ("-2^2", [-4]),
        ("2^-1", [0.5]),
        ("3*10^\N{MINUS SIGN}2/2,5", [0.012]),
        ("10000^1/3", [10000 / 3, 10000 ** (1 / 3)]),
        ("10000**(1/3)", [10000 ** (1 / 3)]),
        ("4*10000^(-2/3)", [4 * 10000 ** (-2 / 3)]),
        ("1.9×10⁻⁴", [1.9e-4]),
        ("1.9·10^(-4)", [1.9e-4]),
        ("10²", [100]),
        ("-√2/2", [-(2**0.5) / 2]),
        ("-1/sqrt(2)", [-(2**-0.5)]),
        ("√256", [16]),
        ("2√2", [2 * 2**0.5]),
        ("2 sqrt(2)", [2 * 2**0.5]),
        ("π√2", [math.pi * 2**0.5]),
        ("10000²/5", [2e7]),
        ("10^4/3", [10000 / 3]),
        ("10000**1/3", [10000 / 3]),
        ("4⁄7", [4 / 7]),
        ("1÷4", [0.25]),
        ("—0.71", [-0.71]),
        ("16.2º", [16.2]),
        ("5\u200b", [5]),
        ("100^0,5", [10]),
        ("10,000^0.5", [100, 10**0.5]),
        ("10^400", []),
        ("1/10^400", []),
        ("1/0^-1", []),
        ("-(1/3)", [-1 / 3]),
        ("(1/3)", [1 / 3]),
        ("-(-3)", [3]),
        ("--3", []),
        ("+-π", []),
        ("1/2*2", [1]),
        ("-1/4*6", [-1.5]),
        ("-1/2*√2", [-(2**0.5) / 2]),
        ("1/0.1*π", [10 * math.pi]),
        ("0.5/pi*180", [0.5 / math.pi * 180]),
        ("1/2·3×-4", [-6]),
        ("1,234/2*10", [6170, 6.17]),
        ("1/(2*π)*3", [3 / (2 * math.pi)]),
        ("1/2π", [1 / (2 * math.pi)]),
        ("1/2√2", [1 / (2 * 2**0.5)]),
        ("10^-1/3", [0.1 / 3, 10 ** (-1 / 3)]),
        ("10000^1/3*2", [20000 / 3]),
        ("10^3/3", [1000 / 3]),
        ("10^0/3", [1 / 3]),
        ("2²√3", [4 * 3**0.5]),
        ("2.√3", [2 * 3**0.5]),
        ("2,√3", [2 * 3**0.5]),
        ("1234,567", [1234.567]),
        ("1,234,5", []),
        ("5,1,234", []),
        ("0.1,234", []),
        ("2 PIE", [2]),
        ("2pı", []),
        ("2pİ", []),
        ("ſqrt(4)", []),
        ("3 \N{KELVIN SIGN}", []),
        ("5\x85", []),
        ("5\x1c", []),
        ("1 000\x1c000", []),
        ("1.\n000 000", [1]),
        ("1^(9999999999999999999999)", []),
        ("2^9007199254740992/9007199254740993", []),
        ("4.64 x 10^-2", [0.0464]),
        ("2X3x4", [24]),
        ("3 x √4", [6]),
        ("2 pi x 3", [6 * math.pi]),
        ("x 3", []),
        ("3 x", [3]),
        ("2 x^3", []),
        ("10_000", [10000]),
        ("1'234’567", [1234567]),
        ("10_00", []),
        ("10_0000", []),
        ("√(512/2)", [16]),
        ("3 sqrt( 8 / 2 )/2", []),
        ("3 sqrt(8 / 2)/2", [3]),
        ("1/√(8/2)", [0.5]),
        ("√(2/3)π", [(2 / 3) ** 0.5 * math.pi]),
        ("√(1/0)", []),
        ("√(10,000/2)", []),
        ("√(1.2.3/2)", []),
        ("1e4^(1/3)", [10000 ** (1 / 3)]),
        ("5,0 x 10^-2", [0.05]),
        ("10 000 x 2", [20000]),
        ("10,000 x 2", [20000, 20]),
        ("00 x 3", []),
        ("2xpi", [2 * math.pi]),
        ("pi sqrt(2)", [math.pi * 2**0.5]),
        ("√10_000", [100]),
        ("√(1'000/10)", [10]),
        ("√(1/3000000000000)", [3e12**-0.5]),
        ("√1e-4", [0.01]),
        ("√(1/2)5", []),
        ("√(1/2)e5", []),
        ("√(1/2).", [2**-0.5]),
        ("1/√(8/2).", [0.5]),
        ("√(1/2)..", []),
        ("3 x.", [3]),
        ("2, x 3", []),
        ("200 xpi", [200 * math.pi]),
        ("1,0 xpi", [math.pi]),
        ("200⋅π", [200 * math.pi]),
        ("1/2∙3•4", [6]),
        ("1/√1e400", []),
        ("1/1e400^0.5", []),
        ("1.5e2^2", [22500]),
        ("101/2/π", [101 / (2 * math.pi)]),
        ("12/2*3/9", [2]),
        ("10,000/10/2", [500, 0.5]),
        ("1//2", []),
        ("1/2/", []),
        ("1/0/2", []),
    ],
)
def test_a_number_may_be_written_in_many_ways(text: str, numbers: list[float]) -> None:
    assert read(text) == pytest.approx(numbers, rel=1e-15)


def read(text: str) -> list[float]:
    """The numbers that the page and the notebook read from a text: the same."""
    (parts,) = call(JUDGING, "parted", [[text]])
    (found,) = call(JUDGING, "readings", [parts[:1]])
    assert (tuple(parts), found) == (parted(text), readings(parted(text)[0])), text
    return list(found)


SCRAPS = [
    *(
        "0",
        "1",
        "2",
        "3",
        "10",
        "000",
        "0.5",
        "1,234",
        ".",
        ",",
        "(1/3)",
        "(",
        ")",
        "%",
        "rad",
        "°",
    ),
    *(
        "/",
        "/",
        "*",
        "·",
        "**",
        "^",
        "⁻¹",
        "²",
        "√",
        "sqrt",
        "π",
        "pi",
        "PI",
        "-",
        "−",
        "+",
        "e-4",
        "e400",
    ),
    *("x", "X", "_", "'", "√(1/", "/2)", "⋅"),
    *(
        " ",
        " ",
        "\n",
        "\r",
        "\ufeff",
        "\x85",
        "\x1c",
        "\u2028",
        "\u2062",
        "ı",
        "İ",
        "ſ",
        "\N{KELVIN SIGN}",
        "Π",
    ),
]


def test_the_page_and_the_notebook_read_the_same_of_whatever_is_typed() -> None:
    draw = random.Random(1)
    texts = ["".join(draw.choices(SCRAPS, k=draw.randint(1, 8))) for _ in range(3000)]
    expected = [parted(text) for text in texts]
    assert [(*each,) for each in call(JUDGING, "parted", [[text] for text in texts])] == expected
    found = call(JUDGING, "readings", [[plain] for plain, _ in expected])
    for text, (plain, _), page in zip(texts, expected, found, strict=True):
        assert page == pytest.approx(readings(plain), rel=1e-15), text
    assert sum(map(bool, found)) > 150


def test_what_is_no_number_is_not_read_as_one() -> None:
    texts = [
        "",
        "-",
        "1 2 x",
        "1/0",
        "e5",
        "0x10",
        "Infinity",
        "NaN",
        "1..2",
        "1,2,3",
        "%",
        "25%%",
        "2 5",
        "1 10/0",
        "2***3",
        "2**",
        "^2",
        "2^3^2",
        "2*-3^2",
        "1^x",
        "x^0",
        "π^2",
        "≈",
        "≈.",
        "==2",
        "2..",
        "((2))",
        "()",
        "*2",
        "2*",
        "π2",
        "π-3",
        "2π+1",
        "1/2*",
        "1/*2",
        "1/2*·2",
        "π²",
        "ππ/",
        "(1)(2)",
        "18, 19",
        "2^(1/0)",
        "√",
        "√(2",
        "√10 000",
        "10^(2)5",
        "10²5",
        "9" * 201,
    ]
    assert [read(text) for text in texts] == [[] for _ in texts]


def check_commas(module: str) -> None:
    """Of two readings the one counts that is known best."""
    asked = {"kind": "number", "tolerance": 0.5, "wrong": [], "praise": "Right.", "pick": ""}
    asked |= {"unit": "", "units": []}
    calls = [[{**asked, "right": right}, "1,458"] for right in (1458, 1.458, 9e9)]
    said = [(each["name"], each["text"]) for each in call(module, "judge", calls)]
    assert said[:2] == [("right", "Right.")] * 2
    assert said[2] == ("unknown", "1,458 is not it, and not one of the known mistakes.")


def test_a_comma_is_read_so_that_the_answer_is_right() -> None:
    check_commas(JUDGING)


def said_of(question: Question, text: str) -> tuple[str, str]:
    """The name and the sentence that a typed answer gets: on the page as in the notebook."""
    found = judge_typed(question, text)
    (page,) = call(JUDGING, "judge", [[asked_on_the_page(question), text]])
    assert (page["name"], page.get("html") or page["text"]) == (found.name, found.message)
    return found.name, found.message


def test_a_byte_order_mark_around_an_answer_is_not_quoted() -> None:
    assert said_of(BANK["04-longest"], "\ufeff 7 \ufeff") == said_of(BANK["04-longest"], "7")


def test_a_comma_that_may_mean_two_mistakes_names_neither() -> None:
    name, says = said_of(BANK["04-longest"], "6,283")
    assert name == "ambiguous"
    assert says.startswith("6,283 may be two numbers.")


def test_of_two_mistakes_without_a_comma_the_one_that_python_reads_is_named() -> None:
    assert readings("36^1/2") == [18, 6]
    assert said_of(ROOTS, "36^1/2") == ("foreseen-2", "The half.")


def test_of_a_long_answer_the_first_forty_signs_are_told() -> None:
    for text, told in (
        ("7" * 60, "7" * 40),
        (f" {'1.5' + '0' * 50} ", f"1.5{'0' * 37}"),
    ):
        says = f"{told} is not it, and not one of the known mistakes."
        assert said_of(ROOTS, text) == ("unknown", says)
    for sign in ("x", "\N{SLIGHTLY SMILING FACE}", "\x85"):
        says = f"A number is asked for; “{sign * 40}” could not be read as one."
        assert said_of(ROOTS, sign * 60) == ("not-a-number", says)


def test_what_is_near_is_told_as_it_was_typed() -> None:
    """In fewer digits it might be right."""
    assert judge_typed(BANK["02-row-1"], "0.04639").message == (
        "0.04639 is near, and not near enough."
    )
    assert judge_typed(BANK["03-cosine-range"], "-0.00019").message == (
        "\N{MINUS SIGN}0.00019 has the wrong sign."
    )


# What is planted, and what must not judge then as Python does
MISTAKES = {
    "the tolerance is forgotten": ("<= within + 1e-9 *", "<= 1e-9 *"),
    "a wrong answer is as wide as the right one": ("each, within[n])", "each, tolerance)"),
    "the sentence is that of another answer": ("asked.says[n]", "asked.says.at(n - 1)"),
    "the sign is not looked at": (
        "if (right && isSame(asked, -answer, right, tolerance)) return",
        "if (0) return",
    ),
    "what is far is near": ("Math.max(0.05 *", "Math.max(0.5 *"),
    "no order is the right one": ("return text === JSON.stringify(other)", "return one === other"),
    "one place of a figure is enough": ("return other.some(", "return other.every("),
    "a minus is a hyphen": ('"-", MINUS)', '"-", "-")'),
    "a row is told for a column": ("column: answer[1]", "column: answer[0]"),
    "a unit is not looked at": ("if (unit && !asked", "if (0 && !asked"),
    "every unit is refused": ("!asked.units.includes(unit)", "true"),
    "pi is no number": ("[pP][iI](?!", "[pP][jJ](?!"),
    "a quotient is a product": ("value / by", "value * by"),
    "the first reading counts": (".sort((one, other) => rank(one) - rank(other))[0]", "[0]"),
}


def check_judge(module: str) -> None:
    for kind in ("number", "order", "figure"):
        check_judgement(module, [each for each in BANK.values() if each.kind == kind][::4])
    check_commas(module)


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_of_the_judge_is_seen(name: str) -> None:
    planted = mutate(JUDGING, (MISTAKES[name],))
    with pytest.raises(AssertionError):
        check_judge(planted)


def test_the_judge_without_a_mistake_passes() -> None:
    check_judge(JUDGING)


def test_the_right_answer_is_told_in_as_many_digits_as_are_asked_for() -> None:
    told = {name: BANK[name].right_in_words() for name in ("03-second-denominator", "04-longest")}
    assert told == {"03-second-denominator": "21.54", "04-longest": "628"}
    for question in BANK.values():
        if question.kind == "number" and question.right != int(question.right):
            words = question.right_in_words().replace(",", "").replace("\N{MINUS SIGN}", "-")
            assert question.is_right(float(words)), question.id
            for number, word in enumerate(("one", "two", "three", "four", "five"), 1):
                if f"{word} decimal" in question.text:
                    assert words[::-1].index(".") == number, question.id
            assert math.isfinite(float(words))
