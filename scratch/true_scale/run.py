# SPDX-License-Identifier: GPL-2.0-only
"""The public trace up to 10 GB a coflow, every packet simulated: python -m scratch.true_scale.run.

A run takes minutes of CPU time. So coflow-replay does the runs, one process each, and results are
kept in build/scratch/true_scale. Set COFLOW_REPLAY if the program is not
build/release/bin/coflow-replay. Arguments are names of schedulers: only these schedulers run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.common import BINS, ROOT, is_complete, kept, measured_of, of_bin, save, trace_path

if TYPE_CHECKING:
    from pathlib import Path

NAME = "true_scale"
PACKETS = "packets"
FLUID = "fluid"
DENSER = ", denser"  # the same coflows in a 150th of the time, so that they meet
SCHEDULERS = ("fair", "aalo", "graviton", "dcas")
LARGEST = "10e9"  # bytes of a coflow
HOSTS = 151  # of the trace, and one for a coordinator
LOADS: dict[str, dict[str, Any]] = {"": {}, DENSER: {"scaleTime": "1/150"}}
ENGINES = (PACKETS, FLUID)
# Aalo where switches serve its queues as classes, too, which is strict: so is its fluid.
CLASSES = "aalo, classes"
OF_CLASSES: dict[str, dict[str, Any]] = {
    PACKETS: {"enforcement": "dscp"},
    FLUID: {"sharing": "strict"},
}
OF_LOAD = {"": SCHEDULERS, DENSER: ("fair", "aalo", "dcas", CLASSES)}
QUANTILES = {"p5": 0.05, "median": 0.5, "p95": 0.95}


def folder(scheduler: str, case: str) -> Path:
    """Where a run is kept."""
    return kept(NAME) / f"{scheduler}-{case}".replace(", ", "-")


def is_kept(scheduler: str, case: str) -> bool:
    """Whether a run is there."""
    return is_complete(folder(scheduler, case))


def experiment(scheduler: str, case: str) -> nc.Experiment:
    """What is run: packets, or a fluid on ports of the same rate."""
    engine = case.removesuffix(DENSER)
    packets = nc.Experiment(
        trace_path(), "big-switch", scheduler.partition(",")[0], hosts=HOSTS, ratePhase="spread",
        maxCoflowBytes=LARGEST, **LOADS[case.removeprefix(engine)],
    )  # fmt: skip
    made = packets if engine == PACKETS else packets.fluid()
    return made.with_options(**OF_CLASSES[engine]) if scheduler == CLASSES else made


def run(scheduler: str, case: str) -> None:
    """Runs, unless the run is kept."""
    if is_kept(scheduler, case):
        return
    program = os.environ.get("COFLOW_REPLAY", str(ROOT / "build/release/bin/coflow-replay"))
    out = f"--out={folder(scheduler, case)}"
    subprocess.run(
        [program, *experiment(scheduler, case).arguments(), out, "--force", "--progress"],
        check=True,
    )


def coflows(scheduler: str, case: str) -> pd.DataFrame:
    """The coflows of a run, by id."""
    return pd.read_csv(folder(scheduler, case) / "coflows.csv").set_index("coflow_id")


def compare(scheduler: str, load: str) -> dict[str, float]:
    """Packets beside the fluid: means, and single coflows."""
    packets, fluid = (coflows(scheduler, engine + load) for engine in ENGINES)
    found: dict[str, float] = {}
    for name in BINS:
        ours, theirs = of_bin(packets, name)["cct_s"], of_bin(fluid, name)["cct_s"]
        each = (ours / theirs)[theirs > 0]  # a coflow within hosts takes no time as a fluid
        found[f"{name}: packets, mean CCT, s"] = ours.mean()
        found[f"{name}: fluid, mean CCT, s"] = theirs.mean()
        found[f"{name}: packets over fluid, means"] = ours.mean() / theirs.mean()
        for quantile, part in QUANTILES.items():
            found[f"{name}: packets over fluid, {quantile}"] = each.quantile(part)
        found[f"{name}: packets over fluid, largest"] = each.max()
    found["packets less fluid, median, s"] = (packets["cct_s"] - fluid["cct_s"]).median()
    found["slowdown, smallest"] = packets["slowdown"].min()
    return found


def costs(scheduler: str, load: str) -> dict[str, float]:
    """What control, losses and the simulation cost."""
    text = (folder(scheduler, PACKETS + load) / "summary.json").read_text(encoding="utf-8")
    summary = json.loads(text)
    network = summary["network"]
    return {
        "CPU, s": summary["cost"]["cpu_s"],
        "packet-hops, millions": network["packet_hops"] / 1e6,
        "packets dropped": network["dropped_packets"],
        "packets marked, millions": network["marked_packets"] / 1e6,
        "messages, thousands": network["control_messages"] / 1e3,
        "control, MB": network["control_bytes"] / 1e6,
    }


def main() -> None:
    """Runs, and writes measured.json."""
    for load, schedulers in OF_LOAD.items():
        for scheduler in schedulers:
            for engine in ENGINES:
                if not sys.argv[1:] or scheduler in sys.argv[1:]:
                    run(scheduler, engine + load)
    measured = measured_of(NAME)
    for load, schedulers in OF_LOAD.items():
        for scheduler in schedulers:
            if not all(is_kept(scheduler, engine + load) for engine in ENGINES):
                continue
            found = compare(scheduler, load) | costs(scheduler, load)
            measured |= {f"{scheduler}{load}: {name}": value for name, value in found.items()}
        for engine in ENGINES:
            for scheduler in schedulers:
                ours, theirs = (
                    measured.get(f"{each}{load}: all: {engine}, mean CCT, s", np.nan)
                    for each in (scheduler, "fair")
                )
                measured[f"{scheduler} over fair, {engine}{load}, mean CCT"] = ours / theirs
    cpu = sum(value for name, value in measured.items() if name.endswith(": CPU, s"))
    save(NAME, measured, pd.DataFrame({"key": ["all"], "cost.cpu_s": [cpu]}))


if __name__ == "__main__":
    main()
