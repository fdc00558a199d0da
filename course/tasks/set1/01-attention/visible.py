for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    if ... in answer:
        print(f"({name}) has no answer yet")
    elif name == "b" and abs(sum(answer) - 1) > 0.01:
        print(f"(b) adds up to {sum(answer):.3f}")
    else:
        print(f"({name}) is", [round(float(number), 3) for number in answer])
