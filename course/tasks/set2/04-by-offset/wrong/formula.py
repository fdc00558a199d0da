from pe_core import stepwise


def by_offset(program):
    for length, d_model in ((300, 16), (40, 6)):
        table = program(length, d_model)
        right = stepwise(length, d_model, dtype=torch.float64)
        if not torch.allclose(table @ table.T, right @ right.T, atol=1e-6):
            return False
    return True
