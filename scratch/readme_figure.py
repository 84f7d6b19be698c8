# SPDX-License-Identifier: GPL-2.0-only
"""The figure of README.md, from what the experiment `packets` has measured.

python -m scratch.readme_figure
"""

from matplotlib.figure import Figure

from ns3coflow.style import COLOURS
from scratch.common import ROOT, measured_of, save_figure
from scratch.packet import BARAAT_RATES, LABELS, SCHEDULERS
from scratch.packets.run import ALL_OFF, ALL_OFF_LARGE, MAX_MIN, PACKETS

FOLDER = ROOT / "doc" / "figures"
SERIES = {
    PACKETS: ("packets as they are", "o", 0),
    ALL_OFF: ("without collisions, control messages, delays, queues and timers", "s", 1),
    ALL_OFF_LARGE: ("the same, and flows three times as large", "^", 2),
}
# Plain TCP is "fair"; what it would be if its shares were max-min is another scheduler.
SHOWN = (*SCHEDULERS, BARAAT_RATES, MAX_MIN)
NAMES = {**LABELS, MAX_MIN: "max-min, ideal control"}


def draw() -> Figure:
    measured = measured_of("packets")
    figure = Figure(figsize=(7, 3.4))
    axes = figure.subplots()
    for case, (label, marker, place) in SERIES.items():
        there = [name for name in SHOWN if f"{name}: {case} over fluid" in measured]
        names = [f"{scheduler}: {case} over fluid" for scheduler in there]
        axes.errorbar(
            [SHOWN.index(each) + 0.2 * (place - 1) for each in there],
            [measured[name] for name in names], [measured[f"{name} +-"] for name in names],
            color=COLOURS[place], marker=marker, linestyle="none", capsize=2, label=label,
        )  # fmt: skip
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(
        range(len(SHOWN)),
        [
            NAMES.get(name, name).replace(", ", ",\n").replace("explicit ", "explicit\n")
            for name in SHOWN
        ],
    )
    axes.set_ylabel("mean CCT over that of the fluid")
    axes.set_title(
        "Packets over fluids on ports of the same rate (95 % confidence, five seeds)", loc="left"
    )
    figure.legend(loc="outside lower center", ncols=1)
    return figure


if __name__ == "__main__":
    save_figure("packets-over-fluids", draw, FOLDER)
