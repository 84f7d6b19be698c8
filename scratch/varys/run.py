# SPDX-License-Identifier: GPL-2.0-only
"""Varys, simulations of sections 7.2 to 7.7: python -m scratch.varys.run."""

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.common import BINS, coflows, fluid, half_width, of_bin, public_trace, row, run, save

CASES = {
    "Varys": {"scheduler": "varys"},
    "Varys without T": {"scheduler": "varys", "T": 0},
    "fairness": {"scheduler": "fair"},
    "fairness of CoflowSim": {"scheduler": "fair", "redistribute": False},
    "priority": {"scheduler": "pfabric"},
    "priority of CoflowSim": {"scheduler": "pfabric", "receiverOrder": True},
    "FIFO": {"scheduler": "fifo"},
    "FIFO without backfill": {"scheduler": "fifo", "backfill": False},
    "SCF": {"scheduler": "scf"},
    "NCF": {"scheduler": "ncf"},
    "TCF": {"scheduler": "tcf"},
    "LCF": {"scheduler": "lcf"},
    "oracle": {"scheduler": "sincronia", "rates": "madd"},
}
DEADLINES = {
    "Varys": {"scheduler": "varys-deadline"},
    "EDF": {"scheduler": "edf"},
    "fairness": {"scheduler": "fair"},
    # A fluid needs no time for a handshake.
    "VC": {"scheduler": "vc", "setup": "0"},
}
X = (0.1, 0.5, 1, 2, 5, 10)
MIXES = {
    "Mix-N": {"coflows": 800, "sn": 48, "ln": 40, "sw": 2, "lw": 10},
    "Mix-W": {"coflows": 369, "sn": 22, "ln": 15, "sw": 24, "lw": 39},
    "Mix-S": {"coflows": 526, "sn": 50, "ln": 17, "sw": 10, "lw": 23},
    "Mix-L": {"coflows": 272, "sn": 39, "ln": 27, "sw": 3, "lw": 31},
}
CONCURRENT = (2, 10, 25, 50, 100)
SEEDS = range(1, 6)


def simulate() -> nc.Sweep:
    """Section 7.2, 7.4, 7.5: the whole trace."""
    return run("varys", {"case": CASES}, fluid(public_trace()))


def deadlines() -> nc.Sweep:
    """Section 7.3: deadlines of Gamma (1 + U(0, x)), three seeds."""
    trace = public_trace()
    traces = {
        f"{x:g} {seed}": {"trace": trace.transform(f"deadlines={x}:1Gbps:{seed}")}
        for x in X
        for seed in range(1, 4)
    }
    return run("varys_deadlines", {"case": DEADLINES, "deadlines": traces}, fluid(trace))


def mixes() -> nc.Sweep:
    """Section 7.6: Table 5's mixes of coflows like the public trace's, five seeds."""
    traces = {
        f"{name} {seed}": {"trace": nc.Trace.generate("fb-like", seed=seed, **shares)}
        for name, shares in MIXES.items()
        for seed in SEEDS
    }
    base = fluid(nc.Trace.generate("fb-like"))
    return run("varys_mixes", {"scheduler": ["fair", "varys"], "mix": traces}, base)


def pick(trace: nc.Trace, count: int, seed: int) -> nc.Trace:
    """So many coflows of the trace, drawn at random, all at once, in random order."""
    table = trace.flows[trace.flows["src"] != trace.flows["dst"]]
    ids = np.random.default_rng(seed).permutation(table["coflow_id"].unique())[:count]
    chosen = table[table["coflow_id"].isin(ids)]
    order = {each: place for place, each in enumerate(ids, start=1)}
    chosen = chosen.assign(coflow_id=chosen["coflow_id"].map(order), arrival_s=0.0)
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    frame = chosen.sort_values("coflow_id", kind="stable")[columns]
    return nc.Trace.from_frame(frame, hosts=trace.hosts)


def concurrency() -> nc.Sweep:
    """Section 7.7: so many coflows at once, five draws."""
    trace = public_trace()
    traces = {
        f"{count} {seed}": {"trace": pick(trace, count, seed)}
        for count in CONCURRENT
        for seed in SEEDS
    }
    cases = {
        "fair": {"scheduler": "fair"},
        "varys": {"scheduler": "varys"},
        "pfabric": {"scheduler": "pfabric"},
        "pfabric of CoflowSim": CASES["priority of CoflowSim"],
    }
    grid = {"case": cases, "coflows": traces}
    return run("varys_concurrency", grid, fluid(trace))


def concurrent_deadlines() -> nc.Sweep:
    """Section 7.7: the same with deadlines, 100 coflows at once."""
    trace = public_trace()
    traces = {
        f"100 {seed}": {"trace": pick(trace, 100, seed).transform(f"deadlines=1:1Gbps:{seed}")}
        for seed in SEEDS
    }
    return run("varys_concurrent_deadlines", {"case": DEADLINES, "coflows": traces}, fluid(trace))


def mean_fct(case: str) -> float:
    """Mean FCT of the whole trace under a case, of flows that cross the fabric."""
    result = fluid(public_trace(), **CASES[case]).run()
    flows = result.flows[result.flows["src"] != result.flows["dst"]]
    arrival = result.coflows.set_index("coflow_id")["arrival_s"]
    return float((flows["finish_s"] - flows["coflow_id"].map(arrival)).mean())


def factors(measured: dict, name: str, slow: pd.DataFrame, fast: pd.DataFrame) -> None:
    """Mean and 95th percentile of one over those of another, by bin."""
    for each in BINS:
        a, b = of_bin(slow, each)["cct_s"], of_bin(fast, each)["cct_s"]
        measured[f"{name} mean {each}"] = a.mean() / b.mean()
        measured[f"{name} p95 {each}"] = np.percentile(a, 95) / np.percentile(b, 95)


def met(sweep: nc.Sweep, case: str, axis: str, prefix: str) -> list[float]:
    """Per cent of all coflows that met their deadline, a number per seed."""
    rows = row(sweep, case=case)
    rows = rows[rows[axis].str.startswith(prefix + " ")]
    return [
        100 * sweep.store.coflows(key)["met_deadline"].fillna(False).mean() for key in rows["key"]
    ]


def with_interval(measured: dict, name: str, values: list[float]) -> None:
    """A mean over seeds."""
    measured[name] = float(np.mean(values))
    measured[name + " +-"] = half_width(values)


def main() -> None:
    """Runs, and writes measured.json."""
    measured: dict[str, float] = {}
    whole = simulate()
    varys = coflows(whole, case="Varys")
    for case in CASES:
        if case != "Varys":
            factors(measured, f"{case} over Varys", coflows(whole, case=case), varys)
    measured["priority over fairness mean all"] = (
        measured["priority over Varys mean all"] / measured["fairness over Varys mean all"]
    )
    measured["priority of CoflowSim over fairness mean all"] = (
        measured["priority of CoflowSim over Varys mean all"]
        / measured["fairness over Varys mean all"]
    )
    fair, priority = (row(whole, case=each).iloc[0] for each in ("fairness", "priority"))
    for each in BINS:
        for what in ("mean", "p95"):
            # The paper's factor of improvement is the current over the modified duration.
            measured[f"Varys over oracle {what} {each}"] = (
                1 / measured[f"oracle over Varys {what} {each}"]
            )
    fair_fct = mean_fct("fairness")
    for case in ("priority", "priority of CoflowSim"):
        measured[f"mean FCT, fairness over {case}"] = fair_fct / mean_fct(case)
    measured["makespan, fairness over Varys"] = (
        fair["makespan_s"] / row(whole, case="Varys")["makespan_s"].iloc[0]
    )
    measured["unfinished"] = sum(
        row(whole, case=each)["coflows"].iloc[0] - row(whole, case=each)["finished"].iloc[0]
        for each in CASES
    )
    measured["priority over fairness makespan"] = priority["makespan_s"] / fair["makespan_s"]
    measured["largest slowdown with T"] = varys["slowdown"].max()
    measured["largest slowdown without T"] = coflows(whole, case="Varys without T")[
        "slowdown"
    ].max()

    timed = deadlines()
    for case in DEADLINES:
        for x in X:
            with_interval(measured, f"met {case} x={x:g}", met(timed, case, "deadlines", f"{x:g}"))
    # Figure 11: Varys, then priority, then fairness.
    measured["values of x, of six, with the ranking of x = 1"] = sum(
        measured[f"met Varys x={x:g}"]
        > measured[f"met EDF x={x:g}"]
        > measured[f"met fairness x={x:g}"]
        for x in X
    )
    measured["values of x, of six, at which Varys meets more than EDF"] = sum(
        measured[f"met Varys x={x:g}"] > measured[f"met EDF x={x:g}"] for x in X
    )
    rows = row(timed, case="Varys")
    rows = rows[rows["deadlines"].str.startswith("1 ")]
    tables = [timed.store.coflows(key) for key in rows["key"]]
    with_interval(measured, "admitted Varys x=1", [100 * t["admitted"].mean() for t in tables])
    measured["admitted that miss, Varys x=1"] = (
        100
        * sum((t["admitted"] & ~t["met_deadline"].fillna(False)).sum() for t in tables)
        / sum(t["admitted"].sum() for t in tables)
    )

    mixed = mixes()
    for name in MIXES:
        values, spans = [], []
        for seed in SEEDS:
            pair = [
                row(mixed, scheduler=each, mix=f"{name} {seed}").iloc[0]
                for each in ("fair", "varys")
            ]
            values.append(pair[0]["cct_s.all.mean"] / pair[1]["cct_s.all.mean"])
            spans.append(pair[0]["makespan_s"] / pair[1]["makespan_s"])
        with_interval(measured, f"fairness over Varys {name}", values)
        with_interval(measured, f"makespan, fairness over Varys {name}", spans)

    crowd = concurrency()
    by_draw = {}
    for count in CONCURRENT:
        for each in ("fair", "pfabric", "pfabric of CoflowSim"):
            ratios = [
                row(crowd, case=each, coflows=f"{count} {seed}")["cct_s.all.mean"].iloc[0]
                / row(crowd, case="varys", coflows=f"{count} {seed}")["cct_s.all.mean"].iloc[0]
                for seed in SEEDS
            ]
            with_interval(measured, f"{each} over Varys, {count} at once", ratios)
            by_draw[each, count] = np.array(ratios)
    for each in ("pfabric", "pfabric of CoflowSim"):
        # Figure 13: fairness has the smaller mean CCT at every concurrency.
        measured[f"concurrencies, of five, at which fairness beats {each}"] = sum(
            measured[f"{each} over Varys, {count} at once"]
            > measured[f"fair over Varys, {count} at once"]
            for count in CONCURRENT
        )
        ratio = list(by_draw[each, 100] / by_draw["fair", 100])
        with_interval(measured, f"{each} over fairness, 100 at once", ratio)
    growth = list(by_draw["fair", 100] / by_draw["fair", 2])
    with_interval(measured, "growth of fairness over Varys from 2 to 100 at once", growth)
    late = concurrent_deadlines()
    for case in DEADLINES:
        with_interval(measured, f"met {case}, 100 at once", met(late, case, "coflows", "100"))
    measured["met EDF - fairness, 100 at once"] = (
        measured["met EDF, 100 at once"] - measured["met fairness, 100 at once"]
    )
    save("varys", measured, whole, timed, mixed, crowd, late)


if __name__ == "__main__":
    main()
