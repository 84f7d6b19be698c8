# SPDX-License-Identifier: GPL-2.0-only
"""What ways of control cost: python -m scratch.control_plane.plot."""

import numpy as np
from matplotlib.figure import Figure

from ns3coflow.style import WIDTH, bar_style
from scratch.common import measured_of, save_figure
from scratch.control_plane.run import CASES, COORDINATED, IN_BAND

# Cases as the figure names them, where these names differ from those of numbers.
SHOWN = {IN_BAND: "in band", "prioritised": "prioritized"}


def draw() -> Figure:
    measured = measured_of("control_plane")
    figure = Figure(figsize=(WIDTH, 3.0))
    axes = figure.subplots()
    # What was not run is left out.
    cases = [
        case
        for case in CASES
        if any(measured[f"fair over {each}, {case}"] > 0 for each in COORDINATED)
    ]
    for place, scheduler in enumerate(COORDINATED):
        if not measured[f"fair over {scheduler}, {IN_BAND}"] > 0:
            continue
        at = np.arange(len(cases)) + 0.2 * (place - 1.5)
        names = [f"fair over {scheduler}, {case}" for case in cases]
        axes.bar(
            at, [measured[name] for name in names], 0.2,
            yerr=[measured[f"{name} +-"] for name in names], error_kw={"elinewidth": 0.6},
            capsize=1.5, label=scheduler, **bar_style(place),
        )  # fmt: skip
    axes.axhline(1, color="black", linewidth=0.8)
    names = [SHOWN.get(case, case) for case in cases]
    axes.set_xticks(
        range(len(cases)), [name.replace("coordinator ", "coordinator\n") for name in names]
    )
    axes.set_xlim(-0.5, len(cases) - 0.5)
    axes.set_ylabel("plain TCP over scheduler, mean CCT")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


if __name__ == "__main__":
    save_figure("control-plane", draw)
