"""The ten concepts, from ``concepts.yml``. A concept has

    id: pair                    # a word
    title: Two columns share a frequency
    objectives: [3-entry]       # of course/objectives.yml
    misconceptions:             # what the wrong choices mean, the same in both forms
      doubled:
        means: Takes the number of the column for that of the pair.
        place: read-column      # an entry of "I read that …", or a page of the book
    A:                          # and B: the same with other numbers
      text: With $d = 8$, ...?
      choices:                  # the right one first
        - text: $4/8$ in both
          when: ...             # an expression, true of the right one alone
        - text: $8/8$ and $10/8$
          when: ...
          means: doubled        # each misconception once

The expressions are those of :mod:`pe_lab.diagnosis.questions`. On paper the right choice stands
where ``KEYS`` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pe_lab.diagnosis.questions import LETTERS, parse
from pe_lab.yaml_file import read_yaml

PATH = Path(__file__).resolve().parent / "concepts.yml"
# The letter of the right choice of each concept.
KEYS = {"A": "bdacbadcdb", "B": "cabdcdbaca"}
CHOICES = 4


@dataclass(frozen=True)
class Misconception:
    """What a wrong choice means, and where the book speaks of it."""

    id: str
    means: str
    place: str


@dataclass(frozen=True)
class Choice:
    """A choice as it stands on paper; ``misconception`` is None for the right one."""

    letter: str
    text: str
    misconception: Misconception | None


@dataclass(frozen=True)
class Concept:
    """One concept.

    Attributes:
        forms: by "A" and "B" the question and its four choices, in the order of the letters.
    """

    id: str
    title: str
    objectives: tuple[str, ...]
    misconceptions: tuple[Misconception, ...]
    forms: Mapping[str, tuple[str, tuple[Choice, ...]]]

    def chosen(self, form: str, letter: str) -> Choice:
        """The choice of a form that has a letter."""
        return self.forms[form][1][LETTERS.index(letter)]


def load(path: Path = PATH) -> list[Concept]:
    """The concepts in the order of the file.

    Raises:
        ValueError: one is not of the form above, or another choice than the first is true.
    """
    raws = read_yaml(path)
    return [_concept(raw, number) for number, raw in enumerate(raws)]


def _concept(raw: Mapping[str, Any], number: int) -> Concept:
    name = raw["id"]
    keys = {"id", "title", "objectives", "misconceptions", *KEYS}
    if raw.keys() != keys:
        raise ValueError(f"concept {name!r} has {', '.join(sorted(keys))}, got {sorted(raw)}")
    misconceptions = {
        each: Misconception(each, told["means"], told["place"])
        for each, told in raw["misconceptions"].items()
    }
    forms = {
        form: (raw[form]["text"], _choices(name, form, raw[form], misconceptions, key[number]))
        for form, key in KEYS.items()
    }
    return Concept(
        name, raw["title"], tuple(raw["objectives"]), tuple(misconceptions.values()), forms
    )


def _choices(
    name: str,
    form: str,
    raw: Mapping[str, Any],
    misconceptions: Mapping[str, Misconception],
    key: str,
) -> tuple[Choice, ...]:
    """The choices of a form, the right one at its letter; each wrong one is a misconception."""
    given = raw["choices"]
    named = [each.get("means") for each in given]
    if len(given) != CHOICES or sorted(map(str, named[1:])) != sorted(misconceptions) or named[0]:
        raise ValueError(
            f"concept {name!r}, form {form}: four choices, the right one and each misconception "
            f"once, got {named}"
        )
    _check_first_is_true(name, form, raw)
    order = list(given[1:])
    order.insert(LETTERS.index(key), given[0])
    return tuple(
        Choice(letter, each["text"], misconceptions.get(each.get("means", "")))
        for letter, each in zip(LETTERS, order, strict=False)
    )


def _check_first_is_true(name: str, form: str, raw: Mapping[str, Any]) -> None:
    """As with the questions of the book, one choice is true, which is computed."""
    choices = [
        {"text": each["text"], "when": each["when"]}
        | ({"says": each["means"]} if "means" in each else {})
        for each in raw["choices"]
    ]
    asked = parse(
        {"id": f"{name}, form {form}", "kind": "choice", "text": raw["text"], "choices": choices}
    )
    if asked.right != 0:
        raise ValueError(f"concept {name!r}, form {form}: choice {asked.right} is true")
