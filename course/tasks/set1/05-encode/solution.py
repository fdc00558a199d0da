def encode(length, d_model, base=10000.0, start=0):
    p = torch.arange(start, start + length, dtype=torch.float64)[:, None]  # (L, 1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)  # (d/2,)
    angle = p / base ** (even / d_model)  # (L, d/2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (L, d)
