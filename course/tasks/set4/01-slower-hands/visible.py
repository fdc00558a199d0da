from pe_lab.diagnosis.answers import no_number, real

for name, value in {
    "went_round": went_round,
    "angle": angle,
    "base": base,
    "looks_back": looks_back,
}.items():
    number = real(value)
    if number is None:
        print(f"{name}: {no_number(value, 0 if name == 'went_round' else 1)}")
    else:
        print(name, "is", f"{number:.8g}")
