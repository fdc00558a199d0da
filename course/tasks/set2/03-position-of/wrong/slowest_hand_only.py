def position_of(row, base=10000.0):
    omega = base ** (-(len(row) - 2) / len(row))
    return round(math.atan2(row[-2], row[-1]) % (2 * math.pi) / omega)
