M = shift_matrix(0, 6)
if M is None:
    print("shift_matrix returns nothing yet")
else:
    M = torch.as_tensor(np.asarray(M)).double()
    print("shape:", tuple(M.shape))
    identity = torch.eye(len(M)).double()
    same = M.shape == identity.shape and torch.allclose(M, identity)
    print("a shift by 0 moves nothing:", same)
    for layout in ("interleaved", "halves"):
        for first in ("sine", "cosine"):
            N = np.asarray(shift_matrix(2.5, 8, 100.0, layout, first))
            turns = np.allclose(N @ N.T, np.eye(len(N)), atol=1e-5)
            print(f"{layout}, {first} first: it turns:", turns)
