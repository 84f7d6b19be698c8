# SPDX-License-Identifier: GPL-2.0-only
"""Quantities: texts with units as numbers, and numbers with the unit that suits them."""

from __future__ import annotations

import math
import re

# By the unit in which numbers are kept: units, the largest first, and how large each is.
FAMILIES = {
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "bytes": {"GB": 1e9, "MB": 1e6, "kB": 1e3, "bytes": 1.0},
    "bit/s": {"Gbps": 1e9, "Mbps": 1e6, "kbps": 1e3, "bps": 1.0},
    "": {"": 1.0},
}
_TYPED = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([A-Za-z]*)")
_OTHER_NAMES = {"B": "bytes"}


def parse(text: str, plain: str = "") -> tuple[float, str] | None:
    """A quantity as a number, and the family of its unit; None for other texts.

    Arguments:
        text: such as "1.6ms", "+25000ns" or "10 MB".
        plain: the family of a number without a unit.
    """
    typed = _TYPED.fullmatch(text.strip())
    if typed is None:
        return None
    number, unit = float(typed[1]), _OTHER_NAMES.get(typed[2], typed[2])
    if not unit:
        return number, plain if plain in FAMILIES else ""
    for family, units in FAMILIES.items():
        if unit in units:
            return number * units[unit], family
    return None


def suit(largest: float, family: str = "s") -> tuple[str, float]:
    """The unit that suits the largest of some numbers, and the size of the unit."""
    units = list(FAMILIES[family].items())
    return next((each for each in units if abs(largest) >= each[1]), units[-1])


def say(number: float, family: str = "s", digits: int = 3) -> str:
    """A number with the unit that suits it: "5.14 ms"."""
    if math.isnan(number):
        return "unknown"
    unit, size = suit(number, family)
    return f"{number / size:.{digits}g} {unit}"
