"""The numbers that a typed text may mean. ``book/_ext/asking/judging.js`` reads by the same rules.

A number is written 0.5, 0,5, 1e-4, −3, 1/3, −(1/3), 1 3/7, 20 %, 10 000, 2π, 2*pi, π/4, 10^4,
10**4, 10⁻⁴, 10^(1/3), 4.6 x 10^-2, √2 or √(1/2); in 10_000 and 10'000 are thousands. Below √ no
blank parts thousands. In 1,458 the comma may stand before thousands or before decimals, and in
10^1/3 the third may belong to the exponent or not, so that there are two. After a bar, a typed sign
or another bar ends what is divided by, as in Python: 1/2*π is π/2, but 1/2π and 1/2√2 are 1/(2π)
and 1/(2√2). Behind it may stand a unit, in letters, and a full stop; before it =, ≈ or ~.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator

# What is a blank in JavaScript: Python has others. Nor does a pattern ignore case, for ı is i then.
BLANKS = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
S = f"[{BLANKS}]"
DECIMAL = r"[0-9]+[.,]?[0-9]*|[.,][0-9]+"
SCALED = rf"(?:{DECIMAL})(?:[eE][+-]?[0-9]+)?"
NUMBER = re.compile(rf"[+-]?{SCALED}")
MIXED = re.compile(rf"(-?){S}*([0-9]+){S}+([0-9]+){S}*/{S}*([0-9]+)")  # 1 3/7
SPACED = re.compile(rf"[0-9]+(?:{S}+[0-9]+)+")
GROUPS = re.compile(rf"[0-9]{{1,3}}({S}[0-9]{{3}})+")  # 10 000
INSIDE = re.compile(r"([.,]|[eE][+-]?)\Z")  # before digits that begin no number
THOUSANDS = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(,[0-9]{3})+(?![0-9,])")
WITH_UNIT = re.compile(rf"(.*[0-9π%.)]){S}*([a-zA-Z°](?:[a-zA-Z°/]|{S})*)", re.DOTALL)
PI = re.compile(rf"(^|[^a-zA-Z]|[0-9.,)]{S}*[xX])[pP][iI](?![a-zA-Z])")
PARTED = re.compile(r"([0-9])[_'’](?=[0-9]{3}(?![0-9]))")  # 10_000
# 4.6 x 10^-2; but 0x10 is no product
X = re.compile(rf"([1-9.)π](?:{S}?0)*|,0+){S}*[xX]{S}*(?=[0-9.(π√])")
PER_CENT = re.compile(rf"{S}*[pP][eE][rR] ?[cC][eE][nN][tT]\Z")
LISTED = re.compile(rf",{S}")  # 18, 19
ROOT = re.compile(rf"([0-9.,π)]?)({S}*)√{S}*(?:\(({SCALED})\)|({SCALED}))")
SQRT = re.compile("[sS][qQ][rR][tT]")
QUOTIENT = re.compile(rf"√{S}*\(()([0-9.]+){S}*/{S}*([0-9.]+)\)(?![0-9.,eE])")  # below a root
RAISED = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
EXPONENT = re.compile(rf"\^\(([+-]?)({DECIMAL})(?:/({DECIMAL}))?\)(?![0-9.,])")
BARE_EXPONENT = re.compile(r"\^(-?([0-9]+)/([0-9]+))\Z")
BRACKETED = re.compile(r"([+-]?)\(([^()]*)\)")
POWER = re.compile(rf"({SCALED})\^([+-]?(?:{DECIMAL}))")
BESIDE = "\u2062"  # times, where no sign was typed
SIGNS = "*·×⋅∙•"
TIMES = f"[{SIGNS}{BESIDE}]"
NO_PRODUCT = re.compile(rf"^(?:{TIMES}|[+-])|{TIMES}\Z|{TIMES}{{2}}|π[0-9.,+-]")
FACTORS = re.compile(rf"{TIMES}|(π)")
BY = re.compile(rf"[{SIGNS}](?![^(]*\))")  # and not in a bracket

LONGEST = 200  # characters
LARGEST = 1e21  # after ^ or √: JavaScript does not write more in digits
# Written otherwise: other dashes, bars and circles, what nobody sees, and raised digits.
OTHERS = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2212\uff0d÷⁄∕º", "-------///°", "\u200b\u2060\ufeff"
)

# Other words for a unit, beside its own and that without its s.
ALSO = {
    "degrees": ["°", "deg"],
    "positions": ["pos"],
    "radians": ["rad"],
}


def words(unit: str) -> list[str]:
    """What may be typed for the unit of a question."""
    return [unit, unit.removesuffix("s"), *ALSO.get(unit, [])] if unit else []


def parted(text: str) -> tuple[str, str]:
    """A text without its unit, and the unit in small letters; "" if there is none."""
    plain = text.translate(OTHERS).strip(BLANKS)
    plain = RAISED.sub(_exponent, plain)
    plain = re.sub(r"([^.])\.\Z", r"\1", plain)
    plain = SQRT.sub("√", PARTED.sub(r"\1", plain))
    plain = X.sub(r"\1·", PI.sub(r"\1π", plain))
    plain = ROOT.sub(_root, QUOTIENT.sub(_one_number, plain))
    plain = re.sub(rf"^[≈=~]{S}*", "", plain)
    plain = PER_CENT.sub("%", plain)
    found = WITH_UNIT.fullmatch(plain)
    return (found[1], " ".join(found[2].lower().split())) if found else (plain, "")


def _exponent(found: re.Match[str]) -> str:
    """Raised digits as an exponent in plain ones."""
    return f"^({unicodedata.normalize('NFKC', found[0]).translate(OTHERS)})"


def _root(found: re.Match[str]) -> str:
    """A root as a power, times the number before it if there is one."""
    before, blank, inside, bare = found.groups()
    return f"{before}{BESIDE if before else blank}{inside or bare}^(0.5)"


def readings(text: str) -> list[float]:
    """The finite numbers that a text without a unit may mean; none if it is longer than any is."""
    if len(text) > LONGEST:
        return []
    return [number for number in _readings(text) if math.isfinite(number)]


def _readings(text: str) -> Iterator[float]:
    if LISTED.search(text):
        return
    several = _several(text)
    if (mixed := MIXED.fullmatch(text)) and several:
        sign, whole, upper, lower = mixed.groups()
        if float(lower):
            yield (-1 if sign else 1) * (float(whole) + float(upper) / float(lower))
        return
    if several:
        return
    bare = re.sub(S, "", text)
    plain = bare.replace("**", "^")
    if whole := BRACKETED.fullmatch(plain):
        yield from (-each if whole[1] == "-" else each for each in _readings(whole[2]))
        return
    if plain.endswith("%") and not plain.endswith("%%"):
        yield from (number / 100 for number in _readings(plain[:-1]))
        return
    # Where that is a root, x^a/b may also be meant as x^(a/b); but ** is Python's.
    root = BARE_EXPONENT.search(bare)
    is_root = root and 0 < float(root[2]) < float(root[3])
    for each in [plain, BARE_EXPONENT.sub(r"^(\1)", plain)] if is_root else [plain]:
        yield from _quotients(EXPONENT.sub(_one_number, each))


def _one_number(found: re.Match[str]) -> str:
    """What stands after ^ or √, a number or a quotient, as a decimal."""
    sign, upper, lower = found.groups()
    by = _decimal(lower or "1")
    size = _decimal(upper) / by if by else math.inf
    return f"{found[0][0]}{sign}{size:.30f}" if size < LARGEST else found[0]


def _quotients(text: str) -> Iterator[float]:
    """What a text with bars or none may mean: with commas before thousands, and decimals."""
    grouped = THOUSANDS.sub(lambda found: found[0].replace(",", ""), text)
    for meant in [grouped, text] if grouped != text else [text]:
        upper, *lower = meant.split("/")
        value = _product(upper)
        for each in lower:
            by, *times = map(_product, BY.split(each))
            value = math.prod(times, start=value / by) if by else math.nan
        yield value


def _several(text: str) -> bool:
    """Whether spaces separate numbers, and not the thousands of one."""
    return any(
        not GROUPS.fullmatch(found[0]) or INSIDE.search(text[: found.start()]) is not None
        for found in SPACED.finditer(text)
    )


def _product(text: str) -> float:
    """Numbers and π, times each other; nan if it is none."""
    bare = re.sub(r"^\((.*)\)$", r"\1", text)
    sign = re.match(r"[+-]?", bare)[0]  # type: ignore[index]
    bare = bare[len(sign) :]
    if NO_PRODUCT.search(bare):
        return math.nan
    product = -1.0 if sign == "-" else 1.0
    factors = [each for each in FACTORS.split(bare) if each]
    for factor in factors:
        product *= math.pi if factor == "π" else _power(factor)
    return product if factors else math.nan


def _power(text: str) -> float:
    """A decimal, or one to the power of another."""
    if not (found := POWER.fullmatch(text)):
        return _decimal(text)
    try:
        power = math.pow(_decimal(found[1]), _decimal(found[2]))
    except (OverflowError, ValueError):  # too large, or a division by zero
        return math.nan
    return power if math.isfinite(power) else math.nan


def _decimal(text: str) -> float:
    return float(text.replace(",", ".")) if NUMBER.fullmatch(text) else math.nan
