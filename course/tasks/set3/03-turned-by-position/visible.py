x = torch.arange(24.0).reshape(4, 6)
y = turn(x, [7, 0, 3, 3])
assert y is not None, "turn returns nothing yet"
y = torch.as_tensor(np.asarray(y)).double()
assert y.shape == (4, 6), f"not {tuple(y.shape)}: the shape should be (4, 6)"
lengths = x.double().norm(dim=1)
assert torch.allclose(y.norm(dim=1), lengths), "a turn keeps every length"
assert torch.allclose(y[1], x[1].double()), "at position 0 nothing is turned"
A = between(0, 6)
assert A is not None, "between returns nothing yet"
A = torch.as_tensor(np.asarray(A)).double()
assert torch.allclose(A, torch.eye(6).double()), "A_0 is the identity"
print("It has the right shapes, and turns. The marking says whether rightly.")
