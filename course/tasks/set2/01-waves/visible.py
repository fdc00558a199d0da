for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    print(f"({name})", "has no answer yet" if answer is ... else f"is {answer:.4g}")
if c is not ... and c != int(c):
    print("(c) is the number of a pair, a whole number")
