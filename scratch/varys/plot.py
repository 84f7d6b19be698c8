# SPDX-License-Identifier: GPL-2.0-only
"""Figures 9, 11 and 13: python -m scratch.varys.plot."""

import json

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.style import WIDTH, bar_style, marker_style
from scratch.common import BINS, ROOT, save_figure
from scratch.varys.run import CONCURRENT, DEADLINES, X

PUBLISHED = (3.66, 9.31, 4.25, 3.57, 3.52)


def draw() -> Figure:
    measured = json.loads((ROOT / "scratch/varys/measured.json").read_text())["measured"]
    figure = Figure(figsize=(WIDTH, 2.9))
    left, middle, right = figure.subplots(1, 3)
    series = {
        "paper": PUBLISHED,
        "ours": [measured[f"fairness over Varys mean {each}"] for each in BINS],
        "ours, CoflowSim's\nfairness": [
            measured[f"fairness of CoflowSim over Varys mean {each}"] for each in BINS
        ],
    }
    for place, (name, values) in enumerate(series.items()):
        at = np.arange(len(BINS)) + 0.27 * (place - 1)
        left.bar(at, values, 0.27, label=name, **bar_style(place))
    left.set_yscale("log")
    left.set_xticks(range(len(BINS)), BINS)
    left.set_ylabel("fairness over Varys, mean CCT")
    left.legend(fontsize=7, loc="upper right")
    left.set_ylim(1, 400)
    for place, case in enumerate(DEADLINES):
        values = [measured[f"met {case} x={x:g}"] for x in X]
        middle.plot(X, values, label=case, **marker_style(place))
    middle.set_xscale("log")
    middle.set_xlabel("x: deadlines of Gamma (1 + U(0, x))")
    middle.set_ylabel("coflows that meet their deadline (%)")
    middle.set_ylim(0, 102)
    middle.legend(fontsize=7, loc="lower center", ncols=2)
    for place, (case, name) in enumerate((("fair", "fairness"), ("pfabric", "priority"))):
        values = [measured[f"{case} over Varys, {count} at once"] for count in CONCURRENT]
        half = [measured[f"{case} over Varys, {count} at once +-"] for count in CONCURRENT]
        right.errorbar(CONCURRENT, values, half, capsize=2, label=name, **marker_style(place))
    right.axhline(1, color="black", linewidth=0.8)
    right.set_xlabel("coflows at once")
    right.set_ylabel("over Varys, mean CCT")
    right.set_ylim(0, None)
    right.legend(fontsize=7, loc="upper left")
    return figure


if __name__ == "__main__":
    save_figure("varys", draw)
