# SPDX-License-Identifier: GPL-2.0-only
"""Why TCP alone leaves room that a fluid gives away: python -m scratch.whole_trace.causes.

As in the busiest parts of the trace, all ports of receivers are shared by some 900 flows, and
those of senders by some 700. As a fluid, receivers limit all of these, and senders have a fourth
of their ports left. Then flows come that go from such senders to idle receivers, one by one.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.common import kept, save

SENDERS, RECEIVERS, IDLE = 8, 6, 2
FLOWS = 110  # of each sender to each receiver
LONG_BYTES = 30_000_000  # not through before the end
PROBES = 12
PROBE_BYTES = 7_000_000
FIRST_S, APART_S = 2.0, 0.7
STOP_S = 30
DEEP = "ns3::coflow::FifoQueueDisc[MaxSize=4000p]"
PACKETS: dict[str, Any] = {"ratePhase": "spread", "completion": "instant", "stop": STOP_S}
CASES: dict[str, dict[str, Any]] = {
    "packets": PACKETS,
    "packets, buffers of 6 MB": PACKETS | {"queueDisc": DEEP},
}


def workload() -> nc.Trace:
    """Flows that fill receivers' ports, and those that find idle receivers."""
    rows = []
    for number in range(FLOWS):
        ends = product(range(SENDERS), range(SENDERS, SENDERS + RECEIVERS))
        rows += [(number + 1, number * 0.002, src, dst, LONG_BYTES) for src, dst in ends]
    for number in range(PROBES):
        dst = SENDERS + RECEIVERS + number % IDLE
        arrival = FIRST_S + APART_S * number
        rows.append((FLOWS + number + 1, arrival, number % SENDERS, dst, PROBE_BYTES))
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    return nc.Trace.from_frame(pd.DataFrame(rows, columns=columns), hosts=16)


def main() -> None:
    """Runs, and writes causes.json."""
    base = nc.Experiment(workload(), nc.BigSwitch(hosts=16), scheduler="fair")
    cases = {"fluid": base.with_options(**PACKETS).fluid().options, **CASES}
    sweep = nc.sweep({"case": cases}, 1, base=base, out=kept("whole_trace_causes"))
    measured: dict[str, float] = {}
    for case in cases:
        table = sweep.store.coflows(sweep.done[sweep.done["case"] == case]["key"].iloc[0])
        cct = table[table["coflow_id"] > FLOWS]["cct_s"]
        ended = cct.notna()
        measured[f"to an idle receiver, {case}: ended"] = int(ended.sum())
        # One that has not ended takes longer than the median, so that this is what it is.
        measured[f"to an idle receiver, {case}: median CCT, s"] = cct.fillna(np.inf).median()
    fluid = measured["to an idle receiver, fluid: median CCT, s"]
    for case in CASES:
        ours = measured[f"to an idle receiver, {case}: median CCT, s"]
        measured[f"to an idle receiver, {case} over fluid"] = ours / fluid
    save("whole_trace", measured, sweep, file="causes.json")


if __name__ == "__main__":
    main()
