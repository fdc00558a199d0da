import math

omega = [{{ base }} ** (-2 * i / 16) for i in range(8)]
went_round = sum(({{ trained }} - 1) * w >= 2 * math.pi for w in omega)
angle = ({{ length }} - 1) * omega[{{ pair }}] / {{ factor }}
base = {{ base }} * {{ factor }} ** (8 / 6)
looks_back = {{ back }} * {{ factor }}
