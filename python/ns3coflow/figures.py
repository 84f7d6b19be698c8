# SPDX-License-Identifier: GPL-2.0-only
"""Figures of results, each with the numbers that are drawn as a table.

Every function returns a Chart, or None where there is nothing to show. A chart is drawn from its
table, in any width.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ns3coflow.statistics import Interval, quantiles
from ns3coflow.style import COLUMN, bar_style, line_style, marker_style
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

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
    """A figure: the name of its files, what it is, how it was made, its numbers, and itself."""

    name: str
    title: str
    caption: str
    table: pd.DataFrame
    draw: Callable[[float], Figure]  # in so many inches of width


def _panels(data: ReportData) -> list[str]:
    return data.panels[:MAX_PANELS]


def _limited(data: ReportData) -> str:
    if len(data.panels) <= MAX_PANELS:
        return ""
    return f"The first {MAX_PANELS} of {len(data.panels)} points of the other axes."


def _intervals(data: ReportData) -> str:
    return "Whiskers: 95 % confidence over RngRun." if data.repeats > 1 else ""


def _join(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def unit_of(largest: float) -> tuple[str, float]:
    """The unit of time that suits the largest value of a figure, and how many there are in 1 s."""
    if largest >= 1:
        return "s", 1.0
    return ("ms", 1e3) if largest >= 1e-3 else ("us", 1e6)


def _figure(
    count: int,
    columns: int,
    width: float,
    height: float,
    *,
    sharex: bool = False,
    sharey: bool = False,
) -> tuple[Figure, list[Axes]]:
    """A figure with so many axes, in rows of one height."""
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(width, height * rows + 0.45))
    subplots = figure.subplots(rows, columns, squeeze=False, sharex=sharex, sharey=sharey)
    for each in subplots.flat[count:]:
        each.set_visible(False)
    return figure, list(subplots.flat[:count])


def _columns(count: int, width: float, last: int = 1) -> int:
    """How many panels stand side by side; of a page, those of the last axis if there are few."""
    if width <= COLUMN or count == 1:
        return 1
    if count % last == 0 and last in (2, 3):
        return last
    return 2 if count in (2, 4) else 3


def _values_of_last_axis(data: ReportData) -> int:
    others = [axis for axis in data.axes if axis != data.series_axis]
    return len({case.labels[others[-1]] for case in data.cases}) if others else 1


def _legend(figure: Figure, axes: Axes) -> None:
    """One legend below all panels."""
    handles, labels = axes.get_legend_handles_labels()
    most = max(1, int(figure.get_figwidth() / (0.55 + 0.075 * max(map(len, labels)))))
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), most))


def _title(axes: Axes, panel: str, width: float, columns: int) -> None:
    """The point of a panel; a line for each axis of the grid where there is little room."""
    narrow = width / columns < 3
    axes.set_title(panel.replace(", ", "\n" if narrow else ", "))


def _cases(data: ReportData, panel: str) -> Iterator[tuple[int, Case]]:
    for place, series in enumerate(data.series):
        case = data.case(series, panel)
        if case is not None:
            yield place, case


def _part(table: pd.DataFrame, **values: Hashable) -> pd.DataFrame:
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def _places(data: ReportData, table: pd.DataFrame) -> Iterator[tuple[int, str, pd.DataFrame]]:
    """The rows of each series, with its place among all."""
    for place, series in enumerate(data.series):
        rows = table[table["series"] == series]
        if len(rows):
            yield place, series, rows


def _errors(rows: pd.DataFrame, factor: float = 1) -> np.ndarray[Any, Any] | None:
    """How far an interval reaches down and up; None without one."""
    if rows["low"].isna().all():
        return None
    down, up = rows["mean"] - rows["low"], rows["high"] - rows["mean"]
    return factor * np.array([down.to_numpy(), up.to_numpy()])


def cct_cdf(data: ReportData) -> Chart | None:
    """Distribution of coflow completion times, on a logarithmic axis."""
    rows = []
    inside = 0
    for panel in _panels(data):
        for _, case in _cases(data, panel):
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
        panels = _panels(data)
        columns = _columns(len(panels), width, _values_of_last_axis(data))
        figure, subplots = _figure(len(panels), columns, width, 2.3, sharey=True)
        for panel, axes in zip(panels, subplots, strict=True):
            for place, series, line in _places(data, _part(table, point=panel)):
                axes.step(
                    line["cct_s"], line["share"], where="post", label=series, **line_style(place)
                )
            axes.set_xscale("log")
            axes.set_ylim(0, 1.02)
            _title(axes, panel, width, columns)
        for axes in subplots[::columns]:
            axes.set_ylabel("share of coflows")
        for axes in subplots[-columns:]:
            axes.set_xlabel("coflow completion time (s, log scale)")
        _legend(figure, subplots[0])
        return figure

    unfinished = any(case.coflows["finish_s"].isna().any() for case in data.cases)
    return Chart(
        "cct-cdf",
        "Distribution of coflow completion times",
        _join(
            "All repetitions together." if data.repeats > 1 else "",
            "A line ends below 1 where not all coflows finished." if unfinished else "",
            f"Without {inside} coflows that stay within hosts." if inside else "",
            _limited(data),
        ),
        table,
        draw,
    )


def _by_bin(data: ReportData, measure: Callable[[Case, str], Interval]) -> pd.DataFrame:
    """A row per point, series and bin that has coflows."""
    rows = [
        {"point": panel, "series": case.series, "bin": group, **measure(case, group)._asdict()}
        for panel in _panels(data)
        for group in BIN_NAMES
        for _, case in _cases(data, panel)
    ]
    table = pd.DataFrame(rows)
    return table[table["mean"].notna()].reset_index(drop=True)


def _times_by_bin(data: ReportData, name: str, statistic: str, what: str) -> Chart | None:
    """Bars from zero, a panel for each bin."""
    table = _by_bin(data, lambda case, group: case.interval(f"cct_s.{group}.{statistic}"))
    if not len(table):
        return None
    bins = [group for group in BIN_NAMES if (table["bin"] == group).any()]
    panels = [panel for panel in _panels(data) if (table["point"] == panel).any()]
    unit, factor = unit_of(float(table["mean"].max()))

    def draw(width: float) -> Figure:
        columns = min(len(bins), 5 if width > COLUMN else 3)
        rows = math.ceil(len(bins) / columns)
        figure, subplots = _figure(len(panels) * rows * columns, columns, width, 1.35)
        for place, panel in enumerate(panels):
            own = subplots[place * rows * columns : (place + 1) * rows * columns]
            for axes in own[len(bins) :]:
                axes.set_visible(False)
            for group, axes in zip(bins, own, strict=False):
                for spot, series, bar in _places(data, _part(table, point=panel, bin=group)):
                    axes.bar(spot, factor * bar["mean"], 0.9, label=series, **bar_style(spot))
                    errors = _errors(bar, factor)
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
        _legend(figure, subplots[0])
        return figure

    caption = _join("Each bin has an axis of its own.", _intervals(data), _limited(data))
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
    panels = [panel for panel in _panels(data) if (table["point"] == panel).any()]

    def draw(width: float) -> Figure:
        columns = _columns(len(panels), width, _values_of_last_axis(data))
        figure, subplots = _figure(len(panels), columns, width, 2.2, sharey=True)
        step = 0.7 / len(others)
        for panel, axes in zip(panels, subplots, strict=True):
            axes.axhline(1, color="black", linewidth=0.8)
            for place, series, points in _places(data, _part(table, point=panel)):
                offset = (others.index(series) - (len(others) - 1) / 2) * step
                spots = [bins.index(group) + offset for group in points["bin"]]
                style = {**marker_style(place), "linestyle": "none"}
                axes.errorbar(
                    spots, points["mean"], yerr=_errors(points), capsize=2, label=series, **style
                )
            axes.set_xlim(-0.5, len(bins) - 0.5)
            narrow = width / columns < 5
            names = [BIN_NAMES[group].replace(", ", ",\n" if narrow else ", ") for group in bins]
            axes.set_xticks(range(len(bins)), names)
            axes.grid(visible=False, axis="x")
            _title(axes, panel, width, columns)
        for axes in subplots[::columns]:
            axes.set_ylabel(f"mean CCT of {baseline}\nover mean CCT")
        _legend(figure, subplots[0])
        return figure

    paired = "Ratios are those of runs with the same RngRun." if data.repeats > 1 else ""
    above = f"Mean CCT of {baseline} over mean CCT: above 1, a scheduler is faster."
    return Chart(
        "improvement",
        f"Improvement over {baseline}",
        _join(above, paired, _intervals(data), _limited(data)),
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
        columns = _columns(len(panels), width)
        figure, subplots = _figure(len(panels), columns, width, 2.3, sharey=True)
        for panel, axes in zip(panels, subplots, strict=True):
            for place, series, line in _places(data, _part(table, point=panel)):
                axes.errorbar(
                    range(len(values)), factor * line["mean"], yerr=_errors(line, factor),
                    capsize=2, label=series, **marker_style(place),
                )  # fmt: skip
            axes.set_xticks(range(len(values)), [str(value) for value in values])
            axes.set_xlabel(chosen)
            if is_logarithmic:
                axes.set_yscale("log")
            else:
                axes.set_ylim(bottom=0)
            _title(axes, panel, width, columns)
        for axes in subplots[::columns]:
            axes.set_ylabel(f"mean CCT ({unit}{', log scale' if is_logarithmic else ''})")
        _legend(figure, subplots[0])
        return figure

    more = len(list(itertools.product(*values_of.values()))) > MAX_PANELS
    caption = _join(_intervals(data), f"The first {MAX_PANELS} points." if more else "")
    return Chart("axis", f"Mean CCT over {chosen}", caption, table, draw)


def _interval_at(data: ReportData, series: str, labels: dict[str, Any], metric: str) -> Interval:
    """A metric at a point of the grid."""
    for case in data.cases:
        if case.series == series and all(case.labels[axis] == labels[axis] for axis in labels):
            return case.interval(metric)
    return Interval(float("nan"), float("nan"), float("nan"))


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


def fluid_versus_packet(data: ReportData) -> Chart | None:
    """CCT of each coflow in the packet engine over that in the fluid engine."""
    pairs = pair_engines(data)
    if not pairs:
        return None
    columns_of = ["coflow_id", "RngRun", "cct_s_fluid", "cct_s_packet"]
    table = pd.concat(
        [joined[columns_of].assign(series=name) for name, joined in pairs], ignore_index=True
    )

    def draw(width: float) -> Figure:
        columns = 1 if width <= COLUMN else min(3, len(pairs))
        figure, subplots = _figure(len(pairs), columns, min(width, 3.5 * columns), 2.5)
        for place, (axes, (name, joined)) in enumerate(zip(subplots, pairs, strict=True)):
            x, y = joined["cct_s_fluid"], joined["cct_s_packet"]
            low = max(1e-9, min(x[x > 0].min(), y[y > 0].min()))
            high = max(x.max(), y.max())
            axes.plot([low, high], [low, high], color="black", linewidth=0.8)
            axes.plot(x, y, ".", color=line_style(place)["color"], markersize=3, alpha=0.6)
            axes.set_title(f"{name}: median ratio {(y / x).median():.3g}")
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("fluid CCT (s, log scale)")
            axes.set_ylabel("packet CCT (s, log scale)")
        return figure

    return Chart(
        "fluid-versus-packet",
        "Packet level against the fluid engine, coflow by coflow",
        "On the line, both are equal.",
        table,
        draw,
    )


def control_overhead(data: ReportData) -> Chart | None:
    """Control bytes over delivered bytes, and control messages, by series."""
    cases = [case for case in data.cases if case.mean("network.control_messages") > 0]
    if not cases:
        return None
    rows = [
        {
            "point": case.panel,
            "series": case.series,
            "percent": 100 * case.mean("network.control_bytes") / case.mean("delivered_bytes"),
            "messages": case.mean("network.control_messages"),
        }
        for case in cases
    ]
    table = pd.DataFrame(rows)

    def draw(width: float) -> Figure:
        columns = 1 if width <= COLUMN else 2
        figure, (left, right) = _figure(2, columns, width, 0.2 * len(cases) + 0.6, sharey=True)
        names = [", ".join(filter(None, (case.series, case.panel))) for case in cases]
        places = range(len(cases))
        left.barh(places, table["percent"], **bar_style(0))
        right.barh(places, table["messages"], **bar_style(1))
        left.set_yticks(places, names)
        left.invert_yaxis()
        left.set_xlabel("control bytes (% of delivered)")
        right.set_xlabel("control messages")
        for axes in (left, right):
            axes.grid(visible=False, axis="y")
        return figure

    return Chart("control", "What control costs the network", "", table, draw)


def has(case: Case, column: str) -> bool:
    """Whether a case has samples of something."""
    samples = case.samples
    return samples is not None and column in samples and bool(samples[column].notna().any())


def _over_time(
    data: ReportData, name: str, title: str, columns: Sequence[tuple[str, str, float]]
) -> Chart | None:
    cases = [case for case in data.cases if case.samples is not None and len(case.samples)]
    shown = [entry for entry in columns if any(has(case, entry[0]) for case in cases)]
    if not cases or not shown:
        return None
    point = cases[0].panel
    tables = []
    for case in cases:
        if case.panel == point and case.samples is not None:
            kept = [column for column, _, _ in shown if has(case, column)]
            tables.append(case.samples[["time_s", *kept]].assign(series=case.series))
    table = pd.concat(tables, ignore_index=True)

    def draw(width: float) -> Figure:
        figure, subplots = _figure(len(shown), 1, width, 1.6, sharex=True)
        for axes, (column, label, factor) in zip(subplots, shown, strict=True):
            for place, series, line in _places(data, table):
                known = line[line[column].notna()]
                axes.plot(
                    known["time_s"], factor * known[column], label=series, **line_style(place)
                )
            axes.set_ylabel(label)
            axes.set_ylim(bottom=0)
        subplots[0].set_title(point)
        subplots[-1].set_xlabel("time (s)")
        _legend(figure, subplots[0])
        return figure

    first = "The first of the points that have samples." if len(data.panels) > 1 else ""
    return Chart(name, title, first, table, draw)


def utilisation(data: ReportData) -> Chart | None:
    """Utilisation and coflows present over time, from samples."""
    return _over_time(
        data,
        "utilisation",
        "Utilisation of the hosts' uplinks, and coflows present, over time",
        [("utilisation", "utilisation (%)", 100), ("coflows", "coflows present", 1)],
    )


def queues(data: ReportData) -> Chart | None:
    """Queued bytes over time, from samples of the packet engine."""
    return _over_time(
        data,
        "queues",
        "Queues over time",
        [
            ("queue_bytes", "in all queues (kB)", 1e-3),
            ("largest_queue_bytes", "in the fullest (kB)", 1e-3),
        ],
    )


def make_charts(data: ReportData, baseline: str) -> dict[str, Chart]:
    """All figures that there is something to show in, by name."""
    from ns3coflow.gantt import gantt

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
