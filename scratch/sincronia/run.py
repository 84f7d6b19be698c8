# SPDX-License-Identifier: GPL-2.0-only
"""Sincronia on a fat-tree of 16 hosts, over TCP: python -m scratch.sincronia.run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import ns3coflow as nc
from scratch.common import coflows, half_width, row, run, save
from scratch.packet import STOP_S, parameters, there

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

SCALE = 1 / 2000
SEEDS = (1, 2, 3)
COFLOWS = 526
NETWORK = {"topology": "fat-tree", "k": 4, "linkDelay": "5us"}
COMMON = {"shortBytes": int(5e6 * SCALE), "stop": STOP_S, "sampleInterval": "10s"}
# What ports and TCP do with an order: priorities of packets, in 8 classes or unlimited.
CASES: dict[str, dict[str, Any]] = {
    "CUBIC": {"scheduler": "fair", "transport": "TcpCubic"},
    "DCTCP": {"scheduler": "fair"},
    "order, 8 classes": {"scheduler": "edf", "bands": 8, "firstBand": "100us"},
}
DEEP = "ns3::coflow::FifoQueueDisc[MaxSize=4MiB|MarkingThreshold=30000B]"
# On the first seed: other ways to an order, and what else the two sides differ in, each by itself.
VARIANTS: dict[str, dict[str, Any]] = {
    "order": {"scheduler": "edf"},
    "rates": {"scheduler": "sincronia", "enforceAt": "sender", "rates": "greedy"},
    "CUBIC, timeouts of 200 ms": {**CASES["CUBIC"], "minRto": "200ms", "connTimeout": "200ms"},
    "CUBIC in 4 MiB": {**CASES["CUBIC"], "queueDisc": DEEP},
    "order, 8 classes, CUBIC": {**CASES["order, 8 classes"], "transport": "TcpCubic"},
}
FLUIDS = ("fair", "sincronia")
# What TCP has of a link. Under none of the two has a flow a rate.
PORT_RATE = f"{nc.Experiment(scheduler='fair').port_rate_bps:.0f}bps"


STATISTICS: dict[str, Callable[[pd.Series], Any]] = {
    "mean": np.mean,
    "median": np.median,
    "p90": partial(np.percentile, q=90),
    "p99": partial(np.percentile, q=99),
}

SHOWN = {
    "mean slowdown": "slowdown.mean",
    "packets dropped": "network.dropped_packets",
}


def workload(seed: int) -> nc.Trace:
    """As many coflows as the paper has, on 16 hosts at load 0.7."""
    trace = nc.Trace.generate("fb-like", coflows=COFLOWS, hosts=16, load=0.7, seed=seed)
    return trace.transform(max_coflow_bytes=100e9, scale_bytes=SCALE, scale_time=SCALE)


def fluid(trace: nc.Trace, scheduler: str) -> nc.Experiment:
    """The order at work without packets."""
    by_priority = {"rates": "greedy"} if scheduler == "sincronia" else {}
    return nc.Experiment(
        trace, nc.BigSwitch(hosts=16), scheduler, engine="fluid", linkRate=PORT_RATE, **by_priority
    )


def ordered(seed: int) -> nc.Trace:
    """Deadlines that are in Sincronia's order: when it finishes them, as fluids."""
    trace = workload(seed)
    done = fluid(trace, "sincronia").run().coflows.set_index("coflow_id")["cct_s"]
    flows = trace.flows
    flows["deadline_s"] = flows["coflow_id"].map(done).clip(lower=1e-6).round(9)
    return nc.Trace.from_frame(flows, hosts=trace.hosts, scale=trace.scale)


def seeds_of(*cases: str) -> tuple[int, ...]:
    """The seeds on which all of these cases run."""
    return SEEDS[:1] if VARIANTS.keys() & set(cases) else SEEDS


def simulate() -> nc.Sweep:
    """All cases."""
    points = {}
    for seed in SEEDS:
        trace = ordered(seed)
        for case, changes in (CASES | VARIANTS).items():
            if seed not in seeds_of(case):
                continue
            scheduler = changes["scheduler"]
            chosen = parameters(scheduler, trace, interval_s=0.1 * SCALE)
            points[f"{case}|{seed}"] = {"trace": trace, **NETWORK, **COMMON, **chosen, **changes}
        for name in FLUIDS:
            options = fluid(trace, name).options
            points[f"fluid {name}|{seed}"] = {"trace": trace, **options}
    return run("sincronia", {"point": there("sincronia", points)}, nc.Experiment())


def mean_cct(sweep: nc.Sweep, case: str, seed: int) -> float:
    """Mean CCT of a case."""
    return float(coflows(sweep, point=f"{case}|{seed}")["cct_s"].mean())


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
    packets = (*CASES, *VARIANTS)
    tcp = [case for case in packets if (CASES | VARIANTS)[case]["scheduler"] == "fair"]
    pairs = [(case, over) for over in tcp for case in packets if case != over]
    for case, over in [*pairs, ("fluid sincronia", "fluid fair")]:
        seeds = seeds_of(case, over)
        ratios = [speedups(sweep, case, over, seed) for seed in seeds]
        values = {
            name: [float(statistic(each)) for each in ratios]
            for name, statistic in STATISTICS.items()
        }
        values["mean CCT"] = [
            mean_cct(sweep, over, seed) / mean_cct(sweep, case, seed) for seed in seeds
        ]
        for name, each in values.items():
            measured[f"{over} over {case}, {name}"] = float(np.mean(each))
            if len(each) > 1:
                measured[f"{over} over {case}, {name} +-"] = half_width(each)
    for case in packets:
        rows = [row(sweep, point=f"{case}|{seed}") for seed in seeds_of(case)]
        for name, column in SHOWN.items():
            measured[f"{case}: {name}"] = float(np.mean([each[column].iloc[0] for each in rows]))
    save("sincronia", measured, sweep)


if __name__ == "__main__":
    main()
