"""Values on their way between the marker and a student's process: JSON, and nothing that acts.

Numbers, strings, lists, mappings, tensors and arrays go both ways. A function goes from the marker
to the student only, as a number: the student's side calls it by asking the marker.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import torch
from torch import Tensor

KINDS = "fiubc"  # of arrays: floating-point, integers with and without sign, bool, complex
DEEPEST = 20
NAME = 100  # characters of a type's name

Json = Any


class NotData(TypeError):
    """A value that is no data."""


def pack(
    value: object, functions: list[Callable[..., object]] | None = None, depth: int = 0
) -> Json:
    """A value as JSON has it; functions, where they may be, are put into ``functions``.

    Raises:
        NotData: it is something else.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if value is ...:
        return {"dots": None}
    if isinstance(value, int | float):
        try:
            return {"number": repr(value)} if type(value) in (int, float) else pack(float(value))
        except ValueError:  # of more digits than Python writes
            raise NotData("it is a number with too many digits") from None
    if isinstance(value, complex | np.clongdouble):
        return {"complex": [float(value.real), float(value.imag)]}
    if isinstance(value, Tensor):
        return {"tensor": _bytes(_array(value)), "dtype": str(value.dtype).removeprefix("torch.")}
    if isinstance(value, np.generic) and not isinstance(value, np.longdouble):
        return pack(value.item())  # a longdouble's is one again
    if isinstance(value, Decimal | Real):  # Fraction is one, and mpmath's numbers are
        try:
            return pack(float(value))
        except OverflowError:
            raise NotData("it is a number that is too large for float64") from None
    if depth > DEEPEST:
        raise NotData("it is nested too deeply")
    if isinstance(value, np.ndarray) and value.dtype == object:
        return pack(value.tolist(), None, depth + 1)
    if isinstance(value, np.ndarray):
        return {"array": _bytes(value)}
    if isinstance(value, list | tuple):
        return {
            "tuple" if isinstance(value, tuple) else "list": [
                pack(each, functions, depth + 1) for each in value
            ]
        }
    if isinstance(value, dict):
        pairs = [
            [pack(k, None, depth + 1), pack(v, functions, depth + 1)] for k, v in value.items()
        ]
        return {"dict": pairs}
    if functions is not None and callable(value):
        functions.append(value)
        return {"function": len(functions) - 1}
    raise NotData(f"it is a {type(value).__name__[:NAME]}")


def unpack(packed: Json, function: Callable[[int], object] | None = None) -> Any:
    """The value again; ``function`` makes one from its number."""
    if not isinstance(packed, dict):
        return packed
    ((kind, content),) = ((k, v) for k, v in packed.items() if k != "dtype")
    if kind == "dots":
        return ...
    if kind == "number":
        return int(content) if content.lstrip("-").isdigit() else float(content)
    if kind == "complex":
        return complex(*content)
    if kind == "array":
        return _from_bytes(content)
    if kind == "tensor":
        return torch.from_numpy(_from_bytes(content)).to(getattr(torch, packed["dtype"]))
    if kind == "list":
        return [unpack(each, function) for each in content]
    if kind == "tuple":
        return tuple(unpack(each, function) for each in content)
    if kind == "dict":
        return {unpack(key): unpack(each, function) for key, each in content}
    if kind == "function" and function is not None:
        return function(content)
    raise NotData(f"there is no {kind}")


def _array(tensor: Tensor) -> np.ndarray[Any, Any]:
    dense = tensor.detach().to_dense().cpu().resolve_conj().resolve_neg()
    array: np.ndarray[Any, Any]
    array = (dense.float() if dense.dtype == torch.bfloat16 else dense).numpy()
    return array


def _bytes(array: np.ndarray[Any, Any]) -> list[Any]:
    if array.dtype.kind not in KINDS:
        raise NotData(f"it is an array of {array.dtype}")
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return [array.dtype.str, list(array.shape), data]


def _from_bytes(content: list[Any]) -> np.ndarray[Any, Any]:
    name, shape, data = content
    dtype = np.dtype(name)
    if dtype.kind not in KINDS:
        raise NotData(f"an array of {dtype}")
    return np.frombuffer(base64.b64decode(data), dtype=dtype).reshape(shape).copy()
