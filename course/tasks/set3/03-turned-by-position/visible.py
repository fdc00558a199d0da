x = torch.arange(24.0).reshape(4, 6)
y = torch.as_tensor(turn(x, [7, 0, 3, 3])).double()
assert tuple(y.shape) == (4, 6), f"the shape is {tuple(y.shape)}, and should be (4, 6)"
assert torch.allclose(y.norm(dim=1), x.double().norm(dim=1)), "a turn keeps every length"
assert torch.allclose(y[1], x[1].double()), "at position 0 nothing is turned"
A = torch.as_tensor(between(0, 6)).double()
assert torch.allclose(A, torch.eye(6).double()), "A_0 is the identity"
print("It has the right shapes and turns. Whether it turns rightly, the marking says.")
