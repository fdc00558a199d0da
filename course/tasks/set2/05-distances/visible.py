from pe_lab.diagnosis.answers import no_number, real

for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    number = real(answer)
    if number is None:
        print(f"({name}): {no_number(answer, 0 if name == 'd' else 1)}")
    else:
        print(f"({name}) is {number:.3f}")
if None not in (real(a), real(b)) and abs(real(b)) > real(a) * real(a) + 1e-9:
    print("(b) is larger than the square of (a): can two rows of one length be more than alike?")
