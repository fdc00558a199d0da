def position_of(row, base=10000.0):
    omega = base ** (-(len(row) - 2) / len(row))
    return round(math.asin(row[-2]) / omega)
