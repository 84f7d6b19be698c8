# SPDX-License-Identifier: GPL-2.0-only
"""The figure of README.md, from what the experiment `packets` has measured.

python -m scratch.readme_figure
"""

from matplotlib.figure import Figure

from ns3coflow.style import COLOURS
from scratch.common import ROOT, measured_of, save_figure
from scratch.packet import SCHEDULERS
from scratch.packets.run import ALL_OFF, PACKETS

FOLDER = ROOT / "doc" / "figures"
SERIES = {
    PACKETS: ("packets as they are", "o", 0),
    ALL_OFF: ("without collisions, control messages, short flows, queues and timers", "s", 1),
}


def draw() -> Figure:
    measured = measured_of("packets")
    shown = [name for name in SCHEDULERS if name != "baraat"]  # its fluid is another mechanism
    figure = Figure(figsize=(6.5, 2.6))
    axes = figure.subplots()
    for case, (label, marker, place) in SERIES.items():
        names = [f"{scheduler}: {case} over fluid" for scheduler in shown]
        axes.errorbar(
            [each + 0.16 * (place - 0.5) for each in range(len(shown))],
            [measured[name] for name in names], [measured[f"{name} +-"] for name in names],
            color=COLOURS[place], marker=marker, linestyle="none", capsize=2, label=label,
        )  # fmt: skip
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(shown)), shown)
    axes.set_ylabel("mean CCT over that of the fluid")
    axes.set_title("What packets add to each scheduler (95 % confidence, five seeds)", loc="left")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


if __name__ == "__main__":
    save_figure("packets-over-fluids", draw, FOLDER)
