# SPDX-License-Identifier: GPL-2.0-only
"""Varys' deadlines in packets, section 7.3: python -m scratch.varys.packets.run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import ns3coflow as nc
from ns3coflow.store import Store
from scratch.common import kept, save
from scratch.packet import (
    HOSTS,
    SCALE,
    SEEDS,
    cut,
    fluid_of,
    measure,
    packets,
    put,
    with_interval,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable

VARYS = "varys-deadline"
SCHEDULERS = (VARYS, "fair")
X = 1
LEAST_S = 0.2 * SCALE
PACKETS = "packets"
IDEAL = "ideal control"
BIG_SWITCH = {"topology": "big-switch", "k": None, "hosts": HOSTS}
NO_MESSAGES = {"controlTransport": "ideal", "controlBatch": "0ns"}
# What fluids do not have, off by itself and together.
CAUSES = {
    IDEAL: NO_MESSAGES,
    "no collisions": BIG_SWITCH,
    "no bypass": {"bypassBytes": 0},
    "all off": {**NO_MESSAGES, **BIG_SWITCH, "bypassBytes": 0},
    "all off, a tenth of slack": {**NO_MESSAGES, **BIG_SWITCH, "bypassBytes": 0, "pad": 0.1},
}
FLUID = "fluid"
FLUID_NO_BYPASS = "fluid, no bypass"
NAME = "varys/packets"


def with_deadlines(seed: int) -> nc.Trace:
    """A cut with deadlines of Gamma (1 + U(0, x)) in the empty network, at least 200 ms scaled."""
    trace = cut(seed)
    flows = trace.flows
    gamma = trace.coflows.set_index("coflow_id")["bottleneck_bytes"] * 8 / 1e9
    factor = 1 + np.random.default_rng(seed).uniform(0, X, len(gamma))
    deadline = (gamma * factor).clip(lower=LEAST_S).round(9)
    flows["deadline_s"] = flows["coflow_id"].map(deadline)
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes", "deadline_s"]
    return nc.Trace.from_frame(flows[columns], hosts=HOSTS, scale=trace.scale)


def simulate() -> pd.DataFrame:
    """Real messages, none, and fluids."""
    points = {}
    for seed in SEEDS:
        trace = with_deadlines(seed)
        for scheduler in SCHEDULERS:
            told = packets(scheduler, seed, trace=trace)
            points[scheduler, PACKETS, seed] = told
            points[scheduler, FLUID, seed] = fluid_of(told)
        bypassing = points[VARYS, FLUID, seed]
        points[VARYS, FLUID_NO_BYPASS, seed] = bypassing | {"bypassBytes": 0}
        for case, changes in CAUSES.items():
            points[VARYS, case, seed] = packets(VARYS, seed, trace=trace, **changes)
    return measure(NAME, points)


def met(coflows: pd.DataFrame) -> float:
    """Per cent of all coflows that are in time."""
    return 100 * float(coflows["met_deadline"].fillna(False).mean())


def admitted(coflows: pd.DataFrame) -> pd.DataFrame:
    """Those that the scheduler accepted; one that bypasses is nobody's to reject."""
    return coflows[coflows["admitted"].fillna(True).astype(bool)]


def of_admitted(coflows: pd.DataFrame, times: float) -> float:
    """Per cent of the admitted that are done after so many times their deadline."""
    some = admitted(coflows)
    return 100 * float((some["cct_s"] <= times * some["deadline_s"] + 1e-12).mean())


STATISTICS: dict[str, Callable[[pd.DataFrame], float]] = {
    "met, %": met,
    "admitted, %": lambda coflows: 100 * len(admitted(coflows)) / len(coflows),
    "of the admitted late, %": lambda coflows: 100 - of_admitted(coflows, 1),
    "of the admitted in twice the deadline, %": lambda coflows: of_admitted(coflows, 2),
}


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    measured: dict[str, float] = {}
    parts: dict[tuple[str, str], pd.Series] = {}
    for scheduler, case in dict.fromkeys(point[:2] for point in table.index):
        store = Store(kept(NAME))
        tables = {seed: store.coflows(key) for seed, key in table["key"][scheduler, case].items()}
        for name, statistic in STATISTICS.items():
            values = pd.Series({seed: statistic(each) for seed, each in tables.items()})
            put(measured, f"{scheduler}, {case}: {name}", with_interval(values))
            parts[f"{scheduler}, {case}", name] = values
    for case in (PACKETS, FLUID):
        ours, theirs = (f"{each}, {case}" for each in SCHEDULERS)
        if (ours, "met, %") in parts and (theirs, "met, %") in parts:
            ratio = parts[ours, "met, %"] / parts[theirs, "met, %"]
            put(measured, f"met, Varys over fairness, {case}", with_interval(ratio))
    save(NAME, measured, table)


if __name__ == "__main__":
    main()
