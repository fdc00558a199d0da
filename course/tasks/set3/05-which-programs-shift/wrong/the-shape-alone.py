def accepts(program):
    return program(1, 6).shape == (6, 6)
