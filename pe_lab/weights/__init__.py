"""What was trained once for the chapters: weights, and the numbers of many runs.

`python -m tools.train` makes all of it. The weights are rounded to 12 bits and stored as
float16, which holds them exactly. Torch computes with them in float32, so that they give the same
everywhere up to the rounding of sums; the numbers of the runs are those before this rounding.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pe_core.checks import describe
from pe_lab.model import Transformer
from pe_lab.training import Run, load

FOLDER = Path(__file__).resolve().parent


def names() -> list[str]:
    """Return the names of the trained models."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def trained(name: str) -> tuple[Transformer, Run]:
    """Return a trained model, and the run that made it; see `names`."""
    if name not in names():
        raise ValueError(f"name must be one of {', '.join(names())}; got {describe(name)}")
    return load(FOLDER / f"{name}.safetensors")


def results(part: str) -> dict[str, Any]:
    """Return what one part of the experiments measured: its settings, versions and rows."""
    parts = sorted(path.stem for path in FOLDER.glob("*.json"))
    if part not in parts:
        raise ValueError(f"part must be one of {', '.join(parts)}; got {describe(part)}")
    stored: dict[str, Any] = json.loads((FOLDER / f"{part}.json").read_text(encoding="utf-8"))
    return stored
