def encode(length, d_model, base=10000.0, start=0):
    p = np.arange(start, start + length)[:, None]
    angle = p / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, d_model)
