def by_offset(program):
    table = program(300, 16)
    products = table @ table.T
    return all(len(products.diagonal(k).unique()) == 1 for k in range(300))
