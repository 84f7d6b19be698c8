# SPDX-License-Identifier: GPL-2.0-only
"""Runs with jumps, compared with the same runs without jumps: python -m scratch.jumps.run."""

from __future__ import annotations

from typing import Any

import pandas as pd

import ns3coflow as nc
from scratch.common import coflows, half_width, row, run, save
from scratch.packet import put

NAME = "jumps"
# All flows have rates.
SCHEDULERS: dict[str, dict[str, Any]] = {
    "varys": {"bypassBytes": 0},
    "sincronia": {"bypassBytes": 0, "enforceAt": "sender"},
    "drf": {"bypassBytes": 0},
    "hug": {"bypassBytes": 0},
    "nc-drf": {},
    "max-min": {},
    "saath": {},
    "philae": {},
}
# One nanosecond more changes who goes first, with and without jumps. So means over ten are held
# against each other.
DELAYS = [f"{each}ns" for each in range(1000, 1010)]
# Coflows of short and long flows, which take twice Gamma in the mean.
NARROW: dict[str, Any] = {
    "coflows": 40, "sn": 30, "ln": 10, "sw": 0, "lw": 0, "maxBytes": 3e7, "load": 0.6, "seed": 1,
}  # fmt: skip
# Nearly all coflows are wide, so that rates fill ports to 0.994 of what they carry.
SHUFFLES: dict[str, Any] = {
    "coflows": 12, "sn": 0, "ln": 2, "sw": 6, "lw": 4, "minBytes": 5e5, "shortBytes": 2e6,
    "maxBytes": 5e6, "load": 0.8, "seed": 3,
}  # fmt: skip


def case(topology: nc.Topology, hosts: int, workload: dict[str, Any]) -> dict[str, Any]:
    """A workload on a network, whose last host coordinates."""
    return {"trace": nc.Trace.generate("dcas-mix", hosts=hosts, **workload), "topology": topology}


CASES = {
    "narrow": case(nc.BigSwitch(hosts=25), 24, NARROW),
    "shuffles": case(nc.BigSwitch(hosts=25), 24, SHUFFLES),
    "fat-tree": case(nc.FatTree(k=4), 15, NARROW),
    # ECMP puts no link between switches above what it carries.
    "wide fat-tree": case(nc.FatTree(k=4, fabricLinkRate="10Gbps"), 15, NARROW),
}
# Workloads like SHUFFLES, for differences that one workload cannot tell from chance.
SEEDS = range(1, 49)


def by_delay(sweep: nc.Sweep, **labels: Any) -> pd.DataFrame:
    """Completion times in seconds: a row per coflow, a column per delay."""
    tables = {
        delay: coflows(sweep, linkDelay=delay, **labels).set_index("coflow_id")["cct_s"]
        for delay in DELAYS
    }
    return pd.DataFrame(tables)


def compare(sweep: nc.Sweep, **labels: Any) -> dict[str, float]:
    """Completion times with jumps over those without."""
    without = by_delay(sweep, jump=False, **labels)
    jumped = by_delay(sweep, jump=True, **labels)
    means = 100 * (jumped.mean() / without.mean() - 1)  # of each delay
    single = 100 * (jumped.mean(axis="columns") / without.mean(axis="columns") - 1).abs()
    # Delays by themselves, as a part of the mean.
    chance = without.std(axis="columns") / without.mean(axis="columns")
    runs = {jump: row(sweep, jump=jump, **labels) for jump in (False, True)}
    hops = runs[True]["jumps.skipped_packet_hops"].sum() / runs[True]["network.packet_hops"].sum()
    return {
        "difference of means, %": means.mean(),
        "difference of means, half width, %": half_width(means),
        "single coflows, median, %": single.median(),
        "single coflows, largest, %": single.max(),
        "delays, largest, %": 100 * chance.max(),
        "packet-hops skipped, %": 100 * hops,
        "CPU, times less": runs[False]["cost.cpu_s"].sum() / runs[True]["cost.cpu_s"].sum(),
    }


def philae(base: nc.Experiment) -> tuple[dict[str, float], nc.Sweep]:
    """Means of many shuffles under Philae: what jumps change, and what another RngRun changes."""
    cases = {seed: case(nc.BigSwitch(hosts=25), 24, SHUFFLES | {"seed": seed}) for seed in SEEDS}
    grid = {"seed": cases, "jump": [False, True]}
    sweep = run(f"{NAME}/philae", grid, base.with_options(scheduler="philae"), repeats=2)

    def means(*, jump: bool, rng_run: int) -> pd.Series[float]:
        found = [coflows(sweep, seed=each, jump=jump, RngRun=rng_run) for each in SEEDS]
        return pd.Series([each["cct_s"].mean() for each in found])

    first, second = means(jump=False, rng_run=1), means(jump=False, rng_run=2)
    other = 100 * (second / first - 1)
    jump = 100 * (means(jump=True, rng_run=1) / first - 1)
    half = half_width(jump)
    measured: dict[str, float] = {}
    put(measured, "48 shuffles, philae: ratio of means", (1 + jump.mean() / 100, half / 100))
    measured |= {
        "48 shuffles, philae: difference of means, %": jump.mean(),
        "48 shuffles, philae: difference of means, half width, %": half,
        "48 shuffles, philae: another RngRun, standard deviation, %": other.std(),
        "48 shuffles, philae: jumps, standard deviation, %": jump.std(),
    }
    return measured, sweep


def main() -> None:
    """Runs, and writes measured.json."""
    schedulers = {name: {"scheduler": name, **options} for name, options in SCHEDULERS.items()}
    grid = {"case": CASES, "scheduler": schedulers, "linkDelay": DELAYS, "jump": [False, True]}
    base = nc.Experiment(ratePhase="spread")
    sweep = run(NAME, grid, base)
    measured, shuffles = philae(base)
    for name in CASES:
        for scheduler in SCHEDULERS:
            found = compare(sweep, case=name, scheduler=scheduler)
            measured |= {f"{name}, {scheduler}: {each}": value for each, value in found.items()}
        # One workload cannot tell what jumps change under Philae.
        others = [each for each in SCHEDULERS if each != "philae"]
        means = {each: measured[f"{name}, {each}: difference of means, %"] for each in others}
        furthest = max(means, key=lambda each: abs(means[each]))
        half = measured[f"{name}, {furthest}: difference of means, half width, %"]
        ratio = (1 + means[furthest] / 100, half / 100)
        put(measured, f"{name}: ratio of means, furthest from 1", ratio)
    save(NAME, measured, sweep, shuffles)


if __name__ == "__main__":
    main()
