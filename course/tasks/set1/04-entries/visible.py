from pe_lab.diagnosis.answers import no_number, real

for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    number = real(answer)
    if number is None:
        print(f"({name}): {no_number(answer)}")
    elif name in "bc" and not -1 <= number <= 1:
        print(f"({name}) is {number:.4f}: can an entry be that large?")
    else:
        print(f"({name}) is {number:.4f}")
