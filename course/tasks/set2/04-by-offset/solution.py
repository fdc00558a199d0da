def by_offset(program):
    for length, d_model in ((300, 16), (40, 6)):
        table = program(length, d_model)
        products = table @ table.T
        for k in range(length):
            along = products.diagonal(k)
            if along.max() - along.min() > 1e-6:
                return False
    return True
