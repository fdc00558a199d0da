for name, answer in {"a": a, "b": b, "c": c, "d": d}.items():
    numbers = list(answer.reshape(-1) if hasattr(answer, "reshape") else answer)
    if any(number is ... for number in numbers):
        print(f"({name}) has no answer yet")
    elif name == "b" and abs(sum(numbers) - 1) > 0.01:
        print(f"(b) adds up to {float(sum(numbers)):.3f}")
    else:
        print(f"({name}) is", [round(float(number), 3) for number in numbers])
