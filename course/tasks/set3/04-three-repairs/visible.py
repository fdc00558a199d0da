x = torch.arange(48.0).reshape(1, 4, 2, 6)
y = turn_all([x], [0], 6)[0]
assert tuple(y.shape) == (1, 4, 2, 6), f"the shape is {tuple(y.shape)}"
unmoved = x[:, 0, 0].double()
assert torch.allclose(y[:, 0, 0], unmoved), "at position 0 nothing is turned"
print("It runs. No line of this check would notice any of the three.")
