# SPDX-License-Identifier: GPL-2.0-only
"""Figures of results. Each function returns a figure, or None where there is nothing to show."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.gantt import gantt as gantt
from ns3coflow.report_data import half_width, quantiles
from ns3coflow.style import (
    WIDTH,
    bar_style,
    line_style,
    marker_style,
)
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from matplotlib.axes import Axes

    from ns3coflow.report_data import Case, ReportData

MAX_PANELS = 6
GROUPS = ("all", *BINS)


def _columns(data: ReportData, panels: list[str]) -> int:
    """How many panels stand side by side: a row per value of all axes but the last."""
    others = [axis for axis in data.axes if axis != data.series_axis]
    last = len({case.labels[others[-1]] for case in data.cases}) if others else 1
    if len(panels) % last == 0 and last in (2, 3):
        return last
    return 1 if len(panels) == 1 else 2 if len(panels) in (2, 4) else 3


def _grid(data: ReportData, height: float, label: str) -> tuple[Figure, list[tuple[str, Axes]]]:
    """A figure with one axes per panel, at most six of them; the label is that of the y axes."""
    panels = data.panels[:MAX_PANELS]
    columns = _columns(data, panels)
    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(WIDTH, height * rows + 0.4))
    subplots = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for each in subplots.flat[len(panels) :]:
        each.set_visible(False)
    for each in subplots[:, 0]:
        each.set_ylabel(label)
    pairs = list(zip(panels, subplots.flat, strict=False))
    for panel, each in pairs:
        # One line per axis of the grid keeps neighbours from touching.
        each.set_title(panel.replace(", ", "\n" if columns > 2 else ", "))
    return figure, pairs


def _legend(figure: Figure, axes: Axes, count: int) -> None:
    """One legend below all panels."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(count, 6))


def _each(data: ReportData, panel: str, draw: Callable[[int, Case], None]) -> None:
    for place, series in enumerate(data.series):
        case = data.case(series, panel)
        if case is not None:
            draw(place, case)


def cct_cdf(data: ReportData) -> Figure | None:
    """Distribution of coflow completion times, logarithmic."""
    if not any(case.coflows["cct_s"].notna().any() for case in data.cases):
        return None
    figure, pairs = _grid(data, 2.6, "share of coflows")
    for panel, axes in pairs:

        def draw(place: int, case: Case, axes: Axes = axes) -> None:
            # Coflows without a finish count: the line of a scheduler that has some ends below 1.
            shown = case.coflows[~(case.coflows["cct_s"] <= 0)]
            values, share = quantiles(shown["cct_s"])
            share = share * shown["cct_s"].notna().mean()
            axes.step(values, share, where="post", label=case.series, **line_style(place))

        _each(data, panel, draw)
        axes.set_xscale("log")
        axes.set_xlabel("coflow completion time (s)")
        axes.set_ylim(0, 1.02)
    _legend(figure, pairs[0][1], len(data.series))
    return figure


def _bars(
    data: ReportData,
    measure: Callable[[Case, str], float],
    label: str,
    *,
    logarithmic: bool,
    line: float | None = None,
) -> Figure | None:
    """Bars by bin, one per series."""
    bins = [
        group for group in GROUPS if any(np.isfinite(measure(case, group)) for case in data.cases)
    ]
    if not bins:
        return None
    figure, pairs = _grid(data, 2.4, label)
    width = 0.84 / len(data.series)
    for panel, axes in pairs:

        def draw(place: int, case: Case, axes: Axes = axes) -> None:
            heights = [measure(case, group) for group in bins]
            left = np.arange(len(bins)) - 0.42 + place * width
            axes.bar(left, heights, width, align="edge", label=case.series, **bar_style(place))

        _each(data, panel, draw)
        axes.set_xticks(range(len(bins)), bins)
        axes.grid(visible=False, axis="x")
        if logarithmic:
            axes.set_yscale("log")
        if line is not None:
            axes.axhline(line, color="black", linewidth=0.8)
    _legend(figure, pairs[0][1], len(data.series))
    return figure


def mean_bars(data: ReportData) -> Figure | None:
    """Mean CCT by bin."""
    return _bars(
        data, lambda case, group: case.mean(f"cct_s.{group}.mean"), "mean CCT (s)", logarithmic=True
    )


def p95_bars(data: ReportData) -> Figure | None:
    """95th percentile of CCT by bin."""
    return _bars(
        data,
        lambda case, group: case.mean(f"cct_s.{group}.p95"),
        "95th percentile of CCT (s)",
        logarithmic=True,
    )


def improvement(data: ReportData, baseline: str) -> Figure | None:
    """Mean CCT of the baseline over that of each series, by bin: above 1, it is faster."""
    if len(data.series) < 2:
        return None

    def factor(case: Case, group: str) -> float:
        base = data.case(baseline, case.panel)
        if base is None:
            return float("nan")
        mean = case.mean(f"cct_s.{group}.mean")
        return base.mean(f"cct_s.{group}.mean") / mean if mean else float("nan")

    return _bars(data, factor, f"improvement over {baseline}", logarithmic=False, line=1)


def longest_axis(data: ReportData) -> str | None:
    """The axis of a sweep, other than that of the series, with most values; None with one each."""
    values_of = _values_of_axes(data)
    if not values_of or max(map(len, values_of.values())) < 2:
        return None
    return max(values_of, key=lambda axis: len(values_of[axis]))


def _values_of_axes(data: ReportData) -> dict[str, list[Any]]:
    return {
        axis: list(dict.fromkeys(case.labels[axis] for case in data.cases))
        for axis in data.axes
        if axis != data.series_axis
    }


def axis_effect(data: ReportData) -> tuple[str, Figure] | None:
    """Mean CCT over the axis of a sweep that has most values, a panel per point of the others.

    Returns the name of the axis and the figure.
    """
    values_of = _values_of_axes(data)
    chosen = longest_axis(data)
    if chosen is None:
        return None
    values = values_of.pop(chosen)
    points = list(itertools.product(*values_of.values()))[:MAX_PANELS]
    columns = 1 if len(points) == 1 else 2 if len(points) in (2, 4) else 3
    rows = math.ceil(len(points) / columns)
    figure = Figure(figsize=(WIDTH if columns > 1 else 4.5, 2.5 * rows + 0.4))
    subplots = figure.subplots(rows, columns, squeeze=False)
    for each in subplots.flat[len(points) :]:
        each.set_visible(False)
    for point, axes in zip(points, subplots.flat, strict=False):
        fixed = dict(zip(values_of, point, strict=True))
        axes.set_title(
            ("\n" if columns > 2 else ", ").join(f"{axis} {value}" for axis, value in fixed.items())
        )
        for place, series in enumerate(data.series):
            means = [
                _mean_with_interval(data, series, {**fixed, chosen: value}) for value in values
            ]
            middle, half = zip(*means, strict=True)
            axes.errorbar(
                range(len(values)), middle, yerr=half, capsize=2, label=series,
                **marker_style(place),
            )  # fmt: skip
        axes.set_xticks(range(len(values)), [str(value) for value in values])
        axes.set_xlabel(chosen)
        low, high = axes.dataLim.intervaly
        if high > 4 * low > 0:
            axes.set_yscale("log")
        else:
            axes.set_ylim(0, 1.06 * high)
    for each in subplots[:, 0]:
        each.set_ylabel("mean CCT (s)")
    _legend(figure, subplots[0][0], len(data.series))
    return chosen, figure


def _mean_with_interval(
    data: ReportData, series: str, labels: dict[str, Any]
) -> tuple[float, float]:
    """Mean CCT at a point of the grid, and half its 95 % confidence interval over RngRun."""
    for case in data.cases:
        if case.series == series and all(case.labels[axis] == labels[axis] for axis in labels):
            means = case.rows["cct_s.all.mean"]
            return float(means.mean()), half_width(means)
    return float("nan"), float("nan")


def pair_engines(data: ReportData) -> list[tuple[str, pd.DataFrame]]:
    """Schedulers that were run in both engines, each with the coflows of both side by side."""
    pairs: list[tuple[str, pd.DataFrame]] = []
    for case in data.cases:
        if case.engine != "packet":
            continue
        others = {axis: value for axis, value in case.labels.items() if axis != "engine"}
        for other in data.cases:
            same = {axis: value for axis, value in other.labels.items() if axis != "engine"}
            if other.engine == "fluid" and other.scheduler == case.scheduler and same == others:
                joined = case.coflows.merge(
                    other.coflows, on=["coflow_id", "RngRun"], suffixes=("_packet", "_fluid")
                )
                pairs.append((case.scheduler, joined))
                break
    return pairs[:MAX_PANELS]


def fluid_versus_packet(data: ReportData) -> Figure | None:
    """CCT of each coflow in the packet engine over that in the fluid engine."""
    pairs = pair_engines(data)
    if not pairs:
        return None
    columns = min(3, len(pairs))
    rows = math.ceil(len(pairs) / columns)
    figure = Figure(figsize=(WIDTH if columns > 1 else 3.5, 2.5 * rows))
    for place, (axes, (name, joined)) in enumerate(
        zip(figure.subplots(rows, columns, squeeze=False).flat, pairs, strict=False)
    ):
        x, y = joined["cct_s_fluid"], joined["cct_s_packet"]
        low = max(1e-9, min(x[x > 0].min(), y[y > 0].min()))
        high = max(x.max(), y.max())
        axes.plot([low, high], [low, high], color="black", linewidth=0.8)
        axes.plot(x, y, ".", color=line_style(place)["color"], markersize=3, alpha=0.6)
        ratio = (y / x).median()
        axes.set_title(f"{name}: median ratio {ratio:.3g}")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("fluid CCT (s)")
        axes.set_ylabel("packet CCT (s)")
    return figure


def control_overhead(data: ReportData) -> Figure | None:
    """Control bytes over delivered bytes, and control messages, by series."""
    cases = [case for case in data.cases if case.mean("network.control_messages") > 0]
    if not cases:
        return None
    figure = Figure(figsize=(WIDTH, 0.28 * len(cases) + 1.1))
    left, right = figure.subplots(1, 2, sharey=True)
    names = [", ".join(filter(None, (case.series, case.panel))) for case in cases]
    places = range(len(cases))
    share = [
        100 * case.mean("network.control_bytes") / case.mean("delivered_bytes") for case in cases
    ]
    left.barh(places, share, **bar_style(0))
    left.set_yticks(places, names)
    left.invert_yaxis()
    left.set_xlabel("control bytes (% of delivered)")
    right.barh(places, [case.mean("network.control_messages") for case in cases], **bar_style(1))
    right.set_xlabel("control messages")
    for axes in (left, right):
        axes.grid(visible=False, axis="y")
    return figure


def has(case: Case, column: str) -> bool:
    """Whether a case has samples of something."""
    samples = case.samples
    return samples is not None and column in samples and bool(samples[column].notna().any())


def _series_over_time(data: ReportData, columns: list[tuple[str, str, float]]) -> Figure | None:
    cases = [case for case in data.cases if case.samples is not None and len(case.samples)]
    shown = [entry for entry in columns if any(has(case, entry[0]) for case in cases)]
    if not cases or not shown:
        return None
    panel = cases[0].panel
    cases = [case for case in cases if case.panel == panel]
    figure = Figure(figsize=(WIDTH, 1.7 * len(shown) + 0.5))
    subplots = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (column, label, factor) in zip(subplots, shown, strict=True):
        for case in cases:
            if case.samples is None or not has(case, column):
                continue
            axes.plot(
                case.samples["time_s"],
                factor * case.samples[column],
                label=case.series,
                **line_style(data.series.index(case.series)),
            )
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
    subplots[0].set_title(panel)
    subplots[-1].set_xlabel("time (s)")
    _legend(figure, subplots[0], len(cases))
    return figure


def utilisation(data: ReportData) -> Figure | None:
    """Utilisation and coflows present over time, from samples."""
    return _series_over_time(
        data, [("utilisation", "utilisation (%)", 100), ("coflows", "coflows present", 1)]
    )


def queues(data: ReportData) -> Figure | None:
    """Queued bytes over time, from samples of the packet engine."""
    return _series_over_time(
        data,
        [
            ("queue_bytes", "in all queues (kB)", 1e-3),
            ("largest_queue_bytes", "in the fullest (kB)", 1e-3),
        ],
    )
