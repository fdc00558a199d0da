from pe_lab.diagnosis.answers import flat, is_unanswered, no_number, real, written

numbers = [real(each) for each in flat(moved)]
if is_unanswered(moved):
    print("moved has no answer yet")
elif len(numbers) != 4 or None in numbers:
    print(f"moved must hold four numbers, two for each pair.{written(moved, 4)}")
else:
    lengths = [round(math.hypot(*numbers[i : i + 2]), 2) for i in (0, 2)]
    print("moved: the lengths of its two pairs are", lengths)
for name, value in (("between", between), ("share", share)):
    number = real(value)
    if number is None:
        print(f"{name}: {no_number(value)}")
    else:
        print(f"{name} is {number:.4f}")
