# SPDX-License-Identifier: GPL-2.0-only
"""Packets over fluids, coflow by coflow: python -m scratch.whole_trace.plot.

Reads the runs that scratch.whole_trace.run has kept. With names of schedulers as arguments only
those are drawn, into a figure of their own.
"""

import sys
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from ns3coflow.style import WIDTH, line_style
from scratch.common import save_figure
from scratch.whole_trace.run import FLUID, PACKETS, SCHEDULERS, coflows, is_kept

LARGEST = 200  # of the ratios that are shown
TICKS = (1, 2, 5, 10, 20, 50, 100)
CLASSES = np.geomspace(0.005, 5000, 19)  # of CCTs as fluids, s
FEW = 5  # coflows: no median of fewer


def pairs(scheduler: str) -> pd.DataFrame:
    """The CCT of each coflow as a fluid, and how many times that it takes in packets."""
    fluid = coflows(scheduler, FLUID)["cct_s"]
    ratio = coflows(scheduler, PACKETS)["cct_s"] / fluid
    return pd.DataFrame({"fluid": fluid, "ratio": ratio})[fluid > 0]


def draw(schedulers: list[str]) -> Figure:
    """Those of some schedulers, each in the colour that it has among all."""
    figure = Figure(figsize=(WIDTH, 2.6))
    left, right = figure.subplots(1, 2)
    for scheduler in schedulers:
        place = SCHEDULERS.index(scheduler)
        table = pairs(scheduler)
        style = {"label": scheduler, **line_style(place)}
        ratios = np.sort(table["ratio"].to_numpy())
        steps = np.linspace(0, 1, 101)  # each percentile is enough for the eye
        left.plot(np.quantile(ratios, steps), steps, **style)
        groups = table.groupby(pd.cut(table["fluid"], CLASSES), observed=True)["ratio"]
        medians = groups.median()[groups.size() >= FEW]
        right.plot([np.sqrt(each.left * each.right) for each in medians.index], medians, **style)
    left.set(
        xscale="log", xlim=(0.8, LARGEST), ylim=(0, 1), xlabel="CCT in packets over fluid",
        ylabel="coflows, cumulative", title="every coflow",
    )  # fmt: skip
    right.set(
        xscale="log", yscale="log", ylim=(0.95, LARGEST), xlabel="CCT as a fluid, s",
        ylabel="packets over fluid, median", title="by how long it takes",
    )  # fmt: skip
    left.set_xticks(TICKS, [str(each) for each in TICKS])
    right.set_yticks(TICKS, [str(each) for each in TICKS])
    for axis in (left.xaxis, right.yaxis):
        axis.set_minor_formatter(NullFormatter())
    figure.legend(
        *left.get_legend_handles_labels(), fontsize=7, loc="outside lower center", ncols=4
    )
    return figure


if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - set(SCHEDULERS)
    if unknown:
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; allowed: {', '.join(SCHEDULERS)}")
    wanted = [name for name in SCHEDULERS if not sys.argv[1:] or name in sys.argv[1:]]
    shown = [name for name in wanted if is_kept(name, PACKETS) and is_kept(name, FLUID)]
    if not shown:
        sys.exit(f"no runs are kept of {', '.join(wanted)}: python -m scratch.whole_trace.run")
    save_figure("-".join(["whole-trace", *sys.argv[1:]]), partial(draw, shown))
