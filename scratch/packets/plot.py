# SPDX-License-Identifier: GPL-2.0-only
"""Mean CCT over the fluid engine, one cause off at a time: python -m scratch.packets.plot."""

from matplotlib.figure import Figure

from ns3coflow.style import COLOURS, WIDTH
from scratch.common import measured_of, save_figure
from scratch.packet import LABELS, SCHEDULERS
from scratch.packets.run import ALL_OFF, ALL_OFF_LARGE, CAUSES, PACKETS

NAMES = {PACKETS: "packets as they are", **{cause: f"no {cause}" for cause in CAUSES}}
NAMES |= {"short flows": "flows 3 times as large", ALL_OFF: "all but larger flows"}
NAMES[ALL_OFF_LARGE] = "all, and larger flows"
NAMES["rates held"] = "decisions at flow ends"
NAMES["queueing"] = "marks at 10 kB, not 30 kB"
NAMES["control interval"] = "control interval / 4"
NAMES["retransmission timers"] = "MinRto 1 ms, not 5 ms"


def draw() -> Figure:
    measured = measured_of("packets")
    # What was not run is left out.
    shown = [each for each in SCHEDULERS if measured[f"{each}: {PACKETS} over fluid"] > 0]
    names = {
        case: name
        for case, name in NAMES.items()
        if any(measured.get(f"{each}: {case} over fluid", 0) > 0 for each in shown)
    }
    rows = -(-len(shown) // 4)
    figure = Figure(figsize=(WIDTH, 0.4 + rows * (0.5 + 0.14 * len(names))))
    panels = list(figure.subplots(rows, 4, sharex=True, sharey=True, squeeze=False).flat)
    for panel in panels[len(shown) :]:
        panel.set_visible(False)
    for axes, scheduler in zip(panels, shown, strict=False):
        for place, case in enumerate(names):
            name = f"{scheduler}: {case} over fluid"
            if name not in measured:
                continue
            axes.errorbar(
                measured[name], place, xerr=measured[f"{name} +-"], capsize=1.5, marker="o",
                color=COLOURS[1 if case in (PACKETS, ALL_OFF) else 0],
            )  # fmt: skip
        base = measured[f"{scheduler}: {PACKETS} over fluid"]
        axes.axvline(base, color=COLOURS[1], linewidth=0.8, linestyle=(0, (2, 2)))
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_title(LABELS.get(scheduler, scheduler))
    axes.set_yticks(range(len(names)), names.values())
    axes.set_ylim(len(names) - 0.5, -0.5)
    figure.supxlabel("mean CCT over that in the fluid engine", fontsize=8)
    return figure


if __name__ == "__main__":
    save_figure("packets", draw)
