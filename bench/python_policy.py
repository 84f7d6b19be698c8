#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a policy in Python costs: CPU time of a run over that of its twin in C++.

python3 bench/python_policy.py [TRACE]
"""

import statistics
import sys

import ns3coflow as nc


class PythonScf(nc.OrderPolicy):
    """Shortest coflow first, as `scf`."""

    def keys(self, view):
        return view.length


class PythonVarys(nc.OrderPolicy):
    """Smallest bottleneck first, as `varys`."""

    def keys(self, view):
        return view.gamma()


def main() -> None:
    """Prints a line per policy: median of five ratios."""
    if len(sys.argv) > 1:
        trace = nc.Trace.read(sys.argv[1])
    else:
        trace = nc.Trace.generate("fb-like", coflows=500, hosts=64)
    base = nc.Experiment(trace, nc.BigSwitch(hosts=trace.hosts), engine="fluid")
    print(f"{len(trace)} coflows, {len(trace.flows)} flows")
    for own, twin in ((PythonScf, "scf"), (PythonVarys, "varys")):
        ratios = []
        for _ in range(5):
            python = base.with_options(scheduler=own).run()
            cpp = base.with_options(scheduler=twin).run()
            assert python.mean_cct == cpp.mean_cct
            ratios.append(python.summary["cost"]["cpu_s"] / cpp.summary["cost"]["cpu_s"])
        seconds = cpp.summary["cost"]["cpu_s"]
        events = python.summary["events"]
        extra = (statistics.median(ratios) - 1) * seconds / events * 1e6
        print(
            f"{twin}: {statistics.median(ratios):.2f} times the CPU time of C++ "
            f"({seconds:.3f} s, {events} events, {extra:.1f} us more an event)"
        )


if __name__ == "__main__":
    main()
