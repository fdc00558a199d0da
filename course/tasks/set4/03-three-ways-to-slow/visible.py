for way in ("interpolation", "NTK-aware", "by turns"):
    omega = slowed(8, 10000.0, way, 4.0, 32)
    if omega is None:
        print(f"{way}: slowed returns nothing yet")
        continue
    shape = np.asarray(omega).shape
    same = np.asarray(slowed(8, 10000.0, way, 1.0, 32))
    stays = same.shape == (4,) and np.allclose(same, [1, 0.1, 0.01, 0.001])
    print(f"{way}: shape {shape}; a factor of 1 changes nothing: {stays}")
