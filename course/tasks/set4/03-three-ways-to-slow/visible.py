for way in ("interpolation", "NTK-aware", "by turns"):
    omega = slowed(8, 10000.0, way, 4.0, 32)
    assert omega is not None, f"{way}: slowed returns nothing yet"
    omega = torch.as_tensor(omega)
    assert tuple(omega.shape) == (4,), f"{way}: d/2 numbers, not {tuple(omega.shape)}"
    same = torch.as_tensor(slowed(8, 10000.0, way, 1.0, 32)).double()
    assert torch.allclose(same, torch.tensor([1, 0.1, 0.01, 0.001]).double()), (
        f"{way}: a factor of 1 changes nothing"
    )
print("It has the right form. Whether each way slows the right pairs, the marking says.")
