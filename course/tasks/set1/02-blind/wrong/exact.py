def blind(layer):
    X = torch.randn(20, 4, dtype=torch.float64)
    order = torch.randperm(20)
    return torch.equal(layer(X[order]), layer(X)[order])
