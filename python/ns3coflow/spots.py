# SPDX-License-Identifier: GPL-2.0-only
"""Places of the values of an axis in a figure: numbers to scale, names in order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import NullLocator

from ns3coflow import metadata
from ns3coflow.chart import WIDE_RANGE
from ns3coflow.quantities import parse, suit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes


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
    plain = metadata.units().get(axis, "")
    read = [each for value in values if (each := parse(str(value), plain)) is not None]
    families = {family for _, family in read}
    if len(read) < len(values) or len(families) != 1:
        return None
    numbers = dict(zip(values, (number for number, _ in read), strict=True))
    if len(set(numbers.values())) < len(numbers) or not all(map(math.isfinite, numbers.values())):
        return None
    unit, size = suit(max(map(abs, numbers.values())), families.pop())
    return unit, {value: number / size for value, number in numbers.items()}
