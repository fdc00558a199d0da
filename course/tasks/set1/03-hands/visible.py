two = speeds(2, 8, 2)
if two is None:
    print("speeds returns nothing yet")
else:
    two = [float(speed) for speed in (two.reshape(-1) if hasattr(two, "reshape") else two)]
    print("speeds of two hands:", [round(speed, 4) for speed in two])
    print("the fastest is back after", round(2 * math.pi / two[0], 4), "positions")
