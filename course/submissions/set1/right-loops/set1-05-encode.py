def encode(length, d_model, base=10000.0, start=0):
    table = []
    for row in range(length):
        numbers = []
        for column in range(d_model):
            angle = (start + row) / base ** ((column - column % 2) / d_model)
            numbers.append(math.cos(angle) if column % 2 else math.sin(angle))
        table.append(numbers)
    return table
