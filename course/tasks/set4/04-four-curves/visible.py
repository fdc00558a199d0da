from pe_lab.diagnosis.answers import NO_ANSWER, flat, is_unanswered, no_number, real

if is_unanswered(which):
    print(f"which: {NO_ANSWER}")
else:
    texts = "".join(each for each in flat(which) if isinstance(each, str))
    letters = [sign for sign in texts.lower() if sign.isalpha()]
    print("which: the letters A to D, each once:", sorted(letters) == list("abcd"))
for name, value in {"aim": aim, "together": together, "clip": clip, "place": place}.items():
    number = real(value)
    if number is None:
        print(f"{name}: {no_number(value)}")
    elif number.is_integer():
        print(name, "is", int(number))
    else:
        print(name, "is not a whole number yet")
