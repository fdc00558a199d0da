import re

for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    if not hasattr(answer, "__float__"):
        print(f"({name}) has no answer yet, or one that is not a number")
        if re.fullmatch(r"\(?-?\d+, ?\d+\)?", str(answer)):
            print("Python writes a decimal point, not a comma.")
    else:
        print(f"({name}) is {float(answer):.4g}")
if hasattr(c, "__float__") and not float(c).is_integer():
    print("(c) is the number of a pair, a whole number")
