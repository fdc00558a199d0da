import math

import torch


def slowed(d, base, way, factor, trained):
    if way == "NTK-aware" and d > 2:
        base = base * factor ** (d / (d - 2))
    omega = base ** (-torch.arange(0, d, 2).double() / d)  # (d/2,)
    if way == "interpolation":
        return omega / factor
    if way == "by turns":
        went_round = 2 * math.pi / omega <= factor * trained
        return torch.where(went_round, omega, omega / factor)
    return omega
