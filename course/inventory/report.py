"""What is printed of a class's answers: the gain, each concept, each misconception."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from course.inventory.concepts import KEYS, Concept
from course.inventory.gain import WHEN, Sheet, gain, matched, misconceptions, right


def report(sheets: Sequence[Sheet], concepts: Sequence[Concept]) -> Iterator[str]:
    """The lines of a report."""
    yield from _who(sheets)
    pairs = matched(sheets)
    yield from _gains(pairs)
    both = [sheet for pair in pairs for sheet in pair]
    counted = both or sheets
    whose = "those who answered both times" if both else "all, since nobody answered both times"
    yield from ("", f"Right answers, of {whose}", *_concepts(counted, concepts))
    yield from ("", f"Misconceptions, of {whose}: how many chose them", *_wrong(counted, concepts))


def _who(sheets: Sequence[Sheet]) -> Iterator[str]:
    for when in WHEN:
        forms = [sheet.form for sheet in sheets if sheet.when == when]
        shown = ", ".join(f"{forms.count(form)} with form {form}" for form in KEYS)
        yield f"{when}: {_count(len(forms), 'sheet')}, {shown}"
    people = {sheet.person for sheet in sheets}
    yield f"{_count(len(people), 'person')}, {len(matched(sheets))} of them both before and after"


def _gains(pairs: Sequence[tuple[Sheet, Sheet]]) -> Iterator[str]:
    if not pairs:
        yield "No gain: nobody answered both before and after."
        return
    found = gain(pairs)
    yield f"right before {_share(found.before)}, after {_share(found.after)}"
    average, spread, count = found.of_persons
    of_class, error = found.of_class
    yield f"gain of the class  {_number(of_class):>5}, standard error {_number(error)}"
    yield (
        f"gains of persons   {_number(average):>5} on average, "
        f"standard deviation {_number(spread)}, of {count} (who had all right before has none)"
    )
    same = sum(before.form == after.form for before, after in pairs)
    if same:
        yield f"{same} had the same form both times: they may have remembered it"


def _concepts(sheets: Sequence[Sheet], concepts: Sequence[Concept]) -> Iterator[str]:
    yield f"{'concept':12}{'before':>8}{'after':>8}   form A  form B"
    marks = [(sheet, right(sheet)) for sheet in sheets]
    for number, concept in enumerate(concepts):
        by_time = (
            _part([mark[number] for sheet, mark in marks if sheet.when == when]) for when in WHEN
        )
        by_form = (
            _part([mark[number] for sheet, mark in marks if sheet.form == form]) for form in KEYS
        )
        before, after = by_time
        form_a, form_b = by_form
        yield f"{concept.id:12}{before:>8}{after:>8}{form_a:>9}{form_b:>8}"


def _wrong(sheets: Sequence[Sheet], concepts: Sequence[Concept]) -> Iterator[str]:
    counts = misconceptions(sheets, concepts)
    yield f"{'concept':12}{'misconception':14}{'before':>7}{'after':>7}  what it means"
    for concept in concepts:
        for each in concept.misconceptions:
            numbers = "".join(f"{counts[concept.id, each.id, when]:7}" for when in WHEN)
            yield f"{concept.id:12}{each.id:14}{numbers}  {each.means}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _number(value: float) -> str:
    return "not defined" if math.isnan(value) else f"{value:.2f}"


def _part(marks: Sequence[bool]) -> str:
    return _share(sum(marks) / len(marks)) if marks else "–"


def _share(part: float) -> str:
    return f"{100 * part:.0f} %"
