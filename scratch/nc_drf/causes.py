# SPDX-License-Identifier: GPL-2.0-only
"""Why coflow A of the testbed loses to TCP's sharing: python -m scratch.nc_drf.causes."""

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.common import fluid, half_width, run, save

SEEDS = range(1, 11)
HOSTS, GROUP = 60, 6
COLUMNS = ["coflow_id", "arrival_s", "src", "dst", "bytes"]


def table3(seed: int) -> pd.DataFrame:
    """The three coflows' flows, without those of a host to itself."""
    trace = nc.Trace.generate("nc-drf-table3", seed=seed)
    flows = trace.flows
    return flows[flows["src"] != flows["dst"]][COLUMNS]


def merged(flows: pd.DataFrame, fan: int) -> pd.DataFrame:
    """A's bytes in so many flows per host in place of five, to its next ones in the group."""
    a = flows[flows["coflow_id"] == 1]
    sent = a.groupby("src")["bytes"].sum()
    rows = [
        (1, 0.0, src, src // GROUP * GROUP + (src + step) % GROUP, int(sent[src] / fan))
        for src in range(HOSTS)
        for step in range(1, fan + 1)
    ]
    return pd.concat([pd.DataFrame(rows, columns=COLUMNS), flows[flows["coflow_id"] != 1]])


def split(flows: pd.DataFrame, parts: int) -> pd.DataFrame:
    """B's and C's flows in so many parts each: as many flows per host as A has."""
    small = flows[flows["coflow_id"] != 1]
    cut = [small.assign(bytes=small["bytes"] // parts)] * parts
    return pd.concat([flows[flows["coflow_id"] == 1], *cut]).sort_values("coflow_id", kind="stable")


VARIANTS = {
    "as it is": lambda flows: flows,
    "equal sizes": lambda flows: flows.assign(bytes=65_000_000),
    **{f"A with {fan} per host": lambda flows, fan=fan: merged(flows, fan) for fan in (1, 2, 3)},
    "B and C with 5 per host": lambda flows: split(flows, 5),
}


def simulate() -> nc.Sweep:
    """Variants of the three coflows under TCP's sharing, NC-DRF, and NC-DRF's first stage."""
    traces = {
        f"{name}, {seed}": {"trace": nc.Trace.from_frame(make(table3(seed)), hosts=HOSTS)}
        for name, make in VARIANTS.items()
        for seed in SEEDS
    }
    cases = {
        "TCP": {"scheduler": "fair"},
        "NC-DRF": {"scheduler": "nc-drf"},
        "without spare": {"scheduler": "nc-drf", "backfillRounds": 0},
    }
    base = fluid(nc.Trace.generate("nc-drf-table3"), linkRate="200Mbps")
    return run("nc_drf_causes", {"case": cases, "workload": traces}, base)


def main() -> None:
    """Runs, and writes causes.json."""
    sweep = simulate()
    measured: dict[str, float] = {}
    cct = sweep.coflows.set_index(["case", "workload", "coflow_id"])["cct_s"]
    for name in VARIANTS:
        for place, coflow in enumerate("ABC", start=1):
            for other in ("NC-DRF", "without spare"):
                ratios = [
                    cct["TCP", f"{name}, {seed}", place] / cct[other, f"{name}, {seed}", place]
                    for seed in SEEDS
                ]
                measured[f"{name}: {coflow}, TCP over {other}"] = float(np.mean(ratios))
                measured[f"{name}: {coflow}, TCP over {other} +-"] = half_width(ratios)
    save("nc_drf", measured, sweep, file="causes.json")


if __name__ == "__main__":
    main()
