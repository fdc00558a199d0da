"""Judges a row moved by hand, a distance, and the weight of a target's neighbour."""

from __future__ import annotations

import math
from collections.abc import Callable

from course.sets.judging import (
    charged_once,
    is_few,
    near,
    number,
    reals,
    right,
    unanswered,
    unread,
    wrong,
)
from course.sets.marks import Mark
from course.sets.student import Call
from pe_lab.diagnosis.answers import real, written
from pe_lab.diagnosis.reading import Problem

Hand = tuple[float, float]  # sine and cosine
DEGREES = math.pi / 180
TOLERANCE = 0.003
# What the same step of several parts has.
SLIPS = ("transposed", "both-signs-plus", "degrees", "one-further", "exchanged", "base-ignored")


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    omega, between, gain = given["omega"], given["between"], given["gain"]
    one, other = ([float(x) for x in given[name][-2:]] for name in ("row", "other"))
    angle = math.acos(one[0] * other[0] + one[1] * other[1])  # as a calculator has it
    moved = call.value("moved")
    pairs = [pair("pair 0", moved, 0, given), pair("pair 1", moved, 1, given)]
    found = real(call.value("between"))
    whole = found is not None and found.is_integer()  # as positions are, whatever was computed
    degrees, of_10000 = angle / omega / DEGREES, 100 * angle
    other_base = any(mark.name == "base-ignored" for mark in pairs)
    marks = [
        *pairs,
        number(
            "between",
            call.value("between"),
            between,
            {
                "angle": (angle, "That is the angle between the two hands, in radians."),
                "degrees": (
                    round(degrees) if whole else degrees,
                    "That takes degrees for radians.",
                ),
                "base-ignored": (
                    round(of_10000) if whole else of_10000,
                    "That has the frequency of base 10000.",
                ),
                "multiplied": (angle * omega, "That multiplies the angle by the frequency."),
            },
            tolerance=0.1,
        ),
        number(
            "share",
            call.value("share"),
            weight(gain * lead(omega) / 2),
            {
                "no-gain": (weight(lead(omega) / 2), "That is the head without its gain."),
                "no-division": (weight(gain * lead(omega)), "That is without the division by √4."),
                "gain-divided": (
                    weight(lead(omega) / gain / 2),
                    "That divides by the gain. It stretches the query, and so every score.",
                ),
                "lead": (gain * lead(omega) / 2, "That is the lead itself, and no weight yet."),
                "upside-down": (
                    1 / weight(gain * lead(omega) / 2),
                    "That is the target's weight as a part of its neighbour's.",
                ),
                "divided-by-width": (
                    weight(gain * lead(omega) / 4),
                    "That divides by 4, and not by its root.",
                ),
                "of-both": (
                    weight(gain * lead(omega) / 2) / (1 + weight(gain * lead(omega) / 2)),
                    "That is its part of both weights together, not of the target's.",
                ),
                "degrees": (
                    weight(gain * (2 - math.cos(DEGREES) - math.cos(omega * DEGREES)) / 2),
                    "That takes the angles for degrees.",
                ),
                "base-ignored" if other_base else "one-pair": (
                    weight(gain * (1 - math.cos(1)) / 2),
                    "That leaves the second pair out, or takes its hand for one of base 10000, "
                    "which adds next to nothing.",
                ),
                "other-position": (
                    weight(gain * lead(omega, given["k"]) / 2),
                    "That is the weight of the position that asks. The neighbour of the target is "
                    "one position from the target.",
                ),
            },
            tolerance=min(TOLERANCE, weight(gain * lead(omega) / 2) / 20),
        ),
    ]
    return charged_once(marks, SLIPS)


def lead(omega: float, offset: int = 1) -> float:
    """By how much a target leads the position at this offset from it, before the division."""
    return sum(1 - math.cos(w * offset) for w in (1, omega))


def weight(ahead: float) -> float:
    """The part of the target's weight that a score so far below it gets."""
    return math.exp(-ahead)


def pair(part: str, moved: object, i: int, given: dict[str, object]) -> Mark:
    """Judge the two numbers of a pair."""
    if problem := unanswered(moved):
        return unread(part, problem)
    numbers = reals(moved)
    if numbers is None or len(numbers) != 4:
        says = f"`moved` must hold four numbers.{written(moved, 4)}"
        return unread(part, Problem("not-four-numbers", says))
    answer = numbers[2 * i], numbers[2 * i + 1]
    hand = tuple(float(x) for x in given["row"][2 * i : 2 * i + 2])
    turn = given["direction"] * given["k"] * (1, given["omega"])[i]
    wanted = turned(hand, turn)
    if alike(answer, wanted):
        return right(part)
    within = TOLERANCE / 10 if is_few(answer, wanted, TOLERANCE) else TOLERANCE
    for name, says, make in foreseen(given, i):
        if alike(answer, make(hand, turn), within):
            return wrong(part, name, says)
    if alike(answer, wanted[::-1], within):
        return wrong(part, "exchanged", "Sine and cosine have changed places.")
    says = "These two numbers are near, but not near enough."
    if mark := near(part, answer, wanted, TOLERANCE, says):
        return mark
    return wrong(
        part, "unknown", "These two numbers are not it, and not one of the known mistakes."
    )


def foreseen(
    given: dict[str, object], i: int
) -> list[tuple[str, str, Callable[[Hand, float], Hand]]]:
    found = [
        (
            "transposed",
            "The pair was turned the other way.",
            lambda hand, b: turned(hand, -b),
        ),
        (
            "both-signs-plus",
            "Both sines of the block have the sign plus: it is no rotation.",
            lambda hand, b: (turned(hand, b)[0], turned(hand, -b)[1]),
        ),
        (
            "degrees",
            "The calculator took the angle for degrees.",
            lambda hand, b: turned(hand, b * DEGREES),
        ),
        (
            "one-further",
            "The pair was turned by one position more.",
            lambda hand, b: turned(hand, b * (1 + 1 / given["k"])),
        ),
        ("not-moved", "This is the row that was torn off.", lambda hand, b: hand),
    ]
    if i == 1:
        found += [
            (
                "base-ignored",
                "This pair was turned as with the base 10000.",
                lambda hand, b: turned(hand, b / given["omega"] / 100),
            ),
            (
                "one-frequency",
                "This pair was turned by the angle of pair 0.",
                lambda hand, b: turned(hand, b / given["omega"]),
            ),
        ]
    return found


def turned(hand: Hand, b: float) -> Hand:
    """The hand, turned as by the block of M_k with the angle b = ω k."""
    sine, cosine = hand
    return (
        math.cos(b) * sine + math.sin(b) * cosine,
        math.cos(b) * cosine - math.sin(b) * sine,
    )


def alike(one: Hand, other: Hand, within: float = TOLERANCE) -> bool:
    return all(abs(a - b) <= within for a, b in zip(one, other, strict=True))
