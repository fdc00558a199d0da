from pe_core import stepwise


def usual(length, d_model):
    return stepwise(length, d_model, dtype=torch.float64)


def growing(length, d_model):  # every row is longer than the one before
    return usual(length, d_model) * torch.arange(1, length + 1)[:, None]


print("the book's table:", by_offset(usual))
print("one whose rows grow:", by_offset(growing))
