def speeds(first, last, hands):
    i = torch.arange(hands, dtype=torch.float64)
    wavelengths = first * (last / first) ** (i / (hands - 1))
    return 2 * math.pi / wavelengths


def code(length, first, last, hands):
    angles = torch.outer(torch.arange(length).double(), speeds(first, last, hands))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
