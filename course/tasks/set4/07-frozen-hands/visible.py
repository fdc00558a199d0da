shares = {"fast": fast, "slow": slow, "all_but_one": all_but_one}
for name, share in shares.items():
    assert isinstance(share, float), f"{name} is not a number yet"
    assert 0 < share < 1, f"{name} is {share}; a share lies between 0 and 1"
turning = (answered(table) == answers)[:, 3:].double().mean().item()
print(f"With nothing frozen: {turning:.3f} right. You say {shares}.")
