def by_offset(program):
    lengths = program(300, 16).norm(dim=1)
    return bool(lengths.max() - lengths.min() < 1e-6)
