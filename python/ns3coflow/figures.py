# SPDX-License-Identifier: GPL-2.0-only
"""Figures of completion times. Each function returns a Chart, or None without anything to show."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from ns3coflow.chart import (
    BIN_NAMES,
    MAX_PANELS,
    WIDE_RANGE,
    Chart,
    add_legend,
    add_title,
    cases_of,
    columns_of,
    errors_of,
    intervals,
    join,
    limited,
    make_figure,
    panels_of,
    part_of,
    places_of,
    unit_of,
    values_of_last_axis,
)
from ns3coflow.statistics import Interval, quantiles
from ns3coflow.style import COLUMN, bar_style, line_style, marker_style

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from ns3coflow.report_data import Case, ReportData


def cct_cdf(data: ReportData) -> Chart | None:
    """Distribution of coflow completion times, on a logarithmic axis."""
    rows = []
    inside = 0
    for panel in panels_of(data):
        for _, case in cases_of(data, panel):
            # A coflow within hosts does not use the network, and takes no time or next to none.
            uses = case.coflows["min_cct_s"] > 0
            inside = max(inside, int((~uses).sum()))
            times = case.coflows.loc[uses, "cct_s"]
            values, share = quantiles(times)
            # Coflows without a finish count: the line of a scheduler that has some ends below 1.
            share = share * times.notna().mean()
            rows.append(
                pd.DataFrame(
                    {"point": panel, "series": case.series, "cct_s": values, "share": share}
                )
            )
    table = pd.concat(rows, ignore_index=True)
    if not len(table):
        return None

    def draw(width: float) -> Figure:
        panels = panels_of(data)
        columns = columns_of(len(panels), width, values_of_last_axis(data))
        figure, subplots = make_figure(len(panels), columns, width, 2.3, sharey=True)
        for panel, axes in zip(panels, subplots, strict=True):
            for place, series, line in places_of(data, part_of(table, point=panel)):
                axes.step(
                    line["cct_s"], line["share"], where="post", label=series, **line_style(place)
                )
            axes.set_xscale("log")
            axes.set_ylim(0, 1.02)
            add_title(axes, panel, width, columns)
        for axes in subplots[::columns]:
            axes.set_ylabel("share of coflows")
        for axes in subplots[-columns:]:
            axes.set_xlabel("coflow completion time (s, log scale)")
        add_legend(figure, subplots[0])
        return figure

    unfinished = any(case.coflows["finish_s"].isna().any() for case in data.cases)
    return Chart(
        "cct-cdf",
        "Distribution of coflow completion times",
        join(
            "All repetitions together." if data.repeats > 1 else "",
            "A line ends below 1 where not all coflows finished." if unfinished else "",
            f"Without {inside} coflows that stay within hosts." if inside else "",
            limited(data),
        ),
        table,
        draw,
    )


def _by_bin(data: ReportData, measure: Callable[[Case, str], Interval]) -> pd.DataFrame:
    """A row per point, series and bin that has coflows."""
    rows = [
        {"point": panel, "series": case.series, "bin": group, **measure(case, group)._asdict()}
        for panel in panels_of(data)
        for group in BIN_NAMES
        for _, case in cases_of(data, panel)
    ]
    table = pd.DataFrame(rows)
    return table[table["mean"].notna()].reset_index(drop=True)


def _times_by_bin(data: ReportData, name: str, statistic: str, what: str) -> Chart | None:
    """Bars from zero, a panel for each bin."""
    table = _by_bin(data, lambda case, group: case.interval(f"cct_s.{group}.{statistic}"))
    if not len(table):
        return None
    bins = [group for group in BIN_NAMES if (table["bin"] == group).any()]
    panels = [panel for panel in panels_of(data) if (table["point"] == panel).any()]
    unit, factor = unit_of(float(table["mean"].max()))

    def draw(width: float) -> Figure:
        columns = min(len(bins), 5 if width > COLUMN else 3)
        rows = math.ceil(len(bins) / columns)
        figure, subplots = make_figure(len(panels) * rows * columns, columns, width, 1.35)
        for place, panel in enumerate(panels):
            own = subplots[place * rows * columns : (place + 1) * rows * columns]
            for axes in own[len(bins) :]:
                axes.set_visible(False)
            for group, axes in zip(bins, own, strict=False):
                for spot, series, bar in places_of(data, part_of(table, point=panel, bin=group)):
                    axes.bar(spot, factor * bar["mean"], 0.9, label=series, **bar_style(spot))
                    errors = errors_of(bar, factor)
                    if errors is not None:
                        axes.errorbar(
                            [spot], factor * bar["mean"], yerr=errors, fmt="none",
                            ecolor="black", elinewidth=0.8, capsize=2,
                        )  # fmt: skip
                axes.set_xlim(-0.6, len(data.series) - 0.4)
                axes.set_ylim(bottom=0)
                axes.set_xticks([])
                axes.set_title(BIN_NAMES[group])
            if len(panels) > 1:
                own[0].set_ylabel(panel.replace(", ", "\n"))
        figure.supylabel(f"{what} ({unit})", fontsize=8)
        add_legend(figure, subplots[0])
        return figure

    caption = join("Each bin has an axis of its own.", intervals(data), limited(data))
    return Chart(name, f"{what}, of all coflows and by bin", caption, table, draw)


def mean_bars(data: ReportData) -> Chart | None:
    """Mean CCT by bin."""
    return _times_by_bin(data, "mean-cct", "mean", "Mean CCT")


def p95_bars(data: ReportData) -> Chart | None:
    """95th percentile of CCT by bin."""
    return _times_by_bin(data, "p95-cct", "p95", "95th percentile of CCT")


def improvement(data: ReportData, baseline: str) -> Chart | None:
    """Mean CCT of the baseline over that of each other series, by bin: above 1, it is faster."""
    others = [series for series in data.series if series != baseline]
    if not others:
        return None

    def factor(case: Case, group: str) -> Interval:
        base = data.case(baseline, case.panel)
        return case.ratio_to(base, f"cct_s.{group}.mean")

    table = _by_bin(data, factor)
    table = table[table["series"] != baseline].reset_index(drop=True)
    if not len(table):
        return None
    bins = [group for group in BIN_NAMES if (table["bin"] == group).any()]
    panels = [panel for panel in panels_of(data) if (table["point"] == panel).any()]

    def draw(width: float) -> Figure:
        columns = columns_of(len(panels), width, values_of_last_axis(data))
        figure, subplots = make_figure(len(panels), columns, width, 2.2, sharey=True)
        step = 0.7 / len(others)
        for panel, axes in zip(panels, subplots, strict=True):
            axes.axhline(1, color="black", linewidth=0.8)
            for place, series, points in places_of(data, part_of(table, point=panel)):
                offset = (others.index(series) - (len(others) - 1) / 2) * step
                spots = [bins.index(group) + offset for group in points["bin"]]
                style = {**marker_style(place), "linestyle": "none"}
                axes.errorbar(
                    spots, points["mean"], yerr=errors_of(points), capsize=2, label=series, **style
                )
            axes.set_xlim(-0.5, len(bins) - 0.5)
            narrow = width / columns < 5
            names = [BIN_NAMES[group].replace(", ", ",\n" if narrow else ", ") for group in bins]
            axes.set_xticks(range(len(bins)), names)
            axes.grid(visible=False, axis="x")
            add_title(axes, panel, width, columns)
        for axes in subplots[::columns]:
            axes.set_ylabel(f"mean CCT of {baseline}\nover mean CCT")
        add_legend(figure, subplots[0])
        return figure

    paired = "Ratios are those of runs with the same RngRun." if data.repeats > 1 else ""
    above = f"Mean CCT of {baseline} over mean CCT: above 1, a scheduler is faster."
    return Chart(
        "improvement",
        f"Improvement over {baseline}",
        join(above, paired, intervals(data), limited(data)),
        table.rename(columns={"mean": "ratio"}),
        draw,
    )


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


def axis_effect(data: ReportData) -> Chart | None:
    """Mean CCT over the axis of a sweep that has most values, a panel per point of the others."""
    values_of = _values_of_axes(data)
    chosen = longest_axis(data)
    if chosen is None:
        return None
    values = values_of.pop(chosen)
    points = list(itertools.product(*values_of.values()))[:MAX_PANELS]
    rows = []
    for point, series, value in itertools.product(points, data.series, values):
        fixed = dict(zip(values_of, point, strict=True))
        found = _interval_at(data, series, {**fixed, chosen: value}, "cct_s.all.mean")
        called = ", ".join(f"{axis} {each}" for axis, each in fixed.items())
        rows.append({"point": called, "series": series, chosen: value, **found._asdict()})
    table = pd.DataFrame(rows)
    unit, factor = unit_of(float(table["mean"].max()))
    low, high = table["mean"].min(), table["mean"].max()
    is_logarithmic = high > WIDE_RANGE * low > 0

    def draw(width: float) -> Figure:
        panels = list(dict.fromkeys(table["point"]))
        columns = columns_of(len(panels), width)
        figure, subplots = make_figure(len(panels), columns, width, 2.3, sharey=True)
        for panel, axes in zip(panels, subplots, strict=True):
            for place, series, line in places_of(data, part_of(table, point=panel)):
                axes.errorbar(
                    range(len(values)), factor * line["mean"], yerr=errors_of(line, factor),
                    capsize=2, label=series, **marker_style(place),
                )  # fmt: skip
            axes.set_xticks(range(len(values)), [str(value) for value in values])
            axes.set_xlabel(chosen)
            if is_logarithmic:
                axes.set_yscale("log")
            else:
                axes.set_ylim(bottom=0)
            add_title(axes, panel, width, columns)
        for axes in subplots[::columns]:
            axes.set_ylabel(f"mean CCT ({unit}{', log scale' if is_logarithmic else ''})")
        add_legend(figure, subplots[0])
        return figure

    more = len(list(itertools.product(*values_of.values()))) > MAX_PANELS
    caption = join(intervals(data), f"The first {MAX_PANELS} points." if more else "")
    return Chart("axis", f"Mean CCT over {chosen}", caption, table, draw)


def _interval_at(data: ReportData, series: str, labels: dict[str, Any], metric: str) -> Interval:
    """A metric at a point of the grid."""
    for case in data.cases:
        if case.series == series and all(case.labels[axis] == labels[axis] for axis in labels):
            return case.interval(metric)
    return Interval(float("nan"), float("nan"), float("nan"))


def make_charts(data: ReportData, baseline: str) -> dict[str, Chart]:
    """All figures that there is something to show in, by name."""
    from ns3coflow.gantt import gantt
    from ns3coflow.network_figures import (
        control_overhead,
        fluid_versus_packet,
        queues,
        utilisation,
    )

    made = [
        cct_cdf(data),
        mean_bars(data),
        p95_bars(data),
        improvement(data, baseline),
        axis_effect(data),
        fluid_versus_packet(data),
        control_overhead(data),
        utilisation(data),
        queues(data),
        gantt(data),
    ]
    return {chart.name: chart for chart in made if chart is not None}
