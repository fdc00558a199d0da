def blind(layer):
    generator = torch.Generator().manual_seed(0)
    for length in (5, 12):
        X = torch.randn(length, 4, generator=generator, dtype=torch.float64)
        for _ in range(5):
            order = torch.randperm(length, generator=generator)
            if (layer(X[order]) - layer(X)[order]).abs().max() > 1e-6:
                return False
    return True
