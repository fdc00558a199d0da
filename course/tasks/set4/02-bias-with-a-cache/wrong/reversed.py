import torch


def slopes(n):
    power = 2 ** (n.bit_length() - 1)  # the largest power of two up to n
    of_power = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    of_next = [2 ** (-4 * h / power) for h in range(1, 2 * power + 1, 2)]
    return torch.tensor((of_power + of_next)[:n], dtype=torch.float64)


def alibi(n_heads, n_queries, n_keys):
    key = torch.arange(n_keys)
    query = torch.arange(n_keys - n_queries, n_keys)
    distance = (key[None, :] - query[:, None]).abs()  # (n_queries, n_keys)
    return -slopes(n_heads).flip(0)[:, None, None] * distance
