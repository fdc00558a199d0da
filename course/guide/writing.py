"""What the guide generates, as Markdown: text from data, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from course.objectives import Item, Objective
from course.sets.tasks import Task

from .plans import Step

if TYPE_CHECKING:
    from pe_lab.diagnosis.questions import Question

KINDS = {
    "question": "questions of the book",
    "bank": "more questions of the bank",
    "concept": "concepts of the inventory",
    "exercise": "exercises",
    "task": "tasks",
}


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
            chosen: str = question.options[answer]
            return chosen.removesuffix(".")
        if question.kind == "order":
            return " → ".join(question.options[line].removesuffix(".") for line in answer)
        if question.kind == "figure":
            return " or ".join(in_words(question, place) for place in sorted(answer))
        return str(in_words(question, answer))

    listed = question.kind in ("choice", "order")
    right = shown(question.right) if listed else question.right_in_words()
    # Of a choice all are heard, so that they need not be listed twice.
    heard = question.wrong if question.kind == "choice" else question.wrong[:most]
    wrong = [f"- “{shown(each.answer)}”: {each.says}" for each in heard]
    return "\n".join(
        [
            f"**Ask.** {question.alone}\n",
            f"**Right.** {right[:1].upper()}{right[1:]}.\n",
            "**You may hear**\n",
            *wrong,
            f"\n**Reply.** {reply}\n",
        ]
    )


def tasks_table(chosen: Mapping[str, Sequence[Task]]) -> str:
    """Tasks by their sets, with times and points and the sums of both; a sentence if there are
    none."""
    rows = [
        (title, task.title, str(task.minutes), f"{task.points:g}")
        for title, found in chosen.items()
        for task in found
    ]
    if not rows:
        return "No task of the problem sets is about this chapter; its exercises are in the book."
    all_of_them = [task for found in chosen.values() for task in found]
    minutes = sum(task.minutes for task in all_of_them)
    points = sum(task.points for task in all_of_them)
    return table(
        ("set", "task", "minutes", "points"),
        [*rows, ("", "together", str(minutes), f"{points:g}")],
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
                named = ", ".join(
                    f"{each.title} (`{each.id}`)" if each.title else f"`{each.id}`"
                    for each in items
                )
                parts.append(f"- {words}: {named}")
        parts.append("")
    return "\n".join(parts)


def claimed(text: str) -> str:
    """The number of ``0.87 = exp(-x)``, which must be that value, rounded.

    Raises:
        ValueError: it is not, or the expression fails.
    """
    from pe_lab.diagnosis.questions import names

    shown, _, expression = text.partition(" = ")
    number = float(shown.replace("\N{MINUS SIGN}", "-").replace(",", ""))
    try:
        value = float(eval(expression, dict(names())))
    except Exception as error:
        raise ValueError(f"{expression!r} failed: {error}") from error
    digits = len(shown.partition(".")[2])
    if abs(value - number) > 0.5 * 10**-digits + 1e-9:
        raise ValueError(f"{expression} is {value:.{digits + 2}f}, not {shown}")
    return shown


def workload(entries: Sequence[tuple[str, int]]) -> str:
    """What there is to do, with its minutes and their sum."""
    rows = [(what, str(minutes)) for what, minutes in entries]
    total = sum(minutes for _, minutes in entries)
    rows.append(("**together**", f"**{total}** ({total / 60:.1f} hours)"))
    return table(("what", "minutes"), rows, numbers="minutes")
