"""The order, the counter and the head explorer: what their Python half encodes."""

from __future__ import annotations

import base64
import itertools
import math

import pytest
import torch
from expected import at
from front_end import call
from torch.nn.functional import scaled_dot_product_attention
from traitlets import TraitError

from pe_core import offset_matrix, stepwise
from pe_lab.explorers import CounterExplorer, HeadExplorer, OrderExplorer
from pe_lab.explorers.head import random_words
from pe_lab.explorers.order import MATRICES, VOCABULARY
from pe_lab.model import Layer
from pe_lab.weights import trained


def test_words_that_change_places_take_their_output_along() -> None:
    here, there = OrderExplorer("the dog bites the man"), OrderExplorer("man the bites dog the")
    assert torch.allclose(here.output.flip(0), there.output, rtol=0, atol=1e-14)
    assert torch.allclose(here.weights.flip(0, 1), there.weights, rtol=0, atol=1e-14)
    here.positions = there.positions = True
    assert (here.output.flip(0) - there.output).abs().max() > 0.1


@pytest.mark.parametrize("positions", [False, True])
def test_the_layer_is_attention(positions: bool) -> None:
    explorer = OrderExplorer("say hello world", positions)
    x = torch.tensor([VOCABULARY[word] for word in explorer.words], dtype=torch.float64)
    x = x + stepwise(3, 4, dtype=torch.float64) * positions  # (3, 4)
    q, k, v = (x @ torch.tensor(MATRICES[m], dtype=torch.float64) for m in MATRICES)
    assert torch.allclose(explorer.output, scaled_dot_product_attention(q, k, v), atol=1e-14)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("I", ["2 to 6", "got 1"]),
        ("I love I love I love I", ["2 to 6", "got 7"]),
        ("I love cats", ["'cats'", "India"]),
        ("I  love", ["''"]),
        (3, ["text", "3"]),
    ],
)
def test_a_wrong_sentence_is_named_and_changes_nothing(sentence: object, words: list[str]) -> None:
    explorer = OrderExplorer()
    before = repr(explorer)
    with pytest.raises(TraitError) as caught:
        explorer.sentence = sentence
    for word in ["OrderExplorer", "sentence", *words]:
        assert word in str(caught.value)
    assert repr(explorer) == before


def test_a_place_moves_inside_a_shorter_sentence() -> None:
    explorer = OrderExplorer("the dog bites the man", place=4)
    explorer.sentence = "John is"
    assert explorer.place == 1
    with pytest.raises(TraitError, match="place must lie between 0 and 1, got 2"):
        explorer.place = 2


def test_a_ticking_counter_flips_digits_and_a_smooth_one_moves_evenly() -> None:
    flips = [bin(p ^ (p + 1)).count("1") for p in range(64)]  # 7 to 8 flips four, 63 to 64 all
    flips[-1] = 6  # the seventh digit of 64 has no hand
    ticking = CounterExplorer().distances
    assert torch.allclose(ticking, 2 * torch.tensor(flips, dtype=torch.float64).sqrt())
    smooth = CounterExplorer(smooth=100).distances
    even = math.sqrt(sum(4 * math.sin(math.pi / 2 ** (j + 1)) ** 2 for j in range(6)))
    assert torch.allclose(smooth, torch.full_like(smooth, even))


def test_hands_at_the_speed_of_the_paper_are_the_encoding() -> None:
    explorer = CounterExplorer(speed="paper", smooth=30)
    assert torch.allclose(explorer.encoding, stepwise(65, 6, dtype=torch.float64), atol=1e-13)


@pytest.mark.parametrize(("radix", "digits"), [(2, 6), (3, 4), (4, 3), (7, 3), (8, 2), (10, 2)])
def test_a_counter_has_the_digits_that_it_needs(radix: int, digits: int) -> None:
    assert CounterExplorer(radix=radix).digits == digits


SAID = "export const said = (state) => says(state, numbers(state));"


def test_neighbours_that_look_alike_in_print_are_given_once() -> None:
    start = {"position": 7, "radix": 4, "smooth": 99, "speed": "counter"}
    asked = [[start], [{**start, "smooth": 100}], [{**start, "smooth": 50}]]
    almost, even, half = call(CounterExplorer.module() + SAID, "said", asked)
    assert almost.endswith("Position 8 is 1.47 away; neighbours are 1.47 apart.")
    assert even.endswith("Position 8 is 1.47 away, as far as any two neighbours are.")
    distances = CounterExplorer(radix=4, smooth=50).distances
    assert f"neighbours are {distances.min():.2f} to {distances.max():.2f} apart." in half


def test_rows_that_look_at_their_target_are_counted_and_their_weight_is_the_mean() -> None:
    few, all_ = {"d_model": 4, "gain": 1, "pairs": 1, "words": True, "row": 9}, {"words": False}
    asked = [{**few, "offset": 3}, {**few, "offset": 1}, {**few, **all_, "offset": 0}]
    found = call(HeadExplorer.module() + SAID, "said", [[state] for state in asked])
    for said, state, words in zip(
        found,
        asked,
        (
            "0 of 47 rows look 3 back most",
            "1 of 49 rows looks 1 back most",
            "50 of 50 rows look at themselves most",
        ),
        strict=True,
    ):
        mean = at(HeadExplorer, **state).weights.diagonal(-state["offset"]).mean()
        assert f": {words}; the mean weight there is {mean:.4f}. Row" in said


# What is said of the trained head, one setting after another; and the last pattern.
OF_TRAINED = """
export const told = (file, states) => {
  const head = readHead(file);
  const patterns = [false, true].map((words) => trainedPattern(head, words));
  let before = null;
  return states.map((state) => {
    const shown = trainedNumbers(state, patterns[Number(state.words)]);
    const said = saysTrained(state, shown, before);
    before = shown;
    return [said, elsewhere(shown)];
  });
};
"""


def test_of_the_trained_head_is_said_what_has_changed() -> None:
    """Each step of gain would repeat thirty words to a screen reader."""
    file = {"base64": base64.b64encode(HeadExplorer.files["trained head"]()).decode()}
    rows = [*range(50), 49]
    states = [{"words": words, "row": row} for words in (False, True) for row in rows]
    [found] = call(HeadExplorer.module() + OF_TRAINED, "told", [[file, states]])
    for n, (state, (said, elsewhere)) in enumerate(zip(states, found, strict=True)):
        explorer = at(HeadExplorer, **state)
        row, weights = state["row"], explorer.trained_weights[state["row"]]
        looks, target = int(weights.argmax()), row - 3
        most = f"row {row} looks at position {looks} most, with {weights[looks]:.4f}."
        if n in (0, len(rows)):
            assert said.startswith(" Trained: ")
            assert " rows up to 31 look 3 back most;" in said
            assert said.endswith(f" Its {most}")
        else:
            assert said == ("" if n % len(rows) == 50 else f" Trained: {most}")
        far = target >= 0 and abs(looks - target) > 1
        assert elsewhere == (f", most to position {looks}: {weights[looks]:.4f}" if far else "")
    assert {elsewhere != "" for _, elsewhere in found} == {False, True}


def test_the_still_pattern_says_what_its_colours_mean() -> None:
    for both in (False, True):
        label = HeadExplorer(trained=both).still().axes[-2].get_xlabel()
        assert label == "looks at\ncolour: the square root of the weight"


@pytest.mark.parametrize(("d_model", "gain", "weight"), [(64, 1, 0.06), (64, 4, 0.36)])
def test_the_head_looks_back(d_model: int, gain: int, weight: float) -> None:
    head = HeadExplorer(3, d_model, gain)
    row = head.weights[30]
    assert row.argmax() == 27
    assert round(row[27].item(), 2) == weight


def test_the_head_is_the_one_of_the_theorem() -> None:
    for words, k in itertools.product((False, True), (-4, 0, 3)):
        head = HeadExplorer(k, 16, 2, 5, words)
        x = head.encoding + random_words()[:, :16] * words  # (50, 16)
        keys = x[:, :10]
        queries = 2 * (x @ offset_matrix(-k, 16).T)[:, :10]
        expected = (queries @ keys.T / 4).softmax(dim=1)
        assert torch.allclose(head.weights, expected, rtol=0, atol=1e-13)


def test_the_trained_head_reads_words_as_its_model_does() -> None:
    model, _ = trained("sinusoid, one head")
    explorer = HeadExplorer(words=True, trained=True)
    tokens = torch.tensor([explorer.values["TEXT"]])  # (1, 50)
    expected = model.attention(tokens)[0, 0, 0]  # (50, 50), in 32 bits
    assert (explorer.trained_weights - expected).abs().max() < 1e-5


def test_without_words_it_reads_the_part_position_with_position() -> None:
    """As the norm leaves the positions, but all divided by the usual deviation of a row."""
    model, _ = trained("sinusoid, one head")
    layer = model.double().layers[0]
    assert isinstance(layer, Layer)
    pe = stepwise(50, 64, dtype=torch.float64)
    with torch.no_grad():
        rows = pe + model.embedding.weight[:, None]  # (16, 50, 64)
        deviation = rows.var(dim=2, unbiased=False).mean().sqrt()
        seen = layer.norm_1.weight * (pe - pe.mean(dim=1, keepdim=True)) / deviation
        queries, keys = seen @ layer.attention.W_Q[0].T, seen @ layer.attention.W_K[0].T
        expected = (queries @ keys.T / 8).softmax(dim=1)
    assert torch.allclose(HeadExplorer().trained_weights, expected, rtol=0, atol=1e-12)


def test_the_random_words_look_random() -> None:
    words = random_words()
    assert abs(words.mean().item()) < 0.02
    assert abs(words.var().item() - 1) < 0.02
    gram = words @ words.T / 512  # (50, 50)
    assert (gram - torch.eye(50)).abs().max() < 0.25


def test_a_head_cannot_read_more_pairs_than_there_are() -> None:
    head = HeadExplorer(d_model=64, pairs=32)
    with pytest.raises(TraitError, match="pairs must lie between 1 and 32, got 33"):
        head.pairs = 33
    head.d_model = 16
    assert head.pairs == 8


def test_a_head_that_reads_all_pairs_reads_all_at_another_width() -> None:
    head = HeadExplorer()
    for d_model in (4, 64, 512, 6):
        head.d_model = d_model
        assert head.pairs == d_model // 2
    head.set_state({"d_model": 64, "pairs": 20})
    head.d_model = 128
    assert head.pairs == 20
    # What the front end sends together is meant, whatever it was before.
    for d_model in (256, 128):
        head.set_state({"d_model": d_model, "pairs": 64})
        assert (head.d_model, head.pairs) == (d_model, 64)
    head.set_state({"d_model": 512})
    assert head.pairs == 256
    head.set_state({"d_model": 64})
    head.set_state({"d_model": 256, "pairs": 32})
    assert head.pairs == 32, "not all, though they were all of 64"
