def blind(layer):
    X = torch.randn(8, 4, dtype=torch.float64)
    order = [1, 0, 2, 3, 4, 5, 6, 7]
    difference = layer(X[order]) - layer(X)[order]
    assert difference.abs().max() < 1e-8
    return True
