# SPDX-License-Identifier: GPL-2.0-only
"""Every scheduler against plain TCP, in packets and as a fluid: also the figure of README.md.

python -m scratch.all_schedulers.plot
"""

from matplotlib.figure import Figure

from ns3coflow.style import COLOURS, WIDTH
from scratch.all_schedulers.run import FLUID, NAME, PACKETS, SCHEDULERS
from scratch.common import ROOT, measured_of, save_figure
from scratch.packet import LABELS

FOLDER = ROOT / "doc" / "figures"
STYLES = {
    PACKETS: {"label": "packets: ns-3, TCP, queues, control messages", "marker": "o"},
    FLUID: {"label": "flow-level model on ports of the same rate", "marker": "D", "mfc": "white"},
}


def draw() -> Figure:
    measured = measured_of(NAME)
    shown = sorted(
        (each for each in SCHEDULERS if each != "fair"),
        key=lambda each: measured[f"fair over {each}, {PACKETS}"],
    )
    figure = Figure(figsize=(WIDTH, 4.6))
    axes = figure.subplots()
    for place, (case, style) in enumerate(STYLES.items()):
        names = [f"fair over {each}, {case}" for each in shown]
        axes.errorbar(
            [measured[name] for name in names],
            [spot + 0.18 * (1 - 2 * place) for spot in range(len(shown))],
            xerr=[measured[f"{name} +-"] for name in names],
            color=COLOURS[place], linestyle="none", capsize=2, markersize=4, **style,
        )  # fmt: skip
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(shown)), [LABELS.get(each, each) for each in shown])
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.set_xlim(left=0.3)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(
        "mean CCT of plain TCP divided by that of the scheduler (above 1, the scheduler is faster)"
    )
    figure.legend(loc="outside lower center", ncols=2)
    return figure


if __name__ == "__main__":
    save_figure("all-schedulers", draw, FOLDER)
