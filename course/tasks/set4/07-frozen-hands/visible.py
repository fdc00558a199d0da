import re

shares = {"fast": fast, "slow": slow, "all_but_one": all_but_one}
for name, share in shares.items():
    if not hasattr(share, "__float__"):
        print(f"{name} has no answer yet, or one that is not a number")
        if re.fullmatch(r"\(?-?\d+, ?\d+\)?", str(share)):
            print("Python writes a decimal point, not a comma.")
    elif not 0 < float(share) < 1:
        print(f"{name} is {float(share)}; a share lies between 0 and 1")
    else:
        print(f"{name} is {float(share):.3f}")
turning = (answered(table) == answers)[:, 3:].double().mean().item()
print(f"with nothing frozen: {turning:.3f} right")
