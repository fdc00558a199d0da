"""Judges a repaired class that turns queries and keys, each mistake by a call that shows it.

The mistakes were met in public code and are retold in our own words: angles by the axis of heads
(facebookresearch/xformers issue 841, mlfoundations/open_lm issue 4), pairs of two layouts in one
formula (raiyanyahya/how-to-train-your-gpt issue 6), and angles that are kept without their start
(lucidrains/rotary-embedding-torch issue 11).
"""

from __future__ import annotations

import torch
from torch import Tensor

from course.sets.jointly import read_numbers
from course.sets.judging import first_wrong, right, same, unread, wrong
from course.sets.marks import Mark
from course.sets.student import Call
from pe_core import frequencies
from pe_lab.diagnosis.reading import Problem

WIDTH = 8
# A sum, a difference or a product of start and length, say, is the same for several of them.
KEY_SHARED = (
    "A second text, with another start and another length, is turned by the angles that were kept "
    "for the first."
)


def mark(call: Call, given: dict[str, object]) -> list[Mark]:
    marks = [axis(call), pairs(call), start(call)]
    return [*marks, together(call, marks)]


def axis(call: Call) -> Mark:
    """One vector everywhere: words differ afterwards, and the heads of a word do not."""
    x = vector().expand(1, 3, 2, WIDTH).contiguous()
    (turned,) = asked(call, [x], [4])
    if isinstance(turned, Problem):
        return unread("axis", turned)
    words, heads = turned[:, 1:] - turned[:, :-1], turned[:, :, 1:] - turned[:, :, :-1]
    if words.abs().max() > 1e-3 and heads.abs().max() < 1e-6:
        return right("axis")
    if words.abs().max() < 1e-6 and heads.abs().max() > 1e-3:
        says = "All words of a text are turned alike, and the heads of one word differently."
        return wrong("axis", "turned-by-head", says)
    if words.abs().max() < 1e-6:
        return wrong("axis", "words-alike", "All words of a text are turned alike.")
    return wrong("axis", "heads-differ", "The heads of one word are turned differently.")


def pairs(call: Call) -> Mark:
    """One word, one head and a new object: neither axis nor memory plays a part."""
    x = vector()[None, None, None]
    (turned,) = asked(call, [x], [5])
    if isinstance(turned, Problem):
        return unread("pairs", turned)
    if same(turned[0, 0], rotary(x, 5)[0, 0]):
        return right("pairs")
    angle = 5 * frequencies(WIDTH)
    first, second = x.chunk(2, dim=-1)
    crossed = torch.cat([-second, first], dim=-1)
    between = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    twice, doubled = angle.repeat_interleave(2), torch.cat([angle, angle])
    for name, says, other in (
        (
            "mixed-layouts",
            "Column i is mixed with column i + d/2, and the angles are those of columns 2i and "
            "2i + 1: two columns that meet have different angles.",
            x * twice.cos() + crossed * twice.sin(),
        ),
        (
            "halves",
            "Columns i and i + d/2 are a pair now: that is consistent, and another layout than "
            "the one that is described.",
            x * doubled.cos() + crossed * doubled.sin(),
        ),
        ("other-way", "It turns the other way: by minus the angle.", rotary(x, -5)),
        (
            "angles-of-halves",
            "Columns 2i and 2i + 1 are mixed, and the angles are those of columns i and i + d/2: "
            "two columns that meet have different angles.",
            x * doubled.cos() + between * doubled.sin(),
        ),
        ("not-turned", "A text of one word that begins at position 5 is not turned.", x),
    ):
        if same(turned[0, 0], other[0, 0]):
            return wrong("pairs", name, says)
    where = first_wrong(turned[0, 0], rotary(x, 5)[0, 0])
    return wrong("pairs", "unknown", f"One word at position 5, one head: {where}")


def start(call: Call) -> Mark:
    """What an object was asked for before changes nothing."""
    x = vector()[None, None, None]
    longer = x.expand(1, 3, 1, WIDTH).contiguous()
    for texts, starts, name, says in (
        (
            [x, x],
            [5, 9],
            "start-forgotten",
            "A second text of the same length, at position 9, is turned as the first, at 5.",
        ),
        (
            [x, longer],
            [5, 5],
            "length-forgotten",
            "A second text with the same start, of three words, is turned by the angles that were "
            "kept for one word.",
        ),
        *(([x, longer], pair, "key-shared", KEY_SHARED) for pair in ([7, 5], [5, 7], [6, 2])),
    ):
        *_, after = asked(call, texts, starts)
        *_, alone = asked(call, texts[-1:], starts[-1:])
        for each in (alone, after):
            if isinstance(each, Problem):
                return unread("start", each)
        if not same(after, alone):
            return wrong("start", name, says)
    one, other = (asked(call, [x], [p])[0] for p in (5, 9))
    if same(one, other):
        return wrong("start", "start-ignored", "The start changes nothing.")
    return right("start")


def together(call: Call, marks: list[Mark]) -> Mark:
    """Two texts as they come: several words, heads and sentences, one object."""
    seed = torch.Generator().manual_seed(1)
    texts = [torch.randn(2, n, 3, WIDTH, generator=seed).double() for n in (1, 4, 4)]
    starts = [4, 4, 100]
    for x, p, turned in zip(texts, starts, asked(call, texts, starts), strict=True):
        if isinstance(turned, Problem):
            return unread("together", turned)
        if not same(turned, rotary(x, p)):
            missed = next((each for each in marks if each.share < 1), None)
            if missed:
                return wrong("together", missed.name, "What is told above shows here, too.")
            says = "Each repair works by itself, and not all of them together."
            return wrong("together", "unknown", says)
    return other_sizes(call)


def other_sizes(call: Call) -> Mark:
    """Another width and another base."""
    x = torch.randn(1, 5, 2, 6, generator=torch.Generator().manual_seed(2)).double()
    for base in (10000.0, 100.0):
        (turned,) = asked(call, [x], [3], *([] if base == 10000 else [base]))
        if isinstance(turned, Problem):
            return unread("together", turned)
        if not same(turned, rotary(x, 3, base)):
            says = f"With 6 columns and the base {base:g} it is not right."
            return wrong("together", "one-size", says)
    return right("together")


def asked(
    call: Call, texts: list[Tensor], starts: list[int], *base: float
) -> list[Tensor | Problem]:
    """What became of each text, or the same problem for each."""
    value = call("turn_all", texts, starts, texts[0].shape[-1], *base)
    if isinstance(value, Problem):
        return [value] * len(texts)
    if not isinstance(value, list | tuple) or len(value) != len(texts):
        says = "`turn_all` must return a list, one tensor for each text: leave it as it was."
        return [Problem("not-a-list", says)] * len(texts)
    found: list[Tensor | Problem] = []
    for x, turned in zip(texts, value, strict=True):
        numbers = read_numbers(turned, tuple(x.shape), "A turned text")
        found.append(numbers if isinstance(numbers, Problem) else numbers.view(x.shape))
    return found


def rotary(x: Tensor, start: int, base: float = 10000.0) -> Tensor:
    """What is right: (batch, length, heads, d) -> the same."""
    position = start + torch.arange(x.shape[1]).double()  # (length,)
    omega = frequencies(x.shape[-1], base=base)
    angle = torch.outer(position, omega)[:, None]  # (length, 1, d/2)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = [
        first * angle.cos() - second * angle.sin(),
        first * angle.sin() + second * angle.cos(),
    ]
    return torch.stack(turned, dim=-1).flatten(-2)


def vector() -> Tensor:
    return torch.arange(1, WIDTH + 1).double() / WIDTH
