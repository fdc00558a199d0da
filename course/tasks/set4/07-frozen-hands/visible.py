shares = {"fast": fast, "slow": slow, "all_but_one": all_but_one}
for name, share in shares.items():
    if not isinstance(share, float):
        print(f"{name} has no answer yet, or one that is not a float")
    elif not 0 < share < 1:
        print(f"{name} is {share}; a share lies between 0 and 1")
    else:
        print(f"{name} is {share:.3f}")
turning = (answered(table) == answers)[:, 3:].double().mean().item()
print(f"with nothing frozen: {turning:.3f} right")
