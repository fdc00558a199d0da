from pe_lab.diagnosis.answers import no_number, real

for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    number = real(answer)
    if number is None:
        print(f"({name}): {no_number(answer)}")
    else:
        print(f"({name}) is {number:.4g}")
        if name == "c" and not number.is_integer():
            print("(c) is the number of a pair, a whole number")
