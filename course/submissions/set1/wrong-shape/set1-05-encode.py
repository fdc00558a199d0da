def encode(length, d_model, base=10000.0, start=0):
    p = torch.arange(start, start + length, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, d_model, 2).double() / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).T
