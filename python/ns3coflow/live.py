# SPDX-License-Identifier: GPL-2.0-only
"""Figures as data, from which the script of a report draws them in the width of the window.

The data are read from the figures that the files show, so that both show the same.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.container import BarContainer, ErrorbarContainer

from ns3coflow.style import COLOURS, DASHES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

MOST_POINTS = 500  # of a line: more cannot be told apart on a screen
DIGITS = 5


def describe(figure: Figure, series: Sequence[str]) -> str | None:
    """The panels of a figure as JSON, or None for a figure that has parts of other kinds.

    Arguments:
        figure: with lines, points and bars only.
        series: names in their order, which gives colours and dashes.
    """
    panels = []
    for axes in figure.axes:
        if not axes.get_visible():
            continue
        panel = _panel(axes, series)
        if panel is None:
            return None
        panels.append(panel)
    if not panels:
        return None
    shared = len(panels) > 1 and len({panel["x"]["label"] for panel in panels}) > 1
    grids = [grid for axes in figure.axes if (grid := axes.get_gridspec()) is not None]
    columns = 1 if shared else max(grid.ncols for grid in grids)
    text = json.dumps({"columns": columns, "panels": panels}, separators=(",", ":"))
    # A script element may be ended, or made to go on after its end, by a text that has this sign.
    return text.replace("<", "\\u003c")


def _panel(axes: Axes, series: Sequence[str]) -> dict[str, Any] | None:
    bars = [each for each in axes.containers if isinstance(each, BarContainer)]
    errors = [each for each in axes.containers if isinstance(each, ErrorbarContainer)]
    known = len(bars) + len(errors) == len(axes.containers)
    loose = len(axes.collections) - sum(len(each.lines[2]) for each in errors)
    if not known or loose or any(each.orientation == "horizontal" for each in bars):
        return None
    inside = {part for each in errors for part in (each.lines[0], *each.lines[1])}
    drawn = [_line(line, series) for line in axes.lines if line not in inside]
    drawn += [_error_bars(each, series) for each in errors]
    drawn += [_bars(each, series) for each in bars]
    return {
        "title": " ".join(axes.get_title().split()),
        "x": _axis(axes, "x", bool(bars or errors)),
        "y": _axis(axes, "y", False),
        "series": drawn,
    }


def _axis(axes: Axes, name: str, categories: bool) -> dict[str, Any]:
    axis = axes.xaxis if name == "x" else axes.yaxis
    label = axis.get_label_text()
    if not label:  # that of panels that share an axis stands at the first or last one
        others = [each for each in axes.figure.axes if each.get_visible()]
        labels = [(each.xaxis if name == "x" else each.yaxis).get_label_text() for each in others]
        label = next(filter(None, labels), "")
    low, high = axis.get_view_interval()
    told: dict[str, Any] = {
        "label": label,
        "log": axis.get_scale() == "log",
        "range": _numbers([low, high]),
    }
    if categories:
        told["names"] = [tick.get_text() for tick in axis.get_ticklabels()]
    return told


def _bars(container: BarContainer, series: Sequence[str]) -> dict[str, Any]:
    name = str(container.get_label())
    heights = _numbers(patch.get_height() for patch in container.patches)
    places = list(range(len(heights)))
    return {"name": name, "kind": "bars", "x": places, "y": heights, **_look(name, series)}


def _line(line: Line2D, series: Sequence[str]) -> dict[str, Any]:
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    name = str(line.get_label())
    kind = "step" if line.get_drawstyle() == "steps-post" else "line"
    if line.get_linestyle() == "None":
        kind = "points"
    elif name.startswith("_"):
        kind = "rule"  # what others are held against: no series of its own
    if len(x) > MOST_POINTS:
        kept = np.unique(np.linspace(0, len(x) - 1, MOST_POINTS).astype(int))
        x, y = x[kept], y[kept]
    look = _look(name, series)
    if kind == "points":
        look["colour"] = str(line.get_color())
    whole = kind == "rule" and list(x) == [0, 1]  # axhline: from edge to edge
    return {
        "name": "" if name.startswith("_") else name,
        "kind": kind,
        "x": [None, None] if whole else _numbers(x),
        "y": _numbers(y),
        **({} if kind == "rule" else look),
    }


def _error_bars(container: ErrorbarContainer, series: Sequence[str]) -> dict[str, Any]:
    line = container.lines[0]
    assert line is not None
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    half = [math.nan] * len(x)
    for collection in container.lines[2]:
        # A segment for each point that has one, from below to above.
        for segment in collection.get_segments():
            if len(segment) == 2 and np.isfinite(segment).all():
                place = round(float(segment[0][0]))
                half[place] = float(segment[1][1] - segment[0][1]) / 2
    name = str(container.get_label())
    told = {"name": name, "kind": "line", "x": _numbers(x), "y": _numbers(y)}
    if any(math.isfinite(each) for each in half):
        told["half"] = _numbers(half)
    return {**told, "marks": True, **_look(name, series)}


def _look(name: str, series: Sequence[str]) -> dict[str, Any]:
    """Colour and dashes of a series, as in the files."""
    place = list(series).index(name) if name in series else 0
    dashes = DASHES[(2 * (place // len(COLOURS)) + place) % len(DASHES)]
    return {
        "colour": COLOURS[place % len(COLOURS)],
        "dash": [] if dashes == "-" else list(dashes[1]),
    }


def _numbers(values: Iterable[Any]) -> list[float | int | None]:
    """Numbers as JSON has them: rounded, and null for those that are not finite."""
    told: list[float | int | None] = []
    for value in values:
        number = float(value)
        if not math.isfinite(number):
            told.append(None)
        else:
            rounded = float(f"{number:.{DIGITS}g}")
            told.append(int(rounded) if rounded.is_integer() else rounded)
    return told
