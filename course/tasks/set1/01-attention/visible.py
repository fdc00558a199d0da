from pe_lab.diagnosis.answers import flat, is_unanswered, real, written

count = {"a": 3, "b": 3, "c": 2, "d": 6}
for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    numbers = [real(each) for each in flat(answer)]
    comma = written(answer, count[name] if name in "bc" else 0)  # those have decimals
    if is_unanswered(answer):
        print(f"({name}) has no answer yet")
    elif None in numbers:
        print(f"({name}) holds something that is not a number.{comma}")
    elif len(numbers) != count[name]:
        print(f"({name}) has {len(numbers)} of {count[name]} numbers.{comma}")
    elif name == "b" and abs(sum(numbers) - 1) > 0.01:
        print(f"(b) adds up to {sum(numbers):.3f}.{comma}")
    else:
        print(f"({name}) is {[round(each, 3) for each in numbers]}.{comma}")
