# SPDX-License-Identifier: GPL-2.0-only
"""Figures 5a and 6a: python -m scratch.nc_drf.plot."""

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.statistics import quantiles
from ns3coflow.style import WIDTH, line_style
from scratch.common import coflows, samples, save_figure
from scratch.nc_drf.run import simulate

SHOWN = ("TCP", "PS-P", "NC-DRF", "NC-DRF without spare", "Aalo")


def draw() -> Figure:
    sweep = simulate()
    isolated = coflows(sweep, case="DRF")["cct_s"]
    figure = Figure(figsize=(WIDTH, 2.9))
    left, right = figure.subplots(1, 2, sharey=True)
    for place, case in enumerate(SHOWN):
        ratio = coflows(sweep, case=case)["cct_s"] / isolated.where(isolated > 0)
        left.step(*quantiles(ratio), where="post", label=case, **line_style(place))
        disparity = samples(sweep, case=case)["disparity"]
        if np.isfinite(disparity.dropna()).all():  # under Aalo some coflow always waits
            right.step(*quantiles(disparity), where="post", **line_style(place))
    left.axvline(1, color="black", linewidth=0.8)
    left.set_xscale("log")
    left.set_xlabel("CCT over CCT under DRF")
    left.set_ylabel("share of coflows, or of time")
    right.axvline(55, color="black", linewidth=0.8)
    right.text(60, 0.05, "largest of NC-DRF\nin the paper", fontsize=7)
    right.set_xscale("log")
    right.set_xlabel("progress disparity")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


if __name__ == "__main__":
    save_figure("nc-drf", draw)
