from pe_core import similarity, stepwise


def by_offset(program):
    table = program(300, 16)
    right = stepwise(300, 16, dtype=torch.float64)
    return torch.allclose(table @ table.T, right @ right.T, atol=1e-6)
