# SPDX-License-Identifier: GPL-2.0-only
"""The whole public trace in the packet and the fluid engine: python -m scratch.whole_trace.run.

A run in packets takes five to fifty minutes of CPU time, and some hours under dcas. So
coflow-replay does the runs, one process each, and results are kept in build/scratch/whole_trace.
Set COFLOW_REPLAY if the program is not build/release/bin/coflow-replay. Arguments are names of
schedulers or of cases: only these run. With --fluid, only the fluid engine runs. The measured
numbers of runs that are not kept stay unchanged.
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

NAME = "whole_trace"
PACKETS = "packets"
IDEAL = "packets, ideal control"
UNBATCHED = "packets, ideal control at once"
FAT_TREE = "packets, fat-tree"
JUMBO = "packets, 8948 bytes"
CUT = "packets, up to 100 GB"
PRESSED = "packets, up to 100 GB, pressed"
DEEP = "packets, up to 100 GB, pressed, deep buffers"
# Those that set rates: time in which all flows have one is jumped over.
RATES = ("varys", "sincronia", "drf", "hug", "nc-drf", "max-min", "ps-p")
# Those without rates: every packet is simulated.
OTHERS = ("fair", "aalo", "dcas")
SCHEDULERS = (*RATES, *OTHERS)
BIG_SWITCH: dict[str, Any] = {"topology": "big-switch", "hosts": 151}  # one for the coordinator
# The 150 hosts on 127 of the 128 of a fat-tree; the coordinator has the last one. Links between
# switches carry what hosts send, mostly, wherever ECMP puts it.
FOLDED: dict[str, Any] = {
    "topology": "fat-tree", "k": 8, "fabricLinkRate": "10Gbps", "remap": "fold:127",
}  # fmt: skip
JUMPED: dict[str, Any] = {
    "jump": True, "ratePhase": "spread", "kappa": 0.92, "heartbeat": "10s",
    "masterTimeout": "30s", "sampleInterval": "10s",
}  # fmt: skip
# RFC 6928 has two of such segments in a first window.
LONG_SEGMENTS: dict[str, Any] = {
    **BIG_SWITCH, "segment": 8948, "initialWindow": 2, "ratePhase": "spread",
    "completion": "instant", "sampleInterval": "10s",
}  # fmt: skip
CASES: dict[str, dict[str, Any]] = {
    PACKETS: BIG_SWITCH | JUMPED,
    # What control costs: without messages, and without their batch of 0.1 s either.
    IDEAL: {**BIG_SWITCH, **JUMPED, "controlTransport": "ideal"},
    UNBATCHED: {**BIG_SWITCH, **JUMPED, "controlTransport": "ideal", "controlBatch": "0s"},
    FAT_TREE: FOLDED | JUMPED,
    JUMBO: LONG_SEGMENTS,
    CUT: {**LONG_SEGMENTS, "maxCoflowBytes": "100e9"},
    # The same coflows in a 25th of the time, so that they meet.
    PRESSED: {**LONG_SEGMENTS, "maxCoflowBytes": "100e9", "scaleTime": 0.04},
    # Ports that hold, and mark at, as many segments as by default of 1,448 bytes.
    DEEP: {
        **LONG_SEGMENTS,
        "maxCoflowBytes": "100e9",
        "scaleTime": 0.04,
        "queueDisc": "ns3::coflow::FifoQueueDisc[MaxSize=1620kB|MarkingThreshold=185400B]",
    },
}
CASES_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(RATES, (PACKETS, FAT_TREE)),
    "varys": (PACKETS, IDEAL, UNBATCHED, FAT_TREE),
    **dict.fromkeys(OTHERS, (CUT, PRESSED)),
    "dcas": (JUMBO, CUT, PRESSED),
    "fair": (CUT, PRESSED, DEEP),
    "sincronia": (PACKETS, FAT_TREE, PRESSED),
}
OF_SCHEDULER: dict[str, dict[str, Any]] = {
    # By default these decide again at once or 10 ms after a flow has finished, which is nearly
    # always.
    **{name: {"coalesce": "400ms"} for name in ("nc-drf", "max-min", "ps-p")},
    # Of these some coflows go past the coordinator, unless they are told not to.
    **{name: {"bypassBytes": 0} for name in ("varys", "drf", "hug")},
    "sincronia": {"bypassBytes": 0},
}
# On the whole trace its paper's priorities of packets would take days: they are no rates, so that
# nothing can be jumped over. This is a variant: the same order, with rates. Greedy rates change at
# every end of a flow, and next to nothing is jumped over either.
WITH_RATES = {"sincronia": {"rates": "madd", "enforceAt": "sender"}}
# As fluids these hand on what an ended flow had after 0.4 s by default.
EXACT = ("aalo", "dcas")
# A fluid of the papers: all of the link, and control that costs nothing.
PAPERS_FLUID = "fluid at 1 Gbps"
QUANTILES = {"p5": 0.05, "median": 0.5, "p95": 0.95}


def fluid_of(case: str, control: str = "ideal") -> str:
    """The fluid that a case in packets is held against."""
    as_case = {IDEAL: PACKETS, UNBATCHED: PACKETS, DEEP: PRESSED}.get(case, case)
    name = as_case.replace("packets", "fluid")
    return name if control == "ideal" else f"{name}, real control"


def controls_of(scheduler: str, case: str) -> tuple[str, ...]:
    """The control of the fluids that a case is held against."""
    return ("ideal", "real") if scheduler in RATES and case != PRESSED else ("ideal",)


def cases_of(scheduler: str) -> list[str]:
    """What is run of a scheduler: packets, and fluids on ports of the same rate."""
    found = [PAPERS_FLUID]
    for case in CASES_OF[scheduler]:
        found += [*(fluid_of(case, control) for control in controls_of(scheduler, case)), case]
    return list(dict.fromkeys(found))


def experiment(scheduler: str, case: str) -> nc.Experiment:
    """What is run."""
    own = OF_SCHEDULER.get(scheduler, {})
    if "up to 100 GB" not in case:
        own = own | WITH_RATES.get(scheduler, {})
    base = nc.Experiment(trace_path(), scheduler=scheduler, **own)
    if case == PAPERS_FLUID:
        made = base.with_options(**BIG_SWITCH).fluid()
        fluid = made.with_options(linkRate=None, control=None, controlBatch=None)
    elif case in CASES:
        return base.with_options(**CASES[case])
    else:
        control = "real" if case.endswith("real control") else "ideal"
        packets = next(each for each in CASES if fluid_of(each, control) == case)
        fluid = base.with_options(**CASES[packets]).fluid(control)
    exact = {"coalesce": "10ms"} if scheduler in EXACT else {}
    return fluid.with_options(sampleInterval=None, **exact)


def folder(scheduler: str, case: str) -> Path:
    """Where a run is kept."""
    return kept(NAME) / f"{scheduler} {case}".replace(",", "").replace(" ", "-")


def is_kept(scheduler: str, case: str) -> bool:
    """Whether a run is there."""
    return is_complete(folder(scheduler, case))


def run(scheduler: str, case: str) -> None:
    """Runs, unless the run is kept."""
    if is_kept(scheduler, case):
        return
    program = os.environ.get("COFLOW_REPLAY", str(ROOT / "build/release/bin/coflow-replay"))
    words = experiment(scheduler, case).arguments()
    out = f"--out={folder(scheduler, case)}"
    subprocess.run([program, *words, out, "--force", "--progress"], check=True)


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
    found["utilisation, %"] = 100 * summary_of(scheduler, case)["results"]["utilisation"]
    return found


def summary_of(scheduler: str, case: str) -> dict[str, Any]:
    """What a run says about itself."""
    text = (folder(scheduler, case) / "summary.json").read_text(encoding="utf-8")
    summary: dict[str, Any] = json.loads(text)
    return summary


def single_coflows(scheduler: str, case: str) -> dict[str, float]:
    """Single coflows in packets over themselves as a fluid."""
    packets, fluid = coflows(scheduler, case), coflows(scheduler, fluid_of(case))
    found: dict[str, float] = {}
    for name in BINS:
        ours, theirs = of_bin(packets, name)["cct_s"], of_bin(fluid, name)["cct_s"]
        each = (ours / theirs)[theirs > 0]  # a coflow within hosts takes no time as a fluid
        for quantile, part in QUANTILES.items():
            found[f"{name}: single coflows, {quantile}"] = each.quantile(part)
        found[f"{name}: single coflows, largest"] = each.max()
    more = packets["cct_s"] - fluid["cct_s"]
    found["packets less fluid, median, s"] = more.median()
    found["slowdown, smallest"] = packets["slowdown"].min()
    return found


def costs(scheduler: str, case: str) -> dict[str, float]:
    """What control and the simulation cost."""
    summary = summary_of(scheduler, case)
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
        "time simulated, s": simulated,
        "largest load of a port": jumps["largest_load"],
    }  # fmt: skip


def means_over(
    measured: dict[str, float], scheduler: str, case: str, control: str
) -> dict[str, float]:
    """Mean, median and 95th percentile of CCTs in packets over those of the fluid."""
    found: dict[str, float] = {}
    fluid = fluid_of(case, control)
    label = "fluid" if control == "ideal" else "fluid, real control"
    for name in BINS:
        for statistic in ("mean", "median", "p95"):
            values = (
                measured.get(f"{scheduler}, {each}: {name}: {statistic} CCT, s", np.nan)
                for each in (case, fluid)
            )
            ours, theirs = values
            found[f"{scheduler}, {case} over {label}: {name}: {statistic}"] = ours / theirs
    return found


def gather(scheduler: str, case: str, before: dict[str, float]) -> dict[str, float]:
    """All numbers of a run; those from before where it is not kept."""
    prefix = f"{scheduler}, {case}: "
    if not is_kept(scheduler, case):
        return {name: value for name, value in before.items() if name.startswith(prefix)}
    found = times(scheduler, case)
    if case in CASES:
        found |= costs(scheduler, case)
        if is_kept(scheduler, fluid_of(case)):
            found |= single_coflows(scheduler, case)
    return {f"{prefix}{name}": value for name, value in found.items()}


def main() -> None:
    """Runs, and writes measured.json."""
    words = [each for each in sys.argv[1:] if not each.startswith("--")]
    wanted = [each for each in SCHEDULERS if each in words or not {*SCHEDULERS} & {*words}]
    some = {*CASES, PAPERS_FLUID} & {*words}
    for scheduler in wanted:
        for case in cases_of(scheduler):
            if (not some or case in some) and ("--fluid" not in sys.argv or case not in CASES):
                run(scheduler, case)
    before = measured_of(NAME)
    measured: dict[str, float] = {}
    for scheduler in SCHEDULERS:
        for case in cases_of(scheduler):
            measured |= gather(scheduler, case, before)
        for case in CASES_OF[scheduler]:
            for control in controls_of(scheduler, case):
                measured |= means_over(measured, scheduler, case, control)
    for label in ("fluid", "fluid, real control"):
        over = [measured[f"{name}, {PACKETS} over {label}: all: mean"] for name in RATES]
        largest = max(abs(each - 1) for each in over)
        measured[f"with rates, packets beside {label}: largest difference, %"] = 100 * largest
        others = max(
            abs(each - 1) for name, each in zip(RATES, over, strict=True) if name != "sincronia"
        )
        but = f"with rates, packets beside {label}: largest difference but of sincronia, %"
        measured[but] = 100 * others
    # What 8 % of the rate are under load.
    rates = [measured[f"varys, {each}: all: mean CCT, s"] for each in ("fluid", PAPERS_FLUID)]
    measured["varys, fluid over fluid at 1 Gbps, mean CCT"] = rates[0] / rates[1]
    pairs = [(each, "varys", case) for each in RATES[1:] for case in (PACKETS, fluid_of(PACKETS))]
    pairs += [(each, "varys", PAPERS_FLUID) for each in SCHEDULERS[1:]]
    for ours, theirs in (("aalo", "fair"), ("dcas", "fair"), ("dcas", "aalo")):
        for case in (CUT, PRESSED):
            pairs += [(ours, theirs, case), (ours, theirs, fluid_of(case))]
    for ours, theirs, case in pairs:
        means = [measured.get(f"{each}, {case}: all: mean CCT, s") for each in (ours, theirs)]
        if None not in means:
            measured[f"{ours} over {theirs}, {case}, mean CCT"] = means[0] / means[1]
    cpu = sum(value for name, value in measured.items() if name.endswith(": CPU, s"))
    save(NAME, measured, pd.DataFrame({"key": ["all"], "cost.cpu_s": [cpu]}))


if __name__ == "__main__":
    main()
