"""Formulas as a screen reader says them on paper: in a line of signs, made of their MathML.

On the page a formula has two halves: MathML, which is not seen, and boxes, which are not read
aloud. What is not seen does not come into a PDF, so there the boxes carry the words.
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

# Where the parts of an element stand in the line.
PATTERNS = {
    "msub": "{}_{}",
    "msup": "{}^{}",
    "msubsup": "{}_{}^{}",
    "munder": "{}_{}",
    "munderover": "{}_{}^{}",
    "mfrac": "{}/{}",
    "msqrt": "√{}",
}
BETWEEN = {"mtable": "; ", "mtr": ", "}
APPLIED = "\u2061"  # between a function and its argument; not seen
SPACED = {APPLIED, "=", "+", "−", "⋅", "×", "≈", "<", ">", "≥", "≤", "≠", "±", "∓"}


def tell(formula: LexborNode) -> None:
    """Give the boxes of a formula its words, and empty the half that is not seen."""
    (math,) = formula.css("math")
    heard, seen = formula.iter()
    formula.attrs["role"] = "img"
    sign = heard.text(deep=False)  # the comma, say, that ends the line with it
    formula.attrs["aria-label"] = " ".join(in_line(math).split()) + sign
    heard.inner_html = ""  # the style sheet knows the halves by their places
    del seen.attrs["aria-hidden"]
    for drawing in seen.css("svg"):  # the hook of a root
        drawing.attrs["aria-hidden"] = "true"


def in_line(node: LexborNode) -> str:
    """``W_E``, ``e^x``, ``(a + b)/√d``; the rows of a matrix end with a semicolon."""
    tag = node.tag or ""
    parts = list(node.iter())
    if tag == "mphantom":
        return ""
    if tag == "mspace":
        return " "
    if not parts:
        text = node.text()
        return f" {text.strip(APPLIED)} " if text in SPACED or tag == "mtext" else text
    if tag in PATTERNS:
        if tag == "msqrt" and len(parts) > 1:
            return f"√({joined(parts)})"
        return PATTERNS[tag].format(*map(grouped, parts))
    return joined(parts, BETWEEN.get(tag, ""))


def joined(parts: list[LexborNode], between: str = "") -> str:
    return between.join(map(in_line, parts))


def grouped(node: LexborNode) -> str:
    """In parentheses where it is more than one sign, name or number."""
    text = in_line(node).strip()
    whole = len(text) == 1 or (node.tag in ("mi", "mn", "mtext") and " " not in text)
    return text if whole else f"({text})"
