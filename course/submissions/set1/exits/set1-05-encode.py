def encode(length, d_model, base=10000.0, start=0):
    exit()
