# SPDX-License-Identifier: GPL-2.0-only
"""Where the values of an axis of a sweep stand in a figure: numbers to scale, names in order."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import NullLocator

from ns3coflow import metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

WIDE_RANGE = 20  # largest over smallest value from which on the axis is logarithmic
_TYPED = re.compile(r"([+-]?[\d.]+(?:e[+-]?\d+)?)\s*([A-Za-z]*)")
_FAMILIES = (
    {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    {"GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1.0},
    {"Gbps": 1e9, "Mbps": 1e6, "kbps": 1e3, "bps": 1.0},
    {"": 1.0},
)
# What a number without a unit stands for, by the unit that a parameter has.
_PLAIN = {"s": "s", "bytes": "B", "bit/s": "bps"}


@dataclass(frozen=True)
class Spots:
    """Places of values, and the labels of their axis."""

    of: Callable[[Any], float]
    label: Callable[[Axes], None]


def place_values(axis: str, values: Sequence[Any]) -> Spots:
    """Numbers, and quantities of one kind, stand to scale; other values in the order given."""
    numbers = _read(axis, values)
    if numbers is None:
        names = {value: place for place, value in enumerate(values)}

        def name(axes: Axes) -> None:
            axes.set_xticks(range(len(values)), [str(value) for value in values])
            axes.set_xlabel(axis)

        return Spots(lambda value: float(names[value]), name)
    unit, found = numbers
    low, high = min(found.values()), max(found.values())
    is_logarithmic = high > WIDE_RANGE * low > 0

    def label(axes: Axes) -> None:
        if is_logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_minor_locator(NullLocator())
        places = sorted(found.values())
        axes.set_xticks(places, [f"{place:g}" for place in places])
        told = ", ".join(filter(None, (unit, "log scale" if is_logarithmic else "")))
        axes.set_xlabel(f"{axis} ({told})" if told else axis)

    return Spots(lambda value: found[value], label)


def _read(axis: str, values: Sequence[Any]) -> tuple[str, dict[Any, float]] | None:
    """The values as numbers of one unit; None where they are none, or of several kinds."""
    read: dict[Any, tuple[float, str]] = {}
    for value in values:
        typed = _TYPED.fullmatch(str(value).strip())
        if typed is None or isinstance(value, bool):
            return None
        read[value] = (float(typed[1]), typed[2])
    units = {unit for _, unit in read.values()}
    if units != {""}:
        plain = _PLAIN.get(metadata.units().get(axis, ""), "")
        read = {value: (number, unit or plain) for value, (number, unit) in read.items()}
    for family in _FAMILIES:
        if all(unit in family for _, unit in read.values()):
            sizes = {value: number * family[unit] for value, (number, unit) in read.items()}
            known = sorted(family.items(), key=lambda each: -each[1])
            largest = max(map(abs, sizes.values()))
            unit, size = next((each for each in known if each[1] <= largest), known[-1])
            if len(set(sizes.values())) < len(sizes) or not all(map(math.isfinite, sizes.values())):
                return None
            return unit, {value: each / size for value, each in sizes.items()}
    return None
