for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    print(f"({name})", "has no answer yet" if answer is ... else f"is {answer:.3f}")
if ... not in (a, b) and abs(b) > a * a + 1e-9:
    print("(b) is larger than the square of (a): can two rows of one length be more than alike?")
