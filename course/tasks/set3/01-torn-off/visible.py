names = ("moved", "between", "share")
for name, value in zip(names, (moved, between, share)):
    parts = value if isinstance(value, (tuple, list)) else [value]
    if not all(isinstance(x, (int, float)) for x in parts):
        print(f"{name} has no answer yet, or one that is not a number")
    elif name == "moved" and len(parts) != 4:
        print("moved has four numbers, two for each pair")
    elif name == "moved":
        lengths = [round(math.hypot(*moved[i : i + 2]), 2) for i in (0, 2)]
        print("moved: the lengths of its two pairs are", lengths)
    else:
        print(f"{name} is {value:.4f}")
