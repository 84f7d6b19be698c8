# SPDX-License-Identifier: GPL-2.0-only
"""Compare your own scheduler with built-in schedulers."""

from pathlib import Path

import ns3coflow as nc


class SmallestLeft(nc.OrderPolicy):
    """Fewest bytes left first; old coflows gain priority."""

    aging = nc.Parameter(0.1, unit="s", least=1e-9, help="an age that halves what counts")

    def keys(self, view):
        age = (view.now_ns - view.ready_ns) / 1e9
        return view.sum_by_coflow(view.remaining) / (1 + age / self.aging)


trace = nc.Trace.read(Path(__file__).parent.parent / "data/fb-like-16.csv")
base = nc.Experiment(trace, nc.BigSwitch(hosts=16), engine="fluid")
compared = ["fair", "varys", SmallestLeft(aging=0.05)]
print(nc.compare(base.with_options(scheduler=each) for each in compared))
