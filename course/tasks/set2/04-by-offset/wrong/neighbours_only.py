def by_offset(program):
    table = program(300, 16)
    products = (table[1:] * table[:-1]).sum(dim=1)
    return bool(products.max() - products.min() < 1e-6)
