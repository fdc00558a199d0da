def speeds(first, last, hands):
    return torch.tensor(2 * np.pi / np.geomspace(first, last, hands))



def code(length, first, last, hands):
    angles = torch.arange(length)[:, None] * speeds(first, last, hands)
    return torch.cat([angles.sin(), angles.cos()], dim=1)
