# SPDX-License-Identifier: GPL-2.0-only
"""Figures 3 and 5, and 4: python -m scratch.dcas.plot."""

import json

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.statistics import quantiles
from ns3coflow.style import WIDTH, bar_style, line_style, marker_style
from scratch.common import ROOT, coflows, save_figure
from scratch.dcas.run import HOSTS, LOADS, NAMES, SCHEDULERS, TYPES, figure3

PUBLISHED = {
    "Varys": {"NS": 39.278, "NL": 30.578, "WS": 9.972, "WL": 2.363, "ALL": 3.361},
    "D-CAS, T=100s": {"NS": 38.502, "NL": 26.162, "WS": 9.625, "WL": 2.145, "ALL": 3.036},
}
CASES = ("Varys", "D-CAS, T=100s", "D-CAS", "Baraat")


def draw() -> Figure:
    """Figures 3 and 5: factors over fair sharing."""
    measured = json.loads((ROOT / "scratch/dcas/measured.json").read_text())["measured"]
    figure = Figure(figsize=(WIDTH, 5.2))
    (upper, types), (load, hosts) = figure.subplots(2, 2)
    names = list(NAMES.values())
    for place, case in enumerate(CASES):
        at = np.arange(len(names)) + 0.21 * (place - 1.5)
        values = [measured[f"{case} mean {name}"] for name in names]
        half = [measured[f"{case} mean {name} +-"] for name in names]
        upper.bar(at, values, 0.21, yerr=half, label=case, capsize=1.5, **bar_style(place))
        if case in PUBLISHED:
            upper.plot(
                at, [PUBLISHED[case][name] for name in names], "k_", markersize=7,
                label="paper" if place == 0 else None,
            )  # fmt: skip
        at = np.arange(len(TYPES)) + 0.21 * (place - 1.5)
        types.bar(
            at, [measured[f"figure5c {case} {each}"] for each in TYPES], 0.21, **bar_style(place)
        )
        for axes, figure5, labels in ((load, "figure5a", LOADS), (hosts, "figure5b", HOSTS)):
            values = [measured[f"{figure5} {case} {label:g}"] for label in labels]
            half = [measured[f"{figure5} {case} {label:g} +-"] for label in labels]
            axes.errorbar(labels, values, half, capsize=2, **marker_style(place))
    upper.set_yscale("log")
    upper.set_xticks(range(len(names)), names)
    types.set_xticks(range(len(TYPES)), TYPES)
    types.set_title("one type of coflows at a time")
    load.set_xlabel("load")
    hosts.set_xlabel("hosts, at load 1")
    for axes in (upper, types, load, hosts):
        axes.axhline(1, color="black", linewidth=0.8)
    for axes in (upper, load):
        axes.set_ylabel("fairness over scheduler, mean CCT")
    figure.legend(*upper.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def draw_times() -> Figure:
    """Figure 4: CCTs, all seeds together, and the tenth of them that takes longest."""
    sweep = figure3()
    figure = Figure(figsize=(WIDTH, 2.9))
    whole, tail = figure.subplots(1, 2)
    for place, case in enumerate(SCHEDULERS):
        for axes in (whole, tail):
            values = coflows(sweep, case=case)["cct_s"]
            axes.step(*quantiles(values), where="post", label=case, **line_style(place))
    whole.set_xscale("log")
    tail.set_xlim(left=0)
    tail.set_ylim(0.9, 1.002)
    for axes in (whole, tail):
        axes.set_xlabel("coflow completion time (s)")
    whole.set_ylabel("share of coflows")
    figure.legend(*whole.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


if __name__ == "__main__":
    save_figure("dcas", draw)
    save_figure("dcas-times", draw_times)
