"""What a class's answers before and after say, and what they do not.

The gain is Hake's: of what was left to learn, the part that was learned,

    g = (after - before) / (1 - before),

where before and after are the shares of right answers. It is computed of the *class*: of the two
averages over all who answered both times. Beside it stands the average of the persons' own gains,
which is another number, counts a person who had nine of ten before as much as one who had two, and
is not defined for one who had all.

A gain does not show why it came (a course, a textbook, the second reading of a similar sheet), nor
that what was learned stays, nor more of a concept than one question can ask.
"""

from __future__ import annotations

import csv
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course.inventory.concepts import CHOICES, KEYS, Concept
from pe_lab.diagnosis.questions import LETTERS

WHEN = ("before", "after")


@dataclass(frozen=True)
class Sheet:
    """One person's answers at one time; an empty text where there is none."""

    person: str
    form: str
    when: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Gain:
    """What changed in those who answered both times.

    Attributes:
        persons: how many they are.
        before, after: the average share of right answers.
        of_class: the gain of the averages, and how far it may be off (jackknife, one standard
            error); nan where it is not defined.
        of_persons: the average of the persons' own gains, their standard deviation, and how many
            of them have one.
    """

    persons: int
    before: float
    after: float
    of_class: tuple[float, float]
    of_persons: tuple[float, float, int]


def header(concepts: Sequence[Concept]) -> list[str]:
    return ["person", "form", "when", *(str(n) for n in range(1, len(concepts) + 1))]


def read(lines: Iterable[str], concepts: Sequence[Concept]) -> tuple[list[Sheet], list[str]]:
    """The sheets of a CSV file, and what is wrong with the rows that are left out.

    Raises:
        ValueError: the first row is not the header.
    """
    rows = csv.reader(lines)
    names = [name.strip() for name in next(rows, [])]
    if names != header(concepts):
        raise ValueError(
            f"the first row must be {','.join(header(concepts))}; got {','.join(names)}"
        )
    sheets: list[Sheet] = []
    complaints: list[str] = []
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        where = f"line {rows.line_num}"
        if problem := _problem(cells, len(concepts)):
            complaints.append(f"{where}: {problem}")
            continue
        person, form, when = cells[0], cells[1].upper(), cells[2].lower()
        if first := seen.get((person, when)):
            complaints.append(f"{where}: person {person!r} has a row {when} in line {first}")
            continue
        seen[person, when] = rows.line_num
        sheets.append(Sheet(person, form, when, tuple(cell.lower() for cell in cells[3:])))
    return sheets, complaints


def _problem(cells: list[str], count: int) -> str:
    """What is wrong with a row; nothing if it is in order."""
    if len(cells) != 3 + count:
        return f"{3 + count} cells are needed, got {len(cells)}"
    person, form, when, *answers = cells
    if not person:
        return "person is empty; a code that means nothing to others is needed"
    if form.upper() not in KEYS:
        return f"form must be {' or '.join(KEYS)}, got {form!r}"
    if when.lower() not in WHEN:
        return f"when must be {' or '.join(WHEN)}, got {when!r}"
    allowed = ["", *LETTERS[:CHOICES]]
    for number, answer in enumerate(answers, 1):
        if answer.lower() not in allowed:
            return f"answer {number} must be a to {LETTERS[CHOICES - 1]} or empty, got {answer!r}"
    return ""


def right(sheet: Sheet) -> list[bool]:
    """Which answers are right; an empty one is not."""
    return [given == key for given, key in zip(sheet.answers, KEYS[sheet.form], strict=True)]


def matched(sheets: Iterable[Sheet]) -> list[tuple[Sheet, Sheet]]:
    """The sheets before and after of each person who has both."""
    found = {(sheet.person, sheet.when): sheet for sheet in sheets}
    people = dict.fromkeys(person for person, _ in found)
    return [
        (found[person, "before"], found[person, "after"])
        for person in people
        if (person, "before") in found and (person, "after") in found
    ]


def gain(pairs: Sequence[tuple[Sheet, Sheet]]) -> Gain:
    """The gain of those who answered both times.

    Raises:
        ValueError: nobody did.
    """
    if not pairs:
        raise ValueError("nobody answered both before and after")
    shares = [(share(before), share(after)) for before, after in pairs]
    before, after = (statistics.fmean(each) for each in zip(*shares, strict=True))
    own = [normalised(*each) for each in shares if each[0] < 1]
    return Gain(
        len(pairs),
        before,
        after,
        (normalised(before, after), _jackknife(shares)),
        (
            statistics.fmean(own) if own else math.nan,
            statistics.stdev(own) if len(own) > 1 else math.nan,
            len(own),
        ),
    )


def share(sheet: Sheet) -> float:
    return statistics.fmean(right(sheet))


def normalised(before: float, after: float) -> float:
    """The part of what was left that was learned; nan where nothing was left."""
    return (after - before) / (1 - before) if before < 1 else math.nan


def _jackknife(shares: Sequence[tuple[float, float]]) -> float:
    """The standard error of the gain of a class, from leaving out one person after another."""
    if len(shares) < 2:
        return math.nan
    without = []
    for number in range(len(shares)):
        rest = [*shares[:number], *shares[number + 1 :]]
        before, after = (statistics.fmean(each) for each in zip(*rest, strict=True))
        without.append(normalised(before, after))
    mean = statistics.fmean(without)
    count = len(shares)
    return math.sqrt((count - 1) / count * sum((each - mean) ** 2 for each in without))


def misconceptions(
    sheets: Iterable[Sheet], concepts: Sequence[Concept]
) -> Counter[tuple[str, str, str]]:
    """How often each was chosen: by the concept, the misconception, and before or after."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for sheet in sheets:
        for concept, letter in zip(concepts, sheet.answers, strict=True):
            if letter and (wrong := concept.chosen(sheet.form, letter).misconception):
                counts[concept.id, wrong.id, sheet.when] += 1
    return counts
