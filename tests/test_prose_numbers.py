"""The two pages without cells of their own say what the code computes and the chapters show.

Every number on `book/misconceptions.md` and `book/notation.md` is either computed here, in the
form in which it is printed, or a setting that is named here. A number that is neither fails, and
so does one that no cell of the chapters linked beside it produces.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
from torch import Tensor

import pe_core
from pe_core import (
    denominator,
    frequencies,
    interleave,
    offset_matrix,
    similarity,
    stepwise,
    wavelengths,
)
from pe_lab import candidates
from pe_lab.attention import attention, attention_weights, causal_mask
from pe_lab.weights import results

ROOT = Path(__file__).resolve().parent.parent
BOOK, NOTEBOOKS = ROOT / "book", ROOT / "notebooks"
MISCONCEPTIONS = (BOOK / "misconceptions.md").read_text(encoding="utf-8")
NOTATION = (BOOK / "notation.md").read_text(encoding="utf-8")

# A chapter is named by its number, a page at hand by its title.
CHAPTER = re.compile(
    r"\[(?:chapter )?(\d+|One table, four ways|The exact table|The bug clinic)\]"
    r"\(\.\./notebooks/(\w+)\.ipynb\)"
)
NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e-?\d+)?")
SETTING = re.compile(r"\$[dk] = (\d+)\$")
NOT_PROSE = re.compile(
    r"^#+ .*$|^\(.*\)=$|^Shown in .*$|\]\([^)]*\)"  # headings, labels, places, targets of links
    r"|\$\$[^$]*\$\$|\$[^$]*\$|\{\w+\}`[^`]*`|`[^`]*`|chapter \d",
    re.MULTILINE,
)


def numbers(text: str) -> list[str]:
    """The numbers in a text, as they are printed, without commas and with an ASCII minus."""
    found = NUMBER.findall(text.replace("\N{MINUS SIGN}", "-"))
    return [number.replace(",", "") for number in found]


def prose_numbers(text: str) -> list[str]:
    """The numbers of the running text and its tables, settings such as $d = 16$ among them."""
    return numbers(NOT_PROSE.sub(" ", SETTING.sub(r"\1", text)))


def sections(page: str) -> dict[str, str]:
    """The text of each labelled statement, by its label."""
    parts = re.split(r"^\((read-[\w-]+)\)=\n", page, flags=re.MULTILINE)
    bodies = [re.split(r"^## ", body, flags=re.MULTILINE)[0] for body in parts[2::2]]
    return dict(zip(parts[1::2], bodies, strict=True))


@cache
def shown_by(chapter: str) -> frozenset[str]:
    """The numbers in the code cells of a chapter and in what they print."""
    cells = json.loads((NOTEBOOKS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = []
    for cell in cells:
        if cell["cell_type"] == "code":
            text.append("".join(cell["source"]).replace("_", ""))  # 2_000 is 2000
            for output in cell["outputs"]:
                text.append("".join(output.get("text", "")))
                data = output.get("data", {})
                text += ["".join(data[kind]) for kind in data if kind.startswith("text/")]
    return frozenset(numbers("\n".join(text)))


@cache
def headings_and_labels(chapter: str) -> frozenset[str]:
    cells = json.loads((NOTEBOOKS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return frozenset(headings + re.findall(r"^:label: (\S+)$", text, re.MULTILINE))


# What the statements quote, computed


def rows(length: int, d_model: int, base: float = 10000.0) -> Tensor:
    return stepwise(length, d_model, base=base, dtype=torch.float64)  # (L, d)


def paired(omega: Tensor, length: int) -> Tensor:
    p = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (L, 1)
    return interleave(torch.sin(p * omega), torch.cos(p * omega))  # (L, d)


def best_map_error(table: Tensor, k: int) -> float:
    fit = torch.linalg.lstsq(table[:-k], table[k:], driver="gelsd").solution  # (d, d)
    return float((table[:-k] @ fit - table[k:]).abs().max())


def different_rows(table: Tensor) -> int:
    return len(set(map(tuple, table.tolist())))


def s(k: int, d_model: int) -> float:
    return float(torch.cos(frequencies(d_model) * k).sum())


def tips_apart(k: int, d_model: int) -> Tensor:
    return 2 * torch.sin(frequencies(d_model) * k / 2).abs()  # (d/2,)


def first_chapter() -> tuple[Callable[[str], Tensor], Tensor]:
    """The seeded words and attention matrices of chapter 1."""
    vocabulary = ["<pad>", "I", "India", "John", "My", "is", "love", "name"]
    torch.manual_seed(1)
    words = torch.randn(len(vocabulary), 6)  # (8, 6)
    matrices = torch.randn(3, 6, 6)
    return lambda text: words[[vocabulary.index(word) for word in text.split()]], matrices


def direction() -> list[str]:
    pe = rows(64, 64)
    flips = (pe[:-1] * pe[1:] < 0).sum(dim=0)  # (64,): changes of sign on the way down
    still = int(flips.nonzero().max()) + 1  # from this column on there is none
    first, last = wavelengths(64)[0], wavelengths(64)[-1]
    return [str(int(flips[0])), str(still), f"{first:.2f}", f"{last:.0f}"]


def invariant() -> list[str]:
    embed, (w_q, w_k, w_v) = first_chapter()

    def india(sentence: str, masked: bool) -> str:
        x = embed(sentence)  # (3, 6)
        mask = causal_mask(3) if masked else None
        out = attention(x @ w_q, x @ w_k, x @ w_v, mask=mask)  # (3, 6)
        return f"{out[sentence.split().index('India'), 0]:.3f}"

    plain = {india(sentence, False) for sentence in ("I love India", "India love I")}
    return [*plain, india("I love India", True), india("India love I", True)]


def no_order() -> list[str]:
    embed, _ = first_chapter()
    torch.manual_seed(5)
    layers = torch.randn(2, 3, 6, 6) / 6**0.5

    def last_row(x: Tensor, depth: int) -> Tensor:
        for w_q, w_k, w_v in layers[:depth]:
            x = attention(x @ w_q, x @ w_k, x @ w_v, mask=causal_mask(len(x)))
        return x[-1]

    one, other = embed("My name is John"), embed("name is My John")
    return [f"{(last_row(one, n) - last_row(other, n)).abs().max():.4f}" for n in (1, 2)]


def column() -> list[str]:
    c = torch.arange(16, dtype=torch.float64)  # (16,)
    angles = torch.arange(2000, dtype=torch.float64).unsqueeze(1) * 10000 ** (-2 * c / 16)
    table = interleave(angles[:, 0::2].sin(), angles[:, 1::2].cos())  # (2000, 16)
    right = rows(200, 16)
    lengths = table[:200].norm(dim=1)  # (200,)
    near = similarity(table[:200]).diagonal(1)  # (199,)
    found = [lengths.min(), lengths.max(), right.norm(dim=1).mean()]
    found += [near.min(), near.max(), similarity(right).diagonal(1).mean()]
    return [f"{x:.2f}" for x in [*found, best_map_error(table, 5)]]


def exp_log() -> list[str]:
    two_i = torch.arange(0, 512, 2).float()  # (256,)
    exact = 10000 ** (-two_i.double() / 512)
    ways = (torch.exp(two_i * (-math.log(10000) / 512)), 1 / torch.pow(10000, two_i / 512))
    return [f"{((omega - exact) / exact).abs().max():.0e}" for omega in ways]


def wavelengths_quoted() -> list[str]:
    longest = [f"{wavelengths(d)[-1]:.1f}" for d in (4, 6, 8, 64, 512)]
    angles = 10000 ** -torch.tensor([0.0, 1.0], dtype=torch.float64)  # i / (d/2 - 1), d = 4
    code = torch.cat([angles.sin(), angles.cos()]).tolist()
    printed = [str(round(x, 4)) for x in [*code, *rows(2, 4)[1].tolist()]]
    return [*longest, f"{20000 * math.pi:.1f}", *printed]


@cache
def nearest(d_model: int) -> tuple[int, float]:
    """The offset, 1 to 2,000,000, at which two rows are nearest, and how far they are."""
    k = torch.arange(1, 2_000_001, dtype=torch.float64)
    squared = torch.zeros_like(k)
    bound = float((tips_apart(1, d_model) ** 2).sum())
    for omega in frequencies(d_model):
        squared = squared + 4 * torch.sin(omega * k / 2) ** 2
        near = squared <= bound * (1 + 1e-12)  # a further pair only adds
        k, squared = k[near], squared[near]
    best = int(squared.argmin())
    return int(k[best]), math.sqrt(float(squared[best]))


def longest_input() -> list[str]:
    waves = [f"{wavelengths(512, base=base)[-1]:.1f}" for base in (10000, 100, 10)]
    offset, apart = nearest(512)
    assert offset == 1
    narrow_offset, narrow_apart = nearest(6)
    return [
        *waves,
        str(int(wavelengths(512)[-1])),
        f"{tips_apart(60_611, 512).norm():.2f}",
        f"{apart:.3f}",
        str(narrow_offset),
        f"{narrow_apart:.3f}",
    ]


def first_columns() -> list[str]:
    pe = rows(5000, 512)
    lengths = (10, 50, 128, 512, 2048, 5000)
    return [str(int((pe[:n].std(dim=0, correction=0) > 0.1).sum())) for n in lengths]


def binary() -> list[str]:
    digits = candidates.binary_digits(16, 4)  # (16, 4)
    assert (digits[7] != digits[8]).all()
    tables = (candidates.binary_digits(512, 16), rows(512, 16))
    shares = [f"{100 * candidates.nearer_than_neighbour(table):.0f}" for table in tables]
    return [*(f"{(digits[p] - digits[8]).norm():.4f}" for p in (7, 0)), *shares]


def decay() -> list[str]:
    whole = [f"{s(k, 512) / 256:.3f}" for k in (10, 100, 1000)]
    first_rise = [
        str(next(k for k in range(1, 100) if s(k + 1, d) > s(k, d)) + after)
        for d in (16, 64, 128, 512)
        for after in (0, 1)
    ]
    return [*whole, *first_rise, f"{s(3, 6):.4f}", f"{s(6, 6):.4f}"]


def nonlinear() -> list[str]:
    full = rows(2000, 16)
    sines, cosines = full[:, 0::2], full[:, 1::2]  # (2000, 8) each
    ones = torch.ones(2000, 1, dtype=torch.float64)
    left = [f"{best_map_error(table, 5):.2f}" for table in (sines, cosines)]
    with_ones = [torch.cat([table, ones], dim=1) for table in (sines, cosines)]
    assert [f"{best_map_error(table, 5):.2f}" for table in with_ones] == left
    for omega in (frequencies(16), torch.arange(1, 9, dtype=torch.float64) / 8):
        assert best_map_error(paired(omega, 2000), 5) < 1e-11
    block, pair = offset_matrix(4, 6)[:2, :2], rows(100, 6)[:, :2]  # (2, 2), (100, 2)
    torch.testing.assert_close(pair[:-4] @ block.T, pair[4:])
    return [*left, "1e-11", *(f"{weight:.4f}" for weight in block[0])]


def period() -> list[str]:
    sines = rows(2000, 16)[:, 0::2]  # (2000, 8)
    return [f"{wavelengths(16)[0]:.2f}", three_back("none"), f"{best_map_error(sines, 5):.2f}"]


def looking_back(d_model: int, gain: float) -> str:
    pe = rows(200, d_model)
    weights = attention_weights(gain * pe @ offset_matrix(-3, d_model).T, pe)  # (200, 200)
    assert torch.equal(weights[3:].argmax(dim=1), torch.arange(197))
    return f"{weights.diagonal(-3).mean():.2f}"


def three_back(kind: str) -> str:
    """How many of 197 positions look three back, in a head that reads 128 of 512 columns."""
    words = torch.randn(200, 512, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    if kind == "apart":
        words[:, :128] = 0
    x = rows(200, 512) + (0 if kind == "none" else words)
    w_k = torch.eye(512, dtype=torch.float64)[:128]  # (128, 512)
    w_q = w_k @ offset_matrix(-3, 512)  # (128, 512)
    weights = attention_weights(x @ w_q.T, x @ w_k.T)  # (200, 200)
    return str(int((weights[3:].argmax(dim=1) == torch.arange(197)).sum()))


def added_scores() -> list[str]:
    """(u + PE(p)) · (v + PE(q)) for the words of chapter 7, at two places 4 apart."""
    seed = torch.Generator().manual_seed(0)
    torch.randn(200, 512, generator=seed, dtype=torch.float64)  # drawn before them there
    u, v = torch.randn(2, 64, generator=seed, dtype=torch.float64)  # (64,) each
    pe = rows(50, 64)
    return [f"{(u + pe[p]) @ (v + pe[q]):.2f}" for p, q in ((3, 7), (30, 34))]


def effort() -> list[str]:
    weights = [looking_back(d, gain) for gain in (1, 4) for d in (16, 64, 512)]
    return [*weights, three_back("none"), three_back("all"), *added_scores()]


def extrapolates() -> list[str]:
    learned = candidates.rows_defined(lambda n: candidates.random_table(n, 16), 1024)
    formula = candidates.rows_defined(lambda n: rows(n, 16), 1024)
    copying = [  # from three seeds; the sinusoid is the usual encoding
        row["accuracy"]
        for row in results("longer")["rows"]
        if row["run"].keys() <= {"settings", "seed"} and not row["change"]
    ]
    assert len(copying) == 3
    known, unknown = ({f"{each[length]:.2f}" for each in copying} for length in ("32", "128"))
    return [str(formula), str(learned), *known, min(unknown), max(unknown)]


def root() -> list[str]:
    encoding = float(rows(1024, 512).square().mean().sqrt())
    normal = math.sqrt(512)  # the rms of numbers of standard deviation 1, times √d
    xavier = math.sqrt(2 / (37_000 + 512)) * math.sqrt(512)
    assert xavier < encoding < normal
    return [f"{encoding:.3f}", f"{normal:.1f}", f"{normal / encoding:.0f}", f"{xavier:.3f}"]


def concatenate() -> list[str]:
    return [three_back("none"), three_back("all"), three_back("apart"), str(2 * 6), str(6)]


# By label: what is computed, and all numbers of the text in order, a star where one of these is.
STATEMENTS: dict[str, tuple[Callable[[], list[str]], str]] = {
    "read-direction": (direction, "64 64 0 * * 0 * *"),
    "read-column": (column, "16 200 * * * * * * 5 2000 *"),
    "read-first-columns": (first_columns, "512 0.1 10 * 50 * 128 * 512 * 2048 * 5000 *"),
    "read-binary": (binary, "7 8 * 8 * 0 512 16 * *"),
    "read-invariant": (invariant, "* * *"),
    "read-no-order": (no_order, "* *"),
    "read-wavelengths": (
        wavelengths_quoted,
        "4 * 6 * 8 * 64 * 512 * * 4 1 * * * * * * * * 3.5",
    ),
    "read-longest": (
        longest_input,
        "10000 512 * 10000 * 100 * 10 * * 0 2000000 * 6 * * 2000000 10000",
    ),
    "read-exp-log": (exp_log, "10000 512 * * 6"),
    "read-decay": (decay, "512 * 10 * 100 * 1000 * * 16 * * 64 * * 128 * * 512 6 0 * 3 * 6"),
    "read-nonlinear": (nonlinear, "16 5 2000 * * * 0 * * 0"),
    "read-period": (period, "* * 197 5 2000 *"),
    "read-effort": (effort, "200 * * * 16 64 512 4 * * * 128 512 * 197 * 4 * 3 7 * 30 34"),
    "read-extrapolates": (extrapolates, "1024 * 512 * 32 * 32 * * 128"),
    "read-root": (root, "* * 1 * 37000 *"),
    "read-concatenate": (concatenate, "128 512 * 197 * * * *"),
}


def test_every_statement_is_computed() -> None:
    assert list(sections(MISCONCEPTIONS)) == list(STATEMENTS)


@pytest.mark.parametrize("label", STATEMENTS)
def test_a_statement_prints_what_is_computed_and_nothing_else(label: str) -> None:
    compute, pattern = STATEMENTS[label]
    computed = iter(compute())
    expected = [next(computed) if item == "*" else item for item in pattern.split()]
    assert prose_numbers(sections(MISCONCEPTIONS)[label]) == expected
    assert list(computed) == []


@pytest.mark.parametrize("label", STATEMENTS)
def test_the_chapters_beside_a_statement_show_its_numbers(label: str) -> None:
    body = sections(MISCONCEPTIONS)[label]
    shown = frozenset[str]().union(*(shown_by(stem) for _, stem in CHAPTER.findall(body)))
    assert [number for number in STATEMENTS[label][0]() if number not in shown] == []


@pytest.mark.parametrize("label", STATEMENTS)
def test_the_places_that_a_statement_names_exist(label: str) -> None:
    body = sections(MISCONCEPTIONS)[label]
    (line,) = re.findall(r"^Shown in .*$", body, re.MULTILINE)
    links = CHAPTER.findall(line)
    assert links
    where = re.split(r"\. (?:Met|Asked|Left)", line)[0]
    named = re.findall(r'"([^"]+)"|\{ref\}`([\w-]+)`', where)
    assert named
    exist = frozenset[str]().union(*(headings_and_labels(stem) for _, stem in links))
    assert [heading or ref for heading, ref in named if (heading or ref) not in exist] == []


def test_the_table_at_the_top_gives_each_verdict() -> None:
    table = dict(re.findall(r"^\| \[.*\]\(#(read-[\w-]+)\) \| (.*) \|$", MISCONCEPTIONS, re.M))
    found = {
        label: re.findall(r"^\*\*(.*?)\.\*\*", body, re.MULTILINE)
        for label, body in sections(MISCONCEPTIONS).items()
    }
    assert {label: [verdict] for label, verdict in table.items()} == {
        label: [verdict[0].lower() + verdict[1:] for verdict in verdicts]
        for label, verdicts in found.items()
    }


@pytest.mark.parametrize("page", [MISCONCEPTIONS, NOTATION], ids=["misconceptions", "notation"])
def test_a_link_to_a_chapter_has_its_number(page: str) -> None:
    links = CHAPTER.findall(page)
    assert len(links) == page.count("../notebooks/")
    numbered = [(n, stem) for n, stem in links if stem[:1].isdigit()]
    assert [(n, stem) for n, stem in numbered if int(n) != int(stem[:2])] == []


def table_row(table: str, first: str) -> list[str]:
    (row,) = re.findall(rf"^\| {re.escape(first)} \| (.*) \|$", table, re.MULTILINE)
    cells: list[str] = row.split(" | ")
    return cells


def table_in(page: str, head: str) -> str:
    """The one table of a page whose first row begins with `head`."""
    (table,) = re.findall(rf"^\| {re.escape(head)}.*?\n\n", page, re.MULTILINE | re.DOTALL)
    return str(table)


SMALL_EXAMPLE = table_in(NOTATION, "pair $i$")
LAYOUTS = table_in(NOTATION, "layout")


def test_the_notation_of_the_small_example() -> None:
    assert table_row(SMALL_EXAMPLE, "pair $i$") == ["0", "1", "2"]
    assert table_row(SMALL_EXAMPLE, "$c$") == ["0, 1", "2, 3", "4, 5"]
    exact, waves = denominator(6, dtype=torch.float64), wavelengths(6).tolist()
    assert table_row(SMALL_EXAMPLE, r"$1/\omega_i$") == [f"{x:.4f}" for x in exact]
    assert table_row(SMALL_EXAMPLE, r"$\omega_i$") == [f"{x:.4f}" for x in frequencies(6)]
    assert table_row(SMALL_EXAMPLE, r"$\lambda_i$") == [str(round(x, 2)) for x in waves]
    assert f"the third denominator as {denominator(6)[2]:.4f};" in NOTATION  # float32
    shown = shown_by("03_step_by_step") | shown_by("04_row_of_clocks")
    printed = [*prose_numbers(SMALL_EXAMPLE), "464.1590"]
    assert [number for number in printed if number not in shown] == []


def test_the_notation_of_the_longest_wave() -> None:
    assert f"that is {wavelengths(512)[-1]:,.1f} ([chapter 4]" in NOTATION
    assert f"{wavelengths(512)[-1]:.1f}" in shown_by("04_row_of_clocks")


def test_the_notation_of_the_two_layouts() -> None:
    columns = torch.arange(6).unsqueeze(0)  # (1, 6)
    halves = torch.cat([columns[:, 0::2], columns[:, 1::2]], dim=1)[0]
    orders = [columns[0], halves]
    row_0 = [stepwise(1, 6)[0, order].int() for order in orders]
    for first, expected in {"columns": orders, "row 0": row_0}.items():
        printed = [" ".join(map(str, row.tolist())) for row in expected]
        assert table_row(LAYOUTS, first) == printed


def test_the_notation_has_no_other_number() -> None:
    """0 and 1 for counting, the widths, the base, and two that are tested above."""
    rest = NOTATION.replace(SMALL_EXAMPLE, "").replace(LAYOUTS, "")
    without_chapters = CHAPTER.sub("", rest)
    found = set(prose_numbers(without_chapters))
    assert found == {"0", "1", "6", "512", "10000", "464.1590", "60611.5"}


def test_the_notation_names_what_pe_core_has() -> None:
    names = re.findall(r"^\| `(\w+)\(", NOTATION, re.MULTILINE)
    assert len(names) == 8
    assert set(names) <= set(pe_core.__all__)
