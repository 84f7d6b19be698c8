# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of all figures: a chart with its numbers, panels, series, legends, units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.style import COLUMN
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    import pandas as pd
    from matplotlib.axes import Axes

    from ns3coflow.report_data import Case, ReportData

MAX_PANELS = 6
BIN_NAMES = {
    "all": "all",
    "SN": "short, narrow",
    "LN": "long, narrow",
    "SW": "short, wide",
    "LW": "long, wide",
}
WIDE_RANGE = 20  # largest over smallest value from which on an axis is logarithmic

assert tuple(BIN_NAMES) == ("all", *BINS)


@dataclass(frozen=True)
class Chart:
    """A figure: the name of its files, its title, how it was made, its numbers, and the figure."""

    name: str
    title: str
    caption: str
    table: pd.DataFrame
    draw: Callable[[float], Figure]  # in so many inches of width


def panels_of(data: ReportData) -> list[str]:
    """The panels that a figure has room for."""
    return data.panels[:MAX_PANELS]


def limited(data: ReportData) -> str:
    """The part of a caption about panels that are not shown."""
    if len(data.panels) <= MAX_PANELS:
        return ""
    return f"The first {MAX_PANELS} of {len(data.panels)} points of the other axes."


def intervals(data: ReportData) -> str:
    """The part of a caption about whiskers."""
    return f"Whiskers: 95 % confidence over {data.over}." if data.repeats > 1 else ""


def join(*sentences: str) -> str:
    """Sentences that are not empty as one text."""
    return " ".join(filter(None, sentences))


def make_figure(
    count: int,
    columns: int,
    width: float,
    height: float,
    *,
    sharex: bool = False,
    sharey: bool = False,
) -> tuple[Figure, list[Axes]]:
    """A figure with this number of axes, in rows of one height."""
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(width, height * rows + 0.45))
    subplots = figure.subplots(rows, columns, squeeze=False, sharex=sharex, sharey=sharey)
    for each in subplots.flat[count:]:
        each.set_visible(False)
    return figure, list(subplots.flat[:count])


def columns_of(count: int, width: float, last: int = 1) -> int:
    """How many panels stand side by side; of a page, those of the last axis if there are few."""
    if width <= COLUMN or count == 1:
        return 1
    if count % last == 0 and last in (2, 3):
        return last
    return 2 if count in (2, 4) else 3


def values_of_last_axis(data: ReportData) -> int:
    """How many values the last axis has, that of the series left out."""
    others = [axis for axis in data.axes if axis != data.series_axis]
    return len({case.labels[others[-1]] for case in data.cases}) if others else 1


def add_legend(figure: Figure, axes: Axes) -> None:
    """One legend below all panels."""
    handles, labels = axes.get_legend_handles_labels()
    most = max(1, int(figure.get_figwidth() / (0.55 + 0.075 * max(map(len, labels)))))
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), most))


def add_title(axes: Axes, panel: str, width: float, columns: int) -> None:
    """The point of a panel; a line for each axis of the grid where there is little room."""
    narrow = width / columns < 3
    axes.set_title(panel.replace(", ", "\n" if narrow else ", "))


def cases_of(data: ReportData, panel: str) -> Iterator[tuple[int, Case]]:
    """The cases of a panel, with the places of their series."""
    for place, series in enumerate(data.series):
        case = data.case(series, panel)
        if case is not None:
            yield place, case


def part_of(table: pd.DataFrame, **values: Hashable) -> pd.DataFrame:
    """The rows that have these values in columns of these names."""
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def places_of(data: ReportData, table: pd.DataFrame) -> Iterator[tuple[int, str, pd.DataFrame]]:
    """The rows of each series, with its place among all."""
    for place, series in enumerate(data.series):
        rows = table[table["series"] == series]
        if len(rows):
            yield place, series, rows


def errors_of(rows: pd.DataFrame, size: float = 1) -> np.ndarray[Any, Any] | None:
    """How far an interval reaches down and up, in a unit of some size; None without one."""
    if rows["low"].isna().all():
        return None
    down, up = rows["mean"] - rows["low"], rows["high"] - rows["mean"]
    return np.array([down.to_numpy(), up.to_numpy()]) / size
