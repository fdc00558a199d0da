from pe_core import stepwise

table = stepwise(6, 16, dtype=torch.float64)
print("positions 0 to 5 are taken for", [position_of(row) for row in table])
