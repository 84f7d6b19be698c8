# SPDX-License-Identifier: GPL-2.0-only
"""Factors over fairness by bin, in both engines: python -m scratch.dcas.packets.plot."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.style import WIDTH, bar_style
from scratch.common import measured_of, save_figure
from scratch.dcas.packets.run import (
    ALL,
    BARAAT_RATES,
    BINS,
    CALM,
    DCAS_RULE,
    DCAS_RULE_IDEAL,
    PATIENT,
    VARYS,
)  # fmt: skip

# Varys' own rule with messages, and what D-CAS's authors gave it, without; D-CAS; Baraat.
SHOWN = (BARAAT_RATES, "baraat", "dcas", PATIENT, CALM, VARYS, DCAS_RULE, DCAS_RULE_IDEAL)
PUBLISHED = {
    VARYS: (39.278, 30.578, 9.972, 2.363, 3.361),
    "dcas": (38.502, 26.162, 9.625, 2.145, 3.036),
}
PUBLISHED[PATIENT] = PUBLISHED["dcas"]
PUBLISHED[DCAS_RULE_IDEAL] = PUBLISHED[DCAS_RULE] = PUBLISHED[VARYS]


def draw() -> Figure:
    """A panel for each engine."""
    measured = measured_of("dcas/packets")
    bins = (*BINS, "all")
    figure = Figure(figsize=(WIDTH, 2.8))
    panels = figure.subplots(1, 2, sharey=True)
    for axes, engine in zip(panels, ("packets", "fluid"), strict=True):
        shown = [
            each
            for each in SHOWN
            if measured.get(f"fair over {each}, {engine} {ALL}, all", np.nan) > 0
        ]
        width = 0.8 / max(1, len(shown))
        for place, scheduler in enumerate(shown):
            at = np.arange(len(bins)) + width * (place - (len(shown) - 1) / 2)
            name = f"fair over {scheduler}, {engine} {ALL}"
            values = [measured[f"{name}, {each}"] for each in bins]
            style = bar_style(SHOWN.index(scheduler))
            axes.bar(at, values, width, label=scheduler, **style)
            if scheduler in PUBLISHED:
                axes.plot(
                    at, PUBLISHED[scheduler], "k_", markersize=5,
                    label="paper" if scheduler == "dcas" else None,
                )  # fmt: skip
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_xticks(range(len(bins)), [*BINS, "ALL"])
        axes.set_title({"fluid": "fluid engine"}.get(engine, engine))
    panels[0].set_ylabel("fairness over scheduler, mean CCT")
    named: dict[str, Any] = {}
    for axes in panels:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(name, handle)
    figure.legend(named.values(), named.keys(), loc="outside lower center", ncols=3)
    return figure


if __name__ == "__main__":
    save_figure("dcas-packets", draw)
