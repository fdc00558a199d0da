def blind(layer):
    X = torch.randn(8, 4, dtype=torch.float64)
    return torch.allclose(layer(X.roll(1, 0)), layer(X).roll(1, 0))
