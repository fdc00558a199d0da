"""Cells that run for every task, and what is told of some errors of a cell.

Of a name that a cell left out defines, and of numbers with a decimal comma. It is asked in the
student's process alone: to read a program can end Python, too.
"""

from __future__ import annotations

import ast
import re
import symtable
import sys
from collections.abc import Iterable
from contextlib import suppress

from IPython.core.inputtransformer2 import TransformerManager

from pe_lab.diagnosis.answers import COMMA

# What stands before a cell that a student added before the first task.
SHARED = "# A cell before the first task: it runs for every task.\n"

ELSEWHERE = (
    "It is defined in another cell: each task is marked from the set's second cell, your own cells "
    "before the first task and your cells of that task alone"
)


def comma(error: BaseException) -> str:
    """A sentence, if a line cannot be read because a comma stands in a number, as in 0,05."""
    if type(error) is not SyntaxError:
        return ""
    reason, line = error.msg, error.text
    if type(reason) is not str or type(line) is not str:  # of a cell's own error
        return ""
    there = "leading zeros" in reason and re.search(r"\d,0\d", line)
    return f". {COMMA}" if there else ""


def elsewhere(error: BaseException, others: Iterable[str]) -> str:
    """A sentence, if the name that was not found is defined in a cell that does not run."""
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return ""
    for cell in others:
        with suppress(Exception):  # what cannot be read defines nothing
            if error.name and _defines(cell, error.name):
                return f". {ELSEWHERE}"
    return ""


def _defines(cell: str, name: str) -> bool:
    """Whether a cell, outside of its functions, assigns, defines or imports a name."""
    source = TransformerManager().transform_cell(cell)
    for symbol in symtable.symtable(source, "cell", "exec").get_symbols():
        if symbol.get_name() == name and (symbol.is_assigned() or symbol.is_imported()):
            return True
    imports = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.ImportFrom)]
    whole = [each.module or "" for each in imports if each.names[0].name == "*"]
    return any(hasattr(sys.modules.get(module), name) for module in whole)
