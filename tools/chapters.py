"""Where the notebooks are, and what holds for every run of them."""

from __future__ import annotations

from pathlib import Path

NO_BOOK = "There is no built book yet: make book"

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"

# Sums are rounded differently on another number of threads, and a progress bar tells the time:
# stored outputs are for one thread, and without bars.
STEADY = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",  # where a test has more threads, they use no processor to wait
    "TQDM_DISABLE": "1",
}


def chapters(names: list[str] | None = None) -> list[Path]:
    """The notebooks named (with or without folder and suffix), or all of them, in order."""
    if not names:
        return sorted(NOTEBOOKS.glob("*.ipynb"))
    paths = [NOTEBOOKS / f"{Path(name).stem}.ipynb" for name in names]
    missing = [path.name for path in paths if not path.exists()]
    if missing:
        raise FileNotFoundError(f"no such notebook in {NOTEBOOKS.name}/: {', '.join(missing)}")
    return paths
