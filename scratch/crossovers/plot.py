# SPDX-License-Identifier: GPL-2.0-only
"""Factors over fairness along six axes: python -m scratch.crossovers.plot."""

from matplotlib.figure import Figure

from ns3coflow.style import WIDTH, marker_style
from scratch.common import measured_of, save_figure
from scratch.crossovers.run import AXES, BASE
from scratch.packet import LABELS, SCHEDULERS


def draw() -> Figure:
    measured = measured_of("crossovers")
    # What was not run is left out.
    shown = {
        axis: [value for value in values if measured[f"fair over varys, {axis} {value}"] > 0]
        for axis, values in AXES.items()
    }
    shown = {axis: values for axis, values in shown.items() if len(values) > 1}
    rows = -(-len(shown) // 3)
    figure = Figure(figsize=(WIDTH, 0.3 + 2.2 * rows))
    panels = figure.subplots(rows, min(3, len(shown)), sharey=True, squeeze=False)
    for axes in panels.flat[len(shown) :]:
        axes.set_visible(False)
    for axes, (axis, values) in zip(panels.flat, shown.items(), strict=False):
        for place, scheduler in enumerate(SCHEDULERS[1:]):
            if not measured[f"fair over {scheduler}, hosts {BASE['hosts']}"] > 0:
                continue
            names = [f"fair over {scheduler}, {axis} {value}" for value in values]
            at = [each + 0.06 * (place - 2.5) for each in range(len(values))]
            axes.errorbar(
                at, [measured[name] for name in names], [measured[f"{name} +-"] for name in names],
                capsize=1.5, elinewidth=0.6, label=LABELS.get(scheduler, scheduler),
                **marker_style(place),
            )  # fmt: skip
        axes.axhline(1, color="black", linewidth=0.8)
        axes.axvspan(
            values.index(BASE[axis]) - 0.3,
            values.index(BASE[axis]) + 0.3,
            color="#eeeeee",
            zorder=0,
        )
        axes.set_xticks(range(len(values)), values)
        axes.set_xlim(-0.5, len(values) - 0.5)
        axes.set_xlabel(axis)
        axes.set_yscale("log")
        axes.set_yticks([0.5, 0.7, 1, 1.4, 2], ["0.5", "0.7", "1", "1.4", "2"])
        axes.minorticks_off()
    figure.supylabel("plain TCP over scheduler, mean CCT", fontsize=8)
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


if __name__ == "__main__":
    save_figure("crossovers", draw)
