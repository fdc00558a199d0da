def blind(layer):
    X, order = torch.eye(4, dtype=torch.float64), [1, 0, 2, 3]
    return torch.allclose(layer(X[order]), layer(X)[order])
