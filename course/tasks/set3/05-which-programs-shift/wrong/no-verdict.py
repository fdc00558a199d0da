from pe_core import offset_matrix


def accepts(program):
    if abs(program(4, 6).double() - offset_matrix(4, 6)).max() > 1e-3:
        return False
