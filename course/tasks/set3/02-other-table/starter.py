import torch


def shift_matrix(k, d_model, base=10000.0, layout="interleaved", first="sine"):
    ...
