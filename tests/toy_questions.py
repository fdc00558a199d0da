"""A question of each kind, as a file of questions has it."""

from __future__ import annotations

from typing import Any

NUMBER: dict[str, Any] = {
    "id": "09-x",
    "kind": "number",
    "text": "How many?",
    "right": "len(denominator(6))",
    "tolerance": 0,
    "wrong": [{"value": 6, "says": "One for each column."}],
}
CHOICE: dict[str, Any] = {
    "id": "09-y",
    "kind": "choice",
    "text": "Which?",
    "choices": [{"text": "a", "when": "1 > 0"}, {"text": "b", "when": "1 < 0", "says": "No."}],
}
ORDER: dict[str, Any] = {
    "id": "09-z",
    "kind": "order",
    "text": "Order.",
    "lines": ["a", "b"],
    "wrong": [{"order": [1, 0], "says": "No."}],
}

FIGURE: dict[str, Any] = {
    "id": "09-w",
    "kind": "figure",
    "text": "Which?",
    "table": "PE(10, 6)",
    "pick": "column",
    "right": "[0, 1]",
    "wrong": [{"at": "5", "says": "No."}],
}
