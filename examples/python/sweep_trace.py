# SPDX-License-Identifier: GPL-2.0-only
"""Sweep schedulers, control intervals and link rates over a cut of a trace, and report.

python sweep_trace.py FB2010-1Hr-150-0.txt OUT
"""

import sys

import ns3coflow as nc

if __name__ == "__main__":
    trace = nc.Trace.read(sys.argv[1]).transform("max-coflow-bytes=1e9", "first=200")
    sweep = nc.sweep(
        {
            "scheduler": ["fair", "varys", "aalo", "dcas"],
            "controlPeriod": ["1ms", "10ms", "100ms"],
            "linkRate": ["1Gbps", "10Gbps"],
        },
        repeats=3,
        base=nc.Experiment(trace, nc.BigSwitch(hosts=150), engine="fluid", bypassBytes=0),
        out=sys.argv[2],
    )
    print(sweep, sweep.table(), nc.write_report(sys.argv[2]), sep="\n")
