"""Four numbers; the foreseen ones are one mistake each. Others may go on from the first."""

import math
from collections.abc import Iterator
from typing import Any

from course.sets.judging import Mark, charged_once, number, own
from course.sets.student import Call

# What the same step of several parts has.
SLIPS = (
    *("raw-column", "pair-number-only", "column-from-1", "base-ignored"),
    *("multiplied", "degrees", "from-1", "one-too-few", "exchanged", "angle"),
)
SAYS = {
    "raw-column": "That is with an exponent in which the column's number was doubled.",
    "pair-number-only": "That has half the exponent: the pair's number over d.",
    "column-from-1": "That has the column's number as it is counted from 1 in the exponent.",
    "base-ignored": "That is with the base 10000.",
    "odd-column": "That has this column's own number in the exponent, and not its pair's.",
    "multiplied": "That multiplies the position by the denominator.",
    "degrees": "That takes the angle for degrees.",
    "from-1": "That is one position farther: positions are counted from 1 there.",
    "one-too-few": "That is the entry of the row before.",
    "angle": "That is the angle: its sine or cosine stands in the table.",
    "exponent-alone": "That is the exponent, and no power of the base yet.",
    "frequency": "That is what a position is multiplied by, not what it is divided by.",
    "exchanged": "Sine and cosine have changed places.",
    "by-sentence": "That adds the row with the number of the sentence.",
    "through-the-batch": "That counts the positions through the whole batch.",
    "table-alone": "That is the entry of the table, without the word.",
    "multiplied-by-word": "That multiplies the word by the entry.",
    "start-ignored": "That takes the row's number in what is left for its position.",
}


def mark(call: Call, given: dict[str, Any]) -> Iterator[Mark]:
    base, d, c = given["base"], given["d_model"], given["column"]
    power = base ** (c / d)
    more = {"exponent-alone": c / d, "frequency": 1 / power}
    powers = {
        "raw-column": base ** (2 * c / d),
        "pair-number-only": base ** (c / 2 / d),
        "column-from-1": base ** ((c + 1) / d),
        "base-ignored": 10000 ** (c / d),
    }
    denominator = number("a", call.value("a"), power, _said(powers | more))
    first = own(call.value("a"), power)
    p, later = given["position"], given["later"]
    b = _entries(math.sin, math.cos, p, first, powers)
    follows = math.sin(p / first)
    entry = number("b", call.value("b"), math.sin(p / power), _said(b), following=follows)
    beside = {
        **powers,
        "raw-column": base ** (2 * (c + 1) / d),
        "column-from-1": base ** ((c + 2) / d),
    }
    entries = _entries(math.cos, math.sin, later, first, beside)
    entries["odd-column"] = math.cos(later / base ** ((c + 1) / d))
    entries["start-ignored"] = math.cos(given["row"] / first)
    follows = math.cos(later / first)
    cut = number("c", call.value("c"), math.cos(later / power), _said(entries), following=follows)
    yield from charged_once([denominator, entry, cut], SLIPS)
    yield _added(call, given, power)


def _added(call: Call, given: dict[str, Any], power: float) -> Mark:
    """The sum, which may go on from the student's own entry."""
    word, sentence, p = given["word"], given["sentence"], given["position"]
    entry = math.sin(p / power)
    through = sentence * given["length"] + p
    sums = {
        "by-sentence": word + math.sin(sentence / power),
        "through-the-batch": word + math.sin(through / power),
        "table-alone": entry,
        "multiplied-by-word": word * entry,
    }
    follows = word + own(call.value("b"), entry)
    return number("d", call.value("d"), word + entry, _said(sums), following=follows)


def _entries(wave, other, p, power, powers):  # type: ignore[no-untyped-def]
    return {
        **{name: wave(p / each) for name, each in powers.items()},
        "multiplied": wave(p * power),
        "degrees": wave(math.radians(p / power)),
        "from-1": wave((p + 1) / power),
        "one-too-few": wave((p - 1) / power),
        "exchanged": other(p / power),
        "angle": p / power,
    }


def _said(answers: dict[str, float]) -> dict[str, tuple[float, str]]:
    return {name: (answer, SAYS[name]) for name, answer in answers.items()}
