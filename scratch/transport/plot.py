# SPDX-License-Identifier: GPL-2.0-only
"""TCP variants, buffers and incast: python -m scratch.transport.plot."""

from matplotlib.figure import Figure

from ns3coflow.style import WIDTH, marker_style
from scratch.common import measured_of, save_figure
from scratch.packet import LABELS, SCHEDULERS
from scratch.transport.run import CASES, INCAST, SENDERS, VARIANTS


def draw() -> Figure:
    measured = measured_of("transport")
    variants = [
        variant
        for variant in VARIANTS
        if all(measured[f"incast fair: {variant}, {each}"] > 0 for each in SENDERS)
    ]
    figure = Figure(figsize=(WIDTH, 5.0))
    above, below = figure.subfigures(2, 1, height_ratios=(3, 2))
    upper = above.subplots()
    lower = below.subplots(1, max(1, len(variants)), sharey=True, squeeze=False)[0]
    # What was not run is left out.
    cases = [case for case in CASES if measured[f"fair: {case}"] > 0]
    for place, scheduler in enumerate(SCHEDULERS):
        if not measured[f"{scheduler}: DCTCP"] > 0:
            continue
        names = [f"{scheduler}: {case}" for case in cases]
        at = [each + 0.07 * (place - 3) for each in range(len(cases))]
        style = {**marker_style(place), "linestyle": "none"}
        upper.errorbar(
            at, [measured[name] for name in names], [measured[f"{name} +-"] for name in names],
            capsize=1.5, elinewidth=0.6, label=LABELS.get(scheduler, scheduler), **style,
        )  # fmt: skip
    upper.axhline(1, color="black", linewidth=0.8)
    upper.set_xticks(range(len(cases)), [case.replace(", ", "\n") for case in cases])
    upper.set_xlim(-0.5, len(cases) - 0.5)
    upper.set_ylabel("mean CCT over that with DCTCP")
    for axes, variant in zip(lower, variants, strict=False):
        for place, scheduler in enumerate(INCAST):
            values = [measured[f"incast {scheduler}: {variant}, {each}"] for each in SENDERS]
            axes.plot(range(len(SENDERS)), values, **marker_style(place))
        axes.set_title(f"incast, {variant}")
        axes.set_xticks(range(len(SENDERS)), SENDERS)
        axes.set_xlabel("senders")
    lower[0].set_ylabel("mean slowdown")
    figure.legend(*upper.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


if __name__ == "__main__":
    save_figure("transport", draw)
