"""Nothing that is collected is garbage: Python looks for none before the first test.

And workers begin with the tests imported, where ``tools.check`` says how (see tools/warm.py).
A test that is run alone has as many threads as there.
"""

from __future__ import annotations

import gc
import os

import execnet

from tools.chapters import STEADY

os.environ.update(STEADY)  # before torch is imported
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(50_000)  # drawing makes so many objects that 700 are counted again and again
    gc.enable()


def pytest_xdist_setupnodes(specs: list[execnet.XSpec]) -> None:
    for spec in specs:
        spec.python = os.environ.get("XDIST_PYTHON")
