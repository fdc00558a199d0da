rows = {
    0: [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
    3: [0.14112, -0.989992, 0.29552, 0.955336, 0.029996, 0.99955, 0.003, 0.999996],
    5: [-0.958924, 0.283662, 0.479426, 0.877583, 0.049979, 0.99875, 0.005, 0.999988],
}
for position, row in rows.items():
    found = position_of(torch.tensor(row, dtype=torch.float64))
    print(f"a row of position {position} is taken for", found)
