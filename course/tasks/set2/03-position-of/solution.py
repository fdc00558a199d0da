def position_of(row, base=10000.0):
    d_model = len(row)
    omega = base ** (-torch.arange(0, d_model, 2).double() / d_model)  # (d/2,)
    angles = torch.outer(torch.arange(5001).double(), omega)  # (5001, d/2)
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return int((table @ row).argmax())  # all rows are equally long
