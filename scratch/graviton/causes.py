# SPDX-License-Identifier: GPL-2.0-only
"""What Graviton's published distributions may come from: python -m scratch.graviton.causes.

Figure 6 under other clocks and other simulators of Aalo; Figure 4c with flows of unequal sizes.
"""

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.aalo.policies import Dark
from scratch.common import coflows, fluid, in_epochs, public_trace, run, save
from scratch.graviton.run import spread_of

EPOCHS = (0.1, 1, 10.24)
PERIODS = ("100ms", "1s", "10s")


def unequal(trace: nc.Trace, part: float) -> nc.Trace:
    """The trace with flows whose sizes differ by so much from the mean of their reducer."""
    flows = trace.flows.merge(trace.coflows[["coflow_id", "arrival_s"]], on="coflow_id")
    share = np.random.default_rng(1).uniform(1 - part, 1 + part, len(flows))
    sizes = np.maximum(1, flows["bytes"] * share).astype(np.int64)
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    return nc.Trace.from_frame(flows.assign(bytes=sizes)[columns], hosts=trace.hosts)


def simulate() -> nc.Sweep:
    """Aalo and Graviton, ours and CoflowSim's, on the trace and in epochs."""
    trace = public_trace()
    traces = {"exact": {"trace": trace}, "sizes differ": {"trace": unequal(trace, 0.2)}}
    traces |= {f"{each:g} s": {"trace": in_epochs(trace, each)} for each in EPOCHS}
    cases = {
        "Aalo": {"scheduler": "aalo"},
        "Graviton": {"scheduler": "graviton"},
        "Dark": {"scheduler": Dark},
        "Dark, width first": {"scheduler": Dark(width_first=True)},
    }
    return run("graviton_causes", {"case": cases, "trace": traces}, fluid(trace))


def by_period() -> nc.Sweep:
    """Coordinators that speak less often."""
    cases = {
        f"{name} {delta}": {"scheduler": name, "delta": delta}
        for name in ("aalo", "graviton")
        for delta in PERIODS
    }
    return run("graviton_periods", {"case": cases}, fluid(public_trace()))


def describe(measured: dict[str, float], name: str, aalo: pd.DataFrame, ours: pd.DataFrame) -> None:
    """The distribution of ratios of CCTs."""
    both = ours["cct_s"] > 0
    ratio = (aalo["cct_s"] / ours["cct_s"])[both]
    for what, value in {
        "least": ratio.min(),
        "median": ratio.median(),
        "mean": ratio.mean(),
        "p90": np.percentile(ratio, 90),
        "most": ratio.max(),
        "faster %": 100 * (ratio > 1 + 1e-9).mean(),
        "slower %": 100 * (ratio < 1 - 1e-9).mean(),
    }.items():
        measured[f"{name}: {what}"] = value


def main() -> None:
    """Runs, and writes causes.json."""
    sweep, periods = simulate(), by_period()
    measured: dict[str, float] = {}
    for clock in ("exact", "sizes differ", *(f"{each:g} s" for each in EPOCHS)):
        tables = {
            case: coflows(sweep, case=case, trace=clock)
            for case in ("Aalo", "Graviton", "Dark", "Dark, width first")
        }
        describe(measured, f"{clock}, ours", tables["Aalo"], tables["Graviton"])
        describe(measured, f"{clock}, Dark", tables["Dark"], tables["Dark, width first"])
        describe(measured, f"{clock}, Dark over ours", tables["Dark"], tables["Graviton"])
    for delta in PERIODS:
        pair = (coflows(periods, case=f"{name} {delta}") for name in ("aalo", "graviton"))
        describe(measured, f"every {delta}, ours", *pair)
    trace = public_trace()
    for name, made, options in (
        ("sizes as they are", trace, {"scheduler": "aalo"}),
        ("sizes differ by 1 %", unequal(trace, 0.01), {"scheduler": "aalo"}),
        ("sizes differ by 20 %", unequal(trace, 0.2), {"scheduler": "aalo"}),
        ("sizes differ by 50 %", unequal(trace, 0.5), {"scheduler": "aalo"}),
        ("CoflowSim's, exact", trace, {"scheduler": Dark}),
        ("CoflowSim's, epochs", in_epochs(trace), {"scheduler": Dark}),
    ):
        ratio = spread_of(fluid(made, **options).run())
        measured[f"FCT, {name}: median"] = ratio.median()
        measured[f"FCT, {name}: most"] = ratio.max()
        measured[f"FCT, {name}: equal %"] = 100 * (ratio < 1 + 1e-6).mean()
    save("graviton", measured, sweep, periods, file="causes.json")


if __name__ == "__main__":
    main()
