import torch


def turn(x, positions, base=10000.0, layout="interleaved"):
    x = torch.as_tensor(x, dtype=torch.float64)  # (n, d)
    p = torch.as_tensor(positions, dtype=torch.float64)  # (n,)
    d = x.shape[1]
    omega = base ** (-torch.arange(0, d, 2).double() / d)  # (d/2,)
    angle = p[:, None] * omega  # (n, d/2)
    woven = layout == "interleaved"
    first, second = (x[:, 0::2], x[:, 1::2]) if woven else x.chunk(2, dim=1)
    new_first = first * angle.cos() - second * angle.sin()
    new_second = first * angle.sin() + second * angle.cos()
    if woven:
        return torch.stack([new_first, new_second], dim=-1).flatten(1)
    return torch.cat([new_first, new_second], dim=1)


def between(k, d, base=10000.0):
    # Column c is what becomes of a vector that holds 1 in column c alone.
    return turn(torch.eye(d), [k] * d, base)
