from pe_lab.diagnosis.answers import no_number, real

shares = {"fast": fast, "slow": slow, "all_but_one": all_but_one}
for name, answer in shares.items():
    share = real(answer)
    if share is None:
        print(f"{name}: {no_number(answer)}")
    elif not 0 < share < 1:
        print(f"{name} is {share}; a share lies between 0 and 1")
    else:
        print(f"{name} is {share:.3f}")
turning = (answered(table) == answers)[:, 3:].double().mean().item()
print(f"with nothing frozen: {turning:.3f} right")
