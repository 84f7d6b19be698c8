# SPDX-License-Identifier: GPL-2.0-only
"""What errors cost: python -m scratch.coda.plot."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ns3coflow.style import line_style
from scratch.coda.run import IN_PACKETS, PARTS, SCHEDULERS, SHARES
from scratch.common import measured_of, save_figure

GROUPS = {
    "knows sizes": ("varys", "scf", "ncf", "tcf", "lcf", "sincronia", "fifo", "drf", "hug"),
    "knows no sizes": tuple(
        name
        for name in SCHEDULERS
        if name not in ("fair", "varys", "scf", "ncf", "tcf", "lcf", "sincronia", "fifo", "drf",
                        "hug")
    ),
    "CODA and its parts": ("aalo", "coda", *PARTS),
}  # fmt: skip


def draw_losses(axes: Axes, names: tuple[str, ...], prefix: str = "") -> None:
    """Mean CCT over that without errors, by the share of errors."""
    measured = measured_of("coda")
    for place, name in enumerate(names):
        losses = [1.0] + [measured[f"{prefix}{name}, share {share} over 0"] for share in SHARES[1:]]
        axes.plot([100 * share for share in SHARES], losses, label=name, **line_style(place))
    axes.set_xlabel("flows that are misidentified (%)")
    axes.legend(fontsize=6)


def draw() -> Figure:
    figure = Figure(figsize=(9, 3.2))
    for axes, (title, names) in zip(
        figure.subplots(1, 3, sharey=True), GROUPS.items(), strict=True
    ):
        draw_losses(axes, names)
        axes.set_title(title, fontsize=8)
    figure.axes[0].set_ylabel("mean CCT over that without errors")
    return figure


def draw_packets() -> Figure:
    figure = Figure(figsize=(4.5, 3.0))
    axes = figure.subplots()
    draw_losses(axes, IN_PACKETS, "packets: ")
    axes.set_ylabel("mean CCT over that without errors")
    return figure


if __name__ == "__main__":
    save_figure("coda", draw)
    save_figure("coda-packets", draw_packets)
