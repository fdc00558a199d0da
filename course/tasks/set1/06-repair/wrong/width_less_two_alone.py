def table(length, d_model, layout="interleaved"):
    position = torch.arange(length).unsqueeze(1)
    even = torch.arange(0, d_model, 2)
    angle = position / 10000 ** (even / (d_model - 2))
    if layout == "halves":
        return torch.cat([angle.sin(), angle.cos()], dim=1)
    return torch.stack([angle.sin(), angle.cos()], dim=1).reshape(length, d_model)
