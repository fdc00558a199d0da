made = table(3, 4)
print("shape:", tuple(np.shape(made)))
print("row 0:", [round(float(entry), 4) for entry in made[0]])
