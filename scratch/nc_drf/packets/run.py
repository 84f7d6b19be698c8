# SPDX-License-Identifier: GPL-2.0-only
"""NC-DRF's testbed, Table III and Figure 7, in packets: python -m scratch.nc_drf.packets.run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

import ns3coflow as nc
from ns3coflow.store import Store
from scratch.common import kept, save
from scratch.packet import measure, put, with_interval

if TYPE_CHECKING:
    import numpy as np

SCALE = 1 / 25
HOSTS = 60
SEEDS = (1, 2, 3)
# What Linux has, and two others: the paper does not say.
TRANSPORTS = {"CUBIC": "TcpCubic", "NewReno": "TcpNewReno", "DCTCP": "TcpDctcp"}
# Batches, heartbeats and time limits follow the scale of the trace. Two constants do not: the runs
# that measured.json is from had them as they are for coflows of full size.
CONTROL = {"daemonTimeout": "60s"}
OF_NC_DRF = {"scheduler": "nc-drf", "coalesce": "10ms", **CONTROL}
NC_DRF = "NC-DRF"
CASES: dict[str, dict[str, Any]] = {
    "TCP": {"scheduler": "fair"},
    "PS-P": {"scheduler": "ps-p", "onFlowCompletion": "never", **CONTROL},
    # Algorithm 1 decides when coflows come and go.
    NC_DRF: {"rescheduleOnFlow": False, **OF_NC_DRF},
    "NC-DRF at flow events": {"rescheduleOnFlow": True, **OF_NC_DRF},
    # Nobody bypasses in the paper.
    "DRF": {"scheduler": "drf", "bypassBytes": 0, **CONTROL},
    "HUG": {"scheduler": "hug", "bypassBytes": 0, **CONTROL},
}
# Figure 7 has more schedulers under one TCP; under the others two are enough.
UNDER_OTHERS = ("TCP", NC_DRF)


def cases_of(transport: str) -> list[str]:
    """What runs over a transport."""
    return [each for each in CASES if transport == "CUBIC" or each in UNDER_OTHERS]


def simulate() -> pd.DataFrame:
    """The three coflows on 60 hosts; seeds draw the sizes of flows."""
    points = {}
    for seed in SEEDS:
        trace = nc.Trace.generate("nc-drf-table3", seed=seed)
        trace = trace.transform(scale_bytes=SCALE, scale_time=SCALE)
        for transport, name in TRANSPORTS.items():
            for case in cases_of(transport):
                points[case, transport, seed] = {
                    "trace": trace, "topology": "big-switch", "hosts": HOSTS,
                    "linkRate": "200Mbps", "linkDelay": "5us", "stop": 60, "transport": name,
                    **CASES[case],
                }  # fmt: skip
    return measure("nc_drf/packets", points)


def ccts(table: pd.DataFrame, case: str, transport: str) -> dict[int, np.ndarray]:
    """The CCTs of A, B and C by seed, in the paper's seconds."""
    store = Store(kept("nc_drf/packets"))
    keys = table["key"][case, transport]
    return {
        seed: store.coflows(key).sort_values("coflow_id")["cct_s"].to_numpy() / SCALE
        for seed, key in keys.items()
    }


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    points = {point[:2] for point in table.index}
    measured: dict[str, float] = {}
    for transport in TRANSPORTS:
        there = {
            case: ccts(table, case, transport)
            for case in cases_of(transport)
            if (case, transport) in points
        }
        for case, own in there.items():
            for place, name in enumerate("ABC"):
                value = with_interval(pd.Series([cct[place] for cct in own.values()]))
                put(measured, f"{name}, {case}, {transport}: CCT, s", value)
        for ours in (NC_DRF, "NC-DRF at flow events"):
            for case in there:
                if ours not in there or case == ours:
                    continue
                for place, name in enumerate("ABC"):
                    ratios = [there[case][seed][place] / there[ours][seed][place] for seed in SEEDS]
                    value = with_interval(pd.Series(ratios))
                    put(measured, f"{name}: {case} over {ours}, {transport}", value)
    save("nc_drf/packets", measured, table)


if __name__ == "__main__":
    main()
