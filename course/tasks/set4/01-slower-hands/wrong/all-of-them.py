import math

omega = [{{ base }} ** (-2 * i / 16) for i in range(8)]
went_round = 8
angle = ({{ length }} - 1) * omega[{{ pair }}] / {{ factor }}
# base'^(-14/16) = base^(-14/16) / factor
base = {{ base }} * {{ factor }} ** (16 / 14)
looks_back = {{ back }} * {{ factor }}
