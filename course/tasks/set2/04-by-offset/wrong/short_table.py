def by_offset(program):
    table = program(50, 8)
    products = table @ table.T
    spread = [products.diagonal(k).max() - products.diagonal(k).min() for k in range(50)]
    return float(max(spread)) < 1e-6
