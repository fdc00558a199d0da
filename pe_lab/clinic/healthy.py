"""Six right programs, each in another style.

They agree within the rounding of what they compute with: float64 in four of them, float32 in one,
and float16 for the result of the last.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from pe_core import stepwise


def loops(length: int, d_model: int) -> Tensor:
    """Entry by entry."""
    table = torch.empty(length, d_model, dtype=torch.float64)
    for p in range(length):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table


def masks(length: int, d_model: int) -> np.ndarray:
    """Every column twice, and a choice between sine and cosine."""
    c = np.arange(d_model)
    angle = np.arange(length)[:, None] / 10000 ** ((c - c % 2) / d_model)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))


def exp_log(length: int, d_model: int) -> Tensor:
    """Slices of a table of zeros, the frequencies by exp and log, in float32."""
    position = torch.arange(length).unsqueeze(1)
    omega = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(length, d_model)
    pe[:, 0::2], pe[:, 1::2] = torch.sin(position * omega), torch.cos(position * omega)
    return pe


def euler(length: int, d_model: int) -> Tensor:
    """The parts of e^(i ω p), the imaginary one first."""
    omega = 10000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    turned = torch.exp(1j * torch.outer(torch.arange(length).double(), omega))
    return torch.view_as_real(turned).flip(-1).flatten(1)


def row_by_row(length: int, d_model: int) -> np.ndarray:
    """Each row from the row before, turned by one position."""
    omega = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    turn, hand = np.exp(1j * omega), np.ones(d_model // 2, dtype=complex)
    rows = []
    for _ in range(length):
        rows.append(np.stack([hand.imag, hand.real], axis=-1).ravel())
        hand = hand * turn
    return np.array(rows)


def half_precision(length: int, d_model: int) -> Tensor:
    """The table rounded for a model that computes in float16."""
    return stepwise(length, d_model, dtype=torch.float64).half()


RIGHT_PROGRAMS = (loops, masks, exp_log, euler, row_by_row, half_precision)
