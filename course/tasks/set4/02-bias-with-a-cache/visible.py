for sizes in ((4, 5, 5), (2, 1, 7)):
    bias = alibi(*sizes)
    if bias is None:
        print("alibi returns nothing yet")
        continue
    bias = torch.as_tensor(np.asarray(bias))
    print(f"alibi{sizes} has the shape", tuple(bias.shape))
    if bias.isnan().any():
        print(f"alibi{sizes} holds nan")
