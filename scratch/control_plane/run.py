# SPDX-License-Identifier: GPL-2.0-only
"""The cost of control messages and of their failures: python -m scratch.control_plane.run."""

from __future__ import annotations

from typing import Any

import pandas as pd

from scratch.common import save
from scratch.packet import (
    CENTRALIZED,
    HYBRID,
    SEEDS,
    cut,
    measure,
    packets,
    put,
    ratio,
    time,
    with_interval,
)

COORDINATED = (*CENTRALIZED, *HYBRID)
IN_BAND = "packets"
CASES: dict[str, dict[str, Any]] = {
    IN_BAND: {},
    "prioritised": {
        "controlDscp": 56, "queueDisc": "ns3::coflow::StrictPriorityQueueDisc"
    },
    "ideal": {"controlTransport": "ideal"},
    "1 % lost": {"controlLossRate": 0.01},
    "10 % lost": {"controlLossRate": 0.1},
    "coordinator dies": {},
    "coordinator is away": {},
}  # fmt: skip
OF_DCAS: dict[str, dict[str, Any]] = {
    "behind data": {"urgentMessages": False},
    "prioritised": {},
    "1 % lost": {"lossRate": 0.01},
    "10 % lost": {"lossRate": 0.1},
}
# How long it is away: 5 s of the trace.
AWAY_S = 0.01


def failure(case: str, seed: int) -> dict[str, Any]:
    """The coordinator fails when half of the coflows have come."""
    if not case.startswith("coordinator"):
        return {}
    options = {"coordinatorFailAt": time(cut(seed).coflows["arrival_s"].median())}
    return options | ({"coordinatorDownTime": time(AWAY_S)} if case.endswith("away") else {})


def simulate() -> pd.DataFrame:
    """All ways of control."""
    points = {}
    for seed in SEEDS:
        points["fair", IN_BAND, seed] = packets("fair", seed)
        for scheduler in COORDINATED:
            for case, changes in CASES.items():
                options = {**changes, **failure(case, seed)}
                points[scheduler, case, seed] = packets(scheduler, seed, **options)
        for case, changes in OF_DCAS.items():
            points["dcas", case, seed] = packets("dcas", seed, **changes)
    return measure("packet", points)


def of_seeds(table: pd.DataFrame, point: tuple[str, str], metric: str) -> pd.Series:
    """A column of a point by seed; empty where a run is missing."""
    known = point in {each[:2] for each in table.index}
    return table[metric][point] if known else pd.Series(dtype=float)


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    measured: dict[str, float] = {}
    for scheduler in COORDINATED:
        for case in CASES:
            for each in ("all", "SN", "LW"):
                value = ratio(table, (scheduler, case), (scheduler, IN_BAND), f"cct_s.{each}.mean")
                put(measured, f"{scheduler}: {case} over in band, {each}", value)
            value = ratio(table, ("fair", IN_BAND), (scheduler, case))
            put(measured, f"fair over {scheduler}, {case}", value)
            value = with_interval(of_seeds(table, (scheduler, case), "network.dropped_packets"))
            put(measured, f"{scheduler}, {case}: packets dropped", value)
    for case in OF_DCAS:
        value = ratio(table, ("dcas", case), ("dcas", "prioritised"))
        put(measured, f"dcas: {case} over prioritised, all", value)
    save("control_plane", measured, table)


if __name__ == "__main__":
    main()
