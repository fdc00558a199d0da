"""Nothing that is collected is garbage: Python looks for none before the first test."""

from __future__ import annotations

import gc

gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(50_000)  # drawing makes so many objects that 700 are counted again and again
    gc.enable()
