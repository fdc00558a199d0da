def doubled(X):  # each row by itself
    return 2 * X


def numbered(X):  # adds its number to every row
    return X + torch.arange(len(X))[:, None]


print("a layer that doubles:", blind(doubled))
print("a layer that adds the row's number:", blind(numbered))
