# SPDX-License-Identifier: GPL-2.0-only
"""Figures of packets, control and the network. Functions are as those of figures.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from ns3coflow.chart import (
    MAX_PANELS,
    Chart,
    add_legend,
    intervals,
    join,
    make_figure,
    places_of,
)
from ns3coflow.statistics import Interval
from ns3coflow.style import COLUMN, bar_style, line_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from ns3coflow.report_data import Case, ReportData


MOST_BARS = 24  # of the figure of control


def pair_engines(data: ReportData) -> list[tuple[str, pd.DataFrame]]:
    """Cases that were run in both engines, each with the coflows of both side by side."""
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
                point = {
                    axis: value
                    for axis, value in others.items()
                    if axis != "scheduler"
                    and len({each.labels.get(axis) for each in data.cases}) > 1
                }
                told = [case.scheduler, *(f"{axis} {value}" for axis, value in point.items())]
                pairs.append((", ".join(told), joined))
                break
    return pairs


def fluid_versus_packet(data: ReportData) -> Chart | None:
    """CCT of each coflow in the packet engine over that in the fluid engine."""
    found = pair_engines(data)
    pairs = found[:MAX_PANELS]
    if not pairs:
        return None
    kept = ["coflow_id", "RngRun", "cct_s_fluid", "cct_s_packet"]
    table = pd.concat(
        [joined[kept].assign(series=name) for name, joined in pairs], ignore_index=True
    )

    def draw(width: float) -> Figure:
        columns = 1 if width <= COLUMN else min(3, len(pairs))
        figure, subplots = make_figure(len(pairs), columns, min(width, 3.5 * columns), 2.5)
        for axes, (name, joined) in zip(subplots, pairs, strict=True):
            x, y = joined["cct_s_fluid"], joined["cct_s_packet"]
            low = max(1e-9, min(x[x > 0].min(), y[y > 0].min()))
            high = max(x.max(), y.max())
            axes.plot([low, high], [low, high], color="black", linewidth=0.8)
            axes.plot(x, y, ".", color=line_style(0)["color"], markersize=3, alpha=0.6)
            axes.set_title(f"{name}:\nmedian ratio {(y / x).median():.3g}")
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("fluid CCT (s, log scale)")
            axes.set_ylabel("packet CCT (s, log scale)")
        return figure

    return Chart(
        "fluid-versus-packet",
        "Packet level against the fluid engine, coflow by coflow",
        join(
            "On the line, both are equal.",
            f"The first {MAX_PANELS} of {len(found)}." if len(found) > MAX_PANELS else "",
        ),
        table,
        draw,
    )


def control_percent(case: Case) -> Interval:
    """The share of control in the bytes that hosts send, with headers and acknowledgements.

    Without counts of these bytes, the bytes of messages over the delivered bytes.
    """
    share = case.interval("network.control_percent")
    if math.isfinite(share.mean):
        return share
    part = case.mean("network.control_bytes") / case.mean("delivered_bytes")
    return Interval(100 * part, math.nan, math.nan)


def control_overhead(data: ReportData) -> Chart | None:
    """The share of control in what hosts send, and control messages, by series."""
    found = [case for case in data.cases if case.mean("network.control_messages") > 0]
    if not found:
        return None
    cases = found[:MOST_BARS]
    rows = [
        {
            "point": case.panel,
            "series": case.series,
            **{f"percent_{name}": value for name, value in control_percent(case)._asdict().items()},
            "messages": case.mean("network.control_messages"),
        }
        for case in cases
    ]
    table = pd.DataFrame(rows)

    def draw(width: float) -> Figure:
        columns = 1 if width <= COLUMN else 2
        figure, (left, right) = make_figure(2, columns, width, 0.2 * len(cases) + 0.6, sharey=True)
        names = [", ".join(filter(None, (case.series, case.panel))) for case in cases]
        places = range(len(cases))
        left.barh(places, table["percent_mean"], **bar_style(0))
        half = table["percent_high"] - table["percent_mean"]
        if half.notna().any():
            left.errorbar(
                table["percent_mean"], places, xerr=half, fmt="none", ecolor="black",
                elinewidth=0.8, capsize=2,
            )  # fmt: skip
        right.barh(places, table["messages"], **bar_style(1))
        left.set_yticks(places, names)
        left.invert_yaxis()
        left.set_xlim(left=0)
        left.set_xlabel("control, % of bytes sent")
        right.set_xlabel("control messages")
        for axes in (left, right):
            axes.grid(visible=False, axis="y")
            axes.locator_params(axis="x", nbins=5)
        return figure

    some = f"The first {MOST_BARS} of {len(found)}." if len(found) > MOST_BARS else ""
    caption = join("Headers and acknowledgements count.", intervals(data), some)
    return Chart("control", "What control costs the network", caption, table, draw)


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
        figure, subplots = make_figure(len(shown), 1, width, 1.6, sharex=True)
        for axes, (column, label, factor) in zip(subplots, shown, strict=True):
            for place, series, line in places_of(data, table):
                known = line[line[column].notna()]
                axes.plot(
                    known["time_s"], factor * known[column], label=series, **line_style(place)
                )
            axes.set_ylabel(label)
            axes.set_ylim(bottom=0)
        subplots[0].set_title(point)
        subplots[-1].set_xlabel("time (s)")
        add_legend(figure, subplots[0])
        return figure

    first = "The first of the points that have samples." if len(data.panels) > 1 else ""
    return Chart(name, title, first, table, draw)


def utilisation(data: ReportData) -> Chart | None:
    """Utilisation and coflows present over time, from samples."""
    return _over_time(
        data,
        "utilisation",
        "Utilisation of the hosts' uplinks, coflows present, and control, over time",
        [
            ("utilisation", "utilisation (%)", 100),
            ("coflows", "coflows present", 1),
            ("control_wire_bytes", "control so far (MB)", 1e-6),
        ],
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
