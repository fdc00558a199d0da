from numpy import einsum


class Clock:
    def __init__(self, base, d):
        self.speeds = np.array([base ** (-2 * i / d) for i in range(d // 2)])

    def angles(self, positions):
        return einsum("p,i->pi", positions, self.speeds)


def weave(s, c):
    return np.dstack([s, c]).reshape(len(s), -1)


def encode(length, d_model, base=10000.0, start=0):
    angles = Clock(base, d_model).angles(np.arange(length) + float(start))
    return weave(np.sin(angles), np.cos(angles))
