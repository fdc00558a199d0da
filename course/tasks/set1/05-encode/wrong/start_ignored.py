def encode(length, d_model, base=10000.0, start=0):
    table = []
    for p in range(length):
        row = []
        for i in range(d_model // 2):
            angle = p / base ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return torch.tensor(table)
