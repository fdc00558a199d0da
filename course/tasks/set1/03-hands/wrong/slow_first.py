def speeds(first, last, hands):
    return torch.tensor(2 * np.pi / np.geomspace(last, first, hands))



def code(length, first, last, hands):
    angles = torch.outer(torch.arange(length).double(), torch.as_tensor(speeds(first, last, hands)))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
