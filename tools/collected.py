"""To import this imports all tests as pytest does, which takes far longer than to count them.

What is forked from here need only count them, for the modules, their assertions rewritten, are
there. A module that is broken is not, and breaks again where it is counted, which says so.
"""

from __future__ import annotations

import contextlib
import os

import pytest

with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
    pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests"])
