# SPDX-License-Identifier: GPL-2.0-only
"""What Graviton's published distributions may come from: python -m scratch.graviton.causes.

Figure 6 under other clocks and other simulators of Aalo; Figure 4c with flows of unequal sizes.
"""

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.aalo.policies import Dark
from scratch.common import coflows, fluid, half_width, in_epochs, public_trace, run, save
from scratch.graviton.run import QUEUES, queue_of, spread_of

EPOCHS = (0.1, 1, 10.24)
PARTS = (0.2,)
SEEDS = (1, 2, 3)
PERIODS = ("100ms", "1s", "10s")


def unequal(trace: nc.Trace, part: float, seed: int = 1) -> nc.Trace:
    """The trace with flows whose sizes differ by so much from the mean of their reducer."""
    flows = trace.flows
    share = np.random.default_rng(seed).uniform(1 - part, 1 + part, len(flows))
    sizes = np.maximum(1, flows["bytes"] * share).astype(np.int64)
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    return nc.Trace.from_frame(flows.assign(bytes=sizes)[columns], hosts=trace.hosts)


def simulate() -> nc.Sweep:
    """Aalo and Graviton, ours and CoflowSim's, on the trace and in epochs."""
    trace = public_trace()
    traces = {"exact": {"trace": trace}}
    traces |= {f"{each:g} s": {"trace": in_epochs(trace, each)} for each in EPOCHS}
    cases = {
        "Aalo": {"scheduler": "aalo", "queues": QUEUES},
        "Graviton": {"scheduler": "graviton", "queues": QUEUES},
        "Dark": {"scheduler": Dark},
        "Dark, width first": {"scheduler": Dark(width_first=True)},
    }
    return run("graviton_causes", {"case": cases, "trace": traces}, fluid(trace))


def with_sizes() -> nc.Sweep:
    """Flows of a reducer that are not equal, three draws."""
    trace = public_trace()
    traces = {
        f"{part:g}, {seed}": {"trace": unequal(trace, part, seed)}
        for part in PARTS
        for seed in SEEDS
    }
    grid = {"scheduler": ["aalo", "graviton"], "trace": traces}
    return run("graviton_unequal", grid, fluid(trace, queues=QUEUES))


def by_period() -> nc.Sweep:
    """Coordinators that speak less often."""
    cases = {
        f"{name} {delta}": {"scheduler": name, "delta": delta, "queues": QUEUES}
        for name in ("aalo", "graviton")
        for delta in PERIODS
    }
    return run("graviton_periods", {"case": cases}, fluid(public_trace()))


def statistics(aalo: pd.DataFrame, ours: pd.DataFrame) -> dict[str, float]:
    """The distribution of ratios of CCTs."""
    both = ours["cct_s"] > 0
    ratio = (aalo["cct_s"] / ours["cct_s"])[both]
    not_slower = ratio >= 1 - 1e-9
    thin = (ours["senders"] < 10) & (ours["bytes"] < 10e9) & both
    return {
        "least": ratio.min(),
        "median": ratio.median(),
        "mean": ratio.mean(),
        "p90": np.percentile(ratio, 90),
        "most": ratio.max(),
        "faster %": 100 * (ratio > 1 + 1e-9).mean(),
        "slower %": 100 * (ratio < 1 - 1e-9).mean(),
        "not slower %": 100 * not_slower.mean(),
        "not slower in queue 0 %": 100 * not_slower[queue_of(ours)[both] == 0].mean(),
        "thin below 10 GB not slower %": 100 * not_slower[thin[both]].mean(),
    }


def main() -> None:
    """Runs, and writes causes.json."""
    sweep, periods, sizes = simulate(), by_period(), with_sizes()
    measured: dict[str, float] = {}

    def describe(name: str, aalo: pd.DataFrame, ours: pd.DataFrame) -> None:
        for what, value in statistics(aalo, ours).items():
            measured[f"{name}: {what}"] = value

    for clock in ("exact", *(f"{each:g} s" for each in EPOCHS)):
        tables = {
            case: coflows(sweep, case=case, trace=clock)
            for case in ("Aalo", "Graviton", "Dark", "Dark, width first")
        }
        describe(f"{clock}, ours", tables["Aalo"], tables["Graviton"])
        describe(f"{clock}, Dark", tables["Dark"], tables["Dark, width first"])
        describe(f"{clock}, Dark over ours", tables["Dark"], tables["Graviton"])
    for delta in PERIODS:
        pair = (coflows(periods, case=f"{name} {delta}") for name in ("aalo", "graviton"))
        describe(f"every {delta}, ours", *pair)
    for part in PARTS:
        of_seeds = pd.DataFrame(
            statistics(
                *(
                    coflows(sizes, scheduler=name, trace=f"{part:g}, {seed}")
                    for name in ("aalo", "graviton")
                )
            )
            for seed in SEEDS
        )
        for what, values in of_seeds.items():
            name = f"sizes differ by {100 * part:g} %: {what}"
            measured[name], measured[f"{name} +-"] = values.mean(), half_width(values)
    trace = public_trace()
    for name, made, options in (
        ("sizes as they are", trace, {"scheduler": "aalo", "queues": QUEUES}),
        ("sizes differ by 1 %", unequal(trace, 0.01), {"scheduler": "aalo", "queues": QUEUES}),
        ("sizes differ by 20 %", unequal(trace, 0.2), {"scheduler": "aalo", "queues": QUEUES}),
        ("sizes differ by 50 %", unequal(trace, 0.5), {"scheduler": "aalo", "queues": QUEUES}),
        ("CoflowSim's, exact", trace, {"scheduler": Dark}),
        ("CoflowSim's, epochs", in_epochs(trace), {"scheduler": Dark}),
    ):
        ratio = spread_of(fluid(made, **options).run())
        measured[f"FCT, {name}: median"] = ratio.median()
        measured[f"FCT, {name}: most"] = ratio.max()
        measured[f"FCT, {name}: equal %"] = 100 * (ratio < 1 + 1e-6).mean()
    save("graviton", measured, sweep, periods, sizes, file="causes.json")


if __name__ == "__main__":
    main()
