"""From what a student hands in to a table of numbers, or to a sentence that says why not.

Nothing here raises: whatever is wrong with the thing that was handed in is a :class:`Problem`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, SupportsFloat, TypeVar

import numpy as np
import torch
from torch import Tensor

from pe_core.checks import describe

SEVERAL = 8  # entries: by chance all would be numbers of bfloat16 once in 8^8 times

P = ParamSpec("P")
R = TypeVar("R")

NOT_FINITE = {
    "nan": "A division by zero does that, and the sine of infinity.",
    "infinity": "A division by zero does that, and a power that is too large for its type.",
}


@dataclass(frozen=True)
class Problem:
    """Why there is no table: a short name, and a sentence."""

    name: str
    says: str


@dataclass(frozen=True)
class Table:
    """A table that was read.

    Attributes:
        values: (L, d), float64, finite.
        sixteen: the 16-bit types whose numbers all entries are, the coarsest first. The dtype does
            not tell: what was rounded to 16 bits and then widened stays rounded.
    """

    values: Tensor
    sixteen: tuple[torch.dtype, ...] = ()

    @property
    def rounding(self) -> float:
        """The largest relative error of rounding to the coarsest of these types; 0 without any."""
        return torch.finfo(self.sixteen[0]).eps / 2 if self.sixteen else 0.0


def on_the_cpu(function: Callable[P, R]) -> Callable[P, R]:
    """Wherever torch is told to put new tensors: what was read lies on the CPU."""

    @wraps(function)
    def there(*args: P.args, **kwargs: P.kwargs) -> R:
        if torch.empty(0).device.type == "cpu":
            return function(*args, **kwargs)
        with torch.device("cpu"):  # it costs half as much again
            return function(*args, **kwargs)

    return there


def read(value: object, call: str = "the table") -> Table | Problem:
    """Read a table from a tensor, an array or lists. ``call`` names it in sentences."""
    tensor = _numbers(value, call)
    if isinstance(tensor, Problem):
        return tensor
    tensor = _without_ones(tensor)
    if tensor.ndim != 2:
        return _not_two_axes(tensor, call)
    if unfit := _not_finite(tensor, call):
        return unfit
    return Table(tensor, _sixteen(tensor))


def ask(function: Callable[..., object], length: int, d_model: int) -> Table | Problem:
    """Call a student's function for a table (length, d_model), and read what it returns."""
    name = getattr(function, "__name__", type(function).__name__)
    call = f"{name}({length}, {d_model})"
    try:
        value = function(length, d_model)
    except (Exception, SystemExit) as error:
        reason = _said(error).strip().split("\n")[0]
        return Problem("raises", f"{call} raised {type(error).__name__}: {reason}".rstrip(": "))
    if value is None:
        return nothing(call)
    table = read(value, call)
    if isinstance(table, Problem):
        return table
    return shape_problem(tuple(table.values.shape), (length, d_model), call) or table


def _said(error: BaseException) -> str:
    """Its words, if it has any: a student's own may raise in place of them."""
    try:
        return str(error)
    except Exception:
        return ""


def nothing(call: str) -> Problem:
    """That a call returned None."""
    return Problem("nothing", f"{call} returned None. Does it end with return?")


def shape_problem(given: tuple[int, ...], asked: tuple[int, int], call: str) -> Problem | None:
    """What a wrong shape tells; None if it is the one asked for."""
    if given == asked:
        return None
    length, d_model = asked
    known = {
        (d_model, length): "rows and columns are exchanged, or the two arguments are",
        (length, d_model // 2): "there is one column for each pair; a pair needs two",
        (2 * length, d_model // 2): "sines and cosines were put below each other, along axis 0",
        (length, 2 * d_model): "each column number has got a sine and a cosine of its own",
        (length, d_model - 1): "a column is missing",
        (length, d_model + 1): "there is a column too many",
        (length - 1, d_model): "a row is missing",
        (length + 1, d_model): "there is a row too many",
        (length, length): "both axes have the length of the positions",
        (d_model, d_model): "both axes have the width",
    }
    reason = f": {known[given]}" if given in known else ""
    return Problem("shape", f"{call} must have the shape {asked}, and has {given}{reason}.")


def _numbers(value: object, call: str) -> Tensor | Problem:
    """Any container of real numbers as a tensor of float64 on the CPU."""
    if isinstance(value, str | bytes | dict | set) or value is None:
        return Problem(
            "not-a-table", f"{call} must be a table of numbers, and is {describe(value)}."
        )
    try:
        array = np.asarray(_plain(value))
    except ValueError:
        return Problem("ragged", f"The rows of {call} have different lengths.")
    except (TypeError, RuntimeError) as error:
        return Problem("not-a-table", f"{call} cannot be read as a table of numbers: {error}")
    if array.dtype.kind == "c":
        return Problem(
            "complex",
            f"{call} holds complex numbers. One complex number is a pair: its two parts are two "
            "columns.",
        )
    if array.dtype.kind == "O" and all(isinstance(each, SupportsFloat) for each in array.flat):
        try:
            array = array.astype(np.float64)  # of Fraction, Decimal, mpmath
        except OverflowError:
            return Problem("too-large", f"{call} holds a number that is too large for float64.")
    if array.dtype.kind not in "fiub":
        return Problem(
            "not-a-table", f"{call} must be a table of numbers, and is {describe(value)}."
        )
    return torch.from_numpy(array.astype(np.float64))


def _plain(value: Any) -> Any:
    """Tensors as arrays, also inside of lists; NumPy knows no bfloat16 and no gradients."""
    if isinstance(value, Tensor):
        dense = value.detach().cpu().resolve_conj().resolve_neg()
        dense = dense.to_dense() if dense.layout != torch.strided else dense
        return (dense.double() if dense.is_floating_point() else dense).numpy()
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.ma.MaskedArray):
        return np.ma.filled(value.astype(np.float64), np.nan)  # what is hidden is no number
    return value


def _without_ones(tensor: Tensor) -> Tensor:
    """Without the axes of size 1 that stand before the last: a batch of one."""
    while tensor.ndim > 2 and 1 in tensor.shape[:-1]:
        tensor = tensor.squeeze(tuple(tensor.shape).index(1))
    return tensor


def _not_two_axes(tensor: Tensor, call: str) -> Problem:
    shape = tuple(tensor.shape)
    reason = ""
    if tensor.ndim < 2:
        reason = " Each position needs a row of its own."
    elif tensor.ndim == 3 and shape[-1] == 2:
        reason = " Sine and cosine stand on an axis of their own: flatten the last two."
    elif tensor.ndim == 3 and 2 in shape:
        axis = shape.index(2)
        reason = (
            f" If sine and cosine are stacked along axis {axis}, they belong on the last one; of a "
            "batch, one table is wanted."
        )
    elif tensor.ndim == 3:
        reason = " One table is wanted, not a batch of them."
    return Problem("shape", f"{call} must have two axes, and has the shape {shape}.{reason}")


def _not_finite(tensor: Tensor, call: str) -> Problem | None:
    unfit = ~tensor.isfinite()
    if not unfit.any():
        return None
    p, c = unfit.nonzero()[0].tolist()
    count = int(unfit.sum())
    columns = unfit.any(dim=0).nonzero().flatten().tolist()
    what = "nan" if tensor[p, c].isnan() else "infinity"
    which = ", ".join(map(str, columns[:4])) + (", …" if columns[4:] else "")
    where = f" All of it is in column {which}." if len(columns) <= tensor.shape[1] // 2 else ""
    return Problem(
        what,
        f"{call} holds {what} in row {p}, column {c}, and no finite number in {count} of "
        f"{tensor.numel()} places.{where} {NOT_FINITE[what]}",
    )


def _sixteen(values: Tensor) -> tuple[torch.dtype, ...]:
    """The 16-bit types to which the entries may have been rounded, the coarser first.

    Of whole numbers and powers of two, which all types hold, nothing can be told: a table of
    integers was not rounded to 16 bits. Of other numbers of float16 every
    eighth is one of bfloat16 as well: where several are, and no other, float16 is ruled out.
    """
    types = (torch.bfloat16, torch.float16)
    holding = tuple(each for each in types if torch.equal(values.to(each).double(), values))
    if not holding:
        return ()
    sizes = torch.from_numpy(np.unique(values.abs().numpy()))
    telling = sizes[(sizes != sizes.round()) & (sizes.frexp().mantissa != 0.5)]
    if len(telling) == 0:
        return ()
    return holding[:1] if len(telling) >= SEVERAL else holding
