"""Mistakes planted in a copy of the front ends: their numbers must no longer be torch's."""

from __future__ import annotations

import contextlib
import inspect
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from planted import mutate
from test_explorers import check_dial
from test_explorers_modules import check_clean
from test_explorers_numbers import CHECKS
from traitlets import TraitError

from pe_lab.explorers import (
    BuildExplorer,
    ClinicExplorer,
    ClockExplorer,
    CounterExplorer,
    FamilyExplorer,
    HeadExplorer,
    HeatmapExplorer,
    ModelExplorer,
    OffsetExplorer,
    OrderExplorer,
    SimilarityExplorer,
    dial,
)
from pe_lab.explorers.explorer import HERE, Explorer


@dataclass(frozen=True)
class Mutation:
    """A mistake: a text that occurs once in a file, and what stands there instead."""

    explorer: type[Explorer]
    name: str
    file: str
    old: str
    new: str


MUTATIONS = [
    Mutation(
        OrderExplorer,
        "who looks at whom is turned over",
        "order.numbers.js",
        "queries.map((query) =>\n    keys.map((key)",
        "keys.map((query) =>\n    queries.map((key)",
    ),
    Mutation(
        OrderExplorer,
        "only the alphabetical order is compared",
        "order.numbers.js",
        "[alphabetical(words), [...words].reverse()]",
        "[alphabetical(words)]",
    ),
    Mutation(
        OrderExplorer,
        "capitals stand before small letters",
        "order.numbers.js",
        '.sort((one, other) => one.localeCompare(other, "en"))',
        ".sort()",
    ),
    Mutation(
        OrderExplorer,
        "the sentence tells of an order that happens to stand",
        "order.js",
        "if (!positions)",
        "if (change < 1e-9)",
    ),
    Mutation(
        OrderExplorer,
        "words of one name are taken for one another",
        "order.numbers.js",
        "free.splice(at, 1)[0].p",
        "free[at].p",
    ),
    Mutation(
        OrderExplorer,
        "the encoding is taken away from the words",
        "order.numbers.js",
        "each + (positions ?",
        "each - (positions ?",
    ),
    Mutation(
        CounterExplorer,
        "the smooth hand goes back",
        "counter.numbers.js",
        "(ticks + (smooth / 100)",
        "(ticks - (smooth / 100)",
    ),
    Mutation(
        HeadExplorer,
        "the query is turned the other way",
        "head.numbers.js",
        "cosines[i] * s - sines[i] * c",
        "cosines[i] * s + sines[i] * c",
    ),
    Mutation(
        HeadExplorer,
        "the row after the chosen one",
        "head.numbers.js",
        "subarray(LENGTH * row, LENGTH * (row + 1))",
        "subarray(LENGTH * (row + 1), LENGTH * (row + 2))",
    ),
    Mutation(
        HeadExplorer,
        "the keys of the trained head are its queries",
        "head.trained.js",
        "products(seen, head.W_K, d)",
        "products(seen, head.W_Q, d)",
    ),
    Mutation(
        HeadExplorer,
        "a position alone is divided as if it were the row",
        "head.trained.js",
        "Math.sqrt(usualVariance(head, positions))",
        "Math.sqrt(spread(positions).variance)",
    ),
    Mutation(
        FamilyExplorer,
        "the aim is turned to the other side",
        "family.numbers.js",
        "k * now[i] - aim * omegas[i]",
        "k * now[i] + aim * omegas[i]",
    ),
    Mutation(
        FamilyExplorer,
        "what lies ahead shares the buckets of what lies back",
        "kit/buckets.js",
        "(k > 0 ? buckets : 0)",
        "0",
    ),
    Mutation(
        ModelExplorer,
        "the buckets ahead begin at the query",
        "kit/buckets.js",
        "(k > 0 ? buckets : 0)",
        "(k >= 0 ? buckets : 0)",
    ),
    Mutation(
        FamilyExplorer,
        "the last pair of the ramp is the last pair",
        "family.numbers.js",
        "Math.ceil(pairWith(SLOW)), d - 1)",
        "Math.ceil(pairWith(SLOW)), d / 2 - 1)",
    ),
    Mutation(
        FamilyExplorer,
        "scores are longer by the sharpening once",
        "family.numbers.js",
        "sharpening(state) ** 2",
        "sharpening(state)",
    ),
    Mutation(
        FamilyExplorer,
        "RoPE is said not to read its base",
        "family.numbers.js",
        '["aim", "d_model", "base", "scaling", ...more]',
        '["aim", "d_model", "scaling", ...more]',
    ),
    Mutation(
        ModelExplorer,
        "queries and keys are turned each its own way",
        "model.transformer.js",
        "x[at + 1] = sine * first + cosine * second",
        "x[at + 1] = cosine * second - sine * first",
    ),
    Mutation(
        ModelExplorer,
        "the scores are not divided",
        "model.transformer.js",
        "queries[at] / Math.sqrt(wide)",
        "queries[at]",
    ),
    Mutation(
        ModelExplorer,
        "the first word that is another is taken for the one read before",
        "model.transformer.js",
        "other < 0 ? length : other",
        "other < 0 ? length : other + 1",
    ),
    Mutation(
        ModelExplorer,
        "what was turned for the last text is turned again",
        "model.transformer.js",
        "for (let p = from; p < length; p += 1)\n    for (let c = 0",
        "for (let p = 0; p < length; p += 1)\n    for (let c = 0",
    ),
    Mutation(
        ModelExplorer,
        "the offset is that from the key to the query",
        "model.transformer.js",
        "bias[r - p + length - 1]",
        "bias[p - r + length - 1]",
    ),
    Mutation(
        ModelExplorer,
        "ALiBi adds the distance",
        "model.encodings.js",
        "-(2 ** ((-8",
        "(2 ** ((-8",
    ),
    Mutation(
        ModelExplorer,
        "attention is taken away from the words",
        "model.transformer.js",
        "times(seen, model.W_O, x, { ...square, added: true });",
        "times(seen, model.W_O, x, square);",
    ),
    Mutation(
        ModelExplorer,
        "the last columns of a product are forgotten",
        "model.transformer.js",
        "for (let o = last; o < wide; o += 1)",
        "for (let o = last; o < last; o += 1)",
    ),
    Mutation(
        ModelExplorer,
        "the variance of a sample",
        "model.transformer.js",
        "(x[at + c] - mean) ** 2 / d;",
        "(x[at + c] - mean) ** 2 / (d - 1);",
    ),
    Mutation(
        ModelExplorer,
        "small weights are twice as large",
        "kit/safetensors.js",
        "2 ** -14 * fraction",
        "2 ** -13 * fraction",
    ),
    Mutation(
        ModelExplorer,
        "the answer is compared with the word that stands there",
        "model.numbers.js",
        "answers[p] === words[p - BACK]",
        "answers[p] === words[p]",
    ),
    Mutation(
        ModelExplorer,
        "of places that are looked at alike one is told",
        "kit/attention.js",
        "weight - each < 1e-9",
        "each === weight && each > row[0]",
    ),
    Mutation(
        ClinicExplorer,
        "the raw column counts once",
        "clinic.numbers.js",
        "power((2 * c) / d)",
        "power(c / d)",
    ),
    Mutation(
        ClinicExplorer,
        "the halves stand the other way round",
        "clinic.numbers.js",
        "c < d / 2 ? 2 * c",
        "c >= d / 2 ? 2 * c",
    ),
    Mutation(
        ClinicExplorer,
        "the matrix is tried on the rows it was fitted to",
        "clinic.numbers.js",
        "const unseen = columns(1, count)",
        "const unseen = columns(0, count)",
    ),
    Mutation(
        ClinicExplorer,
        "small combinations of columns are kept",
        "clinic.numbers.js",
        "sizes[c] > CUT * largest",
        "sizes[c] > 0",
    ),
    Mutation(
        ClinicExplorer,
        "the smallest product is forgotten",
        "clinic.numbers.js",
        "curves[0][k] = low;",
        "curves[0][k] = high;",
    ),
    Mutation(
        ClinicExplorer,
        "the entry shown is the last that differs",
        "clinic.numbers.js",
        "table.findIndex(",
        "table.findLastIndex(",
    ),
    Mutation(
        ClinicExplorer,
        "any name is right",
        "clinic.numbers.js",
        "const found = state.named === mistake",
        'const found = state.named !== ""',
    ),
    Mutation(
        ClinicExplorer,
        "rows that differ are said to be equal",
        "clinic.js",
        "ours.high - ours.low < SAME",
        "ours.high - ours.low < 1",
    ),
    Mutation(
        ClockExplorer,
        "the sine has the other sign",
        "clock.numbers.js",
        "sine: Math.sin(angle)",
        "sine: -Math.sin(angle)",
    ),
    Mutation(
        ClockExplorer,
        "the exponent counts twice",
        "kit/formula.js",
        "((2 * i) / d)",
        "((4 * i) / d)",
    ),
    Mutation(
        ClockExplorer,
        "the chord of the whole angle",
        "clock.numbers.js",
        "Math.sin(angle / 2)",
        "Math.sin(angle)",
    ),
    Mutation(
        ClockExplorer,
        "of three hands the sentence passes over one",
        "clock.js",
        "hands.slice(1)",
        "hands.slice(-1)",
    ),
    Mutation(
        BuildExplorer,
        "the angles have the other sign",
        "build.numbers.js",
        "=> p / denominator",
        "=> -p / denominator",
    ),
    Mutation(
        BuildExplorer,
        "the odd indices are one less than the even ones",
        "build.numbers.js",
        "value: (_, i) => 2 * i + 1",
        "value: (_, i) => 2 * i - 1",
    ),
    Mutation(
        BuildExplorer,
        "the stack comes from the other source",
        "build.numbers.js",
        "[5 + parity(s)]",
        "[6 - parity(s)]",
    ),
    Mutation(
        HeatmapExplorer,
        "the recurrence adds where it should subtract",
        "kit/formula.js",
        "table[at - d + c] - table[at - 2 * d + c]",
        "table[at - d + c] + table[at - 2 * d + c]",
    ),
    Mutation(
        HeatmapExplorer,
        "sine and cosine change places",
        "kit/formula.js",
        "(c % 2 ? Math.cos : Math.sin)(",
        "(c % 2 ? Math.sin : Math.cos)(",
    ),
    Mutation(
        HeatmapExplorer,
        "the turns are those of one row more",
        "heatmap.numbers.js",
        "(length - 1) / wave",
        "length / wave",
    ),
    Mutation(
        OffsetExplorer,
        "the matrix turns the other way",
        "offset.numbers.js",
        "= -Math.sin(angle)",
        "= Math.sin(angle)",
    ),
    Mutation(
        OffsetExplorer,
        "the goal is k positions back",
        "offset.numbers.js",
        "goal = encoding(position + offset",
        "goal = encoding(position - offset",
    ),
    Mutation(
        OffsetExplorer,
        "matrices of different sizes are compared",
        "offset.numbers.js",
        "if (before?.start.length !== now.start.length) return undefined;",
        "if (!before) return undefined;",
    ),
    Mutation(
        SimilarityExplorer,
        "the products have the other sign",
        "similarity.numbers.js",
        "sum += table",
        "sum -= table",
    ),
    Mutation(
        SimilarityExplorer,
        "the variation forgets the cosines' own frequencies",
        "similarity.numbers.js",
        "(ofB[m] - each) / 2",
        "(ofB[m] + each) / 2",
    ),
    Mutation(
        SimilarityExplorer,
        "the rise is told one offset late",
        "similarity.numbers.js",
        "start[k + 1] > each",
        "start[k] > start[k - 1]",
    ),
]

# In kit/settings.js, which keeps settings within their limits.
LIMITS = [
    ("a limit is one too high", "(counts ? 0 : 1)", "0"),
    ("what is no number stays", "Math.round(value) || 0", "Math.round(value)"),
    (
        "an even number becomes another",
        "step * whole(Number(wanted) / step",
        "step * whole(Number(wanted) / (step + 1)",
    ),
    ("no limit below", "Math.max(low, Math.round(value) || 0)", "Math.round(value) || 0"),
    ("no limit above", "Math.min(high, Math.max(low, Math.round", "(Math.max(low, Math.round"),
]


def planted(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the front ends with one text replaced by another."""
    copy = folder / "explorers"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    text = (copy / file).read_text(encoding="utf-8")
    (copy / file).write_text(mutate(text, ((old, new),)), encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    "mutation", MUTATIONS, ids=lambda each: f"{each.explorer.__name__}: {each.name}"
)
def test_every_mistake_is_seen(tmp_path: Path, mutation: Mutation) -> None:
    folder = planted(tmp_path, mutation.file, mutation.old, mutation.new)
    with pytest.raises(AssertionError):
        CHECKS[mutation.explorer](mutation.explorer.module(folder))


@pytest.mark.parametrize(("name", "old", "new"), LIMITS, ids=[each[0] for each in LIMITS])
def test_every_mistake_about_limits_is_seen(tmp_path: Path, name: str, old: str, new: str) -> None:
    module = ClockExplorer.module(planted(tmp_path, "kit/settings.js", old, new))
    with pytest.raises((AssertionError, TraitError)):
        check_clean(ClockExplorer, module)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_still_dial_with_sine_and_cosine_exchanged_is_seen(swapped: bool) -> None:
    text = inspect.getsource(dial)
    if swapped:
        text = mutate(text, (("color=SINE", "color=COSINE"), ("color=COSINE", "color=SINE")))
    names: dict[str, Any] = {}
    exec(text, names)
    with pytest.raises(AssertionError) if swapped else contextlib.nullcontext():
        check_dial(names["draw_dial"])
