def identity(k, d_model):
    return torch.eye(d_model, dtype=torch.float64)


answer = accepts(identity)
assert isinstance(answer, bool), f"accepts must return True or False, and returned {answer!r}"
assert answer is False, "the identity moves no row, and was accepted"
print("The identity is turned away. That is one of many.")
