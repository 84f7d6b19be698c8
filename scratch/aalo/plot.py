# SPDX-License-Identifier: GPL-2.0-only
"""CCTs under Aalo, Varys and fairness: python -m scratch.aalo.plot."""

from matplotlib.figure import Figure

from ns3coflow.statistics import quantiles
from ns3coflow.style import line_style
from scratch.aalo.run import simulate
from scratch.common import coflows, save_figure


def draw() -> Figure:
    sweep = simulate()
    figure = Figure(figsize=(4.5, 3.0))
    axes = figure.subplots()
    for place, case in enumerate(("fairness", "Varys", "Aalo", "Aalo, every 10 s", "FIFO")):
        values = coflows(sweep, case=case)["cct_s"]
        axes.step(
            *quantiles(values.where(values > 0)), where="post", label=case, **line_style(place)
        )
    axes.set_xscale("log")
    axes.set_xlabel("coflow completion time (s)")
    axes.set_ylabel("share of coflows")
    axes.legend(fontsize=7, loc="lower right")
    return figure


if __name__ == "__main__":
    save_figure("aalo", draw)
