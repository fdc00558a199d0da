def encode(length, d_model, base=10000.0, start=0):
    p = torch.arange(start, start + length, dtype=torch.float64)[:, None]
    c = torch.arange(d_model)
    angle = p / base ** (2 * c / d_model)
    angle[:, 0::2] = angle[:, 0::2].sin()
    angle[:, 1::2] = angle[:, 1::2].cos()
    return angle
