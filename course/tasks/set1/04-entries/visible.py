for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    if answer is ...:
        print(f"({name}) has no answer yet")
    elif name in "bc" and not -1 <= answer <= 1:
        print(f"({name}) is {answer:.4f}: can an entry be that large?")
    else:
        print(f"({name}) is {answer:.4f}")
