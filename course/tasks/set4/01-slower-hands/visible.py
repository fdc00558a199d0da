import re

for name, value in {
    "went_round": went_round,
    "angle": angle,
    "base": base,
    "looks_back": looks_back,
}.items():
    if hasattr(value, "__float__"):
        print(name, "is", f"{float(value):.8g}")
    else:
        print(name, "has no answer yet, or one that is not a number")
        if re.fullmatch(r"\(?-?\d+, ?\d+\)?", str(value)):
            print("Python writes a decimal point, not a comma.")
