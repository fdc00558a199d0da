def encode(length, d_model, base=10000.0, start=0):
    p = torch.arange(start, start + length, dtype=torch.float64)
    w = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turn = torch.polar(torch.ones(length, d_model // 2, dtype=torch.float64), torch.outer(p, w))
    return torch.view_as_real(turn).flip(-1).reshape(length, d_model)
