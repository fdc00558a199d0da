def doubled(X):  # each row by itself
    return 2 * X


def numbered(X):  # adds its number to every row
    return X + torch.arange(len(X))[:, None]


W = torch.tensor([[0.3, 0.7], [0.1, -0.9]], dtype=torch.float64).repeat(2, 2)


def attends(X):  # attention
    return (X @ W @ X.T).softmax(dim=1) @ X


print("a layer that doubles:", blind(doubled))
print("a layer that adds the row's number:", blind(numbered))
print("attention with nothing added:", blind(attends))
