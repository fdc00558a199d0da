import torch

from pe_core import stepwise


def moves_rows(program, k, d_model):
    M = program(k, d_model).double()
    first, count = max(0, -k), 40
    table = stepwise(first + abs(k) + count, d_model, dtype=torch.float64)
    before = table[first : first + count]
    after = table[first + k : first + k + count]
    return bool(((before @ M.T - after).abs() < 1e-3).all())


def accepts(program):
    return all(
        moves_rows(program, k, d_model)
        for k in (0, 1, 4, 150, 1000)
        for d_model in (2, 6, 8, 20)
    )
