"""Every number of an explorer's front end equals torch's, on a grid of settings with its corners.

Each check takes the text of a module and a list of settings: test_mutations_js.py hands it
modules with mistakes.
"""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Callable

import numpy as np
import pytest
import torch
from expected import at, gram_matrix, read, row, wide_steps
from front_end import State, assert_close, call, numbers
from test_explorers_clinic import check_clinic
from test_explorers_family import check_family
from torch import Tensor

import pe_lab.explorers
from pe_core import frequencies, offset_matrix, stepwise, trace, wavelengths
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
)
from pe_lab.explorers.explorer import Explorer
from pe_lab.explorers.model import ALPHABET

BASES = (10.0, 15.0, 10000.0, 1000000.0)


def grid(**values: object) -> list[State]:
    """Every combination of the values of the settings."""
    return [
        dict(zip(values, each, strict=True))
        for each in itertools.product(*values.values())  # type: ignore[call-overload]
    ]


def check_clock(module: str) -> None:
    states = grid(
        d_model=(2, 4, 6, 8, 16, 18, 100, 512),
        position=(0, 1, 44, 710, 1000),
        base=BASES,
        pair=(0,),
    )
    found = list(numbers(module, states))
    for state, shown in zip(states, found, strict=True):
        d_model, p, base = state["d_model"], state["position"], state["base"]
        omega, wave = frequencies(d_model, base=base), wavelengths(d_model, base=base)  # (d/2,)
        pe, start = row(p, d_model, base), row(0, d_model, base)  # (d,)
        expected = {
            "angle": p * omega,
            "sine": pe[0::2],
            "cosine": pe[1::2],
            "turns": p / wave,
            "wavelength": wave,
        }
        for name, values in expected.items():
            assert_close([each[name] for each in shown["clocks"]], values)
        assert_close(shown["first"], (pe - start)[:2].norm())
        assert_close(shown["row"], (pe - start).norm())
    moved = [each for each in zip(states, found, strict=True) if each[0]["position"]]
    for (_, shown), said in zip(moved, call(module, "says", moved), strict=True):
        turns = [f"{each['turns']:.3f}" for each in shown["clocks"]]
        hands = range(len(turns)) if len(turns) <= 3 else (0, len(turns) - 1)
        told = re.findall(r"hand (\d+) has made (\d+\.\d+)", said)
        assert told == [(str(i), turns[i]) for i in hands]


def check_build(module: str) -> None:
    states = [
        {**sizes, "step": step, "row": row, "column": column}
        for sizes in grid(d_model=(2, 4, 6, 10, 16), length=(1, 2, 10, 16), base=BASES)
        for row, column in {(0, 0), (sizes["length"] - 1, sizes["d_model"] // 2)}
        for step in range(9)
    ]
    for state, shown in zip(states, numbers(module, states), strict=True):
        tensors = wide_steps(state["length"], state["d_model"], state["base"])
        n, row, column = state["step"], state["row"], state["column"]
        assert [each["step"] for each in shown["sources"]] == SOURCES[n]
        for tensor in (shown["shown"], *shown["sources"]):
            expected = tensors[tensor["step"]]
            assert tuple(tensor["shape"]) == tuple(expected.shape)
            drawn = expected if expected.ndim > 1 else expected.unsqueeze(0)
            assert_close(tensor["values"], drawn.flatten(start_dim=1))
        # The chosen cell of each tensor is the one from which PE[row, column] is made.
        way = on_the_way(tensors, row, column)
        for tensor in (shown["shown"], *shown["sources"]):
            r, c = tensor["at"]
            assert_close(tensor["values"][r][c], way[tensor["step"]])
        assert_close(shown["value"], way[n])
        assert shown["used"] == ([5 + column % 2] if n == 7 else SOURCES[n])


SOURCES: list[list[int]] = [[], [], [0, 1], [], [3, 2], [4], [4], [5, 6], [7]]


def on_the_way(tensors: list[Tensor], row: int, column: int) -> list[float]:
    """What each tensor holds on the way to PE[row, column]."""
    pair, place = column // 2, column % 2
    even, odd, divisor, position, angle, sine, cosine, stacked, pe = tensors
    cells = [even[pair], odd[pair], divisor[pair], position[row, 0], angle[row, pair]]
    cells += [sine[row, pair], cosine[row, pair], stacked[row, pair, place], pe[row, column]]
    return [cell.item() for cell in cells]


@pytest.mark.parametrize("base", BASES)
def test_the_wide_steps_are_those_of_trace(base: float) -> None:
    for step, wide in zip(trace(10, 6, base=base), wide_steps(10, 6, base), strict=True):
        assert step.tensor.shape == wide.shape
        assert torch.allclose(step.tensor.double(), wide, rtol=1e-6, atol=1e-6)


def check_heatmap(module: str) -> None:
    states = [
        {**sizes, "row": row, "column": column}
        for sizes in grid(length=(2, 3, 64, 512), d_model=(2, 6, 64), base=BASES)
        for row, column in itertools.product(
            {0, sizes["length"] // 2, sizes["length"] - 1},
            {0, sizes["d_model"] // 2, sizes["d_model"] - 1},
        )
    ]
    states += [
        {"length": 512, "d_model": 512, "base": base, "row": 511, "column": c}
        for base, c in itertools.product(BASES, (0, 511))
    ]
    for state, shown in zip(states, numbers(module, states), strict=True):
        length, d_model, base = state["length"], state["d_model"], state["base"]
        p, c = state["row"], state["column"]
        pe = stepwise(length, d_model, base=base, dtype=torch.float64)  # (L, d)
        omega = frequencies(d_model, base=base)[c // 2]
        assert_close(shown["value"], pe[p, c])
        assert_close([shown["divisor"], shown["omega"]], [1 / omega, omega])
        assert_close(shown["wavelength"], 2 * torch.pi / omega)
        assert_close(shown["turns"], (length - 1) * omega / (2 * torch.pi))
        # The drawn table comes of a recurrence, whose rounding grows with the rows.
        assert_close(shown["vector"], pe[p], 1e-10)
        assert_close(shown["wave"], pe[:, c], 1e-10)


def check_similarity(module: str) -> None:
    states = [
        {**rest, "position": p}
        for rest in grid(
            schedule=("paper", "equal", "raw-exponent", "division"),
            d_model=(2, 6, 64, 512),
            length=(2, 3, 128, 512),
        )
        for p in {0, rest["length"] // 3, rest["length"] - 1}
    ]
    for state, shown in zip(states, numbers(module, states), strict=True):
        d_model, length, p = state["d_model"], state["length"], state["position"]
        gram, spread = gram_matrix(state["schedule"], d_model, length)  # (L, L)
        size = d_model / 2  # the largest value: the recurrence's rounding is relative to it
        step = 1 if p + 1 < length else -1
        start = gram[0][(torch.arange(length) - p).abs()]
        assert shown["step"] == step
        for name, expected in {
            "curve": gram[p],
            "start": gram[0],
            "norm": gram[p, p],
            "beside": gram[p, p + step],
            "fromStart": (gram[p] - start).abs().max(),
            "spread": spread,
        }.items():
            assert_close(np.array(shown[name]) / size, expected / size, 1e-9)
        rises = (gram[0, 1:] > gram[0, :-1] + 1e-9).nonzero()
        assert shown["rise"] == (rises[0] if len(rises) else -1)


def check_offset(module: str) -> None:
    states = grid(
        d_model=(2, 4, 6, 16),
        position=(0, 3, 57, 100),
        offset=(-50, -7, 0, 4, 50),
        base=BASES,
        pair=(0,),
    )
    found = list(numbers(module, states))
    for state, shown in zip(states, found, strict=True):
        d_model, p, k, base = (state[name] for name in ("d_model", "position", "offset", "base"))
        omega = frequencies(d_model, base=base)  # (d/2,)
        matrix = offset_matrix(k, d_model, base=base)  # (d, d)
        start, goal = row(p, d_model, base), row(p + k, d_model, base)  # (d,)
        for name, angle in {"before": p, "by": k, "after": p + k}.items():
            assert_close([each[name] for each in shown["turns"]], angle * omega)
        assert_close(shown["matrix"], matrix)
        assert_close(shown["start"], start)
        assert_close(shown["moved"], matrix @ start)
        assert_close(shown["goal"], goal)
        apart = [a - b for a, b in zip(shown["moved"], shown["goal"], strict=True)]
        assert shown["difference"] == apart
        assert shown["off"] == max(map(abs, apart)) < 1e-12
    pairs = list(itertools.pairwise(found))
    moves = call(module, "lastMove", [[now, before] for before, now in pairs])
    for (before, now), move in zip(pairs, moves, strict=True):
        if len(before["start"]) != len(now["start"]):
            assert move is None, "another size is no move of the numbers"
            continue
        for name in ("matrix", "start"):
            change = np.abs(np.array(now[name]) - np.array(before[name]))
            assert move[name] == change.max()
    assert call(module, "lastMove", [[found[0]]]) == [None]


def check_order(module: str) -> None:
    states = grid(
        sentence=(
            "I love",
            "I love India",
            "India love I",
            "the dog bites the man",
            "is " * 5 + "is",
            "John love the world",  # in alphabetical order
            "dog the dog",  # the same in the reversed order
            "dog My India I",  # a capital is a letter like others
        ),
        positions=(False, True),
        place=(0,),
    )
    for state, shown in zip(states, numbers(module, states), strict=True):
        explorer = at(OrderExplorer, **state)
        assert shown["words"] == explorer.words
        assert_close(shown["weights"], explorer.weights)
        assert_close(shown["output"], explorer.output)
        words = explorer.words
        orders = (sorted(words, key=str.lower), words[::-1])
        most = max(largest_change(explorer, other) for other in orders)
        assert_close(shown["change"], most)
        [said] = call(module, "says", [[state, shown["change"]]])
        assert ("with positions" in said) is state["positions"]
        assert ("the numbers of a word depend on where it stands" in said) is state["positions"]
        if state["positions"]:
            assert (shown["change"] > 0.001) is (len(set(words)) > 1), "else there is one order"
            assert f"{most:.4f}" in said or len(set(words)) == 1
    moved = [["a b c d", 0, 2], ["a b c d", 3, 0], ["a b", 1, 1]]
    assert call(module, "moved", moved) == ["b c a d", "d a b c", "a b"]


def largest_change(explorer: OrderExplorer, other: list[str]) -> float:
    """By how much at most an output differs from the same word's in another order."""
    there = OrderExplorer(" ".join(other), explorer.positions).output
    change = 0.0
    for word in set(other):
        # Words of one name in their order.
        before, after = ([p for p, w in enumerate(o) if w == word] for o in (explorer.words, other))
        change = max(change, (explorer.output[before] - there[after]).abs().max().item())
    return change


def check_counter(module: str) -> None:
    states = grid(
        position=(0, 7, 31, 63),
        radix=tuple(range(2, 11)),
        smooth=(0, 35, 100),
        speed=("counter", "paper"),
    )
    for state, shown in zip(states, numbers(module, states), strict=True):
        explorer = at(CounterExplorer, **state)
        p, radix, paper = state["position"], state["radix"], state["speed"] == "paper"
        hands = shown["hands"][::-1]  # fast ones first
        assert_close([each["angle"] for each in hands], explorer.angles[p])
        assert_close([each["next"] for each in hands], explorer.angles[p + 1])
        assert_close(shown["distances"], explorer.distances)
        assert_close(shown["distance"], explorer.distances[p])
        if paper:
            assert_close([each["period"] for each in hands], wavelengths(6))
            continue
        assert sum(each["digit"] * radix**j for j, each in enumerate(hands)) == p
        assert [each["period"] for each in hands] == [radix ** (j + 1) for j in range(len(hands))]


def check_head(module: str) -> None:
    check_trained_head(module)
    states = [
        {**rest, "d_model": d_model, "pairs": pairs, "row": 17}
        for rest in grid(offset=(-10, 0, 3, 10), gain=(1, 4, 16), words=(False, True))
        for d_model, pairs in ((4, 1), (16, 8), (64, 32), (64, 5), (512, 256), (512, 64))
    ]
    for state, shown in zip(states, numbers(module, states), strict=True):
        explorer = at(HeadExplorer, **state)
        p = torch.arange(50)
        weights, target = explorer.weights, p[(p >= state["offset"]) & (p < 50 + state["offset"])]
        assert_close(shown["weights"], weights.flatten(), 1e-11)  # by a recurrence, times 16
        assert_close(shown["onTarget"], weights[target, target - state["offset"]].mean(), 1e-11)
        assert_close(shown["one"], weights[17], 1e-11)
        assert (shown["target"], shown["looks"]) == (17 - state["offset"], weights[17].argmax())
        looks = weights.argmax(dim=1)[target]
        assert shown["right"] == int((looks == target - state["offset"]).sum())
        assert shown["have"] == len(target)


# The trained head's numbers, and its pattern.
OF_TRAINED = """
export const ofTrained = (file, states) => {
  const head = readHead(file);
  return states.map((state) => trainedNumbers(state, trainedPattern(head, state.words)));
};
"""


def check_trained_head(module: str) -> None:
    states = grid(words=(False, True), row=(1, 30, 49))
    file = {"base64": base64.b64encode(HeadExplorer.files["trained head"]()).decode()}
    [found] = call(module + OF_TRAINED, "ofTrained", [[file, states]])
    for state, shown in zip(states, found, strict=True):
        row = state["row"]
        weights = at(HeadExplorer, **state).trained_weights
        on_target = weights.diagonal(-3)  # of the rows from 3 on
        assert_close(shown["weights"], weights.flatten(), 1e-10)
        assert_close(shown["one"], weights[row], 1e-10)
        assert (shown["target"], shown["looks"]) == (row - 3, weights[row].argmax())
        assert_close(shown["onTarget"], on_target[:29].mean(), 1e-10)
        assert_close(shown["beyond"], on_target[29:].mean(), 1e-10)
        right = weights.argmax(dim=1)[3:32] == torch.arange(29)
        assert (shown["right"], shown["have"]) == (int(right.sum()), 29)


# Calls `numbers` on states of one model, and gives what the model computed before the softmax.
WITH_ITS_FILE = """
export const ofModel = (file, states) => {
  const model = readModel(file, 128);
  return states.map((state) => {
    const shown = numbers(state, model);
    const words = [...shown.words].map((each) => TEXTS.text.alphabet.indexOf(each));
    return { ...shown, logits: forward(model, words).logits };
  });
};
"""


def check_model(module: str) -> None:
    plain, exchanged = {"text": "", "exchanged": False}, {"text": "ABBAABBA", "exchanged": True}
    # The first shows most, of every model, before the others are computed.
    kinds = [
        {"length": n, "place": n - 1, "other": n // 2, **kind}
        for kind, lengths in ((exchanged, (33, 4, 5, 31, 32, 128)), (plain, (4, 33, 128)))
        for n in lengths
    ]
    kinds.append({**exchanged, "length": 128, "text": "P" * 128, "place": 0, "other": 64})
    for some in (kinds[:1], kinds[1:]):
        calls = [
            [file_of(name), [{"trained": name, **kind} for kind in some]]
            for name in ModelExplorer.files
        ]
        found = call(module + WITH_ITS_FILE, "ofModel", calls)
        for (_, states), of_model in zip(calls, found, strict=True):
            for state, shown in zip(states, of_model, strict=True):
                check_shown(state, shown)


def file_of(name: str) -> dict[str, str]:
    return {"base64": base64.b64encode(ModelExplorer.files[name]()).decode()}


def check_shown(state: State, shown: State) -> None:
    now, plain = read(**state), read(**{**state, "exchanged": False})
    length, place = state["length"], state["place"]
    assert shown["words"] == now.words
    # Both sides sum in 64 bits; the rows of the untrained table have 32 on the page.
    allowed = 1e-6 if state["trained"] == "untrained table" else 1e-10
    assert_close(shown["weights"], now.attention.flatten(), allowed)
    assert_close(shown["logits"], now.logits.flatten(), allowed)
    chance, answer = now.logits.softmax(dim=1).max(dim=1)
    assert_close(shown["sure"], chance, allowed)
    assert shown["answers"] == now.answers == "".join(ALPHABET[each] for each in answer)
    right = [False] * 3 + now.right
    assert shown["right"] == right
    assert (shown["count"], shown["asked"]) == (sum(right), length - 3)
    assert shown["beyond"] == {"count": sum(right[32:]), "asked": max(0, length - 32)}
    looks = now.attention[:, place]  # (heads, L)
    # Without positions equal words get equal weights, which torch rounds as the processor likes.
    first_of_largest = looks.round(decimals=12).argmax(dim=1).tolist()
    assert [each["at"] for each in shown["looks"]] == first_of_largest
    most = looks.amax(dim=1)  # (heads,)
    assert_close([each["weight"] for each in shown["looks"]], most, allowed)
    alike = (looks > most.unsqueeze(1) - 1e-9).sum(dim=1) - 1
    assert [each["others"] for each in shown["looks"]] == alike.tolist()
    pairs = zip(now.answers, plain.answers, strict=True)
    assert shown["changed"] == [each != before for each, before in pairs]


CHECKS: dict[type[Explorer], Callable[[str], None]] = {
    BuildExplorer: check_build,
    ClinicExplorer: check_clinic,
    ClockExplorer: check_clock,
    CounterExplorer: check_counter,
    FamilyExplorer: check_family,
    HeadExplorer: check_head,
    HeatmapExplorer: check_heatmap,
    ModelExplorer: check_model,
    OffsetExplorer: check_offset,
    OrderExplorer: check_order,
    SimilarityExplorer: check_similarity,
}


@pytest.mark.parametrize("explorer", CHECKS, ids=lambda each: each.__name__)
def test_the_numbers_are_those_of_torch(explorer: type[Explorer]) -> None:
    CHECKS[explorer](explorer.module())


def test_every_explorer_is_checked() -> None:
    assert {each.__name__ for each in CHECKS} == set(pe_lab.explorers.__all__)
