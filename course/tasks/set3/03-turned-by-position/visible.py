x = torch.arange(24.0).reshape(4, 6)
y = turn(x, [7, 0, 3, 3])
if y is None:
    print("turn returns nothing yet")
else:
    y = torch.as_tensor(np.asarray(y)).double()
    print("shape of what is turned:", tuple(y.shape), "from", tuple(x.shape))
    lengths = x.double().norm(dim=1)
    print("every length is kept:", torch.allclose(y.norm(dim=-1), lengths))
    print("position 0 is not turned:", torch.allclose(y[1], x[1].double()))
A = between(0, 6)
if A is None:
    print("between returns nothing yet")
else:
    A = torch.as_tensor(np.asarray(A)).double()
    same = A.shape == (6, 6) and torch.allclose(A, torch.eye(6).double())
    print("between(0, 6) is the identity:", same)
