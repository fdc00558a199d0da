import torch


class Rotary:
    def __init__(self, d_head, base=10000.0):
        exponent = torch.arange(0, d_head, 2).double() / d_head
        self.omega = base**-exponent  # (d_head/2,)
        self.kept = {}

    def angles(self, length, start):
        if length not in self.kept:
            position = torch.arange(start, start + length).double()
            angle = torch.outer(position, self.omega)  # (length, d_head/2)
            # Each angle twice, side by side.
            self.kept[length] = angle.repeat_interleave(2, dim=-1)
        return self.kept[length]  # (length, d_head)

    def turn(self, x, start=0):
        angle = self.angles(x.shape[-2], start)
        first, second = x.chunk(2, dim=-1)
        crossed = torch.cat([-second, first], dim=-1)
        return x * angle.cos() + crossed * angle.sin()


def turn_all(texts, starts, d_head, base=10000.0):
    """Turn several texts, one after another, with one object."""
    rotary = Rotary(d_head, base)
    pairs = zip(texts, starts, strict=True)
    return [rotary.turn(torch.as_tensor(x).double(), p) for x, p in pairs]
