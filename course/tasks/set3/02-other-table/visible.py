M = shift_matrix(0, 6)
assert M is not None, "shift_matrix returns nothing yet"
M = torch.as_tensor(M)
assert tuple(M.shape) == (6, 6), f"the shape is {tuple(M.shape)}, and should be (6, 6)"
assert torch.allclose(M.double(), torch.eye(6).double()), "a shift by 0 moves nothing"
for layout in ("interleaved", "halves"):
    for first in ("sine", "cosine"):
        N = torch.as_tensor(shift_matrix(2.5, 8, 100.0, layout, first)).double()
        assert torch.allclose(N @ N.T, torch.eye(8).double(), atol=1e-5), (
            f"with {layout}, {first}: a rotation times its transpose is the identity"
        )
print("It has the right shape and turns. Whether it turns rightly, the marking says.")
