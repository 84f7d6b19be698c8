# SPDX-License-Identifier: GPL-2.0-only
"""The whole public trace in packets, and as fluids: python -m scratch.whole_trace.run.

A run takes five to twenty minutes of CPU time in packets, under fair and aalo more than an hour,
and under dcas some hours. So runs are done by coflow-replay, one process each, and are kept in
build/scratch/whole_trace. COFLOW_REPLAY names the program where it is not
build/release/bin/coflow-replay. With names of schedulers as arguments only those are run. Numbers
of runs that are not kept stay as they were measured before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scratch.common import BINS, ROOT, is_complete, kept, measured_of, of_bin, save, trace_path
from scratch.packet import GOODPUT, PAYLOAD

if TYPE_CHECKING:
    from pathlib import Path

NAME = "whole_trace"
PACKETS = "packets"
IDEAL = "packets, ideal control"
UNBATCHED = "packets, ideal control at once"
FLUID = "fluid"
PAPERS_FLUID = "fluid at 1 Gbps"
FAT_TREE = "packets, fat-tree"
FAT_TREE_FLUID = "fluid, fat-tree"
NARROW = "packets, fat-tree at 1 Gbps"
APART = "packets, fat-tree at 1 Gbps, control apart"
UNTIL_DONE = "packets, fat-tree, until done"
JUMBO = "packets, 8948 bytes"
JUMBO_FLUID = "fluid, 8948 bytes"
# With those that set rates, time in which all flows have one is jumped over. With fair and aalo,
# time in which TCP shares ports in a way that was measured. With dcas all is simulated.
SCHEDULERS = (
    "varys", "sincronia", "drf", "hug", "nc-drf", "max-min", "ps-p", "fair", "aalo", "dcas",
)  # fmt: skip
HOSTS = 150  # of the trace
JUMPS = {
    "jump": "paced", "ratePhase": "spread", "kappa": 0.92, "heartbeat": "10s",
    "masterTimeout": "30s",
}  # fmt: skip
# Of these some coflows go past the coordinator, unless they are told not to.
BYPASSING = {"varys", "sincronia", "drf", "hug"}
CASES: dict[str, dict[str, Any]] = {
    # One more for the coordinator: beside data its messages wait (doc/central.md).
    PACKETS: {"hosts": HOSTS + 1, **JUMPS, "sampleInterval": "10s"},
    FLUID: {"hosts": HOSTS, "engine": "fluid", "linkRate": GOODPUT},
    PAPERS_FLUID: {"hosts": HOSTS, "engine": "fluid"},
}
# By default these decide again at once or 10 ms after a flow has finished, which is nearly always.
OF_SCHEDULER = {name: {"coalesce": "400ms"} for name in ("nc-drf", "max-min", "ps-p")}
# What control costs: without messages, and without their batch of 0.1 s either.
CONTROL = {
    IDEAL: {"controlTransport": "ideal"},
    UNBATCHED: {"controlTransport": "ideal", "controlBatch": "0s"},
}
WITH_IDEAL_CONTROL = {"varys"}
# These in place of CASES. A message that is lost where ports are full holds time for long.
MEASURED = {
    "hosts": HOSTS + 1, "jump": "steady", "ratePhase": "spread", "completion": "instant",
    "sampleInterval": "10s",
}  # fmt: skip
IN_PACKETS: dict[str, dict[str, Any]] = {
    "fair": {**MEASURED, "steadyTime": "20ms"},
    "aalo": {**MEASURED, "steadyTime": "5ms", "jumpTolerance": 0.2},
}
# Rates that a coordinator gives leave room for acknowledgements, as GOODPUT does. TCP takes all.
IN_FLUID = {name: {"linkRate": PAYLOAD} for name in ("fair", "aalo", "dcas")}
# Segments of 8,948 bytes. RFC 6928 has two of these in a first window.
OF_JUMBO: dict[str, dict[str, Any]] = {
    JUMBO: {
        **MEASURED, "segment": 8948, "initialWindow": 2, "steadyTime": "5ms", "jumpTolerance": 0.2,
    },
    JUMBO_FLUID: {**CASES[FLUID], "linkRate": f"{1e9 * 8948 / 9002:.0f}bps"},
}  # fmt: skip
WITH_JUMBO = {"fair", "aalo", "dcas"}
WITHOUT_JUMPS = {"dcas"}  # which is run with such segments only
OF_JUMPS = {"jump", "steadyTime", "jumpTolerance"}
# The 150 hosts on 127 of the 128 of a fat-tree; the coordinator has the last one. Links between
# switches carry what hosts send, mostly, wherever ECMP puts it.
FOLDED: dict[str, Any] = {
    "topology": "fat-tree", "k": 8, "fabricLinkRate": "10Gbps", "remap": "fold:127",
}  # fmt: skip
ON_FAT_TREE: dict[str, dict[str, Any]] = {
    FAT_TREE: {**FOLDED, **JUMPS, "sampleInterval": "10s"},
    FAT_TREE_FLUID: {**FOLDED, "engine": "fluid", "linkRate": GOODPUT},
}
# With 1 Gbps between switches ECMP gives some of these links more than they carry. What flows get
# there is measured.
NARROW_LINKS: dict[str, dict[str, Any]] = {
    NARROW: {
        **FOLDED, **JUMPS, "fabricLinkRate": "1Gbps", "jump": "steady", "steadyTime": "10ms",
        "sampleInterval": "10s",
    },
}  # fmt: skip
WITH_NARROW_LINKS = {"varys", "sincronia", "drf", "ps-p"}
# Messages wait in full queues there, and time is held until they have come: that is half of all
# events under NC-DRF. With a network of their own no message holds time.
CONTROL_APART: dict[str, dict[str, Any]] = {
    APART: {**NARROW_LINKS[NARROW], "steadyTime": "5ms", "isolatedControl": "true"},
}  # fmt: skip
WITH_CONTROL_APART = {"nc-drf"}
# By default these take a flow to get its rate, and give next to nothing to one that should be done
# (doc/validation/jumps.md). In the code of Varys a flow has all of its bytes left until it is done.
# What that changes where flows do get their rates is measured too.
ALL_LEFT = {"remaining": "completion-only"}
ON_NARROW_LINKS = {"varys": ALL_LEFT, "sincronia": ALL_LEFT}
LEFT_UNTIL_DONE: dict[str, dict[str, Any]] = {UNTIL_DONE: {**ON_FAT_TREE[FAT_TREE], **ALL_LEFT}}
WITH_LEFT_UNTIL_DONE = {"varys"}
WITH_FAT_TREE = {"varys", "sincronia", "drf", "hug", "nc-drf", "max-min", "ps-p"}
# In packets, with segments of 1,448 bytes.
PLAIN_SEGMENTS = (PACKETS, FAT_TREE, NARROW, APART, UNTIL_DONE, *CONTROL)
# What cases are held against, if not against FLUID. Ports of hosts are the same on both fat-trees.
OF_FLUID = {
    JUMBO: JUMBO_FLUID,
    FAT_TREE: FAT_TREE_FLUID,
    NARROW: FAT_TREE_FLUID,
    APART: FAT_TREE_FLUID,
    UNTIL_DONE: FAT_TREE_FLUID,
}
QUANTILES = {"p5": 0.05, "median": 0.5, "p95": 0.95}


def folder(scheduler: str, case: str) -> Path:
    """Where a run is kept."""
    return kept(NAME) / f"{scheduler} {case}".replace(",", "").replace(" ", "-")


def cases_of(scheduler: str) -> list[str]:
    """What is run of a scheduler."""
    more: list[dict[str, Any]] = [CONTROL] * (scheduler in WITH_IDEAL_CONTROL)
    more += [OF_JUMBO] * (scheduler in WITH_JUMBO)
    more += [ON_FAT_TREE] * (scheduler in WITH_FAT_TREE)
    more += [NARROW_LINKS] * (scheduler in WITH_NARROW_LINKS)
    more += [CONTROL_APART] * (scheduler in WITH_CONTROL_APART)
    more += [LEFT_UNTIL_DONE] * (scheduler in WITH_LEFT_UNTIL_DONE)
    found = [case for cases in (CASES, *more) for case in cases]
    return [case for case in found if case != PACKETS or scheduler not in WITHOUT_JUMPS]


def options_of(scheduler: str, case: str) -> dict[str, Any]:
    """What is told to coflow-replay."""
    if case in CONTROL:
        return CASES[PACKETS] | CONTROL[case]
    if case in OF_JUMBO:
        left_out = OF_JUMPS if scheduler in WITHOUT_JUMPS else set()
        return {name: each for name, each in OF_JUMBO[case].items() if name not in left_out}
    if case in ON_FAT_TREE:
        return ON_FAT_TREE[case]
    if case in NARROW_LINKS:
        return NARROW_LINKS[case] | ON_NARROW_LINKS.get(scheduler, {})
    if case in CONTROL_APART:
        return CONTROL_APART[case]
    if case in LEFT_UNTIL_DONE:
        return LEFT_UNTIL_DONE[case]
    if case == PACKETS and scheduler in IN_PACKETS:
        return IN_PACKETS[scheduler]
    return CASES[case] | (IN_FLUID.get(scheduler, {}) if case == FLUID else {})


def command(scheduler: str, case: str) -> list[str]:
    """The program and its options."""
    program = os.environ.get("COFLOW_REPLAY", str(ROOT / "build/release/bin/coflow-replay"))
    options = {
        "trace": trace_path(), "topology": "big-switch", "scheduler": scheduler,
        **options_of(scheduler, case), **OF_SCHEDULER.get(scheduler, {}),
    }  # fmt: skip
    if case in PLAIN_SEGMENTS and scheduler in BYPASSING:
        options["bypassBytes"] = 0
    return [program, *(f"--{name}={value}" for name, value in options.items())]


def is_kept(scheduler: str, case: str) -> bool:
    """Whether a run is there."""
    return is_complete(folder(scheduler, case))


def run(scheduler: str, case: str) -> None:
    """Runs, unless the run is kept."""
    if not is_kept(scheduler, case):
        out = folder(scheduler, case)
        subprocess.run([*command(scheduler, case), f"--out={out}", "--progress"], check=True)


def coflows(scheduler: str, case: str) -> pd.DataFrame:
    """The coflows of a run, by id."""
    return pd.read_csv(folder(scheduler, case) / "coflows.csv").set_index("coflow_id")


def times(scheduler: str, case: str) -> dict[str, float]:
    """Completion times by bin, in seconds."""
    table = coflows(scheduler, case)
    found: dict[str, float] = {}
    for name in BINS:
        cct = of_bin(table, name)["cct_s"]
        found[f"{name}: mean CCT, s"] = cct.mean()
        found[f"{name}: median CCT, s"] = cct.median()
        found[f"{name}: p95 CCT, s"] = cct.quantile(0.95)
    return found


def ratios(scheduler: str, case: str, of_fluid: str = FLUID) -> dict[str, float]:
    """A case in packets over one as a fluid: of means, and of single coflows."""
    packets, fluid = coflows(scheduler, case), coflows(scheduler, of_fluid)
    found: dict[str, float] = {}
    for name in BINS:
        ours, theirs = of_bin(packets, name)["cct_s"], of_bin(fluid, name)["cct_s"]
        each = (ours / theirs)[theirs > 0]  # a coflow within hosts takes no time as a fluid
        found[f"{name}: packets over fluid, means"] = ours.mean() / theirs.mean()
        for quantile, part in QUANTILES.items():
            found[f"{name}: packets over fluid, {quantile}"] = each.quantile(part)
        found[f"{name}: packets over fluid, largest"] = each.max()
        if name == "all":
            found["coflows faster than as fluids"] = int((each < 1).sum())
            found["packets over fluid, smallest"] = each.min()
    found["slowdown, smallest"] = packets["slowdown"].min()
    more = packets["cct_s"] - fluid["cct_s"]
    found["packets less fluid, median, s"] = more.median()
    found["packets less fluid, p95, s"] = more.quantile(0.95)
    return found


def costs(scheduler: str, case: str = PACKETS) -> dict[str, float]:
    """What control and the simulation cost."""
    text = (folder(scheduler, case) / "summary.json").read_text(encoding="utf-8")
    summary = json.loads(text)
    network = summary["network"]
    latency = summary["control"].get("latency", {}).get("event_to_rate_s", {})
    return costs_of_jumps(summary) | {
        "CPU, s": summary["cost"]["cpu_s"],
        "peak memory, MB": summary["cost"]["peak_memory_bytes"] / 1e6,
        "events, millions": summary["events"] / 1e6,
        "packet-hops, billions": network["packet_hops"] / 1e9,
        "packets dropped": network["dropped_packets"],
        "packets marked, millions": network["marked_packets"] / 1e6,
        "messages, thousands": network["control_messages"] / 1e3,
        "control, MB": network["control_bytes"] / 1e6,
        "event to rate, mean, ms": 1e3 * (latency.get("mean") or np.nan),
        "event to rate, largest, ms": 1e3 * (latency.get("max") or np.nan),
        "makespan, s": summary["results"]["makespan_s"],
    }


def costs_of_jumps(summary: dict[str, Any]) -> dict[str, float]:
    """What was jumped over, if anything might be."""
    jumps = summary["jumps"]
    if jumps is None:
        return {}
    simulated = sum(each["simulated_s"] for each in jumps["simulated_since"].values())
    return {
        "packet-hops skipped, %":
            100 * jumps["skipped_packet_hops"] / summary["network"]["packet_hops"],
        "bytes skipped, %": 100 * jumps["skipped_bytes"] / summary["delivered_bytes"],
        "jumps": jumps["jumps"],
        "time simulated, s": simulated,
        "time skipped, s": jumps["skipped_s"],
        "bare segments, millions": jumps["bare_segments"] / 1e6,
        "bare segments lost": jumps["bare_segments_lost"],
        "largest load of a port": jumps["largest_load"],
    }  # fmt: skip


def main() -> None:
    """Runs, and writes measured.json."""
    wanted = sys.argv[1:] or SCHEDULERS
    for scheduler in wanted:
        for case in reversed(cases_of(scheduler)):
            run(scheduler, case)
    measured = measured_of(NAME)
    for scheduler in SCHEDULERS:
        done = [case for case in cases_of(scheduler) if is_kept(scheduler, case)]
        for case in done:
            for name, value in times(scheduler, case).items():
                measured[f"{scheduler}, {case}: {name}"] = value
        for case in (*PLAIN_SEGMENTS, JUMBO):
            of_fluid = OF_FLUID.get(case, FLUID)
            if case in done and of_fluid in done:
                found = ratios(scheduler, case, of_fluid) | costs(scheduler, case)
                prefix = scheduler if case == PACKETS else f"{scheduler}: {case}"
                measured |= {f"{prefix}: {name}": value for name, value in found.items()}
    pairs = [(scheduler, "varys") for scheduler in SCHEDULERS[1:]] + [("aalo", "fair")]
    beside = [("aalo", "fair"), ("dcas", "fair"), ("dcas", "aalo")]
    for case, (ours, theirs) in [
        *product(CASES, pairs),
        *product((JUMBO, OF_FLUID[JUMBO]), beside),
    ]:
        means = [
            measured.get(f"{each}, {case}: all: mean CCT, s", np.nan) for each in (ours, theirs)
        ]
        if not np.isnan(means).any():
            measured[f"{ours} over {theirs}, {case}, mean CCT"] = means[0] / means[1]
    cpu = sum(value for name, value in measured.items() if name.endswith(": CPU, s"))
    save(NAME, measured, pd.DataFrame({"key": ["all"], "cost.cpu_s": [cpu]}))


if __name__ == "__main__":
    main()
