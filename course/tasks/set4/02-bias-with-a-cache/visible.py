for sizes in ((4, 5, 5), (2, 1, 7)):
    bias = alibi(*sizes)
    assert bias is not None, "alibi returns nothing yet"
    bias = torch.as_tensor(np.asarray(bias))
    shape = tuple(bias.shape)
    assert shape == sizes, f"alibi{sizes} has the shape {shape}"
    assert not bias.isnan().any(), f"alibi{sizes} holds nan"
print("It has the right shapes. The marking looks at the numbers.")
