import torch


def alibi(n_heads, n_queries, n_keys):
    ...
