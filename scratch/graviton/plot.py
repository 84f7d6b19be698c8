# SPDX-License-Identifier: GPL-2.0-only
"""Figures 6 and 8: python -m scratch.graviton.plot."""

from matplotlib.figure import Figure

from ns3coflow.report_data import quantiles
from ns3coflow.style import WIDTH, line_style
from scratch.common import save_figure
from scratch.graviton.run import simulate, speed_up


def draw() -> Figure:
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


if __name__ == "__main__":
    save_figure("graviton", draw)
