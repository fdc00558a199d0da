from pe_lab.diagnosis.answers import NO_ANSWER, is_unanswered, letters, no_number, real

if is_unanswered(which):
    print(f"which: {NO_ANSWER}")
else:
    print("which: the letters A to D, each once:", sorted(letters(which) or "") == list("abcd"))
for name, value in {"aim": aim, "together": together, "clip": clip, "place": place}.items():
    number = real(value)
    if number is None:
        print(f"{name}: {no_number(value, 1 if name == 'place' else 0)}")
    elif number.is_integer():
        print(name, "is", int(number))
    else:
        print(name, "is not a whole number yet")
