column = lambda d: torch.arange(d, dtype=torch.float64)
encode = lambda length, d_model, base=1e4, start=0: torch.sin(
    (start + torch.arange(length, dtype=torch.float64)).reshape(-1, 1)
    / base ** (2 * (column(d_model) // 2) / d_model)
    + (column(d_model) % 2) * math.pi / 2
).to(torch.float32)
