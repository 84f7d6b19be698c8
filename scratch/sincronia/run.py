# SPDX-License-Identifier: GPL-2.0-only
"""Sincronia on a fat-tree of 16 hosts, over TCP: python -m scratch.sincronia.run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import ns3coflow as nc
from scratch.common import coflows, run, save
from scratch.packet import GOODPUT, STOP_S, parameters, there

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

SCALE = 1 / 2000
# One has 526 coflows to look at; a run costs 10 to 15 s.
SEEDS = (1,)
COFLOWS = 526
NETWORK = {"topology": "fat-tree", "k": 4, "linkDelay": "5us"}
COMMON = {"shortBytes": int(5e6 * SCALE), "stop": STOP_S, "sampleInterval": "10s"}
CASES: dict[str, dict[str, Any]] = {
    "CUBIC": {"scheduler": "fair", "transport": "TcpCubic"},
    "DCTCP": {"scheduler": "fair"},
    # What ports and TCP do with an order: priorities of packets, unlimited or in 8 classes.
    "order": {"scheduler": "edf"},
    "order, 8 classes": {"scheduler": "edf", "bands": 8, "firstBand": "100us"},
    "rates": {"scheduler": "sincronia"},
}


STATISTICS: dict[str, Callable[[pd.Series], Any]] = {
    "mean": np.mean,
    "median": np.median,
    "p90": partial(np.percentile, q=90),
    "p99": partial(np.percentile, q=99),
}


def workload(seed: int) -> nc.Trace:
    """As many coflows as the paper has, on 16 hosts at load 0.7."""
    trace = nc.Trace.generate("fb-like", coflows=COFLOWS, hosts=16, load=0.7, seed=seed)
    return trace.transform(max_coflow_bytes=100e9, scale_bytes=SCALE, scale_time=SCALE)


def fluid(trace: nc.Trace, scheduler: str) -> nc.Experiment:
    """The order at work without packets."""
    return nc.Experiment(
        trace, nc.BigSwitch(hosts=16), engine="fluid", scheduler=scheduler, linkRate=GOODPUT
    )


def ordered(seed: int) -> nc.Trace:
    """Deadlines that are in Sincronia's order: when it finishes them, as fluids."""
    trace = workload(seed)
    done = fluid(trace, "sincronia").run().coflows.set_index("coflow_id")["cct_s"]
    flows = trace.flows.merge(trace.coflows[["coflow_id", "arrival_s"]], on="coflow_id")
    flows["deadline_s"] = flows["coflow_id"].map(done).clip(lower=1e-6).round(9)
    return nc.Trace.from_frame(flows, hosts=trace.hosts)


def simulate() -> nc.Sweep:
    """All cases with all seeds."""
    points = {}
    for seed in SEEDS:
        trace = ordered(seed)
        for case, changes in CASES.items():
            scheduler = changes["scheduler"]
            chosen = parameters(scheduler, trace, size=SCALE * 500, interval_s=0.1 * SCALE)
            points[f"{case}|{seed}"] = {"trace": trace, **NETWORK, **COMMON, **chosen, **changes}
        for name in ("fair", "sincronia"):
            options = fluid(trace, name).options
            points[f"fluid {name}|{seed}"] = {"trace": trace, **options}
    return run("sincronia", {"point": there("sincronia", points)}, nc.Experiment())


def speedups(sweep: nc.Sweep, case: str, over: str, seed: int) -> pd.Series:
    """CCT ratios by coflow."""
    ours, theirs = (
        coflows(sweep, point=f"{name}|{seed}").set_index("coflow_id")["cct_s"]
        for name in (case, over)
    )
    return (theirs / ours.where(ours > 0)).dropna()


def main() -> None:
    """Runs, and writes measured.json."""
    sweep = simulate()
    measured: dict[str, float] = {}
    pairs = [(case, over) for over in ("CUBIC", "DCTCP") for case in CASES if case != over]
    done = set(sweep.done["point"])
    for case, over in [*pairs, ("fluid sincronia", "fluid fair")]:
        if not done.issuperset(f"{name}|{seed}" for name in (case, over) for seed in SEEDS):
            for name in STATISTICS:
                measured[f"{over} over {case}, {name}"] = np.nan
            continue
        ratios = [speedups(sweep, case, over, seed) for seed in SEEDS]
        means = np.array(
            [
                [coflows(sweep, point=f"{name}|{seed}")["cct_s"].mean() for seed in SEEDS]
                for name in (over, case)
            ]
        )
        for name, statistic in STATISTICS.items():
            value = float(np.mean([statistic(each) for each in ratios]))
            measured[f"{over} over {case}, {name}"] = value
        measured[f"{over} over {case}, mean CCT"] = float((means[0] / means[1]).mean())
    save("sincronia", measured, sweep)


if __name__ == "__main__":
    main()
