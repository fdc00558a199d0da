x = torch.arange(24.0).reshape(4, 6)
y = turn(x, [7, 0, 3, 3])
assert y is not None, "turn returns nothing yet"
y = torch.as_tensor(y).double()
assert tuple(y.shape) == (4, 6), f"the shape is {tuple(y.shape)}, and should be (4, 6)"
assert torch.allclose(y.norm(dim=1), x.double().norm(dim=1)), "a turn keeps every length"
assert torch.allclose(y[1], x[1].double()), "at position 0 nothing is turned"
A = between(0, 6)
assert A is not None, "between returns nothing yet"
A = torch.as_tensor(A).double()
assert torch.allclose(A, torch.eye(6).double()), "A_0 is the identity"
print("It has the right shapes and turns. Whether it turns rightly, the marking says.")
