import torch


def slopes(n):
    return torch.tensor([2 ** (-8 * h / n) for h in range(1, n + 1)], dtype=torch.float64)


def alibi(n_heads, n_queries, n_keys):
    key = torch.arange(n_keys)
    query = torch.arange(n_keys - n_queries, n_keys)
    distance = (key[None, :] - query[:, None]).abs()  # (n_queries, n_keys)
    return -slopes(n_heads)[:, None, None] * distance
