# SPDX-License-Identifier: GPL-2.0-only
"""Schedulers after 2016, and the schedulers of their comparisons: python -m scratch.later.run."""

from typing import Any

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.common import coflows, fluid, half_width, public_trace, run, save
from scratch.packet import put

OVER_AALO = ("saath", "philae")
ORDERS: dict[str, dict[str, Any]] = {
    "varys": {"scheduler": "varys"},
    "sincronia": {"scheduler": "sincronia", "rates": "greedy"},
}
DEADLINES = ("cs-mha", "dcoflow", "wdcoflow")
# Deadlines are Gamma (1 + U(0, x)), x as in the paper; all coflows at once, its offline problem.
TIGHT = (1, 4)
SEEDS = range(1, 11)


def simulate() -> nc.Sweep:
    """The whole public trace."""
    cases: dict[str, dict[str, Any]] = {
        **{name: {"scheduler": name} for name in ("aalo", *OVER_AALO)},
        **ORDERS,
    }
    # All coflows of the trace at once, Sincronia's offline problem.
    once = public_trace().transform(scale_time=1e-9)
    cases |= {f"{name}, at once": {**each, "trace": once} for name, each in ORDERS.items()}
    return run("later", {"case": cases}, fluid(public_trace()))


def at_once() -> nc.Sweep:
    """The demo's 60 coflows, which all arrive at once, with deadlines of ten draws."""
    trace = nc.Trace.sample()
    cases = {
        f"{name}|{tight}|{seed}": {
            "scheduler": name,
            "trace": trace.transform(f"scale-time=1e-9,deadlines={tight}:1Gbps:{seed}"),
        }
        for name in DEADLINES
        for tight in TIGHT
        for seed in SEEDS
    }
    return run("later-deadlines", {"case": cases}, fluid(trace))


def speed_ups(sweep: nc.Sweep, slow: str, fast: str) -> pd.Series:
    """CCT in one case over CCT in another, coflow by coflow."""
    ours, other = (
        coflows(sweep, case=name).set_index("coflow_id")["cct_s"] for name in (slow, fast)
    )
    return (ours / other.where(other > 0)).dropna()


def met(sweep: nc.Sweep, scheduler: str, tight: int) -> np.ndarray:
    """Share of the coflows that meet their deadlines, by seed."""
    shares = []
    for seed in SEEDS:
        table = coflows(sweep, case=f"{scheduler}|{tight}|{seed}")
        shares.append(float((table["cct_s"] <= table["deadline_s"]).mean()))
    return np.array(shares)


def main() -> None:
    """Runs, and writes measured.json."""
    sweep = simulate()
    deadlines = at_once()
    measured: dict[str, float] = {}
    aalo = coflows(sweep, case="aalo")["cct_s"].mean()
    for scheduler in OVER_AALO:
        ratios = speed_ups(sweep, "aalo", scheduler)
        measured[f"Aalo over {scheduler}: median of ratios"] = ratios.median()
        measured[f"Aalo over {scheduler}: mean of ratios"] = ratios.mean()
        # Both ways: where some win and others lose, both are above 1.
        measured[f"{scheduler} over Aalo: mean of ratios"] = (1 / ratios[ratios > 0]).mean()
        measured[f"Aalo over {scheduler}: P90 of ratios"] = np.percentile(ratios, 90)
        mean = coflows(sweep, case=scheduler)["cct_s"].mean()
        measured[f"Aalo over {scheduler}: ratio of means"] = aalo / mean
    ratios = speed_ups(sweep, *(f"{name}, at once" for name in ORDERS))
    measured["Varys over Sincronia, at once: mean of ratios"] = ratios.mean()
    measured["Varys over Sincronia, at once: P99 of ratios"] = np.percentile(ratios, 99)
    varys, sincronia = (coflows(sweep, case=name)["cct_s"].mean() for name in ORDERS)
    measured["Varys over Sincronia: ratio of means"] = varys / sincronia
    for tight in TIGHT:
        baseline = met(deadlines, "cs-mha", tight)
        for scheduler in DEADLINES[1:]:
            ratios = met(deadlines, scheduler, tight) / baseline
            name = f"in time: {scheduler} over cs-mha, x = {tight}"
            put(measured, name, (float(ratios.mean()), half_width(ratios)))
    save("later", measured, sweep, deadlines)


if __name__ == "__main__":
    main()
