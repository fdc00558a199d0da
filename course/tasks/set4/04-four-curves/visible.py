from pe_lab.diagnosis.answers import no_number, real

written = "".join(which) if isinstance(which, (str, list, tuple)) else ""
letters = [sign for sign in written.lower() if sign.isalpha()]
print("which: the letters A to D, each once:", sorted(letters) == list("abcd"))
for name, value in {"aim": aim, "together": together, "clip": clip, "place": place}.items():
    number = real(value)
    if number is None:
        print(f"{name}: {no_number(value)}")
    elif number.is_integer():
        print(name, "is", int(number))
    else:
        print(name, "is not a whole number yet")
