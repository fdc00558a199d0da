def blind(layer):
    X = torch.randn(6, 4, dtype=torch.float64)
    order = torch.tensor([2, 0, 1, 5, 4, 3])
    return bool((layer(X[order]) - layer(X)).abs().max() < 1e-6)
