"""Defective programs as they were met in public code, retold in our own words.

Defective is what does not make the table of the paper's formula. One of them, patient 2, follows
another convention: that is said of it, with the function that converts its table.

Each makes the table of a length and a width. Every place was opened and read. What is retold is the
defect: names and surroundings are ours, and where a program made more than one table, or was
written for another torch or another Python, the comment says what stands for it here.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from pe_lab.diagnosis.conventions import CONVENTIONS, Convention
from pe_lab.diagnosis.mistakes import BY_NAME
from pe_lab.diagnosis.recipe import Recipe

Table = Tensor | np.ndarray


def patient_1(length: int, d_model: int) -> Table:
    angle = np.array([
        [p / 10000 ** (2 * c / d_model) for c in range(d_model)]
        for p in range(length)
    ])  # fmt: skip
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return angle


def patient_2(length: int, d_model: int) -> Table:
    position = np.arange(length)[:, np.newaxis]
    i = np.arange(d_model // 2)
    angle = position / 10000 ** (2 * i / d_model)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)


def patient_3(length: int, d_model: int) -> Table:
    position = torch.arange(length).double().unsqueeze(1)
    rate = -math.log(10000.0) / d_model
    two_i = torch.arange(0, d_model, 2).double()
    factor = torch.exp(two_i * rate)
    pe = torch.zeros(length, d_model).double()  # there in float32
    pe[:, 0::2] = torch.sin(position / factor)
    pe[:, 1::2] = torch.cos(position / factor)
    return pe


def patient_4(length: int, d_model: int) -> Table:
    c = np.arange(d_model)
    even = c - c % 2
    exponent = even // d_model  # Python 2: even / d_model
    angle = np.arange(length)[:, None] / 10000.0**exponent
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return angle


def patient_5(length: int, d_model: int) -> Table:
    even = np.arange(d_model) // 2 * 2
    rows = [p / 10000 ** (even / d_model) for p in range(length)]
    table = np.array(rows)
    table[1:, 0::2] = np.sin(table[1:, 0::2])
    table[1:, 1::2] = np.cos(table[1:, 1::2])
    return table


def patient_6(length: int, d_model: int) -> Table:
    position = torch.arange(length).unsqueeze(1)
    even = torch.arange(0, d_model, 2)
    odd = torch.arange(1, d_model, 2)
    pe = torch.zeros(length, d_model)
    pe[:, 0::2] = torch.sin(position / 10000 ** (even / d_model))
    pe[:, 1::2] = torch.cos(position / 10000 ** (odd / d_model))
    return pe


def patient_7(length: int, d_model: int) -> Table:
    x = torch.zeros(1, length, d_model)  # one text, batch first
    position = torch.arange(x.size(0)).unsqueeze(1)
    omega = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    pe = torch.zeros(x.size(0), d_model)
    pe[:, 0::2] = torch.sin(position * omega)
    pe[:, 1::2] = torch.cos(position * omega)
    return (x + pe)[0]  # what this text gets


def patient_8(length: int, d_model: int) -> Table:
    width = 2 * d_model  # of an image's two axes; this is one
    two_i = torch.arange(0, width // 2, 2)
    rate = -math.log(10000.0) / width // 2
    omega = torch.exp(two_i * rate)
    angle = torch.outer(torch.arange(length), omega)
    pe = torch.zeros(length, d_model)
    pe[:, 0::2], pe[:, 1::2] = angle.sin(), angle.cos()
    return pe


def patient_9(length: int, d_model: int) -> Table:
    there = torch.ones(length)
    position = there.cumsum(0).unsqueeze(1)
    c = torch.arange(d_model)
    angle = position / 10000 ** (2 * (c // 2) / d_model)
    pair = (angle[:, 0::2].sin(), angle[:, 1::2].cos())
    return torch.stack(pair, dim=2).flatten(1)


def patient_10(length: int, d_model: int) -> Table:
    exponent = np.arange(d_model // 2) / (d_model // 2)
    omega = exponent**1e-4
    angle = np.outer(np.arange(length), omega)
    pair = (np.sin(angle), np.cos(angle))  # there in halves
    return np.stack(pair, axis=-1).reshape(length, d_model)


def patient_11(length: int, d_model: int) -> Table:
    pe = torch.zeros(length, d_model)
    for p in range(length):
        for i in range(0, d_model, 2):
            angle = p / 10000 ** (2 * i / d_model)
            pe[p, i] = math.sin(angle)
            pe[p, i + 1] = math.cos(angle)
    return pe


def patient_12(length: int, d_model: int) -> Table:
    position = torch.arange(length).unsqueeze(1)
    rate = -math.log(10000) / length
    omega = torch.exp(torch.arange(0, d_model, 2) * rate)
    pe = torch.zeros(length, d_model)
    pe[:, 0::2] = torch.sin(position * omega)
    pe[:, 1::2] = torch.cos(position * omega)
    return pe


def patient_13(length: int, d_model: int) -> Table:
    position = torch.arange(length).unsqueeze(1)
    even = torch.arange(0, d_model, 2)
    angle = position / 1000 ** (even / d_model)
    pe = torch.zeros(length, d_model)
    pe[:, 0::2], pe[:, 1::2] = angle.sin(), angle.cos()
    return pe


def patient_14(length: int, d_model: int) -> Table:
    position = torch.arange(length)[:, None]
    two_i = 2 * torch.arange(d_model // 2)
    angle = position / 10.0**4 ** (two_i / d_model)
    pe = torch.empty(length, d_model)
    pe[:, 0::2] = torch.sin(angle)
    pe[:, 1::2] = torch.cos(angle)
    return pe


@dataclass(frozen=True)
class Patient:
    """A defective program.

    Attributes:
        program: a function (length, d_model) -> table (length, d_model), float32 or float64.
        mistake: the name of its mistake in :mod:`pe_lab.diagnosis.mistakes`.
        place: where it was met: repository, and the issue, pull request or file.
    """

    program: Callable[[int, int], Table]
    mistake: str
    place: str

    @property
    def recipe(self) -> Recipe:
        """The formula with the mistake in it."""
        return Recipe((BY_NAME[self.mistake],))

    @property
    def convention(self) -> Convention | None:
        """The convention that it follows, if what is told here as a mistake is one."""
        alike = (each for each in CONVENTIONS if each.recipe.name == self.mistake)
        return next(alike, None)

    @property
    def text(self) -> str:
        """The program as it is read: its source, without types and without its number."""
        head, body = inspect.getsource(self.program).split("\n", 1)
        assert re.fullmatch(r"def patient_\d+\(length: int, d_model: int\) -> Table:", head)
        return "def table(length, d_model):\n" + body.replace("  # fmt: skip", "").rstrip()


PATIENTS = (
    Patient(patient_1, "raw-column", "jadore801120/attention-is-all-you-need-pytorch, issue 32"),
    Patient(patient_2, "halves", "tensorflow/text, issue 1122"),
    Patient(patient_3, "multiplied", "harvardnlp/annotated-transformer, issue 131"),
    Patient(patient_4, "all-one", "Kyubyong/transformer, pull request 81"),
    Patient(patient_5, "row-0-zero", "kaushalshetty/Positional-Encoding, issue 1"),
    Patient(patient_6, "own-column", "maxjcohen/transformer, issue 62"),
    Patient(patient_7, "one-position", "cmu-l3/anlp-fall2025-code, issue 1"),
    Patient(patient_8, "precedence", "zju3dv/LoFTR, issue 41"),
    Patient(patient_9, "from-1", "facebookresearch/detr, models/position_encoding.py"),
    Patient(patient_10, "power-exchanged", "ivanvovk/WaveGrad, issue 12"),
    Patient(patient_11, "doubled-exponent", "YutaroOgawa/pytorch_advanced, issue 79"),
    Patient(patient_12, "length-for-width", "warner-benjamin/commented-transformers, issue 1"),
    Patient(patient_13, "base-1000", "maxjcohen/transformer, issue 62"),
    Patient(patient_14, "power-chain", "janvainer/speedyspeech, issue 46"),
)
