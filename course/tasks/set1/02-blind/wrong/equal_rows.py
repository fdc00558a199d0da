def blind(layer):
    X = torch.zeros(8, 4, dtype=torch.float64)
    order = torch.randperm(8)
    return torch.allclose(X[order], X)
