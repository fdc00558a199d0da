two = speeds(2, 8, 2)
if two is None:
    print("speeds returns nothing yet")
else:
    print("speeds of two hands:", [round(float(speed), 4) for speed in two])
    print("the fastest is back after", round(2 * math.pi / float(two[0]), 4), "positions")
