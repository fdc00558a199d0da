def encode(length, d_model, base=10000.0, start=0):
    pe = torch.zeros(length, d_model)
    position = torch.arange(start, start + length).float().unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe.unsqueeze(0)
