# SPDX-License-Identifier: GPL-2.0-only
"""Sweep schedulers, control intervals and link rates over a cut of a trace, and report.

python sweep_trace.py FB2010-1Hr-150-0.txt OUT
"""

import sys

import ns3coflow as nc

# What a scheduler's control interval is called; plain TCP has none.
INTERVAL = {"fair": [], "varys": ["controlBatch"], "aalo": ["delta"], "dcas": ["delta"]}


def every(interval):
    return lambda options: dict.fromkeys(INTERVAL[options["scheduler"]], interval)


if __name__ == "__main__":
    trace = nc.Trace.read(sys.argv[1]).transform("max-coflow-bytes=1e9", "first=200")
    base = nc.Experiment(trace, nc.BigSwitch(hosts=150), engine="fluid")
    grid = {
        "scheduler": list(INTERVAL),
        "interval": {each: every(each) for each in ("1ms", "10ms", "100ms")},
        "linkRate": ["1Gbps", "10Gbps"],
    }
    sweep = nc.sweep(grid, repeats=3, base=base, out=sys.argv[2])
    print(sweep, sweep.table(), nc.write_report(sys.argv[2]), sep="\n")
