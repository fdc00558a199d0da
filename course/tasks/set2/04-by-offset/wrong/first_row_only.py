def by_offset(program):
    table = program(120, 16)
    for k in range(60):
        assert abs(table[0] @ table[k] - table[1] @ table[k + 1]) < 1e-6
    return True
