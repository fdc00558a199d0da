"""What the guide generates, as Markdown: text from data, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from course.objectives import Item, Objective

from .plans import Step

if TYPE_CHECKING:
    from pe_lab.diagnosis.questions import Question

KINDS = {
    "question": "questions of the book",
    "bank": "more questions of the bank",
    "exercise": "exercises",
    "task": "tasks",
}


@dataclass(frozen=True)
class Task:
    """A task of a problem set, as its ``task.yml`` has it."""

    set: str
    title: str
    kind: str
    chapters: tuple[int, ...]
    minutes: int
    points: int


def tasks(folder: Path) -> list[Task]:
    """All tasks, set by set."""
    return [
        _task(path.parent.parent.name, yaml.safe_load(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*/*/task.yml"))
    ]


def _task(name: str, raw: Mapping[str, Any]) -> Task:
    chapters = tuple(int(str(chapter).partition("_")[0]) for chapter in raw["chapters"])
    return Task(name, raw["title"], raw["kind"], chapters, raw["minutes"], raw["points"])


def minutes_of_set(name: str, found: Sequence[Task]) -> int:
    """What a problem set takes, by its tasks.

    Raises:
        ValueError: no task is in it.
    """
    minutes = [each.minutes for each in found if each.set == name]
    if not minutes:
        raise ValueError(f"there are no tasks in {name!r}")
    return sum(minutes)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: str = "") -> str:
    """A table; the columns whose names are in ``numbers`` stand at the right."""
    rule = ["---:" if name and name in numbers else "---" for name in head]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def objectives_list(objectives: Iterable[Objective]) -> str:
    return "\n".join(f"- {each.text} ({each.level})" for each in objectives)


def plan_table(steps: Iterable[Step]) -> str:
    rows = [(f"{step.begin}–{step.end}", step.what) for step in steps]
    return table(("minute", "what happens"), rows)


def asked(question: Question, reply: str, most: int) -> str:
    """A question with its right answer, at ``most`` so many wrong ones, and the reply to them."""
    from pe_lab.diagnosis.questions import in_words

    def shown(answer: Any) -> str:
        if question.kind == "choice":
            return question.options[answer].removesuffix(".")
        if question.kind == "order":
            return " → ".join(question.options[line].removesuffix(".") for line in answer)
        return in_words(question, answer)

    if question.kind == "choice":
        right = question.options[question.right].removesuffix(".")
    elif question.kind == "order":
        right = shown(question.right)
    else:
        right = question.right_in_words()
    # Of a choice all are heard, so that they need not be listed twice.
    heard = question.wrong if question.kind == "choice" else question.wrong[:most]
    wrong = [f"- “{shown(each.answer)}”: {each.says}" for each in heard]
    return "\n".join(
        [
            f"**Ask.** {question.text}\n",
            f"**Right.** {right}.\n",
            "**You will hear**\n",
            *wrong,
            f"\n**Reply.** {reply}\n",
        ]
    )


def tasks_table(chosen: Sequence[Task]) -> str:
    """Tasks with their times and points, and the sums of both; a sentence where there is none."""
    if not chosen:
        return "No task of the problem sets is about this chapter; its exercises are in the book."
    rows = [(each.set, each.title, str(each.minutes), str(each.points)) for each in chosen]
    minutes, points = (sum(getattr(each, what) for each in chosen) for what in ("minutes", "points"))
    return table(
        ("set", "task", "minutes", "points"),
        [*rows, ("", "together", str(minutes), str(points))],
        numbers="minutes points",
    )


def objectives_map(
    objectives: Mapping[str, Objective], served: Mapping[str, Mapping[str, Sequence[Item]]]
) -> str:
    """Every objective with what serves it, a section a chapter."""
    parts: list[str] = []
    chapter = 0
    for name, objective in objectives.items():
        if objective.chapter != chapter:
            chapter = objective.chapter
            parts.append(f"## Chapter {chapter}\n")
        parts.append(f"**{name}** ({objective.level}): {objective.text}\n")
        for kind, words in KINDS.items():
            if items := served[name].get(kind):
                named = ", ".join(f"{each.title} (`{each.id}`)" if each.title else f"`{each.id}`" for each in items)
                parts.append(f"- {words}: {named}")
        parts.append("")
    return "\n".join(parts)


def workload(entries: Sequence[tuple[str, int]]) -> str:
    """What there is to do, with its minutes and their sum."""
    rows = [(what, str(minutes)) for what, minutes in entries]
    total = sum(minutes for _, minutes in entries)
    rows.append(("**together**", f"**{total}** ({total / 60:.1f} hours)"))
    return table(("what", "minutes"), rows, numbers="minutes")
