import torch

from pe_core import offset_matrix


def accepts(program):
    return all(
        torch.equal(program(k, d).double(), offset_matrix(k, d))
        for k in (1, 4, -3, 150)
        for d in (2, 6, 8, 20)
    )
