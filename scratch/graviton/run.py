# SPDX-License-Identifier: GPL-2.0-only
"""Graviton's Figures 4c, 6, 7 and 8: python -m scratch.graviton.run."""

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.aalo.policies import Dark
from scratch.common import coflows, fluid, in_epochs, public_trace, row, run, save

# "Same queue thresholds and weights": seven queues, as Graviton has, on both sides.
QUEUES = 7
SHARINGS = ("weighted", "strict")
CASES = {
    f"{name}{', strict queues' if sharing == 'strict' else ''}": {
        "scheduler": scheduler, "sharing": sharing, **options
    }
    for name, scheduler, options in (
        ("Aalo", "aalo", {"queues": QUEUES}),
        # Aalo's own number: the weights of queues are then others.
        ("Aalo with ten queues", "aalo", {}),
        ("Graviton", "graviton", {"queues": QUEUES}),
        ("Graviton-SF", "graviton-sf", {"queues": QUEUES}),
        ("Graviton serving parts", "graviton", {"queues": QUEUES, "allOrNone": False}),
    )
    for sharing in SHARINGS
}  # fmt: skip


def simulate() -> nc.Sweep:
    """The whole trace."""
    return run("graviton", {"case": CASES}, fluid(public_trace()))


def as_coflowsim() -> nc.Sweep:
    """Aalo and Graviton's order with CoflowSim's habits: epochs of 10 s, strict queues."""
    cases = {
        "Aalo": {"scheduler": Dark},
        "Graviton": {"scheduler": Dark(width_first=True)},
    }
    return run("graviton_coflowsim", {"case": cases}, fluid(in_epochs(public_trace())))


def queue_of(table: pd.DataFrame) -> pd.Series:
    """The queue in which a coflow ends: thresholds of 10 MB x 10^k."""
    return np.floor(np.log10(table["bytes"] / 1e7) + 1).clip(lower=0).astype(int)


def speed_up(sweep: nc.Sweep, graviton: str, aalo: str) -> pd.DataFrame:
    """Per coflow: CCT under Aalo over CCT under Graviton, its queue, width and size."""
    ours, theirs = coflows(sweep, case=graviton), coflows(sweep, case=aalo)
    kept = ours["cct_s"] > 0
    return ours.assign(speed_up=theirs["cct_s"] / ours["cct_s"], queue=queue_of(ours))[kept]


def spread_of(result: nc.Result) -> pd.Series:
    """Figure 4c: per coflow of more than one flow, its longest FCT over its shortest."""
    flows = result.flows[result.flows["src"] != result.flows["dst"]]
    fct = flows["finish_s"] - flows["coflow_id"].map(
        result.coflows.set_index("coflow_id")["arrival_s"]
    )
    groups = fct.groupby(flows["coflow_id"]).agg(["min", "max", "count"])
    several = groups[groups["count"] > 1]
    return several["max"] / several["min"]


def spread(scheduler: str, **options) -> pd.Series:
    """The same on the whole trace."""
    return spread_of(fluid(public_trace(), scheduler=scheduler, **options).run())


def main() -> None:
    """Runs, and writes measured.json."""
    sweep = simulate()
    measured: dict[str, float] = {}
    for ours, theirs, name in (
        ("Graviton", "Aalo", "weighted"),
        ("Graviton, strict queues", "Aalo, strict queues", "strict"),
        ("Graviton serving parts", "Aalo", "parts weighted"),
        ("Graviton serving parts, strict queues", "Aalo, strict queues", "parts strict"),
        ("Graviton-SF", "Aalo", "SF weighted"),
        ("Graviton", "Aalo with ten queues", "ten queues"),
        ("Graviton, strict queues", "Aalo with ten queues, strict queues", "ten queues, strict"),
    ):
        table = speed_up(sweep, ours, theirs)
        value = table["speed_up"]
        measured[f"{name}: median"] = value.median()
        measured[f"{name}: mean"] = value.mean()
        measured[f"{name}: p90"] = np.percentile(value, 90)
        measured[f"{name}: least"] = value.min()
        measured[f"{name}: most"] = value.max()
        measured[f"{name}: faster %"] = 100 * (value > 1 + 1e-9).mean()
        measured[f"{name}: slower %"] = 100 * (value < 1 - 1e-9).mean()
        first = value[table["queue"] == 0]
        measured[f"{name}: faster in queue 0 %"] = 100 * (first > 1 + 1e-9).mean()
        thin = value[(table["senders"] < 10) & (table["bytes"] < 10e9)]
        measured[f"{name}: thin below 10 GB faster %"] = 100 * (thin > 1 + 1e-9).mean()
        measured[f"{name}: not slower %"] = 100 * (value >= 1 - 1e-9).mean()
        measured[f"{name}: mean CCT, Aalo over Graviton"] = (
            row(sweep, case=theirs)["cct_s.all.mean"].iloc[0]
            / row(sweep, case=ours)["cct_s.all.mean"].iloc[0]
        )
        measured[f"{name}: not slower in queue 0 %"] = 100 * (first >= 1 - 1e-9).mean()
        measured[f"{name}: thin below 10 GB not slower %"] = 100 * (thin >= 1 - 1e-9).mean()
        for queue in range(QUEUES):
            some = value[table["queue"] == queue]
            measured[f"{name}: median in queue {queue}"] = some.median() if len(some) else np.nan
            measured[f"{name}: mean in queue {queue}"] = some.mean() if len(some) else np.nan
        measured[f"{name}: queues but 4 whose mean ratio is above 1"] = sum(
            measured[f"{name}: mean in queue {queue}"] > 1 for queue in range(QUEUES) if queue != 4
        )
    habits = as_coflowsim()
    value = speed_up(habits, "Graviton", "Aalo")["speed_up"]
    measured["as CoflowSim: median"] = value.median()
    measured["as CoflowSim: mean"] = value.mean()
    measured["as CoflowSim: p90"] = np.percentile(value, 90)
    measured["as CoflowSim: most"] = value.max()
    measured["as CoflowSim: faster %"] = 100 * (value > 1 + 1e-9).mean()
    table = speed_up(sweep, "Graviton", "Aalo")
    measured["below 10 senders %"] = 100 * (table["senders"] < 10).mean()
    measured["above 100 senders %"] = 100 * (table["senders"] > 100).mean()
    small = table[table["bytes"] < 1e9]
    measured["below 10 senders of those below 1 GB %"] = 100 * (small["senders"] < 10).mean()
    queue = table.set_index("coflow_id")["queue"]
    for scheduler, name in (("aalo", "Aalo"), ("graviton", "Graviton")):
        for sharing in SHARINGS:
            ratio = spread(scheduler, sharing=sharing, queues=QUEUES)
            of = f"{name} {sharing}: max over min FCT"
            measured[f"{of}, median"] = ratio.median()
            measured[f"{of}, most"] = ratio.max()
            some = ratio[ratio.index.map(queue) == 4]
            measured[f"{of}, median in queue 4"] = some.median()
            measured[f"{of}, p90 in queue 4"] = np.percentile(some, 90)
    save("graviton", measured, sweep, habits)


if __name__ == "__main__":
    main()
