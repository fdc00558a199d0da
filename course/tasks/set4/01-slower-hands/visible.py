for name, value in {
    "went_round": went_round,
    "angle": angle,
    "base": base,
    "looks_back": looks_back,
}.items():
    assert isinstance(value, (int, float)), f"{name} is not a number yet"
print("Four numbers. Whether they are right, the marking says.")
