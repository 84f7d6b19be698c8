# SPDX-License-Identifier: GPL-2.0-only
"""All schedulers in the packet and the fluid engine: python -m scratch.all_schedulers.run.

The experiment has twenty workloads, each with its own random numbers. So confidence intervals are
over workloads.
"""

from __future__ import annotations

import numpy as np

from ns3coflow import metadata
from scratch.common import save
from scratch.packet import (
    BARAAT_RATES,
    fluid_of,
    measure,
    packets,
    put,
    quotients,
    ratio,
    with_interval,
)

NAME = "all_schedulers"
SEEDS = tuple(range(1, 21))
# These decide about deadlines, which the workloads have not.
OF_DEADLINES = ("cs-mha", "dcoflow", "edf", "varys-deadline", "vc", "wdcoflow")
SCHEDULERS = (
    *(each for each in metadata.schedulers() if each not in OF_DEADLINES),
    BARAAT_RATES,
)
PACKETS, FLUID = "packets", "fluid"


def main() -> None:
    """Runs, and writes measured.json."""
    points = {}
    for scheduler in SCHEDULERS:
        for seed in SEEDS:
            options = packets(scheduler, seed)
            points[scheduler, PACKETS, seed] = options
            points[scheduler, FLUID, seed] = fluid_of(options)
    table = measure(NAME, points)
    measured: dict[str, float] = {}
    for scheduler in SCHEDULERS:
        for case in (PACKETS, FLUID):
            factor = ratio(table, ("fair", case), (scheduler, case))
            put(measured, f"fair over {scheduler}, {case}", factor)
        told = quotients(table, ("fair", PACKETS), (scheduler, PACKETS)) / quotients(
            table, ("fair", FLUID), (scheduler, FLUID)
        )
        put(measured, f"{scheduler}: factor in packets over factor as a fluid", with_interval(told))
        both = ratio(table, (scheduler, PACKETS), (scheduler, FLUID))
        put(measured, f"{scheduler}: packets over fluid", both)
    means = {
        case: [measured[f"fair over {each}, {case}"] for each in SCHEDULERS]
        for case in (PACKETS, FLUID)
    }
    order = {case: np.argsort(np.argsort(values)) for case, values in means.items()}
    measured["rank correlation of packets and fluids"] = float(
        np.corrcoef(order[PACKETS], order[FLUID])[0, 1]
    )
    n = len(SCHEDULERS)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    changed = sum(
        (order[PACKETS][i] < order[PACKETS][j]) != (order[FLUID][i] < order[FLUID][j])
        for i, j in pairs
    )
    measured["pairs that change places"] = changed
    measured["pairs"] = len(pairs)
    measured["schedulers"] = n
    save(NAME, measured, table)


if __name__ == "__main__":
    main()
