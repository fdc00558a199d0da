for name, value in {
    "went_round": went_round,
    "angle": angle,
    "base": base,
    "looks_back": looks_back,
}.items():
    if isinstance(value, (int, float)):
        print(name, "is", value)
    else:
        print(name, "has no answer yet, or one that is not a number")
