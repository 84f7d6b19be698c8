# SPDX-License-Identifier: GPL-2.0-only
"""Factors over fairness by bin, with packets and as fluids: python -m scratch.dcas_packet.plot."""

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.style import WIDTH, bar_style
from scratch.common import measured_of, save_figure
from scratch.dcas_packet.run import ALL, BINS, PATIENT, SCHEDULERS

PUBLISHED = {
    "varys": (39.278, 30.578, 9.972, 2.363, 3.361),
    "dcas": (38.502, 26.162, 9.625, 2.145, 3.036),
}
PUBLISHED[PATIENT] = PUBLISHED["dcas"]


def draw() -> Figure:
    """A panel for packets and one for fluids."""
    measured = measured_of("dcas_packet")
    bins = (*BINS, "all")
    figure = Figure(figsize=(WIDTH, 2.8))
    panels = figure.subplots(1, 2, sharey=True)
    for axes, engine in zip(panels, ("packets", "fluid"), strict=True):
        shown = [
            each
            for each in SCHEDULERS[1:]
            if measured[f"fair over {each}, {engine} {ALL}, all"] > 0
        ]
        for place, scheduler in enumerate(shown):
            at = np.arange(len(bins)) + 0.16 * (place - (len(shown) - 1) / 2)
            name = f"fair over {scheduler}, {engine} {ALL}"
            values = [measured[f"{name}, {each}"] for each in bins]
            style = bar_style(SCHEDULERS.index(scheduler))
            axes.bar(at, values, 0.16, label=scheduler, **style)
            if scheduler in PUBLISHED:
                axes.plot(
                    at, PUBLISHED[scheduler], "k_", markersize=5,
                    label="paper" if scheduler == "varys" else None,
                )  # fmt: skip
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_xticks(range(len(bins)), [*BINS, "ALL"])
        axes.set_title(engine)
    panels[0].set_ylabel("factor over fair, mean CCT")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


if __name__ == "__main__":
    save_figure("dcas-packets", draw)
