# SPDX-License-Identifier: GPL-2.0-only
"""Sweep schedulers, control intervals and link rates over a cut of a trace, and report.

python sweep_trace.py FB2010-1Hr-150-0.txt OUT [fluid|packet]
"""

import sys

import ns3coflow as nc

# What a control interval is in terms of each scheduler's options; plain TCP has none.
CONTROL = {
    "fair": lambda _: {},
    "varys": lambda interval: {"controlBatch": interval, "bypassBytes": 0},
    "aalo": lambda interval: {"delta": interval},
    "dcas": lambda interval: {"delta": interval},
}


def every(interval):
    return lambda options: CONTROL[options["scheduler"]](interval)


if __name__ == "__main__":
    cut = ["max-coflow-bytes=1e8", "first=40", "scale-time=0.002"]
    trace = nc.Trace.read(sys.argv[1]).transform(*cut)
    base = nc.Experiment(trace, nc.BigSwitch(hosts=151), engine=(sys.argv[3:] or ["fluid"])[0])
    grid = {
        "scheduler": list(CONTROL),
        "interval": {each: every(each) for each in ("1ms", "10ms", "100ms")},
        "linkRate": ["1Gbps", "10Gbps"],
    }
    sweep = nc.sweep(grid, repeats=3, base=base, out=sys.argv[2])
    print(sweep, sweep.table(), nc.write_report(sys.argv[2]), sep="\n")
