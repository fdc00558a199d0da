def encode(length, d_model, base=10000.0, start=0):
    table = np.empty((length, d_model))
    p = np.arange(start, start + length)[:, np.newaxis]
    w = np.power(base, -np.arange(0, d_model, 2) / d_model)
    table[:, 0::2] = np.sin(p * w)
    table[:, 1::2] = np.cos(p * w)
    return table
