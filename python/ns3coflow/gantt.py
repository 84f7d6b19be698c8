# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a small run: which coflow sends from which host, and when."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.chart import Chart
from ns3coflow.style import bar_style, text_on

if TYPE_CHECKING:
    import pandas as pd

    from ns3coflow.report_data import ReportData


def gantt(data: ReportData, most_coflows: int = 80, most_ports: int = 64) -> Chart | None:
    """Coflows that send, by port and time, of the first case that is small enough."""
    for case in data.cases:
        flows = case.flows
        if flows is None:
            continue
        flows = flows[flows["finish_s"].notna() & (flows["src"] != flows["dst"])]
        ports = np.sort(flows["src"].unique())
        ids = flows["coflow_id"].unique()
        if 0 < len(ids) <= most_coflows and len(ports) <= most_ports:
            return Chart(
                "gantt",
                f"Coflows over sending hosts, under {case.series}",
                "From a coflow's first flow at a host to the finish of its last one there. Ids "
                "stand where there is room for them; colours repeat.",
                table := _spans(flows),
                partial(_draw, table, ports),
            )
    return None


def _lanes(spans: list[tuple[float, float]]) -> list[int]:
    """For spans by their start, the first lane of a port that is free."""
    ends: list[float] = []
    chosen = []
    for start, finish in spans:
        lane = next((place for place, end in enumerate(ends) if end <= start), len(ends))
        ends[lane : lane + 1] = [finish]
        chosen.append(lane)
    return chosen


def _spans(flows: pd.DataFrame) -> pd.DataFrame:
    """When each coflow sends from each host."""
    return (
        flows.groupby(["src", "coflow_id"])
        .agg(start_s=("start_s", "min"), finish_s=("finish_s", "max"))
        .reset_index()
        .sort_values(["src", "start_s"])
    )


def _draw(spans: pd.DataFrame, ports: np.ndarray[Any, Any], width: float) -> Figure:
    # Colours repeat; the coflows that fill most of the picture have colours of their own.
    filled = (spans["finish_s"] - spans["start_s"]).groupby(spans["coflow_id"]).sum()
    ranked = filled.sort_values(ascending=False, kind="stable").index
    order = {each: place for place, each in enumerate(ranked)}
    figure = Figure(figsize=(width, 0.22 * len(ports) + 0.9))
    axes = figure.subplots()
    place_of = {port: place for place, port in enumerate(ports)}
    longest = float(spans["finish_s"].max())
    for port, group in spans.groupby("src"):
        bars = list(
            zip(
                group["coflow_id"].tolist(),
                group["start_s"].tolist(),
                group["finish_s"].tolist(),
                strict=True,
            )
        )
        lanes = _lanes([(start, finish) for _, start, finish in bars])
        height = 0.9 / (max(lanes) + 1)
        for lane, (coflow, start, finish) in zip(lanes, bars, strict=True):
            colour = bar_style(order[coflow])["facecolor"]
            top = place_of[port] - 0.45 + lane * height
            axes.broken_barh(
                [(start, finish - start)],
                (top, height),
                facecolor=colour,
                edgecolor=colour,
                linewidth=0.4,  # so that the shortest can be seen
            )
            if finish - start > 0.04 * longest and height > 0.3:
                axes.text(
                    (start + finish) / 2,
                    top + height / 2,
                    str(coflow),
                    ha="center",
                    va="center",
                    fontsize=5,
                    color=text_on(colour),
                )
    axes.set_yticks(range(len(ports)), [str(port) for port in ports])
    axes.set_ylim(len(ports) - 0.5, -0.5)
    axes.set_ylabel("sending host")
    axes.set_xlabel("time (s)")
    axes.grid(visible=False, axis="y")
    return figure
