import re

for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    if not hasattr(answer, "__float__"):
        print(f"({name}) has no answer yet, or one that is not a number")
        if re.fullmatch(r"\(?-?\d+, ?\d+\)?", str(answer)):
            print("Python writes a decimal point, not a comma.")
    else:
        print(f"({name}) is {float(answer):.3f}")
if all(hasattr(answer, "__float__") for answer in (a, b)) and abs(b) > a * a + 1e-9:
    print("(b) is larger than the square of (a): can two rows of one length be more than alike?")
