import re

names = ("moved", "between", "share")
for name, value in zip(names, (moved, between, share)):
    parts = list(value) if name == "moved" and hasattr(value, "__iter__") else [value]
    if not all(hasattr(part, "__float__") for part in parts):
        print(f"{name} has no answer yet, or one that is not a number")
        if re.fullmatch(r"\(?-?\d+, ?\d+\)?", str(value)):
            print("Python writes a decimal point, not a comma.")
    elif name == "moved" and len(parts) != 4:
        print("moved has four numbers, two for each pair")
        if len(parts) == 8:
            print("Python writes a decimal point, not a comma.")
    elif name == "moved":
        numbers = [float(part) for part in parts]
        lengths = [round(math.hypot(*numbers[i : i + 2]), 2) for i in (0, 2)]
        print("moved: the lengths of its two pairs are", lengths)
    else:
        print(f"{name} is {float(value):.4f}")
