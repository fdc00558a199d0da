for way in ("interpolation", "NTK-aware", "by turns"):
    omega = slowed(8, 10000.0, way, 4.0, 32)
    assert omega is not None, f"{way}: slowed returns nothing yet"
    omega = np.asarray(omega)
    assert omega.shape == (4,), f"{way}: d/2 numbers, not {omega.shape}"
    same = np.asarray(slowed(8, 10000.0, way, 1.0, 32))
    assert np.allclose(same, [1, 0.1, 0.01, 0.001]), (
        f"{way}: a factor of 1 changes nothing"
    )
print("It has the right form. The marking looks at which pairs are slowed.")
