def identity(k, d_model):
    return torch.eye(d_model, dtype=torch.float64)


try:
    answer = accepts(identity)
except AssertionError:
    answer = False
assert isinstance(answer, bool), f"it returned {answer!r}, not True or False"
assert answer is False, "the identity moves no row, and was accepted"
print("The identity is turned away. That is one of many.")
