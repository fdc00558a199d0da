import torch


def turn(x, positions, base=10000.0, layout="interleaved"):
    ...


def between(k, d, base=10000.0):
    ...
