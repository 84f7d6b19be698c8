# SPDX-License-Identifier: GPL-2.0-only
"""Mean CCT over that of fluids, one cause off at a time: python -m scratch.packets.plot."""

from matplotlib.figure import Figure

from ns3coflow.style import COLOURS, WIDTH
from scratch.common import measured_of, save_figure
from scratch.packet import SCHEDULERS
from scratch.packets.run import ALL_OFF, CAUSES, PACKETS, applies

NAMES = {PACKETS: "packets as they are", **{cause: f"no {cause}" for cause in CAUSES}}
NAMES |= {"short flows": "flows 3 times as large", ALL_OFF: "all of these"}
NAMES["control interval"] = "control interval / 4"
NAMES["retransmission timers"] = "MinRto 1 ms for 5 ms"


def draw() -> Figure:
    measured = measured_of("packets")
    figure = Figure(figsize=(WIDTH, 3.6))
    panels = figure.subplots(2, 4, sharex=True, sharey=True).flat
    for axes, scheduler in zip(panels, SCHEDULERS, strict=False):
        for place, case in enumerate(NAMES):
            if not applies(case, scheduler):
                continue
            name = f"{scheduler}: {case} over fluid"
            axes.errorbar(
                measured[name], place, xerr=measured[f"{name} +-"], capsize=1.5, marker="o",
                color=COLOURS[1 if case in (PACKETS, ALL_OFF) else 0],
            )  # fmt: skip
        base = measured[f"{scheduler}: {PACKETS} over fluid"]
        axes.axvline(base, color=COLOURS[1], linewidth=0.8, linestyle=(0, (2, 2)))
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_title(scheduler)
    axes.set_yticks(range(len(NAMES)), NAMES.values())
    axes.set_ylim(len(NAMES) - 0.5, -0.5)
    figure.axes[-1].set_visible(False)
    figure.supxlabel("mean CCT over that of fluids", fontsize=8)
    return figure


if __name__ == "__main__":
    save_figure("packets", draw)
