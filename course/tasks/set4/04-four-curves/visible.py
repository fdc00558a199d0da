written = "".join(which) if isinstance(which, (str, list, tuple)) else ""
letters = [sign for sign in written.lower() if sign.isalpha()]
print("which: the letters A to D, each once:", sorted(letters) == list("abcd"))
for name, value in {"aim": aim, "together": together, "clip": clip, "place": place}.items():
    number = float(value) if hasattr(value, "__float__") else math.nan
    if number.is_integer():
        print(name, "is", int(number))
    else:
        print(name, "is not a whole number yet")
