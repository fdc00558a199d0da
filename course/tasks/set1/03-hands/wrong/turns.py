def speeds(first, last, hands):
    return np.geomspace(1 / first, 1 / last, hands)



def code(length, first, last, hands):
    angles = torch.outer(torch.arange(length).double(), torch.as_tensor(speeds(first, last, hands)))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
