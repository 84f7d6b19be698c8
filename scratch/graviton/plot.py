# SPDX-License-Identifier: GPL-2.0-only
"""Figures 6 and 8, 4c and 7: python -m scratch.graviton.plot."""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from ns3coflow.statistics import quantiles
from ns3coflow.style import WIDTH, line_style
from scratch.common import save_figure
from scratch.graviton.run import simulate, speed_up, spread


def draw() -> Figure:
    """Figures 6 and 8: ratios of CCTs, of all coflows and by queue."""
    sweep = simulate()
    figure = Figure(figsize=(WIDTH, 2.9))
    left, right = figure.subplots(1, 2, sharey=True)
    pairs = (
        ("Graviton", "Aalo", "weighted queues"),
        ("Graviton, strict queues", "Aalo, strict queues", "strict queues"),
        ("Graviton serving parts", "Aalo", "weighted, serving parts"),
    )
    for place, (ours, theirs, name) in enumerate(pairs):
        values = speed_up(sweep, ours, theirs)["speed_up"]
        left.step(*quantiles(values), where="post", label=name, **line_style(place))
    left.plot([0.16, 1.25, 8, 12], [0, 0.5, 0.9, 1], "k+", markersize=7, label="paper")
    table = speed_up(sweep, "Graviton", "Aalo")
    for place, queue in enumerate(sorted(table["queue"].unique())):
        values = table.loc[table["queue"] == queue, "speed_up"]
        right.step(*quantiles(values), where="post", label=f"queue {queue}", **line_style(place))
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_xlim(0.2, 20)
        axes.set_xticks([0.2, 0.5, 1, 2, 5, 10, 20], ["0.2", "0.5", "1", "2", "5", "10", "20"])
        axes.minorticks_off()
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_xlabel("CCT under Aalo over CCT under Graviton")
        axes.legend(fontsize=7, loc="lower right")
    left.set_ylabel("share of coflows")
    return figure


def draw_widths() -> Figure:
    """Figures 4c and 7: flows out of sync, and ratios by width and size."""
    figure = Figure(figsize=(WIDTH, 2.9))
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    for place, (sharing, name) in enumerate((("weighted", "Aalo"), ("strict", "strict queues"))):
        ratios = spread("aalo", sharing=sharing)
        left.step(*quantiles(ratios), where="post", label=name, **line_style(place))
    left.plot([1, 1.33, 233], [0, 0.5, 1], "k+", markersize=7, label="paper")
    left.set_xscale("log")
    left.set_xlabel("longest over shortest FCT of a coflow")
    left.set_ylabel("share of coflows")
    left.legend(fontsize=7, loc="lower right")
    table = speed_up(simulate(), "Graviton", "Aalo")
    # Where coflows lie upon each other, those that change most are seen.
    table = table.sort_values("speed_up", key=lambda ratio: np.log(ratio).abs())
    points = right.scatter(
        table["senders"],
        table["bytes"] / 1e9,
        c=table["speed_up"],
        s=9,
        linewidths=0.3,
        edgecolors="#808080",
        cmap="RdBu",
        norm=mpl.colors.LogNorm(0.25, 4),
    )
    right.set_xscale("log")
    right.set_yscale("log")
    right.set_xlabel("sending ports")
    right.set_ylabel("size (GB)")
    bar = figure.colorbar(points, ax=right, extend="both", ticks=[0.25, 0.5, 1, 2, 4])
    bar.ax.set_yticklabels(["0.25", "0.5", "1", "2", "4"])
    bar.ax.minorticks_off()
    bar.set_label("CCT under Aalo over CCT under Graviton")
    return figure


if __name__ == "__main__":
    save_figure("graviton", draw)
    save_figure("graviton-widths", draw_widths)
