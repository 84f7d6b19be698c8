# SPDX-License-Identifier: GPL-2.0-only
"""Packets over fluids, coflow by coflow: python -m scratch.whole_trace.plot.

Reads the runs that scratch.whole_trace.run has kept.
"""

import sys
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from ns3coflow.style import WIDTH, line_style
from scratch.common import save_figure
from scratch.whole_trace.run import DEEP, PACKETS, PRESSED, coflows, fluid_of, is_kept

LARGEST = 200  # of the ratios that are shown
TICKS = (1, 2, 5, 10, 20, 50, 100)
CLASSES = np.geomspace(0.005, 5000, 19)  # of CCTs as fluids, s
FEW = 5  # coflows: no median of fewer
CURVES = {
    "Varys, whole trace, most packet-hops skipped": ("varys", PACKETS, "ideal"),
    "Varys, over a fluid with control": ("varys", PACKETS, "real"),
    "plain TCP, up to 100 GB, pressed": ("fair", PRESSED, "ideal"),
    "plain TCP, deep buffers, up to 100 GB, pressed": ("fair", DEEP, "ideal"),
    "Aalo, up to 100 GB, pressed": ("aalo", PRESSED, "ideal"),
    "D-CAS, up to 100 GB, pressed": ("dcas", PRESSED, "ideal"),
}


def pairs(scheduler: str, case: str, control: str) -> pd.DataFrame:
    """The CCT of each coflow as a fluid, and how many times that it takes in packets."""
    fluid = coflows(scheduler, fluid_of(case, control))["cct_s"]
    ratio = coflows(scheduler, case)["cct_s"] / fluid
    return pd.DataFrame({"fluid": fluid, "ratio": ratio})[fluid > 0]


def draw(curves: list[str]) -> Figure:
    """Those of some runs, each in the colour that it has among all."""
    figure = Figure(figsize=(WIDTH, 2.8))
    left, right = figure.subplots(1, 2)
    for label in curves:
        table = pairs(*CURVES[label])
        style = {"label": label, **line_style(list(CURVES).index(label))}
        ratios = np.sort(table["ratio"].to_numpy())
        steps = np.linspace(0, 1, 101)  # each percentile is enough for the eye
        left.plot(np.quantile(ratios, steps), steps, **style)
        groups = table.groupby(pd.cut(table["fluid"], CLASSES), observed=True)["ratio"]
        medians = groups.median()[groups.size() >= FEW]
        right.plot([np.sqrt(each.left * each.right) for each in medians.index], medians, **style)
    left.set(
        xscale="log", xlim=(0.3, LARGEST), ylim=(0, 1), xlabel="CCT, packets over fluid engine",
        ylabel="coflows, cumulative", title="every coflow",
    )  # fmt: skip
    right.set(
        xscale="log", yscale="log", ylim=(0.8, LARGEST), xlabel="CCT in the fluid engine, s",
        ylabel="packets over fluid, median", title="by CCT in the fluid engine",
    )  # fmt: skip
    left.set_xticks(TICKS, [str(each) for each in TICKS])
    right.set_yticks(TICKS, [str(each) for each in TICKS])
    for axis in (left.xaxis, right.yaxis):
        axis.set_minor_formatter(NullFormatter())
    figure.legend(
        *left.get_legend_handles_labels(), fontsize=7, loc="outside lower center", ncols=2
    )
    return figure


if __name__ == "__main__":
    shown = [label for label, (name, case, _) in CURVES.items() if is_kept(name, case)]
    if not shown:
        sys.exit("no runs are kept: python -m scratch.whole_trace.run")
    save_figure("whole-trace", partial(draw, shown))
