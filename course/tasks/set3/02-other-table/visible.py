M = shift_matrix(0, 6)
assert M is not None, "shift_matrix returns nothing yet"
M = torch.as_tensor(np.asarray(M))
assert M.shape == (6, 6), f"not {tuple(M.shape)}: the shape should be (6, 6)"
unmoved = torch.eye(6).double()
assert torch.allclose(M.double(), unmoved), "a shift by 0 moves nothing"
for layout in ("interleaved", "halves"):
    for first in ("sine", "cosine"):
        N = np.asarray(shift_matrix(2.5, 8, 100.0, layout, first))
        assert np.allclose(N @ N.T, np.eye(8), atol=1e-5), (
            f"{layout}, {first}: a rotation times its transpose is I"
        )
print("It has the right shape, and turns. The marking says whether rightly.")
