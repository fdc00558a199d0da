assert len(moved) == 4, "moved has four numbers, two for each pair"
assert all(isinstance(x, (int, float)) for x in (*moved, between, share)), (
    "a number is missing, or something is not a number"
)
for sine, cosine in (moved[:2], moved[2:]):
    assert abs(sine**2 + cosine**2 - 1) < 0.01, "a pair is not on its circle"
assert 0 < share < 1, "share is a part of the target's weight"
print("The form is right. Whether the numbers are, the marking says.")
