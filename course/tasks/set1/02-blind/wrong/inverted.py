def blind(layer):
    X = torch.randn(9, 4, dtype=torch.float64)
    order = torch.tensor([3, 1, 0, 2, 8, 4, 6, 5, 7])
    return bool((layer(X[order]) - layer(X)[order]).abs().max() > 1e-6)
