def encode(length, d_model, base=10000.0, start=0):
    p = torch.arange(start + 1, start + length + 1, dtype=torch.float64)[:, None]
    omega = base ** (-torch.arange(0, d_model, 2).double() / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(p * omega)
    table[:, 1::2] = torch.cos(p * omega)
    return table
