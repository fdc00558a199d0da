import torch


def shift_matrix(k, d_model, base=10000.0, layout="interleaved", first="sine"):
    i = torch.arange(d_model // 2)
    angle = k * base ** (-2.0 * i.double() / d_model)  # (d/2,)
    if layout == "interleaved":
        one, two = 2 * i, 2 * i + 1
    else:
        one, two = i, i + d_model // 2
    sine, cosine = (one, two) if first == "sine" else (two, one)
    M = torch.zeros(d_model, d_model, dtype=torch.float64)
    M[sine, sine] = M[cosine, cosine] = angle.cos()
    M[sine, cosine] = angle.sin()
    M[cosine, sine] = -angle.sin()
    return M
