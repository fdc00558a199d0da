def blind(layer):
    X = torch.randn(5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return torch.allclose(layer(X.flip(0)), layer(X).flip(0))
