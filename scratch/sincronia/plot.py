# SPDX-License-Identifier: GPL-2.0-only
"""Speed-ups by coflow over TCP: python -m scratch.sincronia.plot."""

import pandas as pd
from matplotlib.figure import Figure

from ns3coflow.statistics import quantiles
from ns3coflow.style import COLOURS, line_style
from scratch.common import save_figure
from scratch.sincronia.run import seeds_of, simulate, speedups

PAIRS = {
    "order, 8 classes": "CUBIC", "order": "CUBIC", "rates": "CUBIC", "DCTCP": "CUBIC",
    "order, 8 classes, CUBIC": "CUBIC in 4 MiB",
    "fluid sincronia": "fluid fair",
}  # fmt: skip
PUBLISHED = {"90th percentile": (46.95, 0.9), "99th percentile": (149.05, 0.99)}


def draw() -> Figure:
    sweep = simulate()
    figure = Figure(figsize=(4.5, 3.6))
    axes = figure.subplots()
    done = {point.partition("|")[0] for point in sweep.done["point"]}
    for place, (case, over) in enumerate(PAIRS.items()):
        if case not in done:
            continue
        ratios = pd.concat([speedups(sweep, case, over, seed) for seed in seeds_of(case, over)])
        name = "fluid engine, over fair" if over == "fluid fair" else f"{case}, over {over}"
        axes.step(*quantiles(ratios), where="post", label=name, **line_style(place))
    for at in PUBLISHED.values():
        axes.plot(*at, "X", color=COLOURS[6], label="paper" if at[1] == 0.9 else None)
    axes.set_xscale("log")
    axes.set_xlabel("speed-up of a coflow")
    axes.set_ylabel("share of coflows")
    # Below: there is no place among the lines that all of them leave free.
    figure.legend(fontsize=7, loc="outside lower center", ncols=2)
    return figure


if __name__ == "__main__":
    save_figure("sincronia", draw)
