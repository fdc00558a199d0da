assert sorted(which) == list("ABCD"), "which has the letters A to D, each once"
for name, value in {"aim": aim, "together": together, "clip": clip}.items():
    assert isinstance(value, int), f"{name} is not a whole number yet"
print("The form is right. The marking looks at what was read.")
