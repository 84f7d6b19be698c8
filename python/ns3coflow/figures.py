# SPDX-License-Identifier: GPL-2.0-only
"""Figures of completion times. Each function returns a Chart, or None if it has no data."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
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
    values_of_last_axis,
)
from ns3coflow.quantities import suit
from ns3coflow.spots import place_values
from ns3coflow.statistics import Interval, quantiles
from ns3coflow.style import COLUMN, bar_style, line_style, marker_style

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from ns3coflow.report_data import Case, ReportData


STATISTICS = {"mean": "mean CCT", "median": "median CCT", "p95": "95th percentile of CCT"}


@dataclass(frozen=True)
class Selection:
    """The bin (None: each bin) and the statistic of completion times that figures show."""

    bin: str | None = None
    statistic: str = "mean"

    @property
    def bins(self) -> tuple[str, ...]:
        """The bins that a figure by bin has."""
        return tuple(BIN_NAMES) if self.bin is None else (self.bin,)

    @property
    def metric(self) -> str:
        """The metric of a figure that shows one number of a run."""
        return f"cct_s.{self.bin or 'all'}.{self.statistic}"

    @property
    def label(self) -> str:
        """The same in words, such as "mean CCT of short, narrow coflows"."""
        of = "" if self.bin in (None, "all") else f" of {BIN_NAMES[str(self.bin)]} coflows"
        return STATISTICS[self.statistic] + of


def cct_cdf(data: ReportData, selected: Selection) -> Chart | None:
    """Distribution of coflow completion times, on a logarithmic axis."""
    rows = []
    inside = 0
    for panel in panels_of(data):
        for _, case in cases_of(data, panel):
            # A coflow within hosts does not use the network, and takes no time or next to none.
            uses = case.coflows["min_cct_s"] > 0
            if selected.bin not in (None, "all"):
                uses &= case.coflows["bin"] == selected.bin
            local = int((case.coflows["min_cct_s"] <= 0).sum())
            inside = max(inside, local)
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
        figure, subplots = make_figure(len(panels), columns, width, 2.3, sharex=True, sharey=True)
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
            f"Coflows that stay within hosts are left out ({inside})." if inside else "",
            limited(data),
        ),
        table,
        draw,
    )


def _by_bin(
    data: ReportData, bins: Sequence[str], measure: Callable[[Case, str], Interval]
) -> pd.DataFrame:
    """A row per point, series and bin that has coflows."""
    rows = [
        {"point": panel, "series": case.series, "bin": group, **measure(case, group)._asdict()}
        for panel in panels_of(data)
        for group in bins
        for _, case in cases_of(data, panel)
    ]
    table = pd.DataFrame(rows)
    return table[table["mean"].notna()].reset_index(drop=True)


def times_by_bin(data: ReportData, name: str, selected: Selection) -> Chart | None:
    """Bars from zero, a panel for each bin."""
    statistic = selected.statistic
    what = STATISTICS[statistic]
    what = what[0].upper() + what[1:]
    table = _by_bin(
        data, selected.bins, lambda case, group: case.interval(f"cct_s.{group}.{statistic}")
    )
    if not len(table):
        return None
    bins = [group for group in BIN_NAMES if (table["bin"] == group).any()]
    panels = [panel for panel in panels_of(data) if (table["point"] == panel).any()]
    unit, size = suit(float(table["mean"].max()))

    def draw(width: float) -> Figure:
        single = len(bins) == 1
        columns = columns_of(len(panels), width, values_of_last_axis(data)) if single else len(bins)
        if width <= COLUMN and not single:
            columns = min(columns, 3)
        slots = 1 if single else columns * math.ceil(len(bins) / columns)  # of a panel
        figure, subplots = make_figure(slots * len(panels), columns, width, 1.7 if single else 1.35)
        for axes in subplots:
            axes.set_visible(False)
        for panel, group in itertools.product(panels, bins):
            axes = subplots[slots * panels.index(panel) + bins.index(group)]
            axes.set_visible(True)
            for spot, series, bar in places_of(data, part_of(table, point=panel, bin=group)):
                axes.bar(spot, bar["mean"] / size, 0.9, label=series, **bar_style(spot))
                errors = errors_of(bar, size)
                if errors is not None:
                    axes.errorbar(
                        [spot], bar["mean"] / size, yerr=errors, fmt="none", ecolor="black",
                        elinewidth=0.8, capsize=2,
                    )  # fmt: skip
            axes.set_xlim(-0.6, len(data.series) - 0.4)
            axes.set_ylim(bottom=0)
            axes.set_xticks([])
            if single and len(panels) > 1:
                add_title(axes, panel, width, columns)
            else:
                axes.set_title(BIN_NAMES[group])
            if group == bins[0] and len(panels) > 1 and not single:
                axes.set_ylabel(panel.replace(", ", "\n"))
        figure.supylabel(f"{what} ({unit})", fontsize=8)
        add_legend(figure, subplots[0])
        return figure

    own = "Each bin has an axis of its own." if len(bins) > 1 else ""
    of = "of all coflows and by bin" if len(bins) > 1 else f"of {BIN_NAMES[bins[0]]} coflows"
    return Chart(name, f"{what}, {of}", join(own, intervals(data), limited(data)), table, draw)


def improvement(data: ReportData, baseline: str, selected: Selection) -> Chart | None:
    """Mean CCT of the baseline over that of each other series, by bin: above 1, the other wins."""
    others = [series for series in data.series if series != baseline]
    if not others:
        return None

    def factor(case: Case, group: str) -> Interval:
        base = data.case(baseline, case.panel)
        return case.ratio_to(base, f"cct_s.{group}.{selected.statistic}")

    what = STATISTICS[selected.statistic]
    table = _by_bin(data, selected.bins, factor)
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
            axes.set_ylabel(f"{what} of {baseline}\nover that of the other")
        add_legend(figure, subplots[0])
        return figure

    paired = f"Ratios are those of the same {data.over}." if data.repeats > 1 else ""
    above = f"{what[0].upper()}{what[1:]} of {baseline} over it: above 1, a scheduler is faster."
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


def axis_effect(data: ReportData, selected: Selection) -> Chart | None:
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
        found = _interval_at(data, series, {**fixed, chosen: value}, selected.metric)
        called = ", ".join(f"{axis} {each}" for axis, each in fixed.items())
        rows.append({"point": called, "series": series, chosen: value, **found._asdict()})
    table = pd.DataFrame(rows)
    unit, size = suit(float(table["mean"].max()))
    low, high = table["mean"].min(), table["mean"].max()
    is_logarithmic = high > WIDE_RANGE * low > 0
    spots = place_values(chosen, values)
    table = table.sort_values(chosen, key=lambda column: column.map(spots.of), kind="stable")

    def draw(width: float) -> Figure:
        panels = list(dict.fromkeys(table["point"]))
        columns = columns_of(len(panels), width)
        figure, subplots = make_figure(len(panels), columns, width, 2.3, sharey=True)
        for panel, axes in zip(panels, subplots, strict=True):
            for place, series, line in places_of(data, part_of(table, point=panel)):
                axes.errorbar(
                    line[chosen].map(spots.of), line["mean"] / size,
                    yerr=errors_of(line, size), capsize=2, label=series, **marker_style(place),
                )  # fmt: skip
            spots.label(axes)
            add_title(axes, panel, width, columns)
        for axes in subplots:  # when all is drawn: they share an axis
            if is_logarithmic:
                axes.set_yscale("log")
            else:
                axes.set_ylim(bottom=0)
        for axes in subplots[::columns]:
            scale = ", log scale" if is_logarithmic else ""
            axes.set_ylabel(f"{selected.label.replace(' of ', chr(10) + 'of ')} ({unit}{scale})")
        add_legend(figure, subplots[0])
        return figure

    more = len(list(itertools.product(*values_of.values()))) > MAX_PANELS
    caption = join(intervals(data), f"The first {MAX_PANELS} points." if more else "")
    label = selected.label
    title = f"{label[0].upper()}{label[1:]} over {chosen}"
    return Chart("axis", title, caption, table, draw)


def _interval_at(data: ReportData, series: str, labels: dict[str, Any], metric: str) -> Interval:
    """A metric at a point of the grid."""
    for case in data.cases:
        if case.series == series and all(case.labels[axis] == labels[axis] for axis in labels):
            return case.interval(metric)
    return Interval(float("nan"), float("nan"), float("nan"))


def make_charts(
    data: ReportData, baseline: str, selected: Selection | None = None
) -> dict[str, Chart]:
    """All figures that have data, by name."""
    from ns3coflow.gantt import gantt
    from ns3coflow.network_figures import (
        control_overhead,
        fluid_versus_packet,
        queues,
        utilisation,
    )

    chosen = selected or Selection()
    made = [
        cct_cdf(data, chosen),
        times_by_bin(data, "mean-cct", replace(chosen, statistic="mean")),
        times_by_bin(data, "p95-cct", replace(chosen, statistic="p95")),
        improvement(data, baseline, chosen),
        axis_effect(data, chosen),
        fluid_versus_packet(data),
        control_overhead(data),
        utilisation(data),
        queues(data),
        gantt(data),
    ]
    return {chart.name: chart for chart in made if chart is not None}
