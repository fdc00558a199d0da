def position_of(row, base=10000.0):
    return round(math.atan2(row[0], row[1]) % (2 * math.pi))
