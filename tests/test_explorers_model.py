"""ModelExplorer: what its Python half computes, its data, and how the front end reads weights."""

from __future__ import annotations

import base64
import struct

import numpy as np
import pytest
import torch
from front_end import assert_close, call
from safetensors.torch import load

from pe_lab import weights
from pe_lab.explorers import ModelExplorer
from pe_lab.explorers.model import ALPHABET, BACK, MOST, TRAINED, TRAINED_LENGTH, WORDS
from pe_lab.tasks import WORDS as COUNT
from pe_lab.training import accuracy


def test_the_models_are_those_that_the_front_end_knows() -> None:
    assert sorted(TRAINED) == weights.names()
    assert len(ALPHABET) == COUNT
    for name in TRAINED:
        model, run = weights.trained(name)
        assert run.encoding == name.partition(",")[0]
        assert (run.task, run.settings, run.length) == ("copy", {"k": BACK}, TRAINED_LENGTH)
        # One layer, both sides visible, and an encoding as its source has it.
        assert (len(model.layers), run.causal, run.options) == (1, False, {})
        assert run.n_heads in (1, 2, 4), "else ALiBi's slopes are others"


@pytest.mark.parametrize("name", TRAINED)
def test_the_data_of_a_model_is_its_weights(name: str) -> None:
    model, run = weights.trained(name)
    tensors = load(ModelExplorer.files[name]())
    for key, stored in model.state_dict().items():
        assert torch.equal(tensors[key].float(), stored[:MOST] if "rows" in key else stored)
    table = {"encoding.table"} if run.encoding == "untrained table" else set()
    assert set(tensors) - set(model.state_dict()) == table


def test_the_words_are_the_readers_own_and_then_random_ones() -> None:
    assert ModelExplorer(length=8).words == WORDS[:8]
    assert ModelExplorer(text="ABBA", length=8).words == "ABBA" + WORDS[4:8]
    assert ModelExplorer(text="ABBAABBA", length=5, place=0, other=4).words == "ABBAA"
    explorer = ModelExplorer(text="ABCDEFGH", length=8, place=1, other=6, exchanged=True)
    assert explorer.words == "AGCDEFBH"
    assert len(set(WORDS)) == len(ALPHABET)


def test_a_place_moves_inside_a_shorter_text() -> None:
    explorer = ModelExplorer(length=64, place=60, other=63)
    explorer.length = 16
    assert (explorer.place, explorer.other) == (15, 15)


@pytest.mark.parametrize("name", TRAINED)
def test_the_tensors_behind_the_figure(name: str) -> None:
    explorer = ModelExplorer(name, length=40, exchanged=True)
    model, run = weights.trained(name)
    attention = model.attention(explorer.tokens[None])[0, 0].double()
    assert explorer.attention.shape == (run.n_heads, 40, 40)
    assert (explorer.attention - attention).abs().max() < 1e-4
    assert explorer.logits.dtype == torch.float64
    assert (explorer.logits - model(explorer.tokens[None])[0]).abs().max() < 1e-3
    assert explorer.answers == "".join(ALPHABET[each] for each in explorer.logits.argmax(dim=1))
    wanted = [explorer.answers[p] == explorer.words[p - BACK] for p in range(BACK, 40)]
    assert explorer.right == wanted
    added = model.encoding.add(torch.zeros(1, 40, 64, dtype=torch.float64))[0]
    assert torch.equal(explorer.encoding, added)
    assert bool(explorer.encoding.any()) == ("add" in model.encoding.acts)


def test_what_is_shown_is_what_was_measured() -> None:
    """On many texts the explorer is as often right as its model."""
    _, run = weights.trained("RoPE")
    words = torch.randint(COUNT, (40, 64), generator=torch.Generator().manual_seed(1))
    texts = ["".join(ALPHABET[each] for each in row) for row in words]
    right = [sum(ModelExplorer("RoPE", text, 64).right) / 61 for text in texts]
    model, _ = weights.trained("RoPE")
    assert np.mean(right) == pytest.approx(accuracy(model, run.draw(), 64), abs=0.02)


def test_the_sentence_says_how_many_places_are_looked_at_alike() -> None:
    state = {"trained": "none", "length": 5, "place": 4, "other": 0, "exchanged": False}
    shown = {
        "words": "ABABA",
        "answers": "ABABB",
        "right": [False, False, False, False, True],
        "changed": [False] * 5,
    }

    def said(others: int, count: int, asked: int) -> str:
        looks = [{"at": 0, "weight": 0.25, "others": others}]
        given = {**shown, "looks": looks, "count": count, "asked": asked}
        [words] = call(ModelExplorer.module(), "says", [[state, given]])
        return str(words)

    assert "head 1 looks most, with 0.2500, at place 0. At place" in said(0, 1, 2)
    assert "at place 0 and as much at 1 other. " in said(1, 1, 2)
    assert "at place 0 and as much at 2 others. " in said(2, 1, 2)
    for (count, asked), words in {
        (0, 1): "0 of 1 answer is",
        (1, 1): "1 of 1 answer is",
        (1, 2): "1 of 2 answers is",
        (0, 2): "0 of 2 answers are",
        (2, 2): "2 of 2 answers are",
    }.items():
        assert said(0, count, asked).startswith(f"none, 5 words: {words} right. ")


def test_the_still_picture_says_what_its_colours_mean() -> None:
    figure = ModelExplorer().still()
    assert figure.get_supxlabel() == "colour: the square root of the weight"


def test_an_unknown_file_is_an_error_in_python() -> None:
    with pytest.raises(KeyError):
        ModelExplorer().file("none such", [])
    nothing, [data] = ModelExplorer().file("RoPE", [])
    assert nothing is None
    assert data == ModelExplorer.files["RoPE"]()


def test_every_number_of_16_bits_is_read() -> None:
    bits = np.arange(1 << 16, dtype=np.uint16)
    wanted = bits.view(np.float16).astype(float)
    finite = np.isfinite(wanted)
    found = call(ModelExplorer.module(), "half", [[int(each)] for each in bits[finite]])
    assert_close(found, wanted[finite], 0.0)
    given = [[0x7C00], [0xFC00], [0x7E00]]
    assert call(ModelExplorer.module(), "half", given) == ["Infinity", "-Infinity", "NaN"]


def test_a_file_with_other_numbers_is_refused() -> None:
    header = b'{"x":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}}'
    file = struct.pack("<Q", len(header)) + header + b"\1"
    with pytest.raises(RuntimeError, match="x must hold F16 or F32, not I8"):
        call(ModelExplorer.module(), "readTensors", [[{"base64": base64.b64encode(file).decode()}]])
