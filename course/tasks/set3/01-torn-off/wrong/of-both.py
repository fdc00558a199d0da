import math

row = ({{ row | join(", ") }})
other = ({{ other | join(", ") }})
k, omega = {{ direction }} * {{ k }}, (1, {{ omega }})

moved = []
for i in (0, 1):
    sine, cosine, turn = row[2 * i], row[2 * i + 1], k * omega[i]
    moved.append(math.cos(turn) * sine + math.sin(turn) * cosine)
    moved.append(math.cos(turn) * cosine - math.sin(turn) * sine)

# The product of two hands is the cosine of the angle between them.
angle = math.acos(row[2] * other[0] + row[3] * other[1])
between = round(angle / omega[1])

lead = {{ gain }} * sum(1 - math.cos(w) for w in omega) / math.sqrt(4)
share = math.exp(-lead)
share = share / (1 + share)
