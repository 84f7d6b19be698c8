# SPDX-License-Identifier: GPL-2.0-only
"""Sweep schedulers, control intervals and link rates over a part of a trace, and write a report.

python sweep_trace.py FB2010-1Hr-150-0.txt OUT [fluid|packet]

The trace is public: https://github.com/coflow/coflow-benchmark
"""

import argparse

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


def read_command():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trace", help="the public trace, FB2010-1Hr-150-0.txt")
    parser.add_argument("out", help="folder of the results and of the report")
    parser.add_argument("engine", nargs="?", default="fluid", choices=["fluid", "packet"])
    return parser.parse_args()


if __name__ == "__main__":
    command = read_command()
    cut = ["max-coflow-bytes=1e8", "first=40", "scale-time=0.002"]
    trace = nc.Trace.read(command.trace).transform(*cut)
    base = nc.Experiment(trace, nc.BigSwitch(hosts=151), engine=command.engine)
    grid = {
        "scheduler": list(CONTROL),
        "interval": {each: every(each) for each in ("1ms", "10ms", "100ms")},
        "linkRate": ["1Gbps", "10Gbps"],
    }
    sweep = nc.sweep(grid, repeats=3, base=base, out=command.out)
    print(sweep, sweep.table(), nc.write_report(command.out), sep="\n")
