import re

for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    if not hasattr(answer, "__float__"):
        print(f"({name}) has no answer yet, or one that is not a number")
        if re.fullmatch(r"\(?-?\d+, ?\d+\)?", str(answer)):
            print("Python writes a decimal point, not a comma.")
    elif name in "bc" and not -1 <= float(answer) <= 1:
        print(f"({name}) is {float(answer):.4f}: can an entry be that large?")
    else:
        print(f"({name}) is {float(answer):.4f}")
