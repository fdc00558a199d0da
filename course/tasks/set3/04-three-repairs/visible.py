x = torch.arange(48.0).reshape(1, 4, 2, 6)
y = turn_all([x], [0], 6)[0]
print("shape:", tuple(y.shape), "from", tuple(x.shape))
unmoved = x[:, 0, 0].double()
print("position 0 is not turned:", torch.allclose(y[:, 0, 0], unmoved))
print("No line of this check would notice any of the three mistakes.")
