# SPDX-License-Identifier: GPL-2.0-only
"""What CoflowSim does with PS-P: rates that stay as they are until a coflow comes or goes."""

import numpy as np

import ns3coflow as nc


class PsPAtCoflowEvents(nc.AttainedRatePolicy):
    """FairCloud PS-P, static: a flow has the smaller of its parts of its two ports."""

    def allocate(self, view, rates):
        width = (view.end - view.begin).astype(np.int64)
        row = np.repeat(np.arange(len(view)), width)
        first = np.cumsum(width) - width
        flow = np.arange(width.sum()) - first[row] + view.begin.astype(np.int64)[row]
        part = np.full(len(flow), np.inf)
        for ports, rate in (
            (view.src[flow], view.ingress_rate),
            (view.dst[flow], view.egress_rate),
        ):
            pairs, place, flows = np.unique(
                row * len(rate) + ports, return_inverse=True, return_counts=True
            )
            coflows = np.bincount(pairs % len(rate), minlength=len(rate))
            part = np.minimum(part, rate[ports] / (coflows[ports] * flows[place]))
        rates[flow] = part
