letters = "".join(which) if isinstance(which, (str, list, tuple)) else ""
print("which: the letters A to D, each once:", sorted(letters) == list("ABCD"))
for name, value in {"aim": aim, "together": together, "clip": clip, "place": place}.items():
    if isinstance(value, int):
        print(name, "is", value)
    else:
        print(name, "is not a whole number yet")
