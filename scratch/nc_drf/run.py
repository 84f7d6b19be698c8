# SPDX-License-Identifier: GPL-2.0-only
"""NC-DRF's Table II, Figures 5 to 7: python -m scratch.nc_drf.run."""

import numpy as np

import ns3coflow as nc
from scratch.aalo.policies import Dark
from scratch.common import (
    coflows,
    fluid,
    half_width,
    in_epochs,
    of_bin,
    public_trace,
    row,
    run,
    samples,
    save,
)  # fmt: skip
from scratch.nc_drf.policies import PsPAtCoflowEvents

CASES = {
    "TCP": {"scheduler": "fair"},
    "TCP of CoflowSim": {"scheduler": "fair", "redistribute": False},
    "PS-P": {"scheduler": "ps-p"},
    "PS-P at coflow events": {"scheduler": PsPAtCoflowEvents},
    "NC-DRF": {"scheduler": "nc-drf"},
    "NC-DRF at coflow events": {"scheduler": "nc-drf", "rescheduleOnFlow": False},
    "NC-DRF without spare": {
        "scheduler": "nc-drf", "rescheduleOnFlow": False, "backfillRounds": 0
    },
    "DRF": {"scheduler": "drf"},
    "Aalo": {"scheduler": "aalo"},
    "Aalo, strict queues": {"scheduler": "aalo", "sharing": "strict"},
}  # fmt: skip
# What CoflowSim makes of them: epochs of 10 s, and rates that are held between coflow events.
AS_COFLOWSIM = {
    "TCP": {"scheduler": "fair", "redistribute": False},
    "PS-P": {"scheduler": PsPAtCoflowEvents},
    "PS-P by its widest port": {"scheduler": PsPAtCoflowEvents(widest=True)},
    "NC-DRF": {"scheduler": "nc-drf", "rescheduleOnFlow": False},
    "NC-DRF without spare": {
        "scheduler": "nc-drf",
        "rescheduleOnFlow": False,
        "backfillRounds": 0,
    },
    "DRF": {"scheduler": "drf"},
    "Aalo": {"scheduler": Dark},
}
# Both sides of a comparison have the same trigger: Algorithm 1's own, or flow ends as well.
AT_COFLOW_EVENTS = "at coflow events"
TRIGGERS = {AT_COFLOW_EVENTS: f" {AT_COFLOW_EVENTS}", "at flow events": ""}
TESTBED = {
    "TCP": {"scheduler": "fair"},
    "PS-P": {"scheduler": "ps-p"},
    "PS-P at coflow events": {"scheduler": PsPAtCoflowEvents},
    "NC-DRF": {"scheduler": "nc-drf"},
    "NC-DRF at coflow events": {"scheduler": "nc-drf", "rescheduleOnFlow": False},
    "DRF": {"scheduler": "drf"},
    "HUG": {"scheduler": "hug"},
}


def simulate() -> nc.Sweep:
    """The whole trace, with a sample per second."""
    return run("nc_drf", {"case": CASES}, fluid(public_trace(), sampleInterval="1s"))


def as_coflowsim() -> nc.Sweep:
    """The same with CoflowSim's habits."""
    trace = in_epochs(public_trace())
    return run("nc_drf_coflowsim", {"case": AS_COFLOWSIM}, fluid(trace, sampleInterval="1s"))


def testbed() -> nc.Sweep:
    """Table III: three coflows on 60 hosts at 200 Mbps; seeds draw the flows' sizes."""
    traces = {
        seed: {"trace": nc.Trace.generate("nc-drf-table3", seed=seed)} for seed in range(1, 11)
    }
    base = fluid(nc.Trace.generate("nc-drf-table3"), linkRate="200Mbps")
    return run("nc_drf_testbed", {"case": TESTBED, "seed": traces}, base)


def main() -> None:
    """Runs, and writes measured.json."""
    sweep = simulate()
    measured = {}
    isolated = coflows(sweep, case="DRF")["cct_s"]
    normalised = {}
    for case in CASES:
        table = coflows(sweep, case=case)
        slowdown = table["slowdown"].dropna()
        measured[f"slowdown min {case}"] = slowdown.min()
        measured[f"slowdown mean {case}"] = slowdown.mean()
        measured[f"slowdown p95 {case}"] = np.percentile(slowdown, 95)
        measured[f"slowdown std {case}"] = slowdown.std(ddof=0)
        normalised[case] = table.assign(ratio=table["cct_s"] / isolated.where(isolated > 0))
        measured[f"normalised CCT {case}"] = normalised[case]["ratio"].mean()
        measured[f"utilisation {case}"] = row(sweep, case=case)["utilisation"].iloc[0]
        disparity = samples(sweep, case=case)["disparity"].dropna()
        if np.isfinite(disparity.max()):
            measured[f"disparity p95 {case}"] = disparity.quantile(0.95, interpolation="lower")
            measured[f"disparity max {case}"] = disparity.max()
    for trigger, suffix in TRIGGERS.items():
        ours, theirs = (f"{name}{suffix}" for name in ("NC-DRF", "PS-P"))
        for what in ("normalised CCT", "slowdown mean", "slowdown p95", "disparity max"):
            measured[f"{what}, PS-P over NC-DRF {trigger}"] = (
                measured[f"{what} {theirs}"] / measured[f"{what} {ours}"]
            )
        measured[f"bins in which NC-DRF beats PS-P {trigger}"] = sum(
            of_bin(normalised[ours], each)["ratio"].mean()
            < of_bin(normalised[theirs], each)["ratio"].mean()
            for each in ("SN", "LN", "SW", "LW")
        )
        measured[f"utilisation, NC-DRF over PS-P {trigger}"] = (
            measured[f"utilisation {ours}"] / measured[f"utilisation {theirs}"]
        )
        measured[f"utilisation, TCP over NC-DRF {trigger}"] = (
            measured["utilisation TCP"] / measured[f"utilisation {ours}"]
        )
    measured["schedulers whose least slowdown is 1"] = sum(
        abs(measured[f"slowdown min {each}"] - 1) < 0.005
        for each in ("TCP", "PS-P", "NC-DRF", "DRF", "Aalo")
    )
    habits = as_coflowsim()
    isolated = coflows(habits, case="DRF")["cct_s"]
    for case in AS_COFLOWSIM:
        table = coflows(habits, case=case)
        slowdown = table["slowdown"].dropna()
        measured[f"as CoflowSim: slowdown mean {case}"] = slowdown.mean()
        measured[f"as CoflowSim: slowdown p95 {case}"] = np.percentile(slowdown, 95)
        measured[f"as CoflowSim: slowdown std {case}"] = slowdown.std(ddof=0)
        ratio = table["cct_s"] / isolated.where(isolated > 0)
        measured[f"as CoflowSim: normalised CCT {case}"] = ratio.mean()
        measured[f"as CoflowSim: utilisation {case}"] = row(habits, case=case)["utilisation"].iloc[
            0
        ]
        disparity = samples(habits, case=case)["disparity"].dropna()
        if np.isfinite(disparity.max()):
            measured[f"as CoflowSim: disparity max {case}"] = disparity.max()
    measured["as CoflowSim: PS-P by its widest port over NC-DRF, normalised CCT"] = (
        measured["as CoflowSim: normalised CCT PS-P by its widest port"]
        / measured["as CoflowSim: normalised CCT NC-DRF without spare"]
    )
    small = testbed()
    index = ["case", "coflow_id", "seed"]
    cct = small.coflows.set_index(index)["cct_s"].sort_index()
    for trigger, suffix in TRIGGERS.items():
        others = {"TCP": "TCP", "PS-P": f"PS-P{suffix}", "DRF": "DRF", "HUG": "HUG"}
        for place, name in enumerate("ABC", start=1):
            for other, case in others.items():
                ratio = cct[case, place] / cct[f"NC-DRF{suffix}", place]
                measured[f"testbed {name}, {other} over NC-DRF {trigger}"] = ratio.mean()
                measured[f"testbed {name}, {other} over NC-DRF {trigger} +-"] = half_width(ratio)
        # A arrives at 0 s.
        ends = cct[f"NC-DRF{suffix}", 1]
        measured[f"testbed: A ends, s, NC-DRF {trigger}"] = ends.mean()
        measured[f"testbed: A ends, s, NC-DRF {trigger} +-"] = half_width(ends)
    save("nc_drf", measured, sweep, habits, small)


if __name__ == "__main__":
    main()
