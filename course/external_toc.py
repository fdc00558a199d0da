"""sphinx_external_toc looks at every object that there is, each time that Sphinx begins."""

from __future__ import annotations

import contextlib
import gc
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def spared() -> Iterator[None]:
    """Let it look at those made from now on, and say nothing of torch's deprecated ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        gc.freeze()
        yield
