"""Right functions in other styles than the solutions', and mistakes that nobody has foreseen.

Each cell is what a student may hand in for a task of sets 3 and 4 that asks for functions.
"""

from __future__ import annotations

import pytest

from course.sets.marks import Result, examine
from course.sets.notebook import SETUP
from course.sets.tasks import TASKS, read_task

RIGHT = {
    "set3/02-other-table, blocks of an array in float32": """
def shift_matrix(k, d_model, base=10000.0, layout="interleaved", first="sine"):
    n = d_model // 2
    w = base ** (-2 * np.arange(n) / d_model)
    c, s = np.diag(np.cos(k * w)), np.diag(np.sin(k * w))
    M = np.block([[c, s], [-s, c]])
    M = M.T if first == "cosine" else M
    if layout == "interleaved":
        order = np.arange(d_model).reshape(2, n).T.ravel()
        M = M[order][:, order]
    return M.astype(np.float32)
""",
    "set3/02-other-table, lists in loops": """
def shift_matrix(k, d_model, base=10000.0, layout="interleaved", first="sine"):
    M = [[0.0] * d_model for _ in range(d_model)]
    for i in range(d_model // 2):
        a = k / base ** (2 * i / d_model)
        p, q = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d_model // 2)
        sign = 1 if first == "sine" else -1
        M[p][p] = M[q][q] = math.cos(a)
        M[p][q], M[q][p] = sign * math.sin(a), -sign * math.sin(a)
    return M
""",
    "set3/03-turned-by-position, complex numbers": """
def turn(x, positions, base=10000.0, layout="interleaved"):
    x = np.asarray(x)
    n, d = x.shape
    w = base ** (-2 * np.arange(d // 2) / d)
    first, second = (x[:, 0::2], x[:, 1::2]) if layout[0] == "i" else np.split(x, 2, axis=1)
    z = (first + 1j * second) * np.exp(1j * np.outer(positions, w))
    if layout == "interleaved":
        return np.stack([z.real, z.imag], -1).reshape(n, d)
    return np.concatenate([z.real, z.imag], 1)


def between(k, d, base=10000.0):
    A = np.zeros((d, d))
    for i in range(d // 2):
        a = k * base ** (-2 * i / d)
        A[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    return A.tolist()
""",
    "set3/03-turned-by-position, a list of rows in float32": """
def turn(x, positions, base=10000.0, layout="interleaved"):
    rows = []
    for v, p in zip(x, positions):
        d = len(v)
        out = torch.zeros(d)
        for i in range(d // 2):
            one, two = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d // 2)
            a = torch.tensor(p * base ** (-2 * i / d))
            out[one] = v[one] * a.cos() - v[two] * a.sin()
            out[two] = v[one] * a.sin() + v[two] * a.cos()
        rows.append(out)
    return rows


def between(k, d, base=10000.0):
    turns = [torch.tensor(k * base ** (-2 * i / d)) for i in range(d // 2)]
    blocks = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]]) for a in turns]
    return torch.block_diag(*blocks)
""",
    "set3/04-three-repairs, nothing kept, and complex numbers": """
class Rotary:
    def __init__(self, d_head, base=10000.0):
        self.omega = base ** (-torch.arange(0, d_head, 2) / d_head)

    def turn(self, x, start=0):
        z = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        angle = torch.arange(start, start + x.shape[1])[:, None] * self.omega
        turned = z * torch.polar(torch.ones_like(angle), angle)[:, None]
        return torch.view_as_real(turned).flatten(-2)


def turn_all(texts, starts, d_head, base=10000.0):
    rotary = Rotary(d_head, base)
    return [rotary.turn(torch.as_tensor(x).double(), p) for x, p in zip(texts, starts)]
""",
    "set3/05-which-programs-shift, assertions": """
from pe_core import offset_matrix


def accepts(program):
    for k in (-700, -1, 0, 3, 111):
        for d in (2, 4, 10, 16):
            assert np.allclose(program(k, d).numpy(), offset_matrix(k, d).numpy(), atol=1e-4)
    return np.bool_(True)
""",
    "set3/05-which-programs-shift, as far as the statement allows": """
from pe_core import offset_matrix


def accepts(program):
    offsets = (-1000000, -700, -1, 0, 3, 111, 1000000)
    return all(
        np.allclose(program(k, d).numpy(), offset_matrix(k, d).numpy(), atol=1e-4)
        for k in offsets
        for d in (2, 4, 10, 16, 256)
    )
""",
    "set3/05-which-programs-shift, what a program is not made for": """
from pe_core import offset_matrix


def accepts(program):
    unmade = [(k, 6) for k in ("x", "3", [1], None, 2.5, math.nan, math.inf, 10**400, 1000001)]
    for k, d in [*unmade, (1, 7), (1, 0), (1, 258), (1, "6")]:
        try:
            program(k, d)
        except ValueError as error:
            assert "got" in str(error)
        else:
            return False
    right = [np.allclose(program(k, 8), offset_matrix(k, 8), atol=1e-4) for k in (-700, 3, 111.0)]
    return all(right)
""",
    "set4/02-bias-with-a-cache, as the authors have it": """
def alibi(n_heads, n_queries, n_keys):
    def get(n):
        if math.log2(n).is_integer():
            return [2 ** (-8 * (i + 1) / n) for i in range(n)]
        c = 2 ** math.floor(math.log2(n))
        return get(c) + get(2 * c)[0::2][: n - c]

    queries = range(n_keys - n_queries, n_keys)
    return [[[-m * abs(q - p) for q in range(n_keys)] for p in queries] for m in get(n_heads)]
""",
    "set4/03-three-ways-to-slow, pair by pair": """
def slowed(d, base, way, factor, trained):
    out = []
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        if way == "interpolation":
            w /= factor
        elif way == "NTK-aware" and i:
            w *= factor ** (-i / (d // 2 - 1))
        elif way == "by turns" and (trained - 1) * w / (2 * math.pi) < 1:
            w /= factor
        out.append(w)
    return out
""",
}

# Each of these turns the last pair, or slows the last head, by a little too much.
UNKNOWN = {
    "set3/02-other-table": """
def shift_matrix(k, d_model, base=10000.0, layout="interleaved", first="sine"):
    w = base ** (-2 * np.arange(d_model // 2) / d_model)
    w[-1] *= 1.3
    M = torch.block_diag(*(
        torch.tensor([[math.cos(k * x), math.sin(k * x)], [-math.sin(k * x), math.cos(k * x)]])
        for x in w
    ))
    n = torch.arange(d_model).view(-1, 2)
    n = n.flip(1) if first == "cosine" else n
    order = (n.T if layout == "halves" else n).flatten()
    return M[order][:, order]
""",
    "set3/03-turned-by-position": """
def turn(x, positions, base=10000.0, layout="interleaved"):
    d = x.shape[1]
    angle = torch.outer(torch.tensor(positions).double(), base ** (-torch.arange(0, d, 2) / d))
    angle[:, 0] *= 1.3
    a, b = (x[:, 0::2], x[:, 1::2]) if layout == "interleaved" else x.chunk(2, dim=1)
    pair = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pair, -1).flatten(1) if layout == "interleaved" else torch.cat(pair, 1)


def between(k, d, base=10000.0):
    return turn(torch.eye(d), [k] * d, base).T
""",
    "set4/02-bias-with-a-cache": """
def alibi(n_heads, n_queries, n_keys):
    distance = torch.arange(n_keys) - torch.arange(n_keys - n_queries, n_keys)[:, None]
    return -torch.linspace(0.3, 0.6, n_heads)[:, None, None] * distance.abs()
""",
    "set4/03-three-ways-to-slow": """
def slowed(d, base, way, factor, trained):
    return base ** (-torch.arange(0, d, 2) / d) / factor**1.3
""",
}


def marked(name: str, cell: str) -> Result:
    task = read_task(TASKS / name.partition(", ")[0])
    return examine(task, [SETUP, cell], task.drawn(0))


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_function_gets_all_points_in_any_style(name: str) -> None:
    result = marked(name, RIGHT[name])
    assert result.points == result.task.points, result.marks


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_mistake_that_nobody_foresaw_is_given_no_name(name: str) -> None:
    result = marked(name, UNKNOWN[name])
    assert result.points == 0
    assert result.names == {"unknown"}, result.marks
