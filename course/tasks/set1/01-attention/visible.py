def flat(answer):  # lists of lists as one list
    answer = answer.tolist() if hasattr(answer, "tolist") else answer
    if not isinstance(answer, (list, tuple)):
        return [answer]
    return [number for each in answer for number in flat(each)]


wanted = {"a": 3, "b": 3, "c": 2}
for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    numbers = flat(answer)
    if any(number is ... for number in numbers):
        print(f"({name}) has no answer yet")
    elif not all(hasattr(number, "__float__") for number in numbers):
        print(f"({name}) holds something that is not a number")
        if any("," in str(number) for number in numbers):
            print("Python writes a decimal point, not a comma.")
    elif name == "b" and abs(sum(numbers) - 1) > 0.01:
        print(f"(b) adds up to {float(sum(numbers)):.3f}")
    else:
        print(f"({name}) is", [round(float(number), 3) for number in numbers])
    whole = isinstance(answer, (list, tuple)) and all(type(each) is int for each in answer)
    if whole and name in wanted and len(answer) == 2 * wanted[name]:
        print("Python writes a decimal point, not a comma.")
