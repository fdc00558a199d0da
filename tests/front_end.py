"""A front end in Node: its functions called with settings, without a browser."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from web.node import NODE

ROOT = Path(__file__).resolve().parents[1]

State = dict[str, Any]
FIRST = 12  # a planted mistake is mostly seen among so many


@cache
def node() -> subprocess.Popen[str]:
    """One process for all calls, which ends with its input: to start one takes as long as many."""
    command = [str(NODE), str(ROOT / "tests" / "call.mjs")]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")


def call(module: str, name: str, calls: Sequence[Sequence[Any]]) -> list[Any]:
    """Call the function ``name`` that the text of a module exports, once for each arguments."""
    stdin, stdout = node().stdin, node().stdout
    assert stdin is not None
    assert stdout is not None
    stdin.write(json.dumps({"module": module, "name": name, "calls": calls}) + "\n")
    stdin.flush()
    answer = json.loads(stdout.readline())
    if "error" in answer:
        raise RuntimeError(answer["error"])
    results: list[Any] = answer["results"]
    return results


def numbers(module: str, states: Sequence[State], name: str = "numbers") -> Iterator[Any]:
    """``numbers(state)`` of each state; those of most only once the first have been looked at."""
    for some in (states[:FIRST], states[FIRST:]):
        if some:
            yield from call(module, name, [[state] for state in some])


def assert_close(shown: object, expected: object, allowed: float = 1e-12) -> None:
    """All numbers equal: relatively where they are larger than 1, for they count in radians."""
    found, wanted = np.asarray(shown, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == wanted.shape
    assert (np.abs(found - wanted) <= allowed * np.maximum(1.0, np.abs(wanted))).all()
