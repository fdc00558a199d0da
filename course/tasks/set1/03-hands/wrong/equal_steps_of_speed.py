def speeds(first, last, hands):
    return np.linspace(2 * np.pi / first, 2 * np.pi / last, hands)



def code(length, first, last, hands):
    angles = torch.outer(torch.arange(length).double(), torch.as_tensor(speeds(first, last, hands)))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
