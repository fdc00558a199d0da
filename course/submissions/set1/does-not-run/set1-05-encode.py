def encode(length, d_model
    return
